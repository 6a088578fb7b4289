from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from starlette.testclient import TestClient

from connectors.rechtspraak import standin_open_data
from connectors.rechtspraak.parse_atom import parse_atom
from tests.connectors.rechtspraak.helpers import CORPUS, StandInAsk, answer, ecli_of, sample

ROOT = "/rechtspraak"
ATOM = "{http://www.w3.org/2005/Atom}"
TAX = "http://psi.rechtspraak.nl/rechtsgebied#bestuursrecht_belastingrecht"
ADMINISTRATIVE = "http://psi.rechtspraak.nl/rechtsgebied#bestuursrecht"
FOREIGN_COURT = "http://psi.rechtspraak.nl/instantie/ES/%23AudienciaNacionalNationaalHof"
HR = "http://standaarden.overheid.nl/owms/terms/Hoge_Raad_der_Nederlanden"


@pytest.fixture(scope="module")
def ask() -> Iterator[StandInAsk]:
    asking = StandInAsk()
    with asking.client:
        yield asking


@pytest.fixture(scope="module")
def client(ask: StandInAsk) -> TestClient:
    return ask.client


def _feed(client: TestClient, query: str = "") -> etree._Element:
    response = client.get(f"{ROOT}/open-data/uitspraken/zoeken?{query}")
    assert response.status_code == 200, response.text
    assert response.content.startswith(b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?><feed')
    return etree.fromstring(response.content)


def _total(client: TestClient, query: str) -> int:
    return int(str(_feed(client, query).findtext(f"{ATOM}subtitle")).rpartition(" ")[2])


def _ids(feed: etree._Element) -> list[str]:
    return [str(found.text) for found in feed.iterfind(f"{ATOM}entry/{ATOM}id")]


def _outline(element: etree._Element) -> list[tuple[str, list[str]]]:
    """Names of elements and attributes in order, one entry standing for all."""
    outline: list[tuple[str, list[str]]] = []
    for node in element.iter():
        line = (str(node.tag), sorted(str(name) for name in node.attrib))
        if line not in outline:
            outline.append(line)
    return outline


def test_a_feed_has_the_recorded_shape(client: TestClient) -> None:
    recorded = etree.fromstring(sample("zoeken-two.mixed.xml"))
    ours = _feed(client, "date=2014-01-01&date=2014-12-31&return=DOC")
    assert _outline(ours) == _outline(recorded)
    for name in ("title", "subtitle", "rights"):
        written, there = (str(feed.findtext(f"{ATOM}{name}")) for feed in (ours, recorded))
        assert re.sub(r"\d+", "#", written) == re.sub(r"\d+", "#", there)
    for entry in ours.iterfind(f"{ATOM}entry"):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(entry.findtext(f"{ATOM}updated")))
        assert re.fullmatch(r"ECLI:\S+, .+, \d\d-\d\d-\d{4}, .*", str(entry.findtext(f"{ATOM}title")))


def test_a_replaced_decision_is_marked_as_deleted_and_has_no_link(client: TestClient) -> None:
    recorded = etree.fromstring(sample("zoeken-deleted.constructed.xml"))
    replaced = _feed(client, "date=2007-01-16").find(f"{ATOM}entry[@deleted='ecli']")
    assert replaced is not None
    assert _outline(replaced) == _outline(list(recorded.iterfind(f"{ATOM}entry"))[2])
    assert parse_atom(answer(etree.tostring(_feed(client, "date=2007-01-16")))).withdrawn == 1


def test_an_empty_feed_and_one_past_the_end_keep_their_total(client: TestClient) -> None:
    assert _outline(_feed(client, "date=1950-01-01")) == _outline(
        etree.fromstring(sample("zoeken-empty.constructed.xml"))
    )
    past_end = _feed(client, "from=5000")
    assert _outline(past_end) == _outline(etree.fromstring(sample("zoeken-page-past-end.recorded.xml")))
    assert str(past_end.findtext(f"{ATOM}subtitle")).endswith(f" {len(list((CORPUS / 'content').glob('*.xml')))}")


