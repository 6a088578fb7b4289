"""The stand-in: the wire format of the samples, its limits and quirks, and nothing that was withdrawn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from starlette.testclient import TestClient

from connectors.officiele_bekendmakingen.standin_items import items
from connectors.officiele_bekendmakingen.standin_notices import MARK, notices, withdrawn
from tests.connectors.officiele_bekendmakingen.helpers import StandInAsk, sample

AREA = "c.product-area==officielepublicaties"
PATH = "/officiele-bekendmakingen/zoeken/sru"
NAMES = {"sru": "http://docs.oasis-open.org/ns/search-ws/sruResponse"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with StandInAsk().client as client:
        yield client


def found(client: TestClient, query: str, **params: str) -> tuple[int, list[str]]:
    root = etree.fromstring(
        client.get(PATH, params={"query": f"{AREA} AND {query}", "maximumRecords": "1000"} | params).content
    )
    count = root.findtext("sru:numberOfRecords", namespaces=NAMES)
    assert count is not None, etree.tostring(root)
    return int(count), [str(e.text) for e in root.iter("{http://purl.org/dc/terms/}identifier")]


def diagnostic(client: TestClient, query: str, **params: str) -> str:
    root = etree.fromstring(client.get(PATH, params={"query": query} | params).content)
    assert root.find("sru:numberOfRecords", NAMES) is None
    return str(root.findtext(".//{http://docs.oasis-open.org/ns/search-ws/diagnostic}uri"))


def paths(root: etree._Element) -> set[tuple[str, ...]]:
    """Every element as its path of names, with the namespaces of the service."""
    return {tuple(str(e.tag) for e in (*reversed(list(node.iterancestors())), node)) for node in root.iter()}


def test_an_answer_has_the_shape_of_the_samples(client: TestClient) -> None:
    shown = paths(etree.fromstring(sample("sru-search-hits.constructed.xml")))
    for query in ("w.publicatienaam==Kamerstuk", "w.publicatienaam==Gemeenteblad", "w.publicatienaam==Handelingen"):
        root = etree.fromstring(client.get(PATH, params={"query": f"{AREA} AND {query}"}).content)
        assert paths(root) <= shown
        for name in ("sru:version", "sru:numberOfRecords", "sru:records", "sru:resultCountPrecision"):
            assert root.find(name, NAMES) is not None


def test_a_refusal_has_the_shape_of_the_recorded_one(client: TestClient) -> None:
    recorded = etree.fromstring(sample("sru-diagnostic-syntax.recorded.xml"))
    refused = etree.fromstring(client.get(PATH, params={"query": f"{AREA} AND zorg veiligheid"}).content)
    assert paths(refused) == paths(recorded)
    assert "mismatched input 'veiligheid'" in "".join(refused.itertext())


def test_json_holds_what_xml_holds(client: TestClient) -> None:
    params = {"query": f"{AREA} AND dt.identifier==kst-33576-433", "httpAccept": "application/json"}
    answer = client.get(PATH, params=params).json()["searchRetrieveResponse"]
    record = answer["records"]["record"][0]["recordData"]["gzd"]
    assert answer["numberOfRecords"] == 1
    assert record["originalData"]["meta"]["owmskern"]["type"] == {"scheme": "OVERHEIDop.Parlementair", "$": "Kamerstuk"}
    assert record["originalData"]["meta"]["tpmeta"]["ondernummer"] == 433
    assert record["enrichedData"]["itemUrl"][0]["manifestation"] == "xml"


def test_there_is_enough_of_every_journal_and_of_the_words_people_try(client: TestClient) -> None:
    assert len(items()) >= 200
    journals = {value for item in items() for value in item.values("w.publicatienaam")}
    assert len(journals) == 13
    for word in ("subsidie", "vergunning", "energie", "klimaat"):
        assert found(client, word)[0] >= 15
    assert found(client, "vergunning") == found(client, "vergunningen")


def test_what_is_made_says_so_and_what_is_real_does_not() -> None:
    for item in items():
        text = b"".join(item.files.values()).decode(errors="replace")
        is_marked = MARK in item.values("dt.abstract")
        assert is_marked == item.is_generated, item.identifier
        assert is_marked or MARK not in text
    assert len(notices()) >= 80
    assert len({item.identifier for item in items()}) == len(items())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('dt.identifier=="stb-2018-84"', 1),
        ('dt.identifier=="STB-2018-84"', 0),
        ('dt.identifier="STB-2018-84"', 1),
        ('(dt.creator=="Utrecht" AND w.organisatietype=="gemeente")', 6),
        ('(dt.creator=="Utrecht" AND w.organisatietype=="provincie")', 6),
        ('dt.creator="Gemeente Utrecht"', 0),
        ('dt.type="Staatscourant"', 0),
        ('w.dossiernummer=="36600-VII"', 1),
        ('dt.identifier any "stb-2018-84 stb-2014-296"', 2),
        ('dt.title all "munten fryslan" and dt.type==AMvB', 1),
        ('dt.available>="2018-03-27" AND dt.available<="2018-03-27" AND stb', 1),
        ('dt.creator=="Ede" NOT vergunning', 5),
        ('"wolf niet in Nederland"', 1),
        ('"wolf in Nederland niet"', 0),
    ],
)
def test_the_query_language_does_what_was_measured(client: TestClient, query: str, expected: int) -> None:
    assert found(client, query)[0] == expected


def test_order_and_pages_fit_together(client: TestClient) -> None:
    query = "w.organisatietype==gemeente sortBy dt.available/sort.descending"
    total, all_of_them = found(client, query)
    first = found(client, query, startRecord="1", maximumRecords="7")[1]
    second = found(client, query, startRecord="8", maximumRecords="7")[1]
    assert first + second == all_of_them[:14]
    assert total == len(all_of_them)
    assert found(client, query, startRecord=str(total + 1)) == (total, [])
    backwards = found(client, "w.organisatietype==gemeente sortBy dt.available /sort.ascending")[1]
    day = {item.identifier: item.values("dt.available")[0] for item in items()}
    assert [day[i] for i in backwards] == sorted(day[i] for i in all_of_them)


@pytest.mark.parametrize(
    ("query", "uri"),
    [
        ("zorg veiligheid", "1/10"),
        ("a AND NOT b", "1/10"),
        ("a+b", "1/10"),
        ('"niet af', "1/10"),
        ("(a", "1/10"),
        ("a)", "1/10"),
        ("keyword=afval", "1/16"),
        ("a sortBy dt.date/descending", "1/82"),
        (" ", "1/7"),
    ],
)
def test_a_query_with_a_fault_is_answered_with_its_diagnostic(client: TestClient, query: str, uri: str) -> None:
    assert diagnostic(client, query).endswith(uri)


def test_a_day_that_does_not_exist_is_dropped_and_told_beside_a_too_wide_answer(client: TestClient) -> None:
    query = f'{AREA} AND dt.creator==Ede AND dt.available<="2026-02-29"'
    root = etree.fromstring(client.get(PATH, params={"query": query}).content)
    assert root.findtext("sru:numberOfRecords", namespaces=NAMES) == "6"
    assert "SEARCH-IGNOREDQTEXT" in "".join(root.itertext())


def test_limits_and_faults_are_those_of_the_platform(client: TestClient) -> None:
    assert client.get(PATH, params={"query": AREA, "startRecord": "10000"}).status_code == 504
    assert client.get(PATH, params={"query": "a{b"}).status_code == 500
    assert diagnostic(client, AREA, startRecord="0").endswith("1/6")
    assert diagnostic(client, AREA, maximumRecords="x").endswith("1/6")
    assert client.get("/officiele-bekendmakingen/bestanden/frbr/x").status_code == 404


def test_a_count_brings_no_records(client: TestClient) -> None:
    assert found(client, "energie", maximumRecords="0")[1] == []


def test_every_file_of_a_record_is_served(client: TestClient) -> None:
    for item in items():
        for name, body in item.files.items():
            answer = client.get(f"/officiele-bekendmakingen/bestanden{item.path(name)}")
            assert (answer.status_code, answer.content) == (200, body)


def test_what_was_withdrawn_is_found_nowhere_and_its_page_says_so(client: TestClient) -> None:
    """Field report 19: no search, no other form, and no text of it."""
    gone = withdrawn()
    assert found(client, f'dt.identifier=="{gone}"')[0] == 0
    base = f"/officiele-bekendmakingen/bestanden/frbr/officielepublicaties/gmb/2023/{gone}/1"
    page = client.get(f"{base}/html/{gone}.html")
    assert "op verzoek van de publicerende organisatie verwijderd" in page.text
    for name in ("xml", "pdf", "odt"):
        assert client.get(f"{base}/{name}/{gone}.{name}").status_code == 404


def test_full_and_in_maintenance_are_told_apart(client: TestClient) -> None:
    for state, words in (("vol", "Dienst tijdelijk niet beschikbaar"), ("onderhoud", "onderhoud")):
        client.post("/_stand/officiele-bekendmakingen", json={"staat": state})
        answer = client.get(PATH, params={"query": AREA})
        client.post("/_stand/officiele-bekendmakingen", json={"staat": "goed"})
        assert (answer.status_code, words in answer.text) == (503, True)


@given(
    query=st.text(max_size=60), start=st.text(max_size=6), accept=st.sampled_from(["", "application/json", "text/x"])
)
def test_whatever_is_asked_the_stand_in_does_not_break(query: str, start: str, accept: str) -> None:
    client = StandInAsk().client
    params = {"query": query, "startRecord": start, "httpAccept": accept}
    answer = client.get(PATH, params=params)
    assert answer.status_code in {200, 500, 504}
    if answer.status_code == 500:
        assert set(query) & set("{}")
    if answer.status_code == 200:
        etree.fromstring(answer.content) if answer.content.startswith(b"<") else answer.json()
