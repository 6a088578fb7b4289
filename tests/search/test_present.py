"""What the page and the data form say of answers: sums as uncertain as their least certain part, references in full."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from connectors.exceptions import ClosedError, NotSupportedError, SwitchedOffError, UnreachableError, Unsupported
from connectors.platforms import OPEN_ARCHIVARIS, OPENBESLUITVORMING, RECHTSPRAAK, Platform
from connectors.records import (
    Certainty,
    DateMeaning,
    Document,
    Hit,
    Kind,
    Moment,
    SearchResult,
    TextState,
    Total,
)
from search import citations, serialise
from search.answers import PlatformAnswer, State
from search.federation import failed
from search.organisations import Register
from search.parameters import read_parameters
from search.present import fetched, hit_view, marked, section_view
from search.summary import summary

NOW = datetime(2026, 3, 12, 13, 0, tzinfo=UTC)
HIT = Hit(
    platform="rechtspraak",
    upstream_id="ECLI:NL:HR:2024:1",
    title="Hoge Raad, 12-01-2024, 23/1",
    organisation="Hoge Raad",
    organisation_id="gerecht-hoge-raad",
    kind=Kind.UITSPRAAK,
    kind_at_source="Uitspraak",
    date=Moment(date(2024, 1, 12), DateMeaning.DECISION),
    snippet="Over de Vergunning en vergunningen.",
    address="https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:HR:2024:1",
    original="https://data.rechtspraak.nl/uitspraken/content?id=ECLI:NL:HR:2024:1",
    fetched_at=NOW,
)


def answer(platform: Platform, total: Total) -> PlatformAnswer:
    result = SearchResult(hits=(HIT,), total=total, fetched_at=NOW)
    return PlatformAnswer(platform=platform, state=State.READY, result=result)


@pytest.mark.parametrize(
    ("one", "two", "words"),
    [
        (Total(2, Certainty.EXACT), Total(3, Certainty.EXACT), "5 resultaten."),
        (Total(2500, Certainty.ESTIMATE), Total(3, Certainty.EXACT), "ongeveer 2.503 resultaten."),
        (Total(2, Certainty.AT_LEAST), Total(3, Certainty.EXACT), "minstens 5 resultaten."),
        (Total(None, Certainty.UNKNOWN), Total(3, Certainty.EXACT), "minstens 3 resultaten."),
    ],
)
def test_the_sum_of_totals_is_as_uncertain_as_the_least_certain(one: Total, two: Total, words: str) -> None:
    text = summary([answer(OPENBESLUITVORMING, one), answer(RECHTSPRAAK, two)])
    assert text == f"2 van 2 gevraagde bronnen gaven antwoord, {words}"


def test_a_source_that_was_not_asked_does_not_count_as_one_that_failed() -> None:
    foreign = failed(RECHTSPRAAK, NotSupportedError("rechtspraak", Unsupported.NO_SUCH_BODY))
    text = summary([answer(OPENBESLUITVORMING, Total(1, Certainty.EXACT)), foreign])
    assert text == "1 van 1 gevraagde bron gaf antwoord, 1 resultaat. Niet gevraagd: Rechtspraak."
    assert summary([foreign]) == "Deze vraag past bij geen van de bronnen. Niet gevraagd: Rechtspraak."


def test_a_source_that_is_off_is_not_a_question_that_does_not_fit() -> None:
    off = failed(OPEN_ARCHIVARIS, SwitchedOffError("open-archivaris"))
    assert summary([off]) == "De gekozen bron staat hier uit. Niet gevraagd: Open Archivaris (staat hier uit)."
    text = summary([answer(OPENBESLUITVORMING, Total(1, Certainty.EXACT)), off])
    assert text.endswith("Niet gevraagd: Open Archivaris (staat hier uit).")
    foreign = failed(RECHTSPRAAK, NotSupportedError("rechtspraak", Unsupported.NO_SUCH_BODY))
    assert summary([foreign, off]).startswith("Deze vraag past bij geen van de bronnen. Niet gevraagd: Rechtspraak en")


def test_results_that_stand_at_another_source_are_counted_right_after_the_results() -> None:
    off = failed(OPEN_ARCHIVARIS, SwitchedOffError("open-archivaris"))
    found = [answer(OPENBESLUITVORMING, Total(25, Certainty.EXACT)), off]
    assert "25 resultaten. 10 daarvan staan al bij een andere bron. Niet gevraagd:" in summary(found, 10)
    assert "25 resultaten. 1 daarvan staat al bij een andere bron. Niet gevraagd:" in summary(found, 1)


def test_only_a_source_that_may_answer_is_offered_to_be_asked_again() -> None:
    asked = read_parameters({"vraag": ["dijk"]}, Register.of([]), max_characters=100)
    dead = failed(RECHTSPRAAK, UnreachableError("rechtspraak", "ConnectError"))
    closed = failed(RECHTSPRAAK, ClosedError("rechtspraak", text="Vandaag niet."))
    assert section_view(dead, asked, NOW).again == "?vraag=dijk&platform=rechtspraak"
    assert section_view(closed, asked, NOW).again == ""


def test_a_source_that_failed_counts_as_asked() -> None:
    dead = failed(RECHTSPRAAK, UnreachableError("rechtspraak", "ConnectError"))
    assert summary([answer(OPENBESLUITVORMING, Total(1, Certainty.EXACT)), dead]).startswith(
        "1 van 2 gevraagde bronnen"
    )


def test_words_of_the_question_are_marked_whole_and_whatever_their_case() -> None:
    """Eis Z10."""
    assert [segment.text for segment in marked(HIT.snippet, ["vergunning"]) if segment.marked] == ["Vergunning"]
    assert "".join(segment.text for segment in marked(HIT.snippet, ["vergunning"])) == HIT.snippet


def test_markup_in_a_snippet_is_text_also_within_and_beside_a_mark() -> None:
    view = hit_view(replace(HIT, snippet="<b>x</b> & script"), ["b"])
    assert view.fragment == "&lt;<mark>b</mark>&gt;x&lt;/<mark>b</mark>&gt; &amp; script"


def test_the_data_form_of_a_hit_names_everything() -> None:
    assert serialise.hit(HIT) == {
        "id": "rechtspraak:ECLI:NL:HR:2024:1",
        "titel": "Hoge Raad, 12-01-2024, 23/1",
        "organisatie": "Hoge Raad",
        "soort": "uitspraak",
        "soortBijBron": "Uitspraak",
        "datum": "2024-01-12",
        "tijdstip": None,
        "datumBetekenis": "uitspraakdatum",
        "fragment": "Over de Vergunning en vergunningen.",
        "dekking": "",
        "lijktErop": False,
        "bronId": "ECLI:NL:HR:2024:1",
        "adres": "https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:HR:2024:1",
        "origineel": "https://data.rechtspraak.nl/uitspraken/content?id=ECLI:NL:HR:2024:1",
        "verwijzing": "Hoge Raad 12 januari 2024, ECLI:NL:HR:2024:1",
    }


def test_a_moment_in_the_data_form_is_in_utc_and_its_day_is_the_dutch_one() -> None:
    """Eis 7.8."""
    at = datetime(2024, 11, 7, 23, 30, tzinfo=UTC)
    shown = serialise.hit(replace(HIT, date=Moment(date(2024, 11, 8), DateMeaning.MEETING, at)))
    assert (shown["datum"], shown["tijdstip"]) == ("2024-11-08", "2024-11-07T23:30:00Z")


def test_a_citation_names_body_date_number_address_and_the_day_it_was_consulted() -> None:
    """Eis Z16."""
    ruling = Document(
        **{
            name: getattr(HIT, name) for name in ("platform", "upstream_id", "title", "organisation", "organisation_id")
        },
        **{name: getattr(HIT, name) for name in ("kind", "kind_at_source", "address", "original", "fetched_at")},
        dates=(Moment(date(2024, 1, 12), DateMeaning.DECISION),),
        passages=(),
        text_state=TextState.NONE,
    )
    assert citations.citation(ruling, date(2026, 3, 12)) == (
        "Hoge Raad 12 januari 2024, ECLI:NL:HR:2024:1, "
        "https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:HR:2024:1 (geraadpleegd op 12 maart 2026)"
    )
    paper = replace(ruling, kind=Kind.VOORSTEL, organisation="Gemeente Ede", title="Warmtenet", dates=())
    assert citations.citation(paper, date(2026, 3, 12)).startswith(
        "Gemeente Ede, ‘Warmtenet’, voorstel, datum onbekend, https"
    )


def test_from_when_an_answer_is_says_the_day_when_it_is_not_today() -> None:
    assert fetched(NOW, date(2026, 3, 12)) == "opgehaald om 14:00 uur"
    assert fetched(NOW, date(2026, 3, 13)) == "opgehaald op 12 maart 2026 om 14:00 uur"


def test_an_original_that_is_the_page_itself_is_not_offered_twice() -> None:
    assert hit_view(replace(HIT, original=HIT.address), ()).original is None


def test_without_any_source_to_ask_that_is_said() -> None:
    assert summary([]) == "Geen van de gekozen bronnen vragen we al."
