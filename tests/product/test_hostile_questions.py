"""Questions written to be read as the language of a source: each source gets them as words, and refuses none of them."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest

from connectors.calls import Answer, Call
from connectors.exceptions import NotSupportedError
from connectors.records import Query, Sort
from search.question import read_question
from tests.product.test_odd_papers import BY_KEY, StandInAsk

pytestmark = pytest.mark.anyio
HOSTILE = (
    "o'brien' or true eq true or contains(Onderwerp,'",
    "\"d'ancona''s\" subsidie",
    '"zin\\" or keyword = \\"ander"',
    'subsidie" or dt.creator="x',
    "subsidie sortby dt.date/sort.descending and prox/unit=word any",
    "subsidie AND NOT (energie OR *) ^ ~ NEAR/2",
    "@type:Meeting _exists_:name /.*/ {a TO b] \\",
    '"--grens\r\nContent-Disposition: form-data; name=twomonths\r\n\r\nfalse\r\n--grens--"',
    "subsidie&$filter=Verwijderd eq true&offset=9#x%27%00",
    "%25%27%2527 ${jndi} {{7*7}} <script>alert(1)</script>",
    "e\u0301\u0323" * 40,
    "a" * 250,
    "İstanbul ıı ﬁets ß ½ ² ǆ \u0345",
    "\u202eeidisbus\u202c \u200b\u00ad \ufeff klimaat",
    "“WHO-normen” ‘d’Ancona’ „24.000“ «art.5:4»",
    "中文 عربى हिन्दी 🔥",
    "\ud800subsidie\udfff",
)
PERIODS = ((None, None), (date.min, date.max), (date.max, date.max), (date.min, date.min))


class Strict(StandInAsk):
    """Holds every answer for a fault that says the source did not understand what it was asked."""

    async def answer(self, call: Call) -> Answer:
        given = await super().answer(call)
        assert given.status < 400 or given.status == 404, call.path
        return given


@cache
def strict() -> Strict:
    """Made once: the stand-ins read their corpus when they are made."""
    return Strict()


async def searched(key: str, typed: str, first: date | None, last: date | None, sort: Sort) -> None:
    query = Query(text=read_question(typed).text, date_from=first, date_until=last, sort=sort)
    try:
        await BY_KEY[key].search(query, strict())
    except NotSupportedError:
        return


@pytest.mark.parametrize("key", BY_KEY)
@pytest.mark.parametrize("typed", HOSTILE)
async def test_a_source_gets_words_whatever_is_written(key: str, typed: str) -> None:
    await searched(key, typed, None, None, Sort.RELEVANCE)
    await searched(key, f'"{typed}"', None, None, Sort.NEWEST)


@pytest.mark.parametrize("key", BY_KEY)
@pytest.mark.parametrize("period", PERIODS)
@pytest.mark.parametrize("sort", [Sort.NEWEST, Sort.OLDEST])
async def test_the_first_and_the_last_day_there_are_break_no_question(
    key: str, period: tuple[date | None, date | None], sort: Sort
) -> None:
    await searched(key, "subsidie", *period, sort)
