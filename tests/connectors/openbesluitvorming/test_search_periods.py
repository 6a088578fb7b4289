"""A period: days in Amsterdam, whatever the platform makes of them."""

from __future__ import annotations

from datetime import date

import pytest

from connectors.openbesluitvorming.connector import OpenBesluitvorming
from connectors.records import Certainty, DateMeaning, Moment, Query, Sort, Total
from tests.connectors.openbesluitvorming.support import LIVE, SEVEN, Script, full, natives, page, query, row

pytestmark = pytest.mark.anyio
CONNECTOR = OpenBesluitvorming(LIVE)
NIGHT = date(2024, 11, 8)


def on_the_night(sort: Sort = Sort.RELEVANCE, number: int = 1) -> Query:
    return query("water", date_from=NIGHT, date_until=NIGHT, sort=sort, number=number)


async def test_a_period_is_asked_a_day_wider_and_cut_by_the_day_that_is_shown() -> None:
    """Field report 10: half past midnight in Amsterdam is still the day before in UTC."""
    ask = Script(
        page(
            row(1, sortDate="2024-11-07T18:30:00Z"),
            row(2, sortDate="2024-11-07T23:30:00Z"),
            row(3, sortDate="2024-11-08T00:00:00Z"),
            row(4, sortDate="2024-11-08T18:30:00Z"),
            row(5, sortDate="2024-11-08T23:30:00Z"),
        )
    )

    result = await CONNECTOR.search(on_the_night(), ask)

    assert (ask.params("dateFrom"), ask.params("dateTo")) == (["2024-11-07"], ["2024-11-08"])
    assert natives(result) == ["2", "3", "4"]
    assert result.total == Total(3, Certainty.EXACT)


async def test_an_end_alone_is_asked_as_it_is() -> None:
    ask = Script(page(row(1, sortDate="2024-11-08T23:30:00Z"), row(2, sortDate="2012-01-01T00:00:00Z")))

    result = await CONNECTOR.search(query("water", date_until=NIGHT), ask)

    assert (ask.params("dateFrom"), ask.params("dateTo")) == ([None], ["2024-11-08"])
    assert natives(result) == ["2"]


async def test_a_total_of_a_period_of_which_not_all_was_seen_is_an_estimate() -> None:
    rows = [row(number, sortDate="2024-11-08T18:30:00Z") for number in range(24)]

    result = await CONNECTOR.search(on_the_night(), Script(full(*rows, total=500)))

    assert (len(result.hits), result.total, result.has_more) == (24, Total(500, Certainty.ESTIMATE), True)


async def test_a_total_that_is_unknown_stays_so_with_a_period() -> None:
    result = await CONNECTOR.search(on_the_night(), Script(page(row(1, sortDate="2024-11-08T18:30:00Z"), total="veel")))

    assert result.total == Total(None, Certainty.UNKNOWN)


async def test_oldest_first_the_evening_before_does_not_fill_the_first_page() -> None:
    ask = Script(
        full(*(row(number, sortDate="2024-11-08T18:30:00Z") for number in range(24)), total=30),
        full(
            row(101, sortDate="2024-11-07T23:30:00Z"),
            *(row(200 + number, sortDate="2024-11-07T18:30:00Z") for number in range(23)),
            total=300,
        ),
    )

    result = await CONNECTOR.search(on_the_night(Sort.OLDEST), ask)

    assert ask.params("dateFrom") == ["2024-11-08", "2024-11-07"]
    assert ask.params("dateTo") == ["2024-11-08", "2024-11-07"]
    assert ask.params("sort") == ["date_asc", "date_desc"]
    assert natives(result) == ["101", *map(str, range(24))]
    assert (result.total, result.has_more, result.notes) == (Total(31, Certainty.ESTIMATE), True, ())


async def test_a_later_page_of_the_oldest_goes_on_where_the_first_ended() -> None:
    ask = Script(page(*(row(number, sortDate="2024-11-08T18:30:00Z") for number in range(6)), total=30))

    result = await CONNECTOR.search(on_the_night(Sort.OLDEST, number=2), ask)

    assert (ask.params("dateFrom"), ask.params("offset")) == (["2024-11-08"], ["24"])
    assert len(result.hits) == 6


async def test_oldest_first_of_many_organisations_is_asked_a_day_wider_within_six_calls() -> None:
    ask = Script(*(page() for _ in range(6)))

    await CONNECTOR.search(query("water", organisations=SEVEN[:4], date_from=NIGHT, sort=Sort.OLDEST), ask)

    assert ask.params("dateFrom") == ["2024-11-07"] * 4


@pytest.mark.parametrize("sort", [Sort.RELEVANCE, Sort.OLDEST])
async def test_a_period_from_the_first_day_that_there_is_can_be_asked(sort: Sort) -> None:
    ask = Script(*(page() for _ in range(2)))

    await CONNECTOR.search(query("water", date_from=date.min, sort=sort), ask)

    assert set(ask.params("dateFrom")) == {"0001-01-01"}


async def test_what_has_no_date_is_in_no_period() -> None:
    undated = row(1, date="Datum onbekend")

    result = await CONNECTOR.search(on_the_night(), Script(page(undated)))

    assert (result.hits, result.total) == ((), Total(0, Certainty.EXACT))


async def test_the_day_that_is_shown_is_the_day_in_amsterdam() -> None:
    result = await CONNECTOR.search(on_the_night(), Script(page(row(1, sortDate="2024-11-07T23:30:00Z"))))

    found = result.hits[0].date
    assert isinstance(found, Moment)
    assert (found.day, found.meaning) == (NIGHT, DateMeaning.MEETING_OR_CHANGE)
