"""The hits of one question over pages and platforms, as many as an export may hold, and what is not in it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from typing import Final

from connectors.language import Language, speaking
from connectors.moments import AMSTERDAM, now
from connectors.records import Certainty, Hit, Sort, Total
from search import texts
from search.answers import PlatformAnswer, State, state_of
from search.choices import understood
from search.federation import Federation
from search.parameters import Asked
from search.same import SameItem, together
from throttling.callers import Caller

MOST_ROWS: Final = 500
START: Final = datetime(1970, 1, 1, tzinfo=UTC)
SECONDS: Final = 60.0
"""How long pages after the first are asked for; what is not there by then is not in the export, and it says so."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found for a question ``asked`` as it stands in the address; ``read_as`` says how it was read, where otherwise.

    ``hits``: those that only look like what was asked stand last; by date over all platforms where that was asked.
    ``answers``: what each platform asked said on its first page, in the platforms' own order. ``unfinished``: keys of platforms
    that hold more than is here, because of the number of rows, the time or a later page that failed. ``made_at``: when it was
    gathered.
    """

    asked: Asked
    hits: tuple[Hit, ...]
    answers: tuple[PlatformAnswer, ...]
    unfinished: frozenset[str]
    made_at: datetime
    read_as: str = field(default="", repr=False)

    @property
    def has_answer(self) -> bool:
        """Whether any platform answered."""
        return any(answer.state.has_answered for answer in self.answers)

    @property
    def fitting(self) -> tuple[Hit, ...]:
        """The hits that count, for a form in which nothing can be marked as only looking like what was asked."""
        return tuple(hit for hit in self.hits if not hit.partly)

    @property
    def things(self) -> tuple[SameItem[Hit], ...]:
        """The hits, with what is the same at several platforms once."""
        return together(self.hits)

    @property
    def fitting_things(self) -> tuple[SameItem[Hit], ...]:
        """The same of the hits that count."""
        return together(self.fitting)

    def also_at(self, thing: SameItem[Hit]) -> str:
        """The names of the other platforms that have a thing, as words; empty where there are none."""
        return texts.listed([self.name(key) for key in thing.platforms if key != thing.first.platform])

    def of(self, answer: PlatformAnswer) -> PlatformAnswer:
        """What one platform said, over all its pages that are here."""
        if answer.result is None:
            return answer
        key, given = answer.platform.key, answer.result.total
        hits = tuple(hit for hit in self.hits if hit.platform == key)
        count = sum(not hit.partly for hit in hits)
        more = given.certainty is Certainty.AT_LEAST and (given.value or 0) < count
        total = Total(count, Certainty.AT_LEAST) if more else given
        result = replace(answer.result, hits=hits, total=total, has_more=key in self.unfinished)
        # What was found and did not fit in here is no reason to say that nothing was.
        state = answer.state if answer.result.hits and not hits else state_of(result)
        return replace(answer, state=state, result=result)

    def name(self, key: str) -> str:
        """The name of a platform that was asked."""
        return next((answer.platform.name for answer in self.answers if answer.platform.key == key), key)

    def said(self, answer: PlatformAnswer) -> str:
        """What there is to say of one platform's part; empty when all that it found is here."""
        whole = self.of(answer)
        if not whole.state.has_answered:
            return texts.state(whole, self.made_at)
        notes = " ".join(texts.notes(whole.result)) if whole.result else ""
        left_out = "Deze bron heeft meer dan hier staat." if answer.platform.key in self.unfinished else ""
        empty = "" if whole.state is State.READY else texts.state(whole, self.made_at)
        return " ".join(part for part in (empty, notes, left_out) if part)

    @property
    def remarks(self) -> tuple[str, ...]:
        """How the question was read, and what there is to say of the platforms, each with the name of its platform."""
        said = ((answer.platform.name, self.said(answer)) for answer in self.answers)
        return (*self.question_remarks, *(f"{name}: {text}" for name, text in said if text))

    @property
    def question_remarks(self) -> tuple[str, ...]:
        """How the question was read."""
        return tuple(filter(None, (self.read_as, *map(texts.remark, self.asked.question.remarks))))

    @property
    def without_alike(self) -> str:
        """For a form that leaves out what only looks like what was asked: that it does; empty where there is none."""
        return "" if len(self.fitting) == len(self.hits) else "Wat er alleen op lijkt, staat hier niet in."


async def gather(
    federation: Federation, asked: Asked, caller: Caller, most: int = MOST_ROWS, seconds: float = SECONDS
) -> Gathered:
    """Ask page after page of all chosen platforms side by side, until there are ``most`` hits or nothing more.

    The page of ``asked`` is where it begins. A platform that fails on a later page is left with what it gave before. A sentence
    is read as the page reads it: the same address gives the same at every door.
    """
    with speaking(Language.DUTCH):  # a file has one language
        found_in = understood(asked, federation)
    typed, asked = asked, found_in.asked
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
    kept = _fitted(_in_order(hits.values(), asked.query.sort), asked.query.sort, most)
    here = {hit.id for hit in kept}
    left_out = {hit.platform for hit in hits.values() if hit.id not in here}
    return Gathered(
        asked=typed,
        hits=kept,
        answers=tuple(first[key] for key in order if key in first),
        unfinished=frozenset({*open_keys, *left_out, *unfinished}),
        made_at=now(),
        read_as=found_in.said,
    )


def _in_order(hits: Iterable[Hit], sort: Sort) -> list[Hit]:
    """What counts first, and by date where that was asked; what has no date after what has."""
    ordered = sorted(hits, key=lambda hit: hit.partly)
    if sort is Sort.RELEVANCE:
        return ordered
    turn = -1 if sort is Sort.NEWEST else 1

    def place(hit: Hit) -> tuple[bool, bool, float]:
        return hit.partly, hit.date is None, turn * moment_of(hit).timestamp() if hit.date else 0.0

    return sorted(ordered, key=place)


def _fitted(hits: list[Hit], sort: Sort, most: int) -> tuple[Hit, ...]:
    """As many as fit. Where no date decides, each platform has its share: a platform is not left out for standing last."""
    if len(hits) <= most or sort is not Sort.RELEVANCE:
        return tuple(hits[:most])
    counted: Counter[str] = Counter()
    ranked = []
    for place, hit in enumerate(hits):
        ranked.append((hit.partly, counted[hit.platform], place))
        counted[hit.platform] += 1
    fitting = {place for _, _, place in sorted(ranked)[:most]}
    return tuple(hit for place, hit in enumerate(hits) if place in fitting)


def moment_of(hit: Hit) -> datetime:
    """The moment of a hit; where its date is unknown one that never changes, so that it does not seem new each time."""
    if hit.date is None:
        return START
    return hit.date.at or datetime.combine(hit.date.day, time(), AMSTERDAM)


async def _page(
    federation: Federation, asked: Asked, keys: list[str], page: int, caller: Caller
) -> dict[str, PlatformAnswer]:
    """One page of these platforms: the last that each said."""
    query = replace(asked.broad(federation.register), page=page)
    return {answer.platform.key: answer async for answer in federation.ask(query, keys, caller)}


def _answered(answers: dict[str, PlatformAnswer], key: str) -> bool:
    return key in answers and answers[key].state.has_answered