def test_unknown_parameters_are_ignored_so_that_everything_answers(client: TestClient) -> None:
    """Field report 8."""
    assert _total(client, "q=energie&text=a") == _total(client, "") == len(list((CORPUS / "content").glob("*.xml")))


def test_one_date_is_a_day_and_two_are_a_period(client: TestClient) -> None:
    assert _ids(_feed(client, "date=2016-03-25")) == ["ECLI:NL:RBMNE:2016:1780"]
    assert set(_ids(_feed(client, "date=2016-03-04&date=2016-03-25"))) == {
        "ECLI:NL:RBMNE:2016:1780",
        "ECLI:NL:RBZWB:2016:1440",
    }
    assert _total(client, "date=2016-03-25&date=2016-03-04") == 0


def test_repeated_courts_add_up_and_other_parameters_narrow(client: TestClient) -> None:
    rvs = "http://standaarden.overheid.nl/owms/terms/Raad_van_State"
    counts = [_total(client, query) for query in (f"creator={HR}", f"creator={rvs}", f"creator={HR}&creator={rvs}")]
    assert counts[2] == counts[0] + counts[1] > counts[0] > counts[1] > 0
    assert _total(client, f"creator={HR}&type=conclusie") == 0
    foreign = ("http://psi.rechtspraak.nl/buitenlandseInstantie", "ECLI:NL:XX", FOREIGN_COURT)
    assert [_total(client, f"creator={court}") for court in foreign] == [0, 0, 0], "known, though the corpus has none"
    assert _total(client, "type=Conclusie") + _total(client, "type=UITSPRAAK") == _total(client, "")


def test_subjects_cover_their_children_and_text_can_be_asked_for(client: TestClient) -> None:
    root, child = (_total(client, f"subject={area.replace('#', '%23')}") for area in (ADMINISTRATIVE, TAX))
    assert 0 < child < root
    assert _total(client, "return=DOC") < _total(client, "")
    assert _ids(_feed(client, "replaces=ZG0125")) == ["ECLI:NL:CBB:1997:ZG0125"]


def test_the_order_is_by_change_and_pages_follow_each_other(client: TestClient) -> None:
    feed = _feed(client, "max=1000")
    updated = [str(found.text) for found in feed.iterfind(f"{ATOM}entry/{ATOM}updated")]
    assert updated == sorted(updated)
    assert _ids(_feed(client, "sort=DESC")) == _ids(feed)[::-1]
    pages = [_ids(_feed(client, f"max=60&from={start}")) for start in (0, 60, 120, 180)]
    assert [ecli for page in pages for ecli in page] == _ids(feed)
    assert _ids(_feed(client, "max=0")) == []
    assert len(_ids(_feed(client, "max=5000"))) == len(updated)


