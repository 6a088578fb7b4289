"""Answers that do not add up: totals without rows, pages beyond reach, rows of another shape."""

from __future__ import annotations

from datetime import date

import pytest

from connectors.exceptions import UnreachableError
from connectors.openbesluitvorming.connector import OpenBesluitvorming
from connectors.records import Certainty, Note, NoteCode, Total
from tests.connectors.openbesluitvorming.support import LIVE, SEVEN, Script, good, natives, of, page, query, row

pytestmark = pytest.mark.anyio
CONNECTOR = OpenBesluitvorming(LIVE)
UNREACHABLE = UnreachableError("openbesluitvorming", "reset")


IN_2024 = query(
    "begroting", organisations=("gemeente-soest",), date_from=date(2024, 1, 1), date_until=date(2024, 12, 31)
)


async def test_a_total_without_rows_is_asked_again_without_the_period_which_we_then_apply() -> None:
    """Field report 1."""
    ask = Script(
        page(total=9933, approximate=True),
        page(
            of("soest", 1, "2023-12-31T22:59:00Z"),
            of("soest", 2, "2023-12-31T23:30:00Z"),
            of("soest", 3),
            of("soest", 4, "2024-12-31T00:00:00Z"),
            of("soest", 5, "2025-01-01T00:00:00Z"),
            total=9933,
            more=True,
        ),
    )

    result = await CONNECTOR.search(IN_2024, ask)

    assert ask.params("dateFrom") == ["2023-12-31", None]
    assert ask.params("dateTo") == ["2024-12-31", None]
    assert ask.params("organization") == ["soest", "soest"]
    assert natives(result) == ["2", "4"]
    assert (result.total, result.has_more) == (Total(2, Certainty.AT_LEAST), False)
    assert result.notes == (
        Note(NoteCode.TOTAL_WITHOUT_HITS),
        Note(NoteCode.ASKED_WITHOUT_PERIOD),
    )


async def test_a_total_without_rows_is_asked_again_only_once() -> None:
    ask = Script(page(total=9933), page(total=9933))

    result = await CONNECTOR.search(IN_2024, ask)

    assert len(ask.calls) == 2
    assert (result.hits, result.total) == ((), Total(0, Certainty.AT_LEAST))


async def test_a_total_without_rows_and_without_a_period_is_no_total() -> None:
    ask = Script(page(total=9933))

    result = await CONNECTOR.search(query("begroting"), ask)

    assert (result.hits, result.total, result.has_more) == ((), Total(None, Certainty.UNKNOWN), False)
    assert result.notes == (Note(NoteCode.TOTAL_WITHOUT_HITS),)


async def test_six_organisations_without_rows_are_six_calls_and_nothing_is_said_of_dates() -> None:
    ask = Script(*(page(total=50) for _ in range(6)))

    result = await CONNECTOR.search(query("begroting", organisations=SEVEN[:6], date_from=date(2024, 1, 1)), ask)

    assert len(ask.calls) == 6
    assert (result.hits, result.total) == ((), Total(None, Certainty.UNKNOWN))
    assert result.notes == (Note(NoteCode.TOTAL_WITHOUT_HITS),)


async def test_fewer_rows_than_asked_are_asked_on_from_where_they_ended() -> None:
    """Field report 2: 13 rows came where 24 were asked, and fixed steps of 24 lose the others."""
    thirteen = [row(number) for number in range(13)]
    eleven = [row(number) for number in range(13, 24)]
    ask = Script(page(*thirteen, total=50, more=True), page(*eleven, total=50, more=True))

    result = await CONNECTOR.search(query("water"), ask)

    assert (ask.params("offset"), ask.params("limit")) == (["0", "13"], ["24", "11"])
    assert natives(result) == [str(number) for number in range(24)]
    assert (result.has_more, result.notes) == (True, ())


async def test_rows_that_were_promised_and_never_came_are_told() -> None:
    """Field report 2."""
    ask = Script(page(row(1), total=50, more=True), page(total=50, more=True))

    result = await CONNECTOR.search(query("water"), ask)

    assert natives(result) == ["1"]
    assert result.notes == (Note(NoteCode.SHORT_PAGES),)


async def test_a_platform_that_gives_a_row_at_a_time_is_asked_six_times_at_most() -> None:
    ask = Script(*(page(row(number), total=50, more=True) for number in range(6)))

    result = await CONNECTOR.search(query("water"), ask)

    assert len(result.hits) == 6
    assert result.notes == (Note(NoteCode.SHORT_PAGES),)


async def test_a_later_page_without_rows_is_beyond_reach() -> None:
    ask = Script(good("search_beyond_reach"))

    result = await CONNECTOR.search(query("begroting", number=200), ask)

    assert len(ask.calls) == 1
    assert (result.total, result.has_more) == (Total(146_000, Certainty.ESTIMATE), False)
    assert result.notes == (Note(NoteCode.BEYOND_REACH),)


async def test_the_smaller_of_several_organisations_may_simply_end() -> None:
    ask = Script(by_key={"ede": page(of("ede", 1), total=30), "soest": page(total=3)})

    result = await CONNECTOR.search(query("water", organisations=("gemeente-ede", "gemeente-soest"), number=2), ask)

    assert (natives(result), result.notes) == (["1"], ())


async def test_nothing_found_is_nothing_found() -> None:
    result = await CONNECTOR.search(query("xyzzy"), Script(good("search_empty")))

    assert (result.hits, result.total, result.notes) == ((), Total(0, Certainty.EXACT), ())


async def test_rows_that_could_not_be_read_are_counted_over_all_calls() -> None:
    ask = Script(by_key={"ede": page(of("ede", 1), {}), "soest": page(of("soest", 2), None, "x")})

    result = await CONNECTOR.search(query("water", organisations=("gemeente-ede", "gemeente-soest")), ask)

    assert result.notes == (Note(NoteCode.ROWS_SKIPPED, ("3",)),)


async def test_the_same_item_is_shown_once() -> None:
    """A recording is folded into its meeting."""
    meeting = row(5, entityId="meeting:notubiz:gemeente:ede:5", entityType="Meeting")
    recording = row(
        9,
        entityId="recording:notubiz:gemeente:ede:9",
        entityType="Recording",
        meetingId="meeting:notubiz:gemeente:ede:5",
    )

    assert natives(await CONNECTOR.search(query("water"), Script(page(meeting, recording)))) == ["5"]


async def test_a_failure_of_the_one_call_is_the_answer() -> None:
    with pytest.raises(UnreachableError):
        await CONNECTOR.search(query("water"), Script(UNREACHABLE))
