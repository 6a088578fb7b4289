"""How a report stands, said in plain words at the borders of every number."""

from __future__ import annotations

from datetime import timedelta

import pytest

from connectors.records import TextState
from reports import words
from reports.records import Cut, CutReason, Reading, Reason, ReportStatus
from tests.support.reports import NOW, a_hit, a_reading, a_standing


def waits(seconds: float | None, place: int = 3) -> str:
    at = None if seconds is None else NOW + timedelta(seconds=seconds)
    return words.sentence(a_standing(place=place, start_in=seconds, start_at=at))


def test_a_report_that_waits_says_its_place_and_about_when_it_starts() -> None:
    """Rule L5."""
    assert waits(290) == "U bent nummer 3 in de rij. Uw rapport begint over ongeveer 5 minuten, rond 14:31 uur."


@pytest.mark.parametrize(
    ("seconds", "words_of_it"),
    [
        (0, "over minder dan een minuut"),
        (59.9, "over minder dan een minuut"),
        (60, "over ongeveer 1 minuut,"),
        (61, "over ongeveer 2 minuten,"),
        (1800, "over ongeveer 30 minuten,"),
        (None, "Wanneer uw rapport begint, is nu niet te zeggen."),
    ],
)
def test_the_start_is_said_in_words_that_fit_how_far_it_is(seconds: float | None, words_of_it: str) -> None:
    assert words_of_it in waits(seconds)


def test_a_report_that_is_made_says_how_many_parts_are_ready_and_never_more_than_all() -> None:
    assert words.sentence(a_standing(ReportStatus.BUSY, done=4, size=12)) == "Klaar: 4 van de 12 delen."
    assert words.sentence(a_standing(ReportStatus.BUSY, done=9, size=1)) == "Klaar: 1 van de 1 delen."
    assert words.sentence(a_standing(ReportStatus.BUSY)) == "We zijn begonnen."
    silent = a_standing(ReportStatus.BUSY, done=4, size=12, last_sign=NOW - timedelta(seconds=9))
    assert words.sentence(silent).startswith("Klaar: 4 van de 12 delen. Het laatste teken van leven van de machine")
    assert words.sentence(silent).endswith("kwam om 14:26:51.")


@pytest.mark.parametrize("status", list(ReportStatus))
@pytest.mark.parametrize("why", [None, *Reason])
def test_every_state_and_every_reason_has_a_heading_and_whole_sentences(
    status: ReportStatus, why: Reason | None
) -> None:
    standing = a_standing(status, reason=why)
    assert words.head(standing)
    assert words.sentence(standing).endswith(".")
    assert words.state(status) == status.value.replace("-", " ")


def test_a_refusal_says_when_to_come_back_as_soon_as_that_is_known() -> None:
    """Rule L6."""
    today, tomorrow = NOW + timedelta(minutes=7), NOW + timedelta(days=1)
    assert words.come_back(Reason.WAIT, today, NOW) == "Vraag het na 14:34 uur opnieuw aan."
    assert words.come_back(Reason.WAIT, tomorrow, NOW) == "Vraag het na 1 december 2026 om 14:27 uur opnieuw aan."
    assert words.come_back(Reason.FULL, None, NOW) == "Vraag het later opnieuw aan."
    assert words.come_back(Reason.NOTHING, today, NOW) == ""


def test_what_is_not_in_a_report_names_the_source_how_much_and_what_it_said() -> None:
    told = {reason: words.cut(Cut("opentk", reason, ("2",))) for reason in CutReason}
    assert told[CutReason.UNREAD] == ("Van 2 stukken van OpenTK konden we de tekst niet lezen.", "")
    assert told[CutReason.FAILED] == ("OpenTK gaf geen antwoord. Wat deze bron heeft, ontbreekt.", "2")
    assert all("OpenTK" in sentence for sentence, _ in told.values())
    assert words.cut(Cut("opentk", CutReason.MOST_TEXTS, ("1",)))[0].startswith("Van 1 stuk van OpenTK")


@pytest.mark.parametrize(
    ("reading", "said"),
    [
        (None, "De tekst is niet gelezen voor dit rapport."),
        (Reading(hit="x", failure="weg"), "De tekst kon niet worden gelezen."),
        (Reading(hit="x", state=TextState.NONE), "Er is geen tekst die te lezen is."),
        (Reading(hit="x", state=TextState.FULL), "In de tekst staan uw woorden niet."),
        (a_reading(a_hit(1)), "Uw woorden staan in nog 2 delen van de tekst."),
        (a_reading(a_hit(1), passages=2), ""),
        (a_reading(a_hit(1), passages=2, state=TextState.PARTIAL), "Alleen een deel van de tekst is gelezen."),
    ],
)
def test_of_every_text_it_is_said_what_was_read_of_it(reading: Reading | None, said: str) -> None:
    assert words.read(reading, searched=True) == said


def test_without_words_to_look_for_nothing_is_said_of_words() -> None:
    assert words.read(Reading(hit="x", state=TextState.FULL), searched=False) == ""