def test_more_than_the_largest_page_is_cut_in_silence(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Field report 32."""
    monkeypatch.setattr(standin_open_data, "LARGEST_PAGE", 5)
    assert [len(_ids(_feed(client, query))) for query in ("max=3", "max=6", "")] == [3, 5, 5]


def test_changes_are_asked_in_dutch_time_whatever_offset_is_written(client: TestClient) -> None:
    since = [
        _total(client, f"modified={value}")
        for value in ("2016-06-30T09:21:35", "2016-06-30T09:21:35Z", "2016-06-30T09:21:35%2B05:00")
    ]
    assert len(set(since)) == 1
    assert _total(client, "modified=2016-06-30T09:21:35&modified=2016-06-30T09:21:35") == 1
    assert _total(client, "modified=2016-06-30&modified=2016-07-01") >= 1
    entry = _feed(client, "date=2016-03-25").find(f"{ATOM}entry")
    assert entry is not None
    assert entry.findtext(f"{ATOM}updated") == "2016-06-30T07:21:35Z"


@pytest.mark.parametrize(
    "query",
    [
        "return=META",
        "type=arrest",
        "type=uitspraak&type=conclusie",
        "date=gisteren",
        "date=2020-01-01&date=2020-01-02&date=2020-01-03",
        "modified=1",
        "creator=http://example.org/hof",
        "subject=recht",
        "max=veel",
        pytest.param(f"max={'9' * 5000}", id="max=9999..."),
        "from=-1",
        "sort=datum",
    ],
)
def test_an_unknown_value_is_refused_with_400_and_a_text(client: TestClient, query: str) -> None:
    response = client.get(f"{ROOT}/open-data/uitspraken/zoeken?{query}")
    assert (response.status_code, response.headers["content-type"]) == (400, "text/plain; charset=utf-8")
    assert query.partition("=")[0] in response.text


@pytest.mark.parametrize("query", ["date=2022-02-30", "modified=2022-13-01", "modified=2022-01-01T25:00:00"])
def test_a_day_that_does_not_exist_is_answered_with_html(client: TestClient, query: str) -> None:
    response = client.get(f"{ROOT}/open-data/uitspraken/zoeken?{query}")
    assert response.text.startswith("<!DOCTYPE html>")


NAMES = ["return", "type", "date", "modified", "creator", "subject", "replaces", "max", "from", "sort", "id", "q"]
VALUES = ["", "0", "-1", "1" * 5000, "²", "١", "2016-02-30", "0000-00-00", "9999-12-31T23:59:59+99:99", "DOC", "asc"]
parameters = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES) | st.text(max_size=12)), max_size=4)


@given(asked=parameters, path=st.sampled_from(["uitspraken/zoeken", "uitspraken/content"]))
def test_whatever_is_asked_is_answered_or_refused(client: TestClient, asked: list[tuple[str, str]], path: str) -> None:
    assert client.get(f"{ROOT}/open-data/{path}?{urlencode(asked)}").status_code in {200, 400, 404}


def test_decisions_are_served_as_their_bytes_stand(client: TestClient) -> None:
    for file in (CORPUS / "content").glob("*.xml"):
        assert (
            client.get(f"{ROOT}/open-data/uitspraken/content", params={"id": ecli_of(file)}).content
            == file.read_bytes()
        )


def test_metadata_alone_ends_after_the_metadata(client: TestClient) -> None:
    response = client.get(f"{ROOT}/open-data/uitspraken/content?id=ECLI:NL:CBB:2022:1&return=META")
    assert [etree.QName(child).localname for child in etree.fromstring(response.content)] == ["RDF"]
    assert client.get(f"{ROOT}/open-data/uitspraken/content?id=ECLI:NL:CBB:2022:1&return=X").status_code == 400


def test_value_lists_are_served_and_other_paths_lead_to_the_page_not_found(client: TestClient) -> None:
    assert (
        client.get(f"{ROOT}/open-data/Waardelijst/Instanties").content
        == (CORPUS / "waardelijst" / "Instanties.xml").read_bytes()
    )
    for path in ("Waardelijst/Niets", "Waardelijst/..%2Fmanifest", "uitspraken/anders", ""):
        response = client.get(f"{ROOT}/open-data/{path}")
        assert (response.status_code, response.headers["location"]) == (302, "https://mededeling.rechtspraak.nl/404")


def test_every_call_is_one_unit() -> None:
    ask = StandInAsk()
    before = ask.client.get("/_stand/rechtspraak").json()
    ask.client.get(f"{ROOT}/open-data/uitspraken/zoeken?date=x")
    ask.client.post(f"{ROOT}/zoeken/api/zoek", json={})
    after = ask.client.get("/_stand/rechtspraak").json()
    assert (before["eenheden"], after["eenheden"], after["aanroepen"]) == (0, 2, 2)


@pytest.mark.parametrize(("state", "status"), [("vol", 429), ("onderhoud", 502), ("onzin", 200)])
def test_its_states_answer_in_the_platforms_way(state: str, status: int) -> None:
    ask = StandInAsk()
    ask.client.post("/_stand/rechtspraak", json={"staat": state})
    response = ask.client.get(f"{ROOT}/open-data/uitspraken/zoeken")
    assert response.status_code == status
    assert (ask.client.get("/_stand/rechtspraak").json()["weigeringen"] == 1) == (state == "vol")
