from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from connectors import moments
from tests.connectors.rechtspraak.helpers import CORPUS, StandInAsk, ecli_of, sample

ROOT = "/rechtspraak"
TAX = "http://psi.rechtspraak.nl/rechtsgebied#bestuursrecht_belastingrecht"
ADMINISTRATIVE = "http://psi.rechtspraak.nl/rechtsgebied#bestuursrecht"
HR = "http://standaarden.overheid.nl/owms/terms/Hoge_Raad_der_Nederlanden"
AREAS = [{"NodeType": 3, "Identifier": ADMINISTRATIVE, "level": 1}]


@pytest.fixture(scope="module")
def ask() -> Iterator[StandInAsk]:
    asking = StandInAsk()
    with asking.client:
        yield asking


@pytest.fixture(scope="module")
def client(ask: StandInAsk) -> TestClient:
    return ask.client


def _zoek(client: TestClient, term: str = "", **changes: Any) -> Any:
    body = json.loads(sample("api-zoek-request.json"))
    body["SearchTerms"] = [{"Term": term, "Field": "AlleVelden"}] if term else []
    response = client.post(f"{ROOT}/zoeken/api/zoek", json=body | changes)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("application/json")
    return response.json()


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shape(item) for key, item in value.items()}
    return [_shape(value[0])] if isinstance(value, list) and value else type(value).__name__


def test_an_answer_of_the_search_has_the_recorded_shape(client: TestClient) -> None:
    recorded = json.loads(sample("api-zoek-hits.mixed.json"))
    ours = _zoek(client, "vergunning")
    assert list(ours) == list(recorded)
    like = next(result for result in ours["Results"] if result["Proceduresoorten"] and result["Rechtsgebieden"])
    assert list(like) == list(recorded["Results"][0])
    assert _shape(like) == _shape(recorded["Results"][0])
    for name, facets in recorded["FacetCounts"].items():
        assert name in ours["FacetCounts"]
        for facet in ours["FacetCounts"][name]:
            assert _shape(facet) == _shape(facets[0])
            assert (facet["NodeType"], facet["level"]) == (facets[0]["NodeType"], facets[0]["level"])


def test_the_fields_of_a_result_are_written_as_recorded(client: TestClient) -> None:
    pattern = {
        "Titel": r".+, \d\d-\d\d-\d{4}(, .+)?",
        "TitelEmphasis": r"ECLI:NL:[A-Z]+:\d{4}:\w+",
        "Uitspraakdatum": r"\d\d-\d\d-\d{4}",
        "Publicatiedatum": r"\d\d-\d\d-\d{4}",
        "PublicatiedatumDate": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00",
        "DeeplinkUrl": r"https://deeplink\.rechtspraak\.nl/uitspraak\?id=ECLI:.+",
    }
    for results in (
        json.loads(sample("api-zoek-hits.mixed.json"))["Results"],
        _zoek(client, "belasting", PageSize=50)["Results"],
    ):
        for result in results:
            for name, written in pattern.items():
                assert re.fullmatch(written, result[name]), (name, result[name])


def test_no_result_has_the_recorded_shape(client: TestClient) -> None:
    assert _zoek(client, "windmolenpark", ShouldCountFacets=False) == json.loads(
        sample("api-zoek-empty.constructed.json")
    )


@pytest.mark.parametrize(("word", "at_least"), [("subsidie", 8), ("vergunning", 12), ("belasting", 20)])
def test_the_words_people_try_first_find_several_rulings(client: TestClient, word: str, at_least: int) -> None:
    found = _zoek(client, word, PageSize=50)
    assert found["ResultCount"] >= at_least
    for result in found["Results"]:
        file = CORPUS / "content" / f"{result['TitelEmphasis'].replace(':', '_')}.xml"
        assert word in re.findall(r"\w+", file.read_text(encoding="utf-8").lower())


def test_all_words_must_occur_and_a_phrase_as_it_stands(client: TestClient) -> None:
    counts = {
        term: _zoek(client, term)["ResultCount"] for term in ("hoger", "beroep", "hoger beroep", '"hoger beroep"')
    }
    assert counts["hoger beroep"] <= min(counts["hoger"], counts["beroep"])
    assert 0 < counts['"hoger beroep"'] <= counts["hoger beroep"]
    assert _zoek(client, '"hoger gemeente"')["ResultCount"] == 0 < _zoek(client, "hoger gemeente")["ResultCount"]
    assert _zoek(client, "SUBSIDIE")["ResultCount"] == _zoek(client, "subsidie")["ResultCount"]
    assert _zoek(client, "subsid")["ResultCount"] == 0


def test_pages_follow_each_other_without_gap_or_overlap(client: TestClient) -> None:
    total = _zoek(client, "de")["ResultCount"]
    pages = [_zoek(client, "de", StartRow=start, PageSize=50) for start in range(0, total + 50, 50)]
    found = [result["TitelEmphasis"] for page in pages for result in page["Results"]]
    assert len(found) == len(set(found)) == total
    assert {page["ResultCount"] for page in pages} == {total}
    assert pages[-1]["Results"] == []
    assert len(_zoek(client, "de", PageSize=100000)["Results"]) == 50


