"""Every sample of the platform page, read into values that were looked at. All of them are invented: none was seen live."""

from __future__ import annotations

from datetime import date

import pytest

from connectors.archived import ArchivedCopy
from connectors.open_archivaris import contract
from connectors.open_archivaris.contract import Deviations
from connectors.open_archivaris.documents import document
from connectors.open_archivaris.field_map import proposed
from connectors.open_archivaris.parse import search_page
from connectors.open_archivaris.requests import Wanted, search_call
from connectors.records import (
    Certainty,
    DateMeaning,
    Detail,
    Document,
    Hit,
    Kind,
    Moment,
    Note,
    NoteCode,
    Passage,
    Related,
    TextState,
    Total,
)
from search.texts import coverage
from tests.connectors.open_archivaris.support import FETCHED, SAMPLES, answer, field_map, page, reader, sample

PROPOSED = {name: value for name, value in sample("proposed-openarchivaris-item").items() if name != "_note"}
COPY = ArchivedCopy("https://example.invalid/archief/oa-0001", date(2019, 2, 1), original_gone=True)
CREATED = Moment(date(2018, 11, 8), DateMeaning.DOCUMENT)


def test_the_proposed_item_is_read_whole() -> None:
    """Field report 22: 908 pages, of which 40 were searched."""
    (hit,) = search_page(page(PROPOSED), reader()).hits
    assert hit == Hit(
        platform="open-archivaris",
        upstream_id="oa-0001",
        title="Raadsvoorstel voorbeeld",
        organisation="Gemeente Súdwest-Fryslân",
        organisation_id="gemeente-sudwest-fryslan",
        kind=Kind.VOORSTEL,
        kind_at_source="",
        date=CREATED,
        snippet="… verzonnen fragment …",
        address="https://example.invalid/weg.pdf",
        original=None,
        fetched_at=FETCHED,
        pages_searched=40,
        pages_in_all=908,
        archived=COPY,
        same_as=("adres:example.invalid/weg.pdf",),
    )
    assert coverage(hit.pages_searched, hit.pages_in_all) == "908 pagina's, 40 doorzocht"


def test_the_proposed_item_opens_as_a_document() -> None:
    body = {"item": PROPOSED, "text": [{"number": 1, "text": "Eerste"}, {"number": 2, "text": "Tweede"}]}
    assert document(answer(body), "oa-0001", reader()) == Document(
        platform="open-archivaris",
        upstream_id="oa-0001",
        title="Raadsvoorstel voorbeeld",
        organisation="Gemeente Súdwest-Fryslân",
        organisation_id="gemeente-sudwest-fryslan",
        kind=Kind.VOORSTEL,
        kind_at_source="",
        dates=(CREATED,),
        passages=(Passage(1, "Eerste", is_page=True), Passage(2, "Tweede", is_page=True)),
        text_state=TextState.PARTIAL,
        address="https://example.invalid/weg.pdf",
        original=None,
        fetched_at=FETCHED,
        details=(
            Detail("Auteur", "College van B&W"),
            Detail("Pagina's", "908"),
            Detail("Bestandstype", "application/pdf"),
            Detail("Controlegetal (SHA-256)", "0" * 64),
        ),
        related=(Related("Bewaarde kopie", "Kopie in het archief van Open Archivaris", address=COPY.address),),
        notes=(Note(NoteCode.PAGES_READ, ("40", "908")),),
        archived=COPY,
        same_as=("adres:example.invalid/weg.pdf",),
    )


