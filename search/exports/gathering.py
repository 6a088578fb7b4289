"""The hits of one question over pages and platforms, as many as an export may hold, and what is not in it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from connectors.moments import now
from connectors.records import Hit
from search import texts
from search.answers import PlatformAnswer
from search.federation import Federation
from search.parameters import Asked
from throttling.callers import Caller

MOST_ROWS: Final = 500
SECONDS: Final = 60.0
"""How long pages after the first are asked for; what is not there by then is not in the export, and it says so."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found. ``answers``: the first page's state of each platform asked, in the platforms' own order.

    ``partly``: keys of platforms that hold more than is here, because of the number of rows, the time or a later page that
    failed. ``made_at``: when it was gathered.
    """

    asked: Asked
    hits: tuple[Hit, ...]
    answers: tuple[PlatformAnswer, ...]
    partly: frozenset[str]
    made_at: datetime

    @property
    def has_answer(self) -> bool:
        """Whether any platform answered."""
        return any(answer.state.has_answered for answer in self.answers)

    def name(self, key: str) -> str:
        """The name of a platform that was asked."""
        return next((answer.platform.name for answer in self.answers if answer.platform.key == key), key)

    def said(self, answer: PlatformAnswer) -> str:
        """What there is to say of one platform's part; empty when all that it found is here."""
        if not answer.state.has_answered:
            return texts.state(answer, self.made_at)
        notes = " ".join(texts.notes(answer.result)) if answer.result else ""
        left_out = "Deze bron heeft meer dan hier staat." if answer.platform.key in self.partly else ""
        empty = "" if answer.result and answer.result.hits else texts.state(answer, self.made_at)
        return " ".join(part for part in (empty, notes, left_out) if part)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What there is to say of the platforms, each sentence with the name of its platform."""
        said = ((answer.platform.name, self.said(answer)) for answer in self.answers)
        return tuple(f"{name}: {text}" for name, text in said if text)


async def gather(
    federation: Federation, asked: Asked, caller: Caller, most: int = MOST_ROWS, seconds: float = SECONDS
) -> Gathered:
    """Ask page after page of all chosen platforms side by side, until there are ``most`` hits or nothing more.

    The page of ``asked`` is where it begins. A platform that fails on a later page is left with what it gave before.
    """
    loop = asyncio.get_running_loop()
    ends = loop.time() + seconds
    order = [connector.platform.key for connector in federation.chosen(asked.platforms)]
    first: dict[str, PlatformAnswer] = {}
    hits: dict[str, Hit] = {}
    open_keys, page = list(order), asked.query.page
    unfinished: set[str] = set()
    while open_keys and len(hits) < most and loop.time() < ends:
        answers = await _page(federation, asked, open_keys, page, caller)
        first = answers if page == asked.query.page else first
        unfinished |= {
            key for key in open_keys if key in first and not _answered(answers, key) and _answered(first, key)
        }
        found = [(key, answers[key].result) for key in open_keys if key in answers]
        hits |= {hit.id: hit for _, result in found if result for hit in result.hits if hit.id not in hits}
        open_keys = [key for key, result in found if result and result.has_more]
        page += 1
    kept = tuple(hits.values())[:most]
    left_out = {hit.platform for hit in tuple(hits.values())[most:]}
    return Gathered(
        asked=asked,
        hits=kept,
        answers=tuple(first[key] for key in order if key in first),
        partly=frozenset({*open_keys, *left_out, *unfinished}),
        made_at=now(),
    )


async def _page(
    federation: Federation, asked: Asked, keys: list[str], page: int, caller: Caller
) -> dict[str, PlatformAnswer]:
    """One page of these platforms: the last that each said."""
    query = replace(asked.broad(federation.register), page=page)
    return {answer.platform.key: answer async for answer in federation.ask(query, keys, caller)}


def _answered(answers: dict[str, PlatformAnswer], key: str) -> bool:
    return key in answers and answers[key].state.has_answered
