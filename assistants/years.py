"""The years that sources hold of a body, asked of the sources themselves: the dates of their oldest and newest papers.

Two questions to each source that can put papers in order; nobody else tells (field report 18).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from assistants.printing.hits import waiting
from assistants.tool import Visit
from connectors.moments import now
from connectors.records import Filter, Organisation, Query, SearchResult, Sort
from search.answers import PlatformAnswer, State
from search.held import Held

_BEFORE_ANY_PAPER: Final = date(1900, 1, 1)
"""What is older is how an empty date is written down here and there (field report 12)."""


@dataclass(frozen=True, slots=True)
class Years:
    """What sources hold, and the names of those that gave no answer now, of which ``held`` says what was known before."""

    held: tuple[Held, ...]
    silent: tuple[str, ...] = ()


async def ask_years(body: Organisation, known: Iterable[Held], visit: Visit, today: date) -> Years:
    """What is known, completed with what the sources say now; a source that does not answer stays as it was."""
    held = tuple(known)
    keys = [one.platform for one in held if one.platform in visit.platforms and _puts_in_order(one.platform, visit)]
    if not keys:
        return Years(held)
    silent: dict[str, str] = {}
    orders = (Sort.OLDEST, Sort.NEWEST)
    oldest, newest = await asyncio.gather(*(_dates(body, keys, sort, visit, silent) for sort in orders))
    asked = tuple(
        replace(
            one,
            first=min(filter(None, (one.first, oldest.get(one.platform))), default=None),
            last=max(filter(None, (one.last, _until(newest.get(one.platform), today))), default=None),
        )
        for one in held
    )
    return Years(asked, tuple(silent[key] for key in keys if key in silent))


def _puts_in_order(key: str, visit: Visit) -> bool:
    connector = visit.federation.connector(key)
    if connector is None:
        return False
    able = connector.capabilities
    return {Sort.OLDEST, Sort.NEWEST} <= able.sorts and Filter.ORGANISATION in able.filters | able.own_filters


def _until(day: date | None, today: date) -> date | None:
    """Papers of meetings to come are no years that are held."""
    return min(day, today) if day else None


async def _dates(
    body: Organisation, keys: list[str], sort: Sort, visit: Visit, silent: dict[str, str]
) -> Mapping[str, date]:
    """The date of the first paper that has one, of each source that answered in this order; who did not goes to ``silent``."""
    found: dict[str, date] = {}
    last: dict[str, PlatformAnswer] = {}
    async for answer in visit.federation.ask(Query(organisations=(body,), sort=sort), keys, visit.caller):
        last[answer.platform.key] = answer
        if answer.state is State.PLANNED:
            await visit.tell(waiting(answer, now()))
        if answer.result and Filter.SORT not in answer.result.ignored and (day := _first_day(answer.result)):
            found[answer.platform.key] = day
    for key, answer in last.items():
        if not answer.state.has_answered and answer.state is not State.NOT_SUPPORTED:
            silent[key] = answer.platform.name
    return found


def _first_day(result: SearchResult) -> date | None:
    days = (hit.date.day for hit in result.hits if hit.date is not None)
    return next((day for day in days if day > _BEFORE_ANY_PAPER), None)
