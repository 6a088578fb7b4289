"""Every sample of a search read to values that were looked at, and every page that is no answer by its name."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from connectors.addresses import Addresses, PlatformMode
from connectors.exceptions import Defect, NotAnAnswerError, OverLimitError, RefusedError
from connectors.officiele_bekendmakingen.documents import document_of, hit_of, without_text
from connectors.officiele_bekendmakingen.links import Links, file_path
from connectors.officiele_bekendmakingen.parse_search import Record, SearchPage, parse_search
from connectors.records import DateMeaning, Detail, Kind, Moment, Related
from tests.connectors.officiele_bekendmakingen.helpers import FETCHED, answer, sample

LIVE = Links(Addresses(PlatformMode.LIVE, "http://127.0.0.1:1", "https://besluitbron.example"))


def read(name: str) -> SearchPage:
    return parse_search(answer(sample(name)))


def record(name: str, identifier: str) -> Record:
    return next(record for record in read(name).records if record.identifier == identifier)


def test_the_records_of_a_page_are_read_whatever_their_journal() -> None:
    page = read("sru-search-hits.constructed.xml")
    assert (page.total, page.is_exact, page.received, page.left_out, page.has_next) == (1730, False, 6, 0, True)
    seen = [
        (h.upstream_id, h.kind, h.kind_at_source, h.organisation)
        for h in (hit_of(r, LIVE, FETCHED) for r in page.records)
    ]
    chamber = "Tweede Kamer"
    assert seen == [
        ("gmb-2023-174296", Kind.BEKENDMAKING, "omgevingsvergunning", "Gemeente Bergeijk"),
        ("gmb-2026-104512", Kind.BEKENDMAKING, "ander besluit van algemene strekking", "Gemeente Pijnacker-Nootdorp"),
        ("kst-37020-IX-40", Kind.MOTIE, "Motie", chamber),
        ("blg-1093410", Kind.DOCUMENT, "Bijlage", chamber),
        ("ah-tk-20192020-4046", Kind.ANTWOORD, "Kamervragen (Aanhangsel)", chamber),
        ("h-tk-20242025-42-4", Kind.VERSLAG, "Handelingen", chamber),
    ]


def test_a_hit_carries_its_day_of_publication_and_both_addresses() -> None:
    hit = hit_of(record("sru-search-hits.constructed.xml", "h-tk-20242025-42-4"), LIVE, FETCHED)
    # The debate was on 16 January 2025; the day of publication is that of dt.available.
    assert hit.date == Moment(date(2025, 4, 7), DateMeaning.PUBLICATION)
    assert hit.address == "https://zoek.officielebekendmakingen.nl/h-tk-20242025-42-4.html"
    assert hit.original == (
        "https://repository.overheid.nl/frbr/officielepublicaties/h-tk/20242025/h-tk-20242025-42-4/1/pdf/h-tk-20242025-42-4.pdf"
    )
    assert (hit.title, hit.snippet) == ("Debat over woningbouw", "Handelingen 2024-2025, 42")


def test_a_parliamentary_paper_is_called_by_its_own_title_and_not_by_that_of_its_dossier() -> None:
    hit = hit_of(record("sru-search-hits.constructed.xml", "kst-37020-IX-40"), LIVE, FETCHED)
    assert hit.title == "Motie van de leden Dassen en Stultiens over een SER-advies"
    assert hit.snippet.startswith("Vaststelling van de begrotingsstaat van het Ministerie van Financiën")


def test_the_real_record_without_namespaces_is_read_like_any_other() -> None:
    wrapped = (
        b"<searchRetrieveResponse><numberOfRecords>1</numberOfRecords><records>%s</records></searchRetrieveResponse>"
    )
    page = parse_search(answer(wrapped % sample("sru-record-gmb-2023-174296.real.xml")))
    held = page.records[0]
    assert held.values["type"][0].scheme == "OVERHEIDop.Rubriek"
    assert sorted(held.files) == ["html", "metadata", "metadataowms", "odt", "pdf", "xml"]
    assert file_path(held, "xml") == ("/frbr/officielepublicaties/gmb/2023/gmb-2023-174296/1/xml/gmb-2023-174296.xml")
    document = document_of(held, (), LIVE, FETCHED, without_text())
    assert document.abstract == "verwijderen van asbest van het dak"
    assert Detail("Nummer", "174296") in document.details
    assert document.organisation_id == "gemeente-bergeijk"
    assert [moment.meaning for moment in document.dates] == [DateMeaning.PUBLICATION, DateMeaning.CHANGE]


def test_what_belongs_to_a_publication_leads_to_where_it_is() -> None:
    rules = record("sru-search-hits.constructed.xml", "gmb-2026-104512")
    related = document_of(rules, (), LIVE, FETCHED, without_text()).related
    assert related == (
        Related(
            "Grondslag",
            "RICHTLIJN 2008/98/EG (kaderrichtlijn afvalstoffen)",
            address="https://eur-lex.europa.eu/legal-content/NL/TXT/HTML/?uri=CELEX:32008L0098",
        ),
        Related(
            "Grondslag",
            "artikel 4:81 van de Algemene wet bestuursrecht",
            address="https://wetten.overheid.nl/BWBR0005537",
        ),
        Related("Regeling", "CVDR700412_1", address="https://lokaleregelgeving.overheid.nl/CVDR700412"),
    )
    attachment = record("sru-search-hits.constructed.xml", "blg-1093410")
    assert document_of(attachment, (), LIVE, FETCHED, without_text()).related == (
        Related("Hoort bij", "kst-31305-412", upstream_id="kst-31305-412"),
    )


@pytest.mark.parametrize(
    ("name", "total", "received", "has_next"),
    [
        ("sru-search-empty.constructed.xml", 0, 0, False),
        ("sru-search-count-only.constructed.xml", 103496, 0, False),
        ("sru-search-single-id.constructed.xml", 1, 1, False),
    ],
)
def test_an_empty_page_a_count_and_one_record_are_answers(name: str, total: int, received: int, has_next: bool) -> None:
    page = read(name)
    assert (page.total, page.received, page.has_next) == (total, received, has_next)


def test_the_last_page_has_no_next_one() -> None:
    page = read("sru-search-last-page.constructed.xml")
    assert not page.has_next
    assert page.received == len(page.records) > 0


def test_json_says_the_same_as_xml() -> None:
    page = read("sru-search-hits.constructed.json")
    assert [record.identifier for record in page.records] == ["gmb-2023-174296", "gmb-2026-104512"]
    hits = [hit_of(record, LIVE, FETCHED) for record in page.records]
    in_xml = [hit_of(record("sru-search-hits.constructed.xml", hit.upstream_id), LIVE, FETCHED) for hit in hits]
    # An answer in JSON was not seen to name the kind of the maker; its scheme does.
    assert [(hit.organisation, hit.organisation_id) for hit in hits] == [
        ("Gemeente Bergeijk", "gemeente-bergeijk"),
        ("Gemeente Pijnacker-Nootdorp", "gemeente-pijnacker-nootdorp"),
    ]
    assert [replace(hit, snippet="") for hit in hits] == [replace(hit, snippet="") for hit in in_xml]
    assert page.records[0].values["type"][0].scheme == "OVERHEIDop.Rubriek"
    assert page.records[0].one("type") == "omgevingsvergunning"
    assert sorted(page.records[1].files) == ["html", "odt", "pdf", "xml"]


def test_the_one_real_json_answer_is_read_with_its_numbers_and_bare_attributes() -> None:
    body = sample("odd/present-service-json-2023-02.json")
    page = parse_search(answer(body, media_type="application/json"))
    # Records of the collection lokalebekendmakingen carry a hash, which is no id of ours: counted, not shown.
    assert (page.total, page.records, page.left_out) == (655, (), page.received)
    named = body.replace(b"c12f14b0382927dc0dcfaacb64ffaf15", b"gmb-2023-50078", 1)
    held = parse_search(answer(named, media_type="application/json")).records[0]
    assert held.one("creator") == "'s-Hertogenbosch"
    assert held.values["creator"][0].scheme == "overheid:Gemeente"
    assert held.one("hasVersion") == "1"
    assert held.one("locatiepunt") == "51.72442 5.31085"
    assert set(held.files) == {"html", "metadata"}


def test_the_service_that_ended_wrote_other_namespaces_and_is_still_read() -> None:
    page = read("odd/old-service-search-2025-10-02.repaired.xml")
    assert (page.total, page.left_out) == (315, 0)
    first = page.records[0]
    assert (first.identifier, first.one("creator")) == ("stb-2025-252", "Ministerie van Defensie")
    assert hit_of(first, LIVE, FETCHED).kind is Kind.WET


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("sru-diagnostic-syntax.recorded.xml", "1/10"),
        ("odd/old-service-diagnostic-2025-10-02.xml", "1/10"),
        ("sru-diagnostic-ignored-date.constructed.xml", "SEARCH-IGNOREDQTEXT"),
    ],
)
def test_a_diagnostic_is_a_failure_also_beside_records(name: str, where: str) -> None:
    """Field report 33: 200 with a diagnostic is no empty answer. Field report 8: a dropped clause would answer too widely."""
    with pytest.raises(NotAnAnswerError) as caught:
        read(name)
    assert caught.value.defect is Defect.DIAGNOSTICS
    assert caught.value.where.endswith(where)


def test_a_diagnostic_in_json_is_a_failure_too() -> None:
    body = b'{"searchRetrieveResponse":{"version":2,"diagnostics":{"diagnostic":{"uri":"info:srw/diagnostic/1/16"}}}}'
    with pytest.raises(NotAnAnswerError) as caught:
        parse_search(answer(body))
    assert (caught.value.defect, caught.value.where) == (Defect.DIAGNOSTICS, "1/16")


@pytest.mark.parametrize("status", [200, 429, 500, 503])
def test_the_page_that_says_busy_is_over_limit_under_any_status(status: int) -> None:
    with pytest.raises(OverLimitError) as caught:
        parse_search(answer(sample("http-503-throttled.constructed.html"), status, "text/html"))
    assert caught.value.retry_after == 20


@pytest.mark.parametrize(
    "body",
    [
        b"<searchRetrieveResponse><version>2.0</version></searchRetrieveResponse>",
        b'{"searchRetrieveResponse":{"version":2}}',
    ],
)
def test_an_answer_without_a_count_is_over_limit(body: bytes) -> None:
    with pytest.raises(OverLimitError):
        parse_search(answer(body))


@pytest.mark.parametrize(
    ("name", "status"), [("http-500.constructed.html", 500), ("http-504-deep-paging.constructed.html", 504)]
)
def test_a_fault_of_the_service_is_refused_with_its_status(name: str, status: int) -> None:
    with pytest.raises(RefusedError) as caught:
        parse_search(answer(sample(name), status, "text/html"))
    assert (caught.value.status, type(caught.value)) == (status, RefusedError)


@pytest.mark.parametrize("status", [200, 503])
def test_a_page_about_maintenance_is_named_as_that(status: int) -> None:
    page = b"<!DOCTYPE html><html><body>Wegens onderhoud niet bereikbaar</body></html>"
    with pytest.raises(NotAnAnswerError) as caught:
        parse_search(answer(page, status, "text/html"))
    assert caught.value.defect is Defect.MAINTENANCE


@pytest.mark.parametrize(
    ("body", "defect"),
    [
        (b"", Defect.EMPTY),
        (b"<html><body>Welkom</body></html>", Defect.HTML),
        (sample("sru-search-hits.constructed.xml")[:5000], Defect.CUT_OFF),
        (b"<explainResponse/>", Defect.WRONG_SHAPE),
        (b'{"iets": 1}', Defect.WRONG_SHAPE),
        (
            b"<searchRetrieveResponse><numberOfRecords>veel</numberOfRecords></searchRetrieveResponse>",
            Defect.WRONG_SHAPE,
        ),
    ],
)
def test_a_body_that_is_no_answer_has_a_name(body: bytes, defect: Defect) -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        parse_search(answer(body))
    assert caught.value.defect is defect


def test_a_file_elsewhere_or_of_another_publication_is_never_asked() -> None:
    good = record("sru-search-hits.constructed.xml", "blg-1093410")
    path = "https://repository.overheid.nl/frbr/officielepublicaties"
    for url in (f"{path}/blg/x/blg-1/1/pdf/blg-1.pdf", f"{path}/../blg-1093410/1", "https://elders.example/x", ""):
        other = Record(identifier=good.identifier, values=good.values, files={"pdf": url}, address="")
        assert file_path(other, "pdf") is None
    assert file_path(good, "pdf") == "/frbr/officielepublicaties/blg/onopgemaakt/blg-1093410/1/pdf/blg-1093410.pdf"
