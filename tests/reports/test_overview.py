"""The contents of a report: each thing once, by body and by month, and what is said of texts that are not there."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from connectors.platforms import OPEN_RAADSINFORMATIE, OPENBESLUITVORMING
from connectors.records import DateMeaning, Document, Hit, Moment, Passage, Term, TextState
from reports.overview import cuts_of_readings, overview, reading_of
from reports.records import Cut, CutReason, Reading
from tests.support.scripted import hit

SOEST, EDE = ("gemeente-soest", "Gemeente Soest"), ("gemeente-ede", "Gemeente Ede")


def a_hit(
    number: int = 1,
    body: tuple[str | None, str] = SOEST,
    day: date | None = None,
    platform: object = OPENBESLUITVORMING,
    **more: object,
) -> Hit:
    when = Moment(day, DateMeaning.MEETING) if day else None
    made = hit(platform, number)  # type: ignore[arg-type]
    return replace(made, organisation_id=body[0], organisation=body[1], date=when, **more)  # type: ignore[arg-type]


def test_a_thing_of_two_platforms_stands_in_a_report_once_with_both() -> None:
    one = a_hit(1, day=date(2026, 3, 2), same_as=("nummer:1",))
    other = a_hit(2, platform=OPEN_RAADSINFORMATIE, same_as=("nummer:1",))
    found = overview([one, other], {})
    assert found.number == 1
    [entry] = found.bodies[0].months[0].entries
    assert entry.item.platforms == ("openbesluitvorming", "open-raadsinformatie")
    assert entry.day == date(2026, 3, 2)


def test_bodies_stand_by_name_their_months_newest_first_and_what_has_no_date_last() -> None:
    days = [date(2026, 1, 5), None, date(2026, 3, 1), date(2026, 3, 31), date(2024, 3, 1)]
    found = overview([a_hit(n, day=day) for n, day in enumerate(days)] + [a_hit(9, EDE, date(2025, 2, 1))], {})
    assert [body.name for body in found.bodies] == ["Gemeente Ede", "Gemeente Soest"]
    months = found.bodies[1].months
    assert [month.first for month in months] == [date(2026, 3, 1), date(2026, 1, 1), date(2024, 3, 1), None]
    assert [entry.day for entry in months[0].entries] == [date(2026, 3, 31), date(2026, 3, 1)]
    assert (found.years, found.undated) == (((2024, 1), (2025, 1), (2026, 3)), 1)


def test_a_body_has_one_part_however_platforms_write_its_name() -> None:
    names = [("gemeente-soest", "Soest"), ("gemeente-soest", "Gemeente Soest"), ("gemeente-soest", "Gemeente Soest")]
    assert [body.name for body in overview([a_hit(n, one) for n, one in enumerate(names)], {}).bodies] == [
        "Gemeente Soest"
    ]
    unknown = [(None, "Één Werkgroep"), (None, "een werkgroep")]
    assert len(overview([a_hit(n, one) for n, one in enumerate(unknown)], {}).bodies) == 1


def test_one_odd_date_makes_no_list_of_empty_years() -> None:
    """Field report 12."""
    found = overview([a_hit(1, day=date(1899, 12, 30)), a_hit(2, day=date(2026, 1, 1))], {})
    assert found.years == ((1899, 1), (2026, 1))


def test_of_two_copies_the_text_that_could_be_read_is_taken() -> None:
    one, other = a_hit(1, same_as=("nummer:1",)), a_hit(2, platform=OPEN_RAADSINFORMATIE, same_as=("nummer:1",))
    readings = {one.id: Reading(hit=one.id, failure="weg"), other.id: Reading(hit=other.id, passages=2)}
    [entry] = overview([one, other], readings).bodies[0].months[0].entries
    assert entry.reading == readings[other.id]


def test_what_is_said_of_texts_names_the_platform_and_how_many() -> None:
    hits = [a_hit(number) for number in range(4)]
    readings = {
        hits[0].id: Reading(hit=hits[0].id, state=TextState.FULL),
        hits[1].id: Reading(hit=hits[1].id, state=TextState.NONE),
        hits[2].id: Reading(hit=hits[2].id, failure="geen antwoord"),
    }
    entries = [one for body in overview(hits, readings).bodies for month in body.months for one in month.entries]
    assert cuts_of_readings(entries, wanted=3) == (
        Cut("openbesluitvorming", CutReason.MOST_TEXTS, ("1",)),
        Cut("openbesluitvorming", CutReason.UNREAD, ("1",)),
        Cut("openbesluitvorming", CutReason.WITHOUT_TEXT, ("1",)),
    )
    assert [cut.reason for cut in cuts_of_readings(entries, wanted=0)] == [CutReason.UNREAD, CutReason.WITHOUT_TEXT]


def test_a_reading_has_the_passages_around_the_words_and_how_many_more_there_are() -> None:
    passages = tuple(Passage(n, f"Bladzijde {n}: de bomen aan de laan.", is_page=True) for n in range(1, 6))
    one = a_hit()
    document = Document(
        platform=one.platform,
        upstream_id=one.upstream_id,
        title=one.title,
        organisation=one.organisation,
        organisation_id=one.organisation_id,
        kind=one.kind,
        kind_at_source="stuk",
        dates=(Moment(date(2026, 3, 2), DateMeaning.MEETING),),
        passages=(*passages, Passage(6, "Niets.", is_page=True)),
        text_state=TextState.FULL,
        address=one.address,
        original=None,
        fetched_at=one.fetched_at,
    )
    found = reading_of(one.id, document, [Term(("bomen",))])
    assert (found.passages, [excerpt.number for excerpt in found.excerpts]) == (5, [1, 2, 3])
    assert all("bomen" in excerpt.text and excerpt.is_page for excerpt in found.excerpts)
    assert found.dates == document.dates


_days = st.one_of(st.none(), st.dates(date(1990, 1, 1), date(2027, 1, 1)))


@given(rows=st.lists(st.tuples(st.sampled_from((SOEST, EDE, (None, "Iets"))), _days), max_size=30))
def test_nothing_is_lost_or_counted_twice(rows: list[tuple[tuple[str | None, str], date | None]]) -> None:
    found = overview([a_hit(number, body, day) for number, (body, day) in enumerate(rows)], {})
    assert found.number == len(rows)
    assert sum(number for _, number in found.years) + found.undated == len(rows)
    assert {body.name for body in found.bodies} == {name for (_, name), _ in rows}