def test_the_four_orders_order(client: TestClient) -> None:
    def days(order: str, field: str) -> list[str]:
        results = _zoek(client, "beroep", SortOrder=order, PageSize=50)["Results"]
        return ["".join(reversed(result[field].split("-"))) for result in results]

    assert days("UitspraakDatumAsc", "Uitspraakdatum") == sorted(days("UitspraakDatumAsc", "Uitspraakdatum"))
    newest = days("UitspraakDatumDesc", "Uitspraakdatum")
    assert newest == sorted(newest, reverse=True)
    published = days("PublicatieDatumDesc", "Publicatiedatum")
    assert published == sorted(published, reverse=True)
    first = _zoek(client, "subsidie", SortOrder="Relevance")["Results"][0]["TitelEmphasis"]
    counts = {
        ecli_of(file): len(re.findall(r"\bsubsidie\b", file.read_text(encoding="utf-8").lower()))
        for file in (CORPUS / "content").glob("*.xml")
    }
    assert counts[first] == max(counts.values())


def test_courts_areas_and_procedures_filter_by_identifier_and_a_root_covers_its_children(client: TestClient) -> None:
    courts = [{"NodeType": 1, "Identifier": HR, "level": 1}]
    hoge_raad = _zoek(client, "", Instanties=courts, PageSize=50)
    assert {result["TitelEmphasis"].split(":")[2] for result in hoge_raad["Results"]} == {"HR"}
    everything = _zoek(client, "", PageSize=50, Instanties=[*courts, {"Identifier": "http://example.org/geen"}])
    assert everything["ResultCount"] == hoge_raad["ResultCount"]
    root = _zoek(client, "", Rechtsgebieden=AREAS)["ResultCount"]
    child = _zoek(client, "", Rechtsgebieden=[{"NodeType": 3, "Identifier": TAX, "level": 1}])["ResultCount"]
    assert 0 < child < root
    assert _zoek(client, "", Proceduresoorten=[{"Identifier": "http://psi.rechtspraak.nl/procedure#hogerBeroep"}])[
        "ResultCount"
    ]


def test_classes_of_dates_are_those_of_today(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "now", lambda: datetime(2015, 12, 31, 12, tzinfo=UTC))

    def years(name: str) -> set[str]:
        wanted = [{"NodeType": 4, "Identifier": name, "level": 0}]
        return {
            result["Uitspraakdatum"][-4:] for result in _zoek(client, "", DatumUitspraak=wanted, PageSize=50)["Results"]
        }

    assert (years("DitJaar"), years("VorigJaar"), years("BinnenEenWeek")) == ({"2015"}, {"2014"}, set())


def test_a_fragment_is_the_abstract_or_the_words_around_the_first_hit(client: TestClient) -> None:
    results = {
        result["TitelEmphasis"]: result["Tekstfragment"] for result in _zoek(client, "subsidie", PageSize=50)["Results"]
    }
    assert results["ECLI:NL:CBB:2022:1"].startswith("Artikel 2:3, eerste lid")
    assert results["ECLI:NL:CBB:2022:1"].endswith("...")
    around = results["ECLI:NL:PHR:1995:AA3128"]
    assert around.startswith("en levert het aldus gewonnen")
    assert "subsidie" in around


def test_only_published_decisions_are_searched_when_asked(client: TestClient) -> None:
    published = _zoek(client, "")["ResultCount"]
    everything = _zoek(client, "", Advanced={})["ResultCount"]
    assert published < everything == len(list((CORPUS / "content").glob("*.xml")))


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"geen json", b'{"StartRow": -1}', b'{"SortOrder": "Zomaar"}', b'{"SearchTerms": [1]}']
)
def test_a_body_that_cannot_be_read_is_refused(client: TestClient, body: bytes) -> None:
    assert client.post(f"{ROOT}/zoeken/api/zoek", content=body).status_code == 400


odd = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([-1, 10**30, float("inf"), float("nan"), "", "1e400", "AlleenGepubliceerd", "Relevance", "de"])
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["Term", "Identifier", "PublicatieStatus"]), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = ["StartRow", "PageSize", "SortOrder", "SearchTerms", "ShouldCountFacets", "Instanties", "Rechtsgebieden"]
FIELDS += ["Proceduresoorten", "DatumUitspraak", "DatumPublicatie", "Advanced", "Vreemd"]


@given(asked=st.dictionaries(st.sampled_from(FIELDS), odd, max_size=4) | odd)
def test_whatever_is_asked_is_answered_or_refused(client: TestClient, asked: object) -> None:
    assert client.post(f"{ROOT}/zoeken/api/zoek", content=json.dumps(asked)).status_code in {200, 400}


@pytest.mark.parametrize("body", [b'{"PageSize": 1e400}', b'{"StartRow": -1e400}', b"[" * 100_000, b'{"a":' * 100_000])
def test_numbers_and_nests_without_end_are_refused(client: TestClient, body: bytes) -> None:
    assert client.post(f"{ROOT}/zoeken/api/zoek", content=body).status_code == 400


def test_other_pages_of_the_website_are_an_empty_script_page(client: TestClient) -> None:
    start = re.compile(r'\s*<!DOCTYPE html>\s*<html lang="nl">\s*<head>')
    for page in (
        sample("site-shell.html").decode(),
        *(client.get(f"{ROOT}/zoeken/{path}").text for path in ("", "details?id=x")),
    ):
        assert start.match(page)
        assert "<app-root>" in page or "<script" in page
