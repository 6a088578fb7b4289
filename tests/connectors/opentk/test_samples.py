"""Every sample of the platform page, read into values that were looked at."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest

from connectors.exceptions import Defect, GoneError, NotAnAnswerError, RefusedError
from connectors.load_status import LoadState
from connectors.opentk.activities import activity
from connectors.opentk.answers import found_object, main_of, search_rows
from connectors.opentk.cases import case
from connectors.opentk.hits import found
from connectors.opentk.lists import committees, dossiers, members
from connectors.opentk.others import commitment, report
from connectors.opentk.requests import Search, search_call
from connectors.opentk.standin_index import Asked, Index, SearchFailedError
from connectors.opentk.status import FeedItem, feed_items, is_up, load_status
from connectors.opentk.texts import paper_text
from connectors.records import (
    DateMeaning,
    Detail,
    Hit,
    Kind,
    ListItem,
    Moment,
    Passage,
    Related,
    TextState,
)
from connectors.voting import Votes
from tests.connectors.opentk.helpers import FETCHED, SAMPLES, facts, pages, place, sample, sample_answer, sample_json

MOTION = (
    "36 045",
    "Situatie in Oekraïne",
    "Nr. 299",
    "MOTIE VAN DE LEDEN DASSEN EN PIRI",
    "Voorgesteld 2 juli 2026",
    "De Kamer,",
    "gehoord de beraadslaging,",
)


def hits(name: str) -> list[Hit]:
    return [one.hit for one in found(sample_answer(name), pages()).hits]


def test_every_sample_has_a_row_of_origin() -> None:
    rows = [json.loads(line) for line in (SAMPLES / "ORIGIN.jsonl").read_text().splitlines()]
    assert {row["file"] for row in rows} == {file.name for file in SAMPLES.iterdir() if file.name != "ORIGIN.jsonl"}
    assert all(row["source"] and row["why_kept"] and row["origin"] in {"real", "constructed"} for row in rows)


def test_a_search_over_everything_gives_hits_of_each_category() -> None:
    """Field report 12: a date is shown as it is given, and the time of midnight is no time."""
    letter, note, nota, gift, promise, meeting, report_of_talk = hits("search_hits_alles.constructed.json")
    assert letter == Hit(
        platform="opentk",
        upstream_id="2026D45064",
        title="Strategische inzet digitalisering",
        organisation="Tweede Kamer",
        organisation_id="tweede-kamer",
        kind=Kind.DOCUMENT,
        kind_at_source="Document",
        date=Moment(date(2026, 9, 21), DateMeaning.DOCUMENT),
        snippet="Strategische inzet digitalisering",
        address="https://www.tweedekamer.nl/kamerstukken/detail?id=2026D45064&did=2026D45064",
        original="https://berthub.eu/tkconv/getraw/2026D45064",
        fetched_at=FETCHED,
        same_as=("kamer:2026d45064",),
    )
    assert note.snippet == (
        "Startnotitie Nederlandse Digitale Dienst. De overheid werkt aan digitalisering; dit document <concept> beschrijft "
        "R&D en de opdracht."
    )
    assert (nota.upstream_id, nota.kind, nota.kind_at_source, nota.date) == (
        "oo:oep-00112233445566778899aabbccddeeff",
        Kind.DOCUMENT,
        "OODocument",
        Moment(date(2026, 9, 21), DateMeaning.PUBLICATION),
    )
    assert (nota.snippet, nota.original) == ("Nota over digitalisering", None)
    assert nota.address == "https://open.overheid.nl/details/oep-00112233445566778899aabbccddeeff"
    assert gift.upstream_id == "geschenk:9001:ba000000-0000-4000-8000-000000000001"
    assert gift.title.startswith("Geschenk aan Anna Voorbeeld: Twee kaarten")
    assert gift.address.endswith("/persoon.html?nummer=9001#ba000000-0000-4000-8000-000000000001")
    assert (promise.upstream_id, promise.kind, promise.snippet[:20]) == (
        "TZ202603-130",
        Kind.TOEZEGGING,
        "…staatssecretaris ze",
    )
    assert promise.address == "https://berthub.eu/tkconv/toezegging.html?nummer=TZ202603-130"
    assert (meeting.upstream_id, meeting.kind, meeting.date) == (
        "2024A02517",
        Kind.VERGADERING,
        Moment(date(2026, 9, 10), DateMeaning.MEETING),
    )
    assert (report_of_talk.upstream_id, report_of_talk.kind) == ("2026D38058", Kind.VERSLAG)


def test_the_other_searches() -> None:
    motion, older = hits("search_hits_moties.constructed.json")
    assert (motion.kind, motion.snippet[:48]) == (Kind.MOTIE, "…299 MOTIE VAN DE LEDEN DASSEN EN PIRI Voorgeste")
    assert (older.upstream_id, older.kind, older.title) == (
        "2025D25931",
        Kind.MOTIE,
        "Motie van het lid Kröger over restwarmte",
    )
    speech, paper = hits("search_hits_verslag_and_motie.constructed.json")
    assert (speech.upstream_id, speech.kind, speech.title) == (
        "verslag:b1000000-0000-4000-8000-000000000001",
        Kind.VERSLAG,
        "96e vergadering, donderdag 2 juli 2026",
    )
    assert speech.snippet == "…Ik heb een motie over het Matra-fonds."
    assert paper.upstream_id == "2026D33299"
    (debate,) = hits("search_hits_activiteiten_twomonths.constructed.json")
    assert (debate.upstream_id, debate.snippet) == ("2024A02517", "Digitale overheid")
    assert hits("search_empty.constructed.json") == []


def test_the_form_of_a_search_is_that_of_the_sample() -> None:
    raw = sample("search_request.multipart.constructed.txt").decode().replace("\r\n", "\n")
    body = raw.partition("\n\n")[2]
    call = search_call(Search('"Matra-fonds" Oekraïne'))
    ours = (call.body or b"").decode().replace("----besluitbron-veld", "----b1").replace("\r\n", "\n")
    assert ours.strip() == body.strip()
    assert dict(call.headers)["content-type"] == "multipart/form-data; boundary=----besluitbron-veld"
    assert (call.method, call.path) == ("POST", "/search")


def test_the_outcomes_of_the_grammar_are_those_of_the_stand_in() -> None:
    index = Index.of([])
    for outcome in sample_json("fts5_grammar_outcomes.observed-local-sqlite.json")["outcomes"]:
        asked = Asked(outcome["fts5_query"], "alles", two_months=False, now=FETCHED)
        if outcome["ok"]:
            assert index.search(asked) == []
        else:
            with pytest.raises(SearchFailedError):
                index.search(asked)


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("error_500_bad_query.constructed.html", 500, "storing"),
        ("error_500_before_2025-10-26.constructed.html", 500, "sqlite"),
    ],
)
def test_an_error_page_is_a_refusal_with_a_code(name: str, status: int, code: str) -> None:
    with pytest.raises(RefusedError) as refused:
        search_rows(sample_answer(name, status))
    assert (refused.value.status, refused.value.code) == (status, code)


def test_an_error_page_with_status_200_is_no_answer() -> None:
    """Field report 20."""
    with pytest.raises(NotAnAnswerError) as odd:
        main_of(sample_answer("error_500_bad_query.constructed.html"), "2026D1")
    assert odd.value.defect is Defect.ERROR_IN_200
    with pytest.raises(NotAnAnswerError) as page:
        search_rows(sample_answer("error_500_bad_query.constructed.html"))
    assert page.value.defect is Defect.HTML
    with pytest.raises(NotAnAnswerError):
        search_rows(sample_answer("error_500_before_2025-10-26.constructed.html"))


def test_what_is_not_there_is_gone_with_404_and_with_200_in_words() -> None:
    """Field report 20."""
    with pytest.raises(GoneError):
        main_of(sample_answer("error_404_unknown_document.constructed.html", 404), "2026D99999")
    with pytest.raises(GoneError):
        found_object(sample_answer("quirk_200_activiteit_unknown.constructed.txt"), "2026A99999")
    with pytest.raises(NotAnAnswerError) as empty:
        found_object(sample_answer("quirk_200_commissie_unknown.constructed.txt"), "x")
    assert empty.value.defect is Defect.EMPTY


def test_an_activity_with_its_agenda_and_people() -> None:
    document = activity(sample_answer("activiteit_json.constructed.json"), place("2024A02517")).document
    assert (document.title, document.kind, document.kind_at_source) == (
        "Digitale overheid",
        Kind.VERGADERING,
        "Commissiedebat",
    )
    start = document.dates[0]
    assert (start.day, start.meaning, start.at and start.at.isoformat()) == (
        date(2026, 9, 10),
        DateMeaning.MEETING,
        "2026-09-10T10:00:00+02:00",
    )
    assert facts(document) == {
        "Nummer": "2024A02517",
        "Commissie": "vaste commissie voor Digitale Zaken",
        "Besloten": "nee",
        "Deelnemer": "A. Voorbeeld (GroenLinks-PvdA)",
    }
    assert document.passages == (Passage(1, "1. Strategische inzet digitalisering", "Agenda"),)
    assert document.related == (
        Related("Stuk", "Strategische inzet digitalisering", "2026D45064"),
        Related("Ook bij", "OpenTK", address="https://berthub.eu/tkconv/activiteit.html?nummer=2024A02517"),
    )


def test_a_case_with_its_votes() -> None:
    opened = case(sample_answer("zaak_html_with_votes.constructed.html"), place("2026Z14299"))
    document = opened.document
    assert opened.paper == "2026D33299"
    assert document.title == "Motie van de leden Dassen en Piri over niet bezuinigen op het Matra-fonds"
    assert (document.kind, document.kind_at_source) == (Kind.MOTIE, "Motie")
    assert document.dates == (Moment(date(2026, 7, 2), DateMeaning.DOCUMENT),)
    assert document.votes == Votes("aangenomen", "Aangenomen.", 77, 73)
    assert document.details == (
        Detail("Nummer", "2026Z14299"),
        Detail("Dossier", "Situatie in Oekraïne"),
        Detail("Indiener", "Tweede Kamerlid L.A.J.M. Dassen"),
        Detail("Medeindiener", "Tweede Kamerlid K.P. Piri"),
        Detail("Oordeel van het kabinet", "Ontraden"),
        Detail("Voor", "CDA; ChristenUnie; D66; DENK; GroenLinks-PvdA; PvdD; SP; Volt"),
        Detail("Tegen", "50PLUS; BBB; FVD; JA21; PVV; SGP; VVD"),
    )
    assert document.related[:2] == (
        Related("Stuk", "Motie van de leden Dassen en Piri over niet bezuinigen op het Matra-fonds", "2026D33299"),
        Related("Activiteit", "Stemmingen (Stemmingen)", "2026A04321"),
    )


def test_a_commitment() -> None:
    document = commitment(sample_answer("toezegging_html.constructed.html"), place("TZ202603-130")).document
    assert document.passages[0].text == (
        "De staatssecretaris zegt toe de Kamer voor de zomer te informeren over de voortgang van de digitale identiteit."
    )
    assert (document.kind, document.dates) == (Kind.TOEZEGGING, (Moment(date(2026, 3, 12), DateMeaning.COMMITMENT),))
    assert facts(document) == {"Nummer": "TZ202603-130", "Status": "Openstaand"}
    assert document.related == (Related("Gedaan tijdens", "Digitale overheid", "2024A02517"),)


def test_a_report() -> None:
    upstream_id = "verslag:b1000000-0000-4000-8000-000000000001"
    document = report(sample_answer("verslag_html.constructed.html"), place(upstream_id)).document
    assert (document.title, document.kind) == ("96e vergadering, donderdag 2 juli 2026", Kind.VERSLAG)
    assert facts(document) == {
        "Zaal": "Plenaire zaal",
        "Status van het verslag": "Ongecorrigeerd",
        "Uitgave van het verslag": "Tussenpublicatie",
    }
    assert document.passages == (
        Passage(
            1,
            "Aan de orde is het debat over de situatie in Oekraïne.\nDe heer Dassen (Volt):\nVoorzitter. Ik heb een motie.\n"
            "verzoekt de regering niet te bezuinigen op het Matra-fonds,",
            "96e vergadering, donderdag 2 juli 2026 – Situatie in Oekraïne",
        ),
    )


@pytest.mark.parametrize("name", ["getdoc_fulltext.constructed.html", "getdoc_fulltext_pdf_source.constructed.html"])
def test_the_text_of_a_paper_from_word_and_from_pdf(name: str) -> None:
    empty = activity(sample_answer("activiteit_json.constructed.json"), place("2024A02517")).document
    document = paper_text(sample_answer(name), empty)
    (passage,) = document.passages
    lines = passage.text.split("\n")
    assert tuple(lines[: len(MOTION)]) == MOTION
    assert lines[-4:] == [
        "verzoekt de regering niet te bezuinigen op het Matra-fonds,",
        "en gaat over tot de orde van de dag.",
        "Dassen",
        "Piri",
    ]
    assert passage.is_page is ("pdf" in name)
    assert document.text_state is TextState.FULL


def test_the_lists() -> None:
    assert committees(sample_answer("commissies_html.constructed.html")) == (
        ListItem(
            "aa000000-0000-4000-8000-000000000202",
            "Algemene commissie voor Buitenlandse Handel en Ontwikkelingshulp (BuHaOS)",
        ),
        ListItem("aa000000-0000-4000-8000-000000062750", "Vaste commissie voor Asiel en Migratie (AM)"),
        ListItem(
            "aa000000-0000-4000-8000-000000000209",
            "Vaste commissie voor een voormalig beleidsterrein (VBT), slapend",
        ),
    )
    fracties, people = members(sample_answer("fracties_via_kamerleden_html.constructed.html"))
    assert [one.name for one in fracties[:9]] == [
        "50PLUS",
        "BBB",
        "CDA",
        "ChristenUnie",
        "D66",
        "DENK",
        "FVD",
        "GroenLinks-PvdA",
        "JA21",
    ]
    assert len(fracties) == 15
    assert people[0] == ListItem("9101", "Voornaam Achternaam9101", "50PLUS")
    assert dossiers(sample_answer("recent-kamerstukdossiers.constructed.json")) == (
        ListItem("36045", "36045 Situatie in Oekraïne"),
        ListItem("21501-20", "21501-20 Europese Raad"),
    )


def test_the_status_and_the_feeds() -> None:
    """Field report 16."""
    status = load_status(sample_answer("lastupdates.constructed.json"))
    assert status.organisations == (
        LoadState(
            "tkconv",
            "Verwerken van stukken van de Tweede Kamer",
            "74 seconden geleden",
            last_success=datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC),
        ),
    )
    assert [state.state for state in status.suppliers] == ["134 seconden geleden"]
    assert is_up(sample_answer("status.constructed.json"))
    newest, second = feed_items(sample_answer("index_rss.recorded-items.xml"))
    assert newest == FeedItem(
        "2026D45065", "Startnotitie Nederlandse Digitale Dienst", datetime.fromisoformat("2026-09-21T17:09:57+02:00")
    )
    assert second.upstream_id == "2026D45064"
    assert feed_items(sample_answer("search_rss_empty.constructed.xml")) == ()
