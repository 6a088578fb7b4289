"""What people read: honest totals, dates in the Netherlands, a sentence for every state and fault."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from connectors import exceptions as failures
from connectors.platforms import OPENTK, RECHTSPRAAK
from connectors.records import Certainty, DateMeaning, Filter, Moment, Note, NoteCode, Operator, SearchResult, Total
from search import fault_texts, texts
from search.answers import PlatformAnswer, State
from search.exceptions import Fault, FieldFault
from search.federation import failed
from search.question import Remark
from search.summary import summary

NOW = datetime(2026, 3, 12, 13, 0, tzinfo=UTC)
KEY = RECHTSPRAAK.key


@pytest.mark.parametrize(
    ("total", "words"),
    [
        (Total(1, Certainty.EXACT), "1 resultaat"),
        (Total(2500, Certainty.EXACT), "2.500 resultaten"),
        (Total(2500, Certainty.ESTIMATE), "ongeveer 2.500 resultaten"),
        (Total(400, Certainty.AT_LEAST), "minstens 400 resultaten"),
        (Total(0, Certainty.EXACT), "0 resultaten"),
        (Total(0, Certainty.AT_LEAST), "nog geen resultaten gezien"),
        (Total(None, Certainty.UNKNOWN), "aantal resultaten onbekend"),
    ],
)
def test_a_total_says_how_sure_it_is(total: Total, words: str) -> None:
    """Field report 4: an estimate shown as exact misled a reader. Eis 7.7; Eis Z8."""
    assert texts.total(total) == words


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (datetime(2026, 1, 22, 18, 30, tzinfo=UTC), "19:30 uur"),
        (datetime(2026, 7, 22, 18, 30, tzinfo=UTC), "20:30 uur"),
        (datetime(2026, 3, 29, 0, 59, tzinfo=UTC), "01:59 uur"),
        (datetime(2026, 3, 29, 1, 0, tzinfo=UTC), "03:00 uur"),
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "02:30 uur"),
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "02:30 uur"),
    ],
)
def test_a_time_is_shown_as_the_clock_in_the_netherlands_stood(at: datetime, words: str) -> None:
    """Field report 10: both clock changes. Eis 7.8."""
    assert texts.clock(at) == words


def test_a_date_without_a_time_shows_none_and_no_date_is_said_to_be_unknown() -> None:
    """Field report 12."""
    assert texts.moment(Moment(date(2026, 3, 12), DateMeaning.DECISION)) == "12 maart 2026"
    assert texts.moment(None) == "datum onbekend"


FAILURES = [
    failures.UnreachableError(KEY, "ConnectError"),
    failures.TooSlowError(KEY, 20),
    failures.RefusedError(KEY, 500),
    failures.OverLimitError(KEY, 429, 3),
    failures.QueueFullError(KEY, 700),
    *(failures.NotAnAnswerError(KEY, defect) for defect in failures.Defect),
    *(failures.NotSupportedError(KEY, reason) for reason in failures.Unsupported),
    *(failures.OperatorError(KEY, frozenset({operator})) for operator in Operator),
]


@pytest.mark.parametrize("failure", FAILURES, ids=repr)
def test_every_failure_has_a_sentence_that_says_what_happened_and_what_to_do(failure: failures.ConnectorError) -> None:
    text = texts.state(failed(RECHTSPRAAK, failure), NOW)
    assert len(text.split()) >= 5
    assert text.endswith(".")
    assert not any(word in text.lower() for word in ("timeout", "query", "connector", "endpoint", "rate limit"))


def test_a_source_that_an_operator_switched_off_says_what_the_operator_wrote_and_nothing_that_contradicts_it() -> None:
    answer = failed(RECHTSPRAAK, failures.ClosedError(KEY, text="Morgen vragen we deze bron weer"))
    words = texts.state(answer, NOW)
    assert words == "Morgen vragen we deze bron weer. De resultaten van de andere bronnen kloppen wel."
    assert texts.state_word(answer) == "niet gevraagd"


@pytest.mark.parametrize("failure", [failures.TooSlowError(KEY, 8), failures.UnreachableError(KEY, "ConnectError")])
def test_a_source_that_was_asked_alone_says_nothing_of_others(failure: failures.ConnectorError) -> None:
    beside = failed(RECHTSPRAAK, failure)
    assert "De resultaten van de andere bronnen kloppen wel." in texts.state(beside, NOW)
    alone = texts.state(replace(beside, is_alone=True), NOW)
    assert "andere bronnen" not in alone
    assert "  " not in alone
    assert "Probeer het" in alone


def test_a_source_that_is_closed_for_a_while_says_until_when() -> None:
    words = texts.state(failed(RECHTSPRAAK, failures.ClosedError(KEY, retry_after=90)), NOW)
    assert words.startswith("Rechtspraak vragen we nu even niet.")
    assert re.search(r"Probeer het na \d\d:\d\d uur opnieuw\.$", words)


def test_a_source_that_our_own_store_keeps_from_being_asked_is_not_blamed() -> None:
    answer = failed(RECHTSPRAAK, failures.ClosedError(KEY))
    words = texts.state(answer, NOW)
    assert words.startswith("BesluitBron zelf heeft nu een storing")
    assert "Rechtspraak is daarom niet gevraagd. Aan die bron ligt het niet." in words
    assert "andere bronnen" not in words
    assert texts.state_word(answer) == "niet gevraagd"


def test_a_document_that_still_waits_says_when_to_come_back() -> None:
    words = texts.still_waiting("Rechtspraak", datetime(2026, 3, 12, 13, 32, tzinfo=UTC))
    assert "Uw vraag houdt haar plek in de rij. Rond 14:32 uur" in words


def test_when_nobody_could_be_asked_because_of_us_the_summary_says_so() -> None:
    ours, theirs = failures.ClosedError(KEY), failures.UnreachableError(KEY, "ConnectError")
    said = summary([failed(RECHTSPRAAK, ours), failed(OPENTK, ours)])
    assert said.startswith("BesluitBron zelf heeft nu een storing")
    assert "Daarom is er geen bron gevraagd." in said
    assert summary([failed(RECHTSPRAAK, ours), failed(OPENTK, theirs)]).startswith("Geen van de bronnen gaf antwoord.")


@pytest.mark.parametrize(("more", "words"), [(False, "Geen resultaten bij"), (True, "Blader verder voor meer")])
def test_a_page_without_hits_says_whether_there_are_more_pages(more: bool, words: str) -> None:
    result = SearchResult(hits=(), total=Total(0, Certainty.AT_LEAST), fetched_at=NOW, has_more=more)
    assert words in texts.state(PlatformAnswer(platform=RECHTSPRAAK, state=State.EMPTY, result=result), NOW)


def test_a_source_that_waits_names_a_clock_time_or_says_that_it_starts_in_a_moment() -> None:
    later = PlatformAnswer(
        platform=RECHTSPRAAK, state=State.PLANNED, starts_at=datetime(2026, 3, 12, 13, 32, tzinfo=UTC)
    )
    soon = PlatformAnswer(platform=RECHTSPRAAK, state=State.PLANNED, starts_at=NOW)
    assert "rond 14:32 uur" in texts.state(later, NOW)
    assert "voor u" not in texts.state(replace(later, place=1), NOW)
    assert "Er is nog 1 voor u." in texts.state(replace(later, place=2), NOW)
    assert "Er zijn nog 1.200 voor u." in texts.state(replace(later, place=1201), NOW)
    assert "zo meteen" in texts.state(soon, NOW)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "zo meteen"), (9, "zo meteen"), (10, "rond 14:01 uur"), (60, "rond 14:01 uur"), (61, "rond 14:02 uur")],
)
def test_a_start_is_told_as_in_a_moment_or_by_a_clock_that_is_not_early(seconds: int, words: str) -> None:
    """Eis 6.13."""
    starts_at = NOW + timedelta(seconds=seconds)
    answer = PlatformAnswer(platform=RECHTSPRAAK, state=State.PLANNED, starts_at=starts_at)
    assert f"De vraag start {words}." in texts.state(answer, NOW)


@pytest.mark.parametrize("code", NoteCode)
def test_every_remark_of_a_connector_has_a_sentence(code: NoteCode) -> None:
    assert texts.note(Note(code, ("6", "12"))).strip()


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_in_a_question_has_a_sentence(fault: Fault) -> None:
    assert len(fault_texts.fault(FieldFault("vraag", fault, "600"), 500).split()) >= 4


def test_every_remark_on_a_question_and_every_ignored_filter_has_a_sentence() -> None:
    assert all(texts.remark(remark) for remark in Remark)
    assert all(texts.ignored((name,)) for name in Filter)
    assert texts.ignored(()) == ""
