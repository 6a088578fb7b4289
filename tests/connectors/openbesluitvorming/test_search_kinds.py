"""A search for kinds that the platform does not know: filtered by us, and said so."""

from __future__ import annotations

import pytest

from connectors.openbesluitvorming.connector import OpenBesluitvorming
from connectors.records import Certainty, Kind, Note, NoteCode, Total
from tests.connectors.openbesluitvorming.support import (
    LIVE,
    SEVEN,
    Script,
    full,
    good,
    natives,
    page,
    query,
    row,
    titled,
)

pytestmark = pytest.mark.anyio
CONNECTOR = OpenBesluitvorming(LIVE)


PROPOSALS = query("water", kinds=frozenset({Kind.VOORSTEL}))


async def test_a_finer_kind_reads_three_pages_as_one_and_says_so() -> None:
    ask = Script(
        full(titled(1, "Raadsvoorstel water"), titled(2, "Brief"), total=500),
        full(titled(3, "Notulen"), total=500),
        full(titled(4, "Raadsvoorstel riool"), total=500),
    )

    result = await CONNECTOR.search(PROPOSALS, ask)

    assert ask.params("offset") == ["0", "24", "48"]
    assert ask.params("entityType") == ["Document"] * 3
    assert natives(result) == ["1", "4"]
    assert (result.total, result.has_more) == (Total(2, Certainty.AT_LEAST), True)
    assert result.notes == (Note(NoteCode.FILTERED_BY_US, ("soort",)),)


async def test_the_second_page_of_a_finer_kind_reads_the_next_three() -> None:
    ask = Script(*(full(titled(number, "Raadsvoorstel"), total=500) for number in range(3)))

    await CONNECTOR.search(query("water", kinds=frozenset({Kind.VOORSTEL}), number=2), ask)

    assert ask.params("offset") == ["72", "96", "120"]


async def test_reading_stops_when_there_is_no_more_and_what_was_seen_is_then_exact() -> None:
    ask = Script(page(titled(1, "Raadsvoorstel"), titled(2, "Brief"), total=2))

    result = await CONNECTOR.search(PROPOSALS, ask)

    assert len(ask.calls) == 1
    assert (result.total, result.has_more) == (Total(1, Certainty.EXACT), False)


async def test_what_was_seen_is_not_exact_when_the_platform_only_estimates() -> None:
    ask = Script(page(titled(1, "Raadsvoorstel"), titled(2, "Brief"), total=2, approximate=True))

    assert (await CONNECTOR.search(PROPOSALS, ask)).total == Total(1, Certainty.AT_LEAST)


async def test_what_was_seen_is_not_exact_when_the_platform_counts_more_than_it_gives() -> None:
    """Field report 2."""
    ask = Script(page(titled(1, "Raadsvoorstel"), total=50))

    assert (await CONNECTOR.search(PROPOSALS, ask)).total == Total(1, Certainty.AT_LEAST)


async def test_an_empty_page_ends_the_reading_whatever_it_promises() -> None:
    """Field report 2."""
    ask = Script(page(titled(1, "Raadsvoorstel"), total=50, more=True), page(total=50, more=True))

    result = await CONNECTOR.search(PROPOSALS, ask)

    assert len(ask.calls) == 2
    assert not result.has_more
    assert Note(NoteCode.SHORT_PAGES) in result.notes


async def test_motions_are_looked_for_among_motions_and_among_papers() -> None:
    """A motion that hangs on an agenda item as a file is a document over there."""
    ask = Script(good("search_motions"), page(titled(1, "Motie woningbouw"), titled(2, "Memo over motie woningbouw")))

    result = await CONNECTOR.search(query("woningbouw", kinds=frozenset({Kind.MOTIE})), ask)

    assert ask.params("entityType") == ["Motion", "Document"]
    assert natives(result) == ["1184235", "1"]
    assert result.total == Total(2, Certainty.EXACT)
    assert result.notes == (Note(NoteCode.FILTERED_BY_US, ("soort",)),)


async def test_motions_of_which_not_everything_was_seen_are_at_least_so_many() -> None:
    motion = row(3, entityId="motion:notubiz:gemeente:ede:3", entityType="Motion", title="Groen")
    papers = [full(titled(number, "Motie"), total=90) for number in range(3)]
    ask = Script(page(motion), *papers)

    result = await CONNECTOR.search(query("woningbouw", kinds=frozenset({Kind.MOTIE, Kind.AMENDEMENT})), ask)

    assert ask.params("offset") == ["0", "0", "24", "48"]
    assert (result.total, result.has_more) == (Total(4, Certainty.AT_LEAST), True)


async def test_kinds_of_several_types_are_not_narrowed_over_there() -> None:
    meeting = row(3, entityId="meeting:notubiz:gemeente:ede:3", entityType="Meeting")
    ask = Script(page(titled(1, "Motie water"), titled(2, "Brief"), meeting))

    result = await CONNECTOR.search(query("water", kinds=frozenset({Kind.MOTIE, Kind.VERGADERING})), ask)

    assert ask.params("entityType") == [None]
    assert natives(result) == ["1", "3"]


@pytest.mark.parametrize(("organisations", "calls"), [(1, 3), (2, 6), (3, 6), (4, 4), (6, 6), (7, 1)])
async def test_a_question_never_costs_more_than_six_calls(organisations: int, calls: int) -> None:
    ask = Script(*(full(titled(number, "Brief"), total=500) for number in range(6)))

    await CONNECTOR.search(query("water", organisations=SEVEN[:organisations], kinds=frozenset({Kind.VOORSTEL})), ask)

    assert len(ask.calls) == calls


@pytest.mark.parametrize(("organisations", "calls"), [(0, 6), (1, 6), (2, 4), (3, 6), (4, 4), (6, 6), (7, 1)])
async def test_a_question_for_a_kind_of_two_types_never_costs_more_either(organisations: int, calls: int) -> None:
    ask = Script(*(full(titled(number, "Brief"), total=500) for number in range(6)))

    await CONNECTOR.search(query("water", organisations=SEVEN[:organisations], kinds=frozenset({Kind.MOTIE})), ask)

    assert len(ask.calls) == calls


async def test_what_was_seen_on_a_later_page_is_never_exact() -> None:
    ask = Script(page(titled(1, "Raadsvoorstel"), total=1))

    result = await CONNECTOR.search(query("water", kinds=frozenset({Kind.VOORSTEL}), number=2), ask)

    assert result.total == Total(1, Certainty.AT_LEAST)