def test_the_map_can_say_where_open_overheid_has_its_fields() -> None:
    """Field report 12: a document without a date has none here either."""
    fields, body = field_map("open-overheid"), sample("open-overheid-zoek")
    found = search_page(answer(body), reader(fields))
    first, second = found.hits
    assert found.total == Total(2, Certainty.ESTIMATE)
    assert found.has_next is None
    assert (first.upstream_id, first.title) == ("00000000-0000-4000-8000-000000000001_1", "Voorbeeldbesluit fietspad")
    assert (first.organisation_id, first.kind) == ("gemeente-sudwest-fryslan", Kind.BESLUIT)
    assert first.date == Moment(date(2026, 3, 29), DateMeaning.DOCUMENT)
    assert first.address == "https://open.overheid.nl/documenten/00000000-0000-4000-8000-000000000001"
    assert first.archived == ArchivedCopy(None, date(2026, 3, 29))  # half past midnight in Amsterdam
    assert (second.organisation, second.organisation_id, second.date) == ("Onbekend", None, None)
    assert contract.of_search(fields, body) == Deviations()
    call = search_call(fields, Wanted(words="fietspad", page=3, page_size=50))
    assert call.params == (("zoektekst", "fietspad"), ("start", "100"), ("aantalResultaten", "50"))


def test_the_map_can_say_where_a_detail_has_other_places_than_a_result() -> None:
    """The detail does not repeat the id by which it was asked, and gives no text."""
    fields, body = field_map("open-overheid"), sample("open-overheid-detail")
    asked = "00000000-0000-4000-8000-000000000001_1"
    found = document(answer(body), asked, reader(fields))
    assert (found.upstream_id, found.title, found.organisation_id) == (
        asked,
        "Voorbeeldbesluit fietspad",
        "gemeente-sudwest-fryslan",
    )
    assert found.dates == (Moment(date(2026, 3, 29), DateMeaning.DOCUMENT),)
    assert [(detail.label, detail.value) for detail in found.details] == [
        ("Pagina's", "1"),
        ("Bestandstype", "application/pdf"),
    ]
    assert (found.text_state, found.notes) == (TextState.NONE, (Note(NoteCode.WITHOUT_TEXT),))
    assert contract.of_document(fields, body) == Deviations()


def test_the_map_can_say_where_woogle_has_its_fields() -> None:
    """Field report 24: a page is cited, not a glued file."""
    fields, body = field_map("woogle"), sample("woogle-search")
    (hit,) = search_page(answer(body), reader(fields)).hits
    assert (hit.upstream_id, hit.title, hit.snippet) == (
        "nl.gm0000.2i.2024.1",
        "Besluit over fietspad",
        "het fietspad langs",
    )
    assert (hit.address, hit.page) == ("https://example.invalid/a.pdf#page=217", 217)
    assert (hit.organisation, hit.kind) == ("organisatie onbekend", Kind.BESLUIT)
    assert contract.of_search(fields, body) == Deviations()
    ede = next(one for one in reader(fields).bodies.shipped if one.id == "gemeente-ede")
    assert ede.key_at("open-archivaris") == "gm0228"


def test_the_map_can_say_where_a_federated_catalogue_has_its_fields() -> None:
    fields, body = field_map("opencatalogi"), sample("opencatalogi-federation")
    (hit,) = search_page(answer(body), reader(fields)).hits
    assert (hit.upstream_id, hit.title, hit.organisation) == ("p-1", "Voorbeeldpublicatie", "Gemeente A")
    assert contract.of_search(fields, body) == Deviations()


@pytest.mark.parametrize("name", ["open-overheid-zoek", "woogle-search", "opencatalogi-federation"])
def test_an_answer_of_another_api_breaks_the_contract_of_the_proposal_loudly(name: str) -> None:
    assert contract.of_search(proposed(), sample(name)).missing


def test_a_request_of_gpp_asks_nothing_that_a_search_here_could_not_ask() -> None:
    """GPP takes a POST with a body, which this map does not make: its words, dates and pages have a place, its form has not."""
    request = sample("gpp-zoeken-request")
    assert {"query", "page", "pageSize", "sort", "creatiedatumVanaf", "creatiedatumTotEnMet"} <= request.keys()
    assert {"words", "page", "page_size", "order", "created_from", "created_to"} <= proposed().search.parameters.keys()


def test_every_sample_has_a_row_of_origin() -> None:
    rows = (SAMPLES / "ORIGIN.jsonl").read_text(encoding="utf-8")
    assert [path.name for path in SAMPLES.glob("*.json") if f'"{path.name}"' not in rows] == []
