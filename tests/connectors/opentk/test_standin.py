"""The stand-in by itself: the shape of its answers, its limits and its oddities."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html
from starlette.testclient import TestClient

from connectors.moments import now
from connectors.opentk.requests import Search, Sorts, search_call
from connectors.opentk.standin import OpenTKStandIn
from connectors.opentk.standin_index import Asked, Index, SearchFailedError, converted
from connectors.opentk.standin_items import Item
from connectors.opentk.standin_site import site
from connectors.standins import StandIns
from tests.connectors.opentk.helpers import sample, sample_json

BASE = "/opentk/zoeken"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(StandIns([OpenTKStandIn("http://127.0.0.1:2")]), follow_redirects=False) as found:
        yield found


def found(client: TestClient, words: str, sorts: str = "alles", *, recent: bool = False) -> list[dict[str, Any]]:
    fields = {
        "q": (None, words),
        "soorten": (None, sorts),
        "twomonths": (None, "true" if recent else "false"),
    }
    response = client.post(f"{BASE}/search", files=fields)
    assert response.status_code == 200, response.text
    hits: list[dict[str, Any]] = response.json()["results"]
    return hits


def shape(value: Any) -> Any:
    """The keys of a value all the way down; a list is as its first item."""
    if isinstance(value, dict):
        return {name: shape(one) for name, one in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return None


def test_at_least_a_hundred_items_of_every_category_are_served() -> None:
    held = site().index.held.values()
    assert len(held) > 1_000
    assert {one.category for one in held} == {
        "Document",
        "Activiteit",
        "Verslag",
        "Toezegging",
        "OODocument",
        "PersoonGeschenk",
    }


def test_a_search_has_the_shape_of_the_sample_with_sorted_keys_and_no_blanks(client: TestClient) -> None:
    recorded = sample_json("search_hits_alles.constructed.json")
    response = client.post(f"{BASE}/search", files={"q": (None, "energie")})
    body = response.json()
    assert shape(body) == shape(recorded)
    for hit in body["results"]:
        assert set(hit) == set(recorded["results"][0])
        assert all(type(hit[name]) is type(recorded["results"][0][name]) for name in hit)
    assert response.text.startswith('{"milliseconds":')
    assert list(body["results"][0]) == sorted(body["results"][0])
    assert response.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/lastupdates", "lastupdates"),
        ("/status", "status"),
        ("/recent-kamerstukdossiers", "recent-kamerstukdossiers"),
        ("/recente-kamervragen", "recente-kamervragen"),
        ("/ksds?q=Europese", "ksds"),
    ],
)
def test_the_other_answers_have_the_shape_of_the_samples(client: TestClient, path: str, name: str) -> None:
    given = client.get(f"{BASE}{path}").json()
    assert shape(given) == shape(sample_json(f"{name}.constructed.json"))
    assert given


def test_an_activity_and_a_committee_have_the_fields_of_the_samples(client: TestClient) -> None:
    recorded = sample_json("activiteit_json.constructed.json")
    number = next(
        number
        for number, row in site().activities.items()
        if ("Activiteit", row["Id"], "Toezegging") in site().held.links
    )
    given = client.get(f"{BASE}/activiteit/{number}").json()
    assert set(given) == set(recorded)
    assert set(given["meta"]) == set(recorded["meta"])
    assert set(given["agendapunten"][0]) == set(recorded["agendapunten"][0])
    assert set(given["agendapunten"][0]["docs"][0]) == set(recorded["agendapunten"][0]["docs"][0])
    committee = next(row["Id"] for row in site().held.tables["Commissie"].values() if row["NaamNL"])
    answered = client.get(f"{BASE}/commissie/{committee}").json()
    known = sample_json("commissie_json.constructed.json")
    assert set(answered) == set(known)
    assert set(answered["commissie"]) == set(known["commissie"])
    assert set(answered["activiteiten"][0]) == set(known["activiteiten"][0])


@pytest.mark.parametrize(
    ("path", "name", "xpath"),
    [
        ("/commissies.html", "commissies_html", "//main//table/thead//th/text()"),
        ("/kamerleden.html", "fracties_via_kamerleden_html", "//main//table/thead//th/text()"),
        ("/zaak.html?nummer=2022Z06955", "zaak_html_with_votes", "//main/h4[position()>1]/text()"),
    ],
)
def test_the_pages_have_the_parts_of_the_samples(client: TestClient, path: str, name: str, xpath: str) -> None:
    given = html.document_fromstring(client.get(f"{BASE}{path}").content)
    recorded = html.document_fromstring(sample(f"{name}.constructed.html"))
    assert given.xpath(xpath) == recorded.xpath(xpath) != []


def test_a_form_of_another_kind_is_not_seen_and_so_has_no_question(client: TestClient) -> None:
    for response in (
        client.post(f"{BASE}/search", data={"q": "energie"}),
        client.post(f"{BASE}/search", json={"q": "energie"}),
        client.post(f"{BASE}/search", files={"q": (None, "")}),
        client.post(f"{BASE}/search", content=b"niets", headers={"content-type": "multipart/form-data"}),
    ):
        assert response.status_code == 500
        assert "<H1>Storing</H1>" in response.text
        assert "Error 500 Internal Server Error @ " in response.text


def test_the_form_that_we_send_is_read(client: TestClient) -> None:
    call = search_call(Search('"energie"', Sorts.ALL))
    response = client.post(f"{BASE}{call.path}", content=call.body, headers=dict(call.headers))
    assert response.json()["results"] == found(client, "energie")


def test_no_more_than_280_come_newest_first_and_the_filter_works_after_that_cut(client: TestClient) -> None:
    """Field report 8: matching motions can be missing."""
    everything = found(client, "motie")
    motions = found(client, "motie", "moties")
    assert len(everything) == 280
    came_in = list(site().index.held)
    places = [came_in.index(hit["relurl"]) for hit in everything]
    assert places == sorted(places, reverse=True)
    assert len(motions) < 280
    assert {hit["nummer"] for hit in motions} < {hit["nummer"] for hit in everything}
    assert found(client, "motie", "iets anders") == everything
    questions = found(client, "schriftelijke vragen", "vragenantwoorden")
    assert {site().index.held[hit["relurl"]].soort for hit in questions} == {
        "Schriftelijke vragen",
        "Antwoord schriftelijke vragen",
    }
    assert {hit["category"] for hit in found(client, "debat", "activiteiten")} == {"Activiteit"}


def test_words_ignore_case_and_accents_and_all_must_occur(client: TestClient) -> None:
    both = found(client, "energie klimaat")
    assert {hit["nummer"] for hit in both} < {hit["nummer"] for hit in found(client, "ENERGIË")}
    assert found(client, '"energie klimaat"') != both


def test_a_fragment_is_not_escaped_and_what_was_withdrawn_is_dropped_from_the_hits() -> None:
    """Field report 19."""
    paper = Item(
        category="Document",
        number="2026D00001",
        subject="R&D <concept>",
        title="",
        text="over energie",
        day="2026-10-30T00:00:00",
        changed="2026-10-30T10:00:00Z",
        link="get/2026D00001",
    )
    index = Index.of([paper])
    asked = Asked("concept", "alles", two_months=True, now=datetime(2026, 11, 1, tzinfo=UTC))
    assert index.search(asked)[0]["snip"] == "R&D <<b>concept</b>>"
    assert index.search(Asked("concept", "alles", two_months=True, now=datetime(2027, 3, 1, tzinfo=UTC))) == []


def test_a_search_over_its_budget_is_broken_off() -> None:
    index = Index.of(site().index.held.values(), most_steps=1)
    with pytest.raises(SearchFailedError):
        index.search(Asked("de", "alles", two_months=False, now=datetime(2026, 11, 1, tzinfo=UTC)))


@pytest.mark.parametrize("words", ['"energie" ' * 190, "e* " * 150, '"a" OR ' * 50_000 + '"b"', '"a" ' * 5_000])
def test_a_search_of_very_many_words_is_broken_off_too_and_holds_up_nobody(words: str) -> None:
    with pytest.raises(SearchFailedError):
        site().index.search(Asked(words, "alles", two_months=False, now=now()))
    assert site().index.search(Asked("energie", "alles", two_months=False, now=now()))


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("Fox-IT", '"Fox-IT"'),
        ("NEAR(bert hubert)", "NEAR ( bert hubert )"),
        ("'s-Gravenhage", '"\'s-Gravenhage"'),
        ("D'66", "D'66"),
        ('"Joe Biden"', '"Joe Biden"'),
        ('half "open', 'half "open'),
    ],
)
def test_what_people_type_is_converted_as_over_there(typed: str, query: str) -> None:
    assert converted(typed) == query


def test_what_is_unknown_is_answered_with_404_or_with_200_in_words(client: TestClient) -> None:
    for path in (
        "/document.html?nummer=2026D99999",
        "/getdoc/2026D99999",
        "/zaak.html?nummer=x",
        "/verslag.html?vergaderingid=x",
        "/toezegging.html",
        "/oo.html?nummer=x",
        "/getraw?nummer=2025D43338",
        "/bestaat-niet",
    ):
        response = client.get(f"{BASE}{path}")
        assert (response.status_code, "Error 404 Not Found @ " in response.text) == (404, True), path
    activity = client.get(f"{BASE}/activiteit/2026A99999")
    assert (activity.status_code, activity.content) == (200, sample("quirk_200_activiteit_unknown.constructed.txt"))
    committee = client.get(f"{BASE}/commissie/x")
    assert (committee.status_code, committee.content) == (200, sample("quirk_200_commissie_unknown.constructed.txt"))
    raw = client.get(f"{BASE}/getraw/2026D99999")
    assert (raw.status_code, raw.text) == (200, "Could not find a Verslag with id ")


def test_files_redirects_feeds_and_tags(client: TestClient) -> None:
    assert client.get(f"{BASE}/getraw/2025D43338").content.startswith(b"PK")
    moved = client.get(f"{BASE}/get/2025D43338")
    assert (moved.status_code, moved.headers["location"]) == (301, "../document.html?nummer=2025D43338")
    first = client.get(f"{BASE}/commissies.html")
    again = client.get(f"{BASE}/commissies.html", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    feed = client.get(f"{BASE}/index.xml").text
    assert "<generator>OpenTK</generator>" in feed
    assert "<guid>tkconv_" in feed
    assert client.get(f"{BASE}/search/index.xml?q=xyzzyonbekend").text.count("<item>") == 0
    assert client.get(f"{BASE}/search/index.xml?q=").status_code == 500


def test_the_same_site_stands_below_both_services_and_counts_its_calls(client: TestClient) -> None:
    before = client.get("/_stand/opentk").json()["eenheden"]
    assert client.get("/opentk/zwaar/status").json() == client.get(f"{BASE}/status").json()
    assert client.get("/_stand/opentk").json()["eenheden"] == before + 2
    stand_in = OpenTKStandIn("http://127.0.0.1:2")
    assert (stand_in.full().status_code, stand_in.maintenance().status_code) == (429, 503)


@given(st.text(max_size=60), st.sampled_from(["alles", "moties", "activiteiten", ""]), st.booleans())
def test_odd_questions_are_answered_or_are_a_storing(words: str, sorts: str, recent: bool) -> None:
    asked = Asked(words, sorts, two_months=recent, now=datetime(2026, 11, 1, tzinfo=UTC))
    try:
        hits = site().index.search(asked)
    except SearchFailedError:
        return
    assert len(hits) <= 280


@settings(max_examples=25)
@given(st.binary(max_size=200), st.text(st.characters(codec="latin-1", exclude_categories=["Cc"]), max_size=60))
def test_an_odd_form_never_breaks_it(body: bytes, content_type: str) -> None:
    app = TestClient(StandIns([OpenTKStandIn("http://127.0.0.1:2")]))
    for kind in (content_type, f"multipart/form-data; boundary={content_type}"):
        response = app.post(f"{BASE}/search", content=body, headers=[(b"content-type", kind.encode("latin-1"))])
        assert response.status_code in {200, 500}
        assert response.status_code == 200 or "Storing" in response.text
