"""The stand-in's endpoints: what is asked, what is charged, what goes wrong, where its links lead."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from connectors.council_papers import council_papers, oddities
from connectors.council_papers.bodies import BODY_BY_KEY
from connectors.openbesluitvorming.standin import OpenBesluitvormingStandIn
from connectors.openbesluitvorming.standin_entities import identifier
from connectors.standins import Condition, StandIns

PAGES = "http://127.0.0.1:8000"
API = "/openbesluitvorming/api/api"
LIMIT_HEADERS = {"ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"}


class HandClock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


CLOCK = HandClock()
STAND_IN = OpenBesluitvormingStandIn(PAGES, CLOCK)


@pytest.fixture
def client() -> Iterator[TestClient]:
    CLOCK.now += 1_000
    with TestClient(StandIns([STAND_IN])) as made:
        yield made


def paper_id(body: str, native: str) -> str:
    return identifier("document", BODY_BY_KEY[body], native)


def entity(client: TestClient, entity_id: str) -> tuple[int, dict[str, object]]:
    answer = client.get(f"{API}/entities/{quote(entity_id, safe='')}")
    return answer.status_code, answer.json()


def test_every_counted_answer_carries_the_limit_whatever_its_status(client: TestClient) -> None:
    paths = (
        "/search?query=subsidie",
        "/search?sort=x",
        "/entities/none",
        "/entities/none/pdf",
        "/sources",
        "/status",
        "/stats",
        "/nee",
    )
    for left, path in zip(range(59, 0, -1), paths, strict=False):
        answer = client.get(f"{API}{path}")
        assert {name: answer.headers[name] for name in LIMIT_HEADERS} == {
            "ratelimit-limit": "60",
            "ratelimit-remaining": str(left),
            "ratelimit-reset": str(60 - left),
        }


def test_what_is_not_below_api_is_free(client: TestClient) -> None:
    answer = client.get("/openbesluitvorming/api/docs")
    assert answer.status_code == 404
    assert not LIMIT_HEADERS & set(answer.headers)


def test_an_error_costs_as_much_as_a_success_and_a_refusal_nothing(client: TestClient) -> None:
    before = STAND_IN.counter.units
    refused_before = STAND_IN.counter.refusals
    statuses = [client.get(f"{API}/search?limit=100&sort=nonsense").status_code for _ in range(50)]
    assert statuses == [400] * 46 + [429] * 4
    assert STAND_IN.counter.units - before == pytest.approx(46 * 1.304)
    assert STAND_IN.counter.refusals - refused_before == 4
    assert client.get(f"{API}/stats").status_code == 429, "46 dear calls leave 0.016 unit"


def test_the_bucket_refills_by_one_unit_a_second(client: TestClient) -> None:
    while client.get(f"{API}/stats").status_code == 200:
        pass
    refused = client.get(f"{API}/stats")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    CLOCK.now += 1
    assert client.get(f"{API}/stats").status_code == 200


def test_every_address_has_a_bucket_of_its_own_by_the_right_most_forwarded_entry(client: TestClient) -> None:
    for _ in range(60):
        client.get(f"{API}/stats", headers={"x-forwarded-for": "1.1.1.1, 9.9.9.9"})
    assert client.get(f"{API}/stats", headers={"x-forwarded-for": "2.2.2.2,9.9.9.9"}).status_code == 429
    assert client.get(f"{API}/stats", headers={"x-forwarded-for": "9.9.9.9, 1.1.1.1"}).status_code == 200


def test_an_unknown_path_is_not_found_in_plain_text(client: TestClient) -> None:
    answer = client.get(f"{API}/search/")
    assert (answer.status_code, answer.text) == (404, "Niet gevonden")
    assert answer.headers["content-type"] == "text/plain;charset=UTF-8"


def test_the_method_is_not_checked(client: TestClient) -> None:
    assert client.post(f"{API}/stats").json() == client.get(f"{API}/stats").json()


@pytest.mark.parametrize("native", [oddities.WITHDRAWN, oddities.CLASSIFIED])
def test_what_was_withdrawn_or_classified_is_gone(client: TestClient, native: str) -> None:
    """Field report 19."""
    status, body = entity(client, paper_id("ermelo", native))
    assert (status, body["code"]) == (404, "entity_not_found")


def test_a_classified_paper_still_stands_on_the_agenda(client: TestClient) -> None:
    gone = paper_id("ermelo", oddities.CLASSIFIED)
    agendas = [
        entity(client, identifier("meeting", m.body, m.native))[1]
        for m in council_papers().meetings
        if m.body.key == "ermelo"
    ]
    assert gone in str(agendas)


def test_a_meeting_of_a_body_that_left_the_import_is_found_but_does_not_open(client: TestClient) -> None:
    """Field report 20."""
    found = client.get(f"{API}/search", params={"organization": "dongen", "entityType": "Meeting"}).json()["results"]
    assert len(found) == 1
    status, body = entity(client, found[0]["entityId"])
    assert (status, body["code"]) == (500, "entity_content_failed")


@pytest.mark.parametrize("path", ["/entities/%zz", "/entities/document%", "/entities/%ff"])
def test_a_malformed_percent_sequence_is_a_bare_500(client: TestClient, path: str) -> None:
    answer = client.get(f"{API}{path}")
    assert answer.status_code == 500
    assert not answer.headers["content-type"].startswith("application/json")


def test_every_link_leads_to_our_own_page_of_something_that_opens(client: TestClient) -> None:
    found = client.get(f"{API}/search", params={"query": "warmtenet", "entityType": "Document", "limit": 5}).json()[
        "results"
    ]
    for result in found:
        own = f"{PAGES}/document/openbesluitvorming/{result['entityId']}"
        _, body = entity(client, result["entityId"])
        assert result["downloadUrl"] == body["downloadUrl"] == body["pdfUrl"] == own


def test_the_text_of_an_entity_is_the_whole_paper(client: TestClient) -> None:
    paper = next(p for p in council_papers().papers if p.body.key == "ede")
    _, body = entity(client, paper_id("ede", paper.native))
    assert body["markdownText"] == paper.text


def test_an_office_file_has_no_text_and_a_motion_without_attachment_no_file(client: TestClient) -> None:
    """Field report 25."""
    _, office = entity(client, paper_id("texel", oddities.OFFICE_FILE))
    assert "markdownText" not in office
    assert "pdfUrl" not in office
    silent = next(m for m in council_papers().motions if m.paper is None)
    _, motion = entity(client, identifier("motion", silent.body, silent.native))
    assert not {"markdownText", "downloadUrl", "contentType", "pdfUrl", "pdfEntityId"} & set(motion)


def test_the_text_of_a_motion_belongs_to_the_motion_and_not_to_the_meeting(client: TestClient) -> None:
    motion = next(m for m in council_papers().motions if m.paper)
    assert motion.paper is not None
    _, body = entity(client, identifier("document", motion.body, motion.paper))
    assert body["meetingId"] == identifier("motion", motion.body, motion.native)


def test_json_writes_the_less_than_sign_as_an_escape(client: TestClient) -> None:
    answer = client.get(f"{API}/search", params={"query": "warmtenet"})
    assert "\\u003cb>warmtenet" in answer.text.lower()
    assert "<" not in answer.text


def test_search_statistics_entity_and_pdf_tell_their_timing(client: TestClient) -> None:
    for path in ("/search?query=subsidie", "/stats", "/entities/none", "/entities/none/pdf"):
        assert "total;dur=" in client.get(f"{API}{path}").headers["server-timing"]
    assert "server-timing" not in client.get(f"{API}/sources").headers


def test_the_control_address_makes_it_full_and_in_maintenance(client: TestClient) -> None:
    control = "/_stand/openbesluitvorming"
    try:
        client.post(control, json={"staat": Condition.FULL})
        full = client.get(f"{API}/stats")
        assert (full.status_code, full.json()["code"], full.headers["retry-after"]) == (429, "rate_limited", "1")
        client.post(control, json={"staat": Condition.MAINTENANCE})
        away = client.get(f"{API}/stats")
        assert (away.status_code, away.content, away.headers["content-type"]) == (502, b"", "text/plain")
    finally:
        client.post(control, json={"staat": Condition.GOOD})


def test_sources_put_the_aggregates_first_and_can_leave_out_what_is_not_implemented(client: TestClient) -> None:
    everything = client.get(f"{API}/sources").json()["sources"]
    implemented = client.get(f"{API}/sources?implemented=true").json()["sources"]
    assert [row.get("isAggregate", False) for row in everything[:5]] == [True] * 4 + [False]
    assert [row for row in everything if row not in implemented] == [
        row for row in everything if row["key"] == "dongen"
    ]
    assert set(BODY_BY_KEY) <= {row["key"] for row in everything}


def test_the_status_names_every_source_and_how_much_of_it_is_held(client: TestClient) -> None:
    answer = client.get(f"{API}/status")
    rows = {row["sourceKey"]: row for row in answer.json()["sources"]}
    assert len(rows) == 332
    assert rows["weesp"]["succeededBy"]["sourceKey"] == "amsterdam"
    assert rows["cuijk"]["state"] == "discontinued"
    held = client.get(f"{API}/search", params={"organization": "ede"}).json()["totalCount"]
    assert rows["ede"]["indexedDocuments"] == held
    assert "indexedDocuments" not in rows["aalten"]
    assert answer.headers["cache-control"] == "public, max-age=600"


def test_the_statistics_count_what_is_held(client: TestClient) -> None:
    body = client.get(f"{API}/stats").json()
    gone = 2
    assert body["documentCount"] == len(council_papers()) - gone
    assert body["organizationCount"] == 332


def test_of_a_parameter_that_is_given_twice_the_first_counts(client: TestClient) -> None:
    twice = client.get(
        f"{API}/search?query=subsidie&query=xyzzy&limit=1&limit=x&organization=ede&organization=urk"
    ).json()

    assert twice == client.get(f"{API}/search?query=subsidie&limit=1&organization=ede").json()
    assert twice["totalCount"] > 0


def test_a_first_value_that_is_wrong_is_refused_whatever_follows(client: TestClient) -> None:
    assert client.get(f"{API}/search?query=subsidie&limit=x&limit=1").status_code == 400


def test_the_status_counts_what_can_be_found(client: TestClient) -> None:
    """The recorded entry of Ermelo said 14,877 documents."""
    for entry in client.get(f"{API}/status").json()["sources"]:
        if entry["sourceKey"] not in BODY_BY_KEY:
            continue
        found = client.get(f"{API}/search", params={"organization": entry["sourceKey"], "limit": "1"}).json()
        assert entry["indexedDocuments"] == found["totalCount"]
        newest = found["results"][0].get("sortDate", "")
        assert entry["latestContentDate"][:19] == newest[:19]
        if "coverage" in entry:
            coverage = entry["coverage"]
            assert coverage["heldDocuments"] == entry["indexedDocuments"]
            assert coverage["supplierDocuments"] == coverage["heldDocuments"] + coverage["missingDocuments"]
