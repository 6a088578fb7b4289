"""What the stand-in answers has the shape of the samples: the same keys, types and rules of presence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from connectors.council_papers import council_papers
from connectors.openbesluitvorming.standin import OpenBesluitvormingStandIn
from connectors.openbesluitvorming.standin_entities import Entities
from connectors.standins import StandIns

SAMPLES = Path(__file__).parents[2] / "samples/openbesluitvorming"
API = "/openbesluitvorming/api/api"
PAGES = "http://127.0.0.1:8000"
STAND_IN = OpenBesluitvormingStandIn(PAGES)
CLIENT = TestClient(StandIns([STAND_IN]))
# Never sent: no picture in a storage that does not exist, no recording with a stream that does not exist.
NOT_SENT = {"previewImageUrl", "recordings"}
# In the detail of a motion on the platform page, but in no sample of a meeting's motions.
ALSO_IN_A_MEETING = {"proposers", "co_proposers", "vote_summary"}


def sample(name: str) -> Any:
    return json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def get(path: str, **params: str) -> Any:
    return CLIENT.get(f"{API}{path}", params=params, headers={"x-forwarded-for": f"10.0.0.{next(ADDRESSES)}"}).json()


ADDRESSES = iter(range(1, 1_000_000))


def kind(value: Any) -> str:
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def types(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {key: kind(value) for row in rows for key, value in row.items()}


def always(rows: list[dict[str, Any]]) -> set[str]:
    return set.intersection(*(set(row) for row in rows))


def check(ours: list[dict[str, Any]], samples: list[dict[str, Any]], more: frozenset[str] = frozenset()) -> None:
    """Our rows have no key and no type that no sample has, and every key that all samples have."""
    assert ours
    known = types(samples)
    for row in ours:
        assert {
            key: kind(value) for key, value in row.items() if key not in more and known.get(key) != kind(value)
        } == {}
        assert always(samples) - set(row) == set()
        assert None not in row.values()


SAMPLE_RESULTS = [
    *sample("search_hits")["results"],
    *sample("search_motions")["results"],
    *sample("search_browse_organization")["results"],
    *sample("search_large_approximate")["results"],
]


@pytest.mark.parametrize("word", ["subsidie", "motie", "vergadering", "13165092", "bus"])
def test_search_results_have_the_shape_of_the_samples(word: str) -> None:
    answer = get("/search", query=word, limit="100")
    check([answer], [sample("search_hits"), sample("search_empty"), sample("search_beyond_reach")])
    for entity_type in {result["entityType"] for result in answer["results"]}:
        ours = [result for result in answer["results"] if result["entityType"] == entity_type]
        check(ours, [result for result in SAMPLE_RESULTS if result["entityType"] == entity_type])


def test_every_optional_key_of_a_result_is_sent_somewhere() -> None:
    answers = [get("/search", query=word, limit="100") for word in ("subsidie", "motie", "13165092")]
    sent = {key for answer in answers for result in answer["results"] for key in result}
    assert set(types(SAMPLE_RESULTS)) - sent == NOT_SENT - {"recordings"}


def entities(entity_type: str) -> list[dict[str, Any]]:
    """Every entity of a type; that the wire adds nothing is seen in ``test_the_wire_gives_the_entity_as_it_is``."""
    made = Entities(council_papers(), PAGES)
    return [body for key in made.by_id if (body := made.entity(key)) and body["entityType"] == entity_type]


def test_the_wire_gives_the_entity_as_it_is() -> None:
    for result in get("/search", organization="utrecht", limit="100")["results"]:
        entity_id = result["entityId"]
        assert get(f"/entities/{quote(entity_id, safe='')}") == Entities(council_papers(), PAGES).entity(entity_id)


def test_documents_have_the_shape_of_the_samples() -> None:
    ours = entities("Document")
    samples = [sample("entity_document_fulltext"), sample("entity_document_without_text")]
    dated = [body for body in ours if "sortDate" in body]
    check(dated, samples)
    undated = [body for body in ours if "sortDate" not in body]
    assert [set(samples[1]) - set(body) for body in undated] == [{"sortDate", "meetingId"}]


def test_motions_have_the_shape_of_the_samples() -> None:
    ours = entities("Motion")
    samples = [sample("entity_motion_ibabs_votes"), sample("entity_motion_without_text")]
    check(ours, samples)
    check([body["motion"] for body in ours], [body["motion"] for body in samples])
    votes = [vote for body in ours for vote in body["motion"].get("votes", ())]
    check(votes, samples[0]["motion"]["votes"])
    check([body["motion"]["tally"] for body in ours if "tally" in body["motion"]], [samples[0]["motion"]["tally"]])
    for body in ours:
        is_ibabs = body["entityId"].startswith("motion:ibabs:")
        assert ("agenda_item_hint" in body["motion"]) is is_ibabs
        assert ("meetingId" in body) is not is_ibabs


def flat(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [deeper for item in items for deeper in (item, *flat(item.get("agenda_items", [])))]


def test_meetings_have_the_shape_of_the_samples() -> None:
    ours = entities("Meeting")
    full, bare = sample("entity_meeting"), sample("entity_meeting_without_agenda")
    check(ours, [full, bare])
    theirs, our_items = flat(full["agenda"]), flat([item for body in ours for item in body["agenda"]])
    check(our_items, theirs)
    check([d for i in our_items for d in i.get("documents", ())], [d for i in theirs for d in i.get("documents", ())])
    motions = [motion for body in ours for motion in body.get("motions", ())]
    check(motions, full["motions"], frozenset(ALSO_IN_A_MEETING))
    assert [body["title"] for body in ours if body["agenda"] == []] == [
        "Informatieavond raad 2 september 2026 (voorbeeldstuk, geen echt besluit)"
    ]


def test_sources_status_and_statistics_have_the_shape_of_the_samples() -> None:
    check(get("/sources")["sources"], sample("sources")["sources"])
    check([get("/stats")], [sample("stats")])
    status, theirs = get("/status"), sample("status")
    check([status], [theirs])
    check(status["suppliers"], theirs["suppliers"])
    check(status["sources"], theirs["sources"])
    check(
        [r["succeededBy"] for r in status["sources"] if "succeededBy" in r],
        [r["succeededBy"] for r in theirs["sources"] if "succeededBy" in r],
    )


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("error_400_invalid_date", "/search?dateFrom=2026-01-01T00:00:00Z"),
        ("error_400_invalid_limit", "/search?limit=0"),
        ("error_400_invalid_offset", "/search?offset=-1"),
        ("error_400_unknown_entity_type", "/search?entityType=motie"),
        ("error_400_unknown_organization", "/search?organization=Soest"),
        ("error_400_unknown_sort", "/search?sort=newest"),
        ("error_404_entity_not_found", "/entities/document:none"),
        ("error_404_pdf_not_found", "/entities/document:none/pdf"),
        ("error_404_unknown_api_path", "/onbekend"),
    ],
)
def test_an_error_is_the_one_of_the_sample(name: str, path: str) -> None:
    wanted = sample(name)
    answer = CLIENT.get(f"{API}{path}", headers={"x-forwarded-for": f"10.0.1.{next(ADDRESSES)}"})
    body = answer.json() if isinstance(wanted["body"], dict) else answer.text
    assert (answer.status_code, body) == (wanted["status"], wanted["body"])
    assert set(wanted["headers"]) <= set(answer.headers)
    assert answer.headers["content-type"] == wanted["headers"]["content-type"]


def test_the_refusal_is_the_one_of_the_sample_but_for_its_hint() -> None:
    wanted, answer = sample("error_429_rate_limited"), STAND_IN.full()
    body = json.loads(bytes(answer.body))
    assert {**body, "hint": ""} == {**wanted["body"], "hint": ""}
    assert body["hint"]
    assert {name: answer.headers[name] for name in wanted["headers"]} == wanted["headers"]
    assert answer.status_code == wanted["status"]


def test_the_answer_during_maintenance_is_the_one_of_the_sample() -> None:
    wanted, answer = sample("error_502_gateway"), STAND_IN.maintenance()
    assert (answer.status_code, bytes(answer.body).decode()) == (wanted["status"], wanted["body"])


@pytest.mark.parametrize(
    ("name", "path"), [("search_ok", "/search?query=subsidie"), ("stats", "/stats"), ("status", "/status")]
)
def test_the_headers_of_an_answer_are_those_of_the_sample(name: str, path: str) -> None:
    """What the bucket still holds and how long an answer may be kept; the pictures of pages are never asked for."""
    theirs = sample("response_headers")[name]
    ours = CLIENT.get(f"{API}{path}", headers={"x-forwarded-for": f"10.0.0.{next(ADDRESSES)}"}).headers
    assert theirs.keys() - set(ours) == set()
    fixed = {"content-type", "cache-control", "ratelimit-limit"} & theirs.keys()
    assert {key: ours[key] for key in fixed} == {key: theirs[key] for key in fixed}
