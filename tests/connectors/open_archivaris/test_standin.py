"""The stand-in: the shape that we proposed, what it keeps, and how it refuses."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from starlette.testclient import TestClient

from connectors.council_papers import council_papers, oddities
from connectors.council_papers.papers import MARK, Availability
from connectors.open_archivaris import contract
from connectors.open_archivaris.contract import Deviations
from connectors.open_archivaris.field_map import proposed
from connectors.open_archivaris.standin import OpenArchivarisStandIn
from connectors.open_archivaris.standin_items import Archive, identifier
from connectors.openbesluitvorming.standin_entities import Entities
from connectors.standins import StandIns
from tests.connectors.open_archivaris.support import PAGES, client, sample

ARCHIVE = Archive(PAGES)
CLIENT = client()
API = "/open-archivaris/api"


def get(path: str, **params: Any) -> Any:
    return CLIENT.get(f"{API}{path}", params=params).json()


def shape(value: Any) -> Any:
    return {name: shape(inside) for name, inside in value.items()} if isinstance(value, dict) else None


def test_an_item_has_the_shape_of_the_sample() -> None:
    proposal = {name: value for name, value in sample("proposed-openarchivaris-item").items() if name != "_note"}
    for item in get("/search", pageSize=100)["items"]:
        assert shape(item) == shape(proposal)


def test_every_answer_is_built_as_the_map_says() -> None:
    fields = proposed()
    assert contract.of_search(fields, get("/search", words="raad")) == Deviations()
    assert contract.of_health(fields, get("/health")) == Deviations()
    for upstream_id in list(ARCHIVE.by_id)[::9]:
        assert contract.of_document(fields, get(f"/documents/{upstream_id}")) == Deviations()


def test_there_are_more_than_a_hundred_and_each_is_marked_as_made() -> None:
    assert len(ARCHIVE.by_id) > 300
    for kept in ARCHIVE.by_id.values():
        assert any(MARK in text for text in kept.texts) or MARK[:-1].lower() in kept.title


def test_nothing_has_an_id_twice() -> None:
    every = [identifier(seed, paper) for seed in (2012, 1998) for paper in council_papers(seed).papers]
    assert len(every) == len(set(every))


def test_what_was_withdrawn_or_is_secret_is_gone_and_no_word_of_it_is_served() -> None:
    """Field report 19."""
    hidden = [paper for paper in council_papers().papers if paper.availability is not Availability.PUBLIC]
    assert len(ARCHIVE.withdrawn) == len(hidden) == 2
    for paper in hidden:
        answer = CLIENT.get(f"{API}/documents/{identifier(2012, paper)}")
        assert answer.status_code == 410
        assert paper.title not in answer.text
        assert identifier(2012, paper) not in json.dumps(get("/search", words=paper.title, pageSize=100))


def test_papers_of_merged_municipalities_are_kept_and_some_of_their_originals_are_gone() -> None:
    """Field report 13."""
    of_merged = [kept for kept in ARCHIVE.by_id.values() if kept.paper.body.ended]
    assert {kept.code for kept in of_merged} == {"GM0756", "GM0457"}
    gone = [kept for kept in ARCHIVE.by_id.values() if kept.gone]
    assert {kept.paper.body.key for kept in gone} == {"boxmeer", "weesp"}
    for kept in gone:
        assert kept.original.startswith((f"https://raad.{kept.paper.body.key}.example/",))  # can never exist
        assert kept.paper.body.ended is not None
        assert kept.archived.date() < kept.paper.body.ended


def test_all_links_but_those_of_vanished_originals_lead_to_our_own_pages() -> None:
    for item in (ARCHIVE.item(kept, "") for kept in ARCHIVE.by_id.values()):
        assert item["archiveUrl"].startswith(f"{PAGES}/document/open-archivaris/")
        assert item["originalGone"] or item["originalUrl"].startswith(f"{PAGES}/document/")


def test_every_original_that_is_not_gone_opens_where_it_is_said_to_be() -> None:
    there = Entities(council_papers(), PAGES).by_id
    seen = Counter[str]()
    for kept in ARCHIVE.by_id.values():
        platform, _, upstream_id = kept.original.removeprefix(f"{PAGES}/document/").partition("/")
        seen[platform if not kept.gone else "gone"] += 1
        if platform == "open-archivaris":
            assert upstream_id in ARCHIVE.by_id
        elif not kept.gone:
            assert upstream_id in there
    assert min(seen[name] for name in ("openbesluitvorming", "open-archivaris", "gone")) > 5


def test_a_search_is_for_any_word_and_papers_with_more_of_them_come_first() -> None:
    both, one, other = (
        get("/search", words=words, pageSize=100) for words in ("warmtenet parkeren", "warmtenet", "parkeren")
    )
    assert max(one["total"], other["total"]) < both["total"] <= one["total"] + other["total"]
    have = [{item["id"] for item in found["items"]} for found in (one, other)]
    covered = [sum(item["id"] in ids for ids in have) for item in both["items"]]
    assert covered == sorted(covered, reverse=True)
    assert covered[0] == 2
    assert covered[-1] == 1


@pytest.mark.parametrize(
    ("params", "holds"),
    [
        ({"bodies": "GM0228"}, lambda item: item["body"]["code"] == "GM0228"),
        ({"bodies": ["GM0228", "PV26"]}, lambda item: item["body"]["code"] in {"GM0228", "PV26"}),
        ({"bodyKinds": "waterschap"}, lambda item: item["body"]["kind"] == "waterschap"),
        ({"minPages": 5}, lambda item: item["pages"] >= 5),
        ({"maxPages": 2}, lambda item: item["pages"] <= 2),
        ({"minPages": 900, "maxPages": 908}, lambda item: item["pages"] == 908),
        ({"createdFrom": "2024-01-01"}, lambda item: item["createdOn"] >= "2024-01-01"),
        ({"createdTo": "2014-12-31"}, lambda item: item["createdOn"] <= "2014-12-31"),
    ],
)
def test_every_filter_holds_for_what_is_left_and_changes_the_count(params: dict[str, Any], holds: Any) -> None:
    """Field report 8."""
    found, everything = get("/search", pageSize=100, **params), get("/search")
    assert 0 < found["total"] < everything["total"]
    assert all(holds(item) for item in found["items"])
    assert found["total"] == len(found["items"]) or found["nextPage"] == 2


@pytest.mark.parametrize(("order", "turned"), [("newest", True), ("oldest", False)])
def test_an_order_by_date_has_those_without_a_date_last(order: str, turned: bool) -> None:
    total = get("/search")["total"]
    items = [
        item
        for at in range(1, total // 100 + 2)
        for item in get("/search", order=order, page=at, pageSize=100)["items"]
    ]
    assert len(items) == total
    days = [item["createdOn"] for item in items]
    dated = [day for day in days if day]
    assert dated == sorted(dated, reverse=turned)
    assert days[len(dated) :] == [None]


def test_a_snippet_holds_the_word_and_no_half_words() -> None:
    for item in get("/search", words="warmtenet", pageSize=100)["items"]:
        plain = item["snippet"].removeprefix("… ").removesuffix(" …")
        whole = " ".join(" ".join(ARCHIVE.by_id[item["id"]].texts).split())
        assert f" {plain} " in f" {whole} "
        assert "warmtenet" in plain.lower() or "warmtenet" in item["title"].lower()


def test_pages_of_a_search_hold_everything_once() -> None:
    seen: list[str] = []
    after: int | None = 1
    while after:
        found = get("/search", words="raad begroting", page=after, pageSize=17)
        seen += [item["id"] for item in found["items"]]
        after = found["nextPage"]
    assert len(seen) == len(set(seen)) == found["total"]
    beyond = get("/search", words="raad begroting", page=99)
    assert (beyond["items"], beyond["nextPage"], beyond["total"]) == ([], None, found["total"])


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"createdFrom": "2024-02-30"}, "invalid_date"),
        ({"createdFrom": "01-02-2024"}, "invalid_date"),
        ({"createdTo": ""}, "invalid_date"),
        ({"page": "0"}, "invalid_number"),
        ({"page": "-1"}, "invalid_number"),
        ({"pageSize": "\u0661"}, "invalid_number"),
        ({"minPages": "9" * 5000}, "invalid_number"),
        ({"order": "best"}, "unknown_order"),
        ({"words": " ".join(f"w{number}" for number in range(301))}, "too_many_words"),
        ({"bodyKinds": "rijk"}, "unknown_body_kind"),
        ({"q": "x"}, "unknown_parameter"),
    ],
)
def test_a_parameter_that_is_wrong_is_refused_by_name(params: dict[str, str], code: str) -> None:
    answer = CLIENT.get(f"{API}/search", params={"words": "x", **params})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)


@pytest.mark.parametrize(
    "path", ["/documents/oa-0000000001", "/documents/%00", "/documents/..%2Fx", "/nergens", "", "/"]
)
def test_what_is_not_there_is_a_404(path: str) -> None:
    assert CLIENT.get(f"{API}{path}").status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_only_reading_is_possible(method: str) -> None:
    assert CLIENT.request(method, f"{API}/search").status_code == 405


def test_120_calls_a_minute_are_granted_and_a_place_comes_back_after_a_minute() -> None:
    now = [0.0]
    stand_in = OpenArchivarisStandIn(PAGES, clock=lambda: now[0])
    served = TestClient(StandIns([stand_in]))
    for call in range(120):
        now[0] = call / 4
        assert served.get(f"{API}/nergens").status_code == 404
    refused = served.get(f"{API}/search")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "31")
    now[0] = 60.0
    assert served.get(f"{API}/nergens").status_code == 404
    assert served.get(f"{API}/nergens").status_code == 429
    counter = stand_in.counter
    assert (counter.calls, counter.units, counter.refusals) == (123, 121, 2)


@pytest.mark.parametrize(("condition", "status"), [("vol", 429), ("onderhoud", 503), ("onzin", 200), ("goed", 200)])
def test_the_control_address_makes_it_behave_badly(condition: str, status: int) -> None:
    served = client()
    assert served.post("/_stand/open-archivaris", json={"staat": condition}).status_code == 200
    answer = served.get(f"{API}/search")
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html") is (condition == "onzin")


def test_it_is_made_at_once_and_reads_its_papers_with_the_first_question() -> None:
    stand_in = OpenArchivarisStandIn("http://never-asked.example")
    assert "_served" not in vars(stand_in)
    assert stand_in.key == "open-archivaris"


def test_the_odd_papers_are_there() -> None:
    """Field reports 12, 22, 23 and 24."""
    by_native = {kept.paper.native: kept for kept in ARCHIVE.by_id.values()}
    assert by_native[oddities.UNDATED].created is None
    assert by_native[oddities.LARGE_REPORT].paper.source_pages == 908
    assert len(by_native[oddities.LARGE_REPORT].texts) == 40
    assert "c ollege" in " ".join(by_native[oddities.SPACED_APART].texts)
    assert by_native[oddities.OFFICE_FILE].texts == ()
    assert [kept.paper.body.key for kept in ARCHIVE.by_id.values() if kept.texts and not any(kept.texts)] == ["texel"]
