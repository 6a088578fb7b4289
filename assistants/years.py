"""The years that sources hold of a body, asked of the sources themselves: the dates of their oldest and newest papers.

Two questions to each source that can put papers in order; nobody else tells (field report 18). What they say is kept for page,
API and tools alike.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from assistants.printing.hits import waiting
from assistants.refusing import refuse_failures
from assistants.tool import Visit
from connectors.moments import now
from connectors.platforms import PLATFORMS
from connectors.records import Filter, Organisation, Query, Sort
from search.answers import PlatformAnswer, State
from search.held import Held
from search.kept import NOT_LOOKED, Kept, KeptUnreadableError, KeptYears, Looked, by_body

_BEFORE_ANY_PAPER: Final = date(1900, 1, 1)
"""What is older is how an empty date is written down here and there (field report 12)."""


@dataclass(frozen=True, slots=True)
class Years:
    """What sources hold, and the names of those that gave no answer now, of which ``held`` says what was known before."""

    held: tuple[Held, ...]
    silent: tuple[str, ...] = ()


async def ask_years(body: Organisation, known: Iterable[Held], visit: Visit, today: date) -> Years:
    """What is known, completed with what the sources say now; a source that does not answer stays as it was.

    Raises ``ToolFailedError`` when none of them answers: the years would look unknown, and nobody asked for what was known.
    """
    held = tuple(known)
    there = {key for key in visit.platforms if visit.federation.connector(key) is not None}
    keys = [one.platform for one in held if one.platform in visit.platforms and _puts_in_order(one.platform, visit)]
    oldest, newest = dict[str, PlatformAnswer](), dict[str, PlatformAnswer]()
    if keys:
        orders = (Sort.OLDEST, Sort.NEWEST)
        oldest, newest = await asyncio.gather(*(_answers(body, keys, sort, visit) for sort in orders))
        refuse_failures((newest | {key: one for key, one in oldest.items() if one.state.has_answered}).values(), now())
    failed = {one.platform.key for one in (*oldest.values(), *newest.values()) if _is_silent(one)}
    asked = tuple(
        replace(
            one,
            first=min(filter(None, (one.first, _first_day(oldest.get(one.platform)))), default=None),
            last=max(filter(None, (one.last, _until(_first_day(newest.get(one.platform)), today))), default=None),
            looked_up=one.looked_up or (one.platform in there and one.platform not in failed),
        )
        for one in held
    )
    told = [one for one in asked if one.platform in there and one.platform not in failed]
    await _keep(body, told, visit, today)
    return Years(asked, tuple(platform.name for platform in PLATFORMS if platform.key in failed))


async def looked_up(kept: Kept) -> Looked:
    """The years that were ever looked up; none when they cannot be read: then they are looked up again."""
    try:
        return by_body(await kept.years())
    except KeptUnreadableError:
        return NOT_LOOKED


async def _keep(body: Organisation, told: Iterable[Held], visit: Visit, today: date) -> None:
    """Keep what sources told for every door. Where that fails, the asker has the answer all the same."""
    found = [KeptYears(platform=one.platform, body=body.id, first=one.first, last=one.last, on=today) for one in told]
    with contextlib.suppress(KeptUnreadableError):
        await visit.kept.keep_years(found)


def _puts_in_order(key: str, visit: Visit) -> bool:
    connector = visit.federation.connector(key)
    return connector is not None and connector.capabilities.puts_in_order(Filter.ORGANISATION)


def _until(day: date | None, today: date) -> date | None:
    """Papers of meetings to come are no years that are held."""
    return min(day, today) if day else None


async def _answers(body: Organisation, keys: list[str], sort: Sort, visit: Visit) -> dict[str, PlatformAnswer]:
    """The last answer of each source in this order, by its key; who waits is told so meanwhile."""
    last: dict[str, PlatformAnswer] = {}
    async for answer in visit.federation.ask(Query(organisations=(body,), sort=sort), keys, visit.caller):
        last[answer.platform.key] = answer
        if answer.state is State.PLANNED:
            await visit.tell(waiting(answer, now()))
    return last


def _is_silent(answer: PlatformAnswer) -> bool:
    return not answer.state.has_answered and answer.state is not State.NOT_SUPPORTED


def _first_day(answer: PlatformAnswer | None) -> date | None:
    """The date of the first paper that has one, where its source put them in order."""
    result = answer.result if answer else None
    if result is None or Filter.SORT in result.ignored:
        return None
    days = (hit.date.day for hit in result.hits if hit.date is not None)
    return next((day for day in days if day > _BEFORE_ANY_PAPER), None)
