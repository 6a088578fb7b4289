"""Putting the bank to a product: every question at every door, some side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

from besluitbron.bank.api_door import ApiDoor
from besluitbron.bank.mcp_door import McpDoor
from besluitbron.bank.page_door import PageDoor
from besluitbron.bank.questions import BankQuestion
from besluitbron.bank.scoring import Outcome, Step, judge_answer, judge_paper, judge_reason, paper_in
from besluitbron.bank.seen import Asks
from besluitbron.bank.web import Unanswered, Web

_WARMING: Final = "/api/v1/_zoek?vraag=subsidie"
_LATE: Final = '"te-laat"'
_ATTEMPTS: Final = 10
SIDE_BY_SIDE: Final = 3
"""Questions at one product at a time: more would only wait for their turns there."""


def doors_of(web: Web) -> tuple[Asks, ...]:
    """All doors of a product."""
    return (PageDoor(web), ApiDoor(web), McpDoor(web))


async def warm(web: Web) -> None:
    """Ask one question until no source answers it too late: what stand-ins build once is no part of any answer."""
    for _ in range(_ATTEMPTS):
        if _LATE not in (await web.get(_WARMING)).text:
            return


async def run(questions: Sequence[BankQuestion], products: Sequence[Sequence[Asks]], pause: float = 0) -> list[Outcome]:
    """The outcome of every question at every door, in their order. ``products``: the doors of each; one of them is asked.

    What was lost and is not explained is asked once more, ``pause`` seconds after the rest (so long a breaker stays open), as a
    person comes back later: a busy machine is no wrong answer.
    """
    left = iter(questions)
    found: dict[str, list[Outcome]] = {}
    async with asyncio.TaskGroup() as group:
        for doors in products:
            for _ in range(SIDE_BY_SIDE):
                group.create_task(_ask(left, doors, found))
    strange = [question for question in questions if any(_is_strange(question, one) for one in found[question.id])]
    if strange:
        await asyncio.sleep(pause)
    for question in strange:
        pairs = zip(found[question.id], products[0], strict=True)
        found[question.id] = [await outcome(question, at) if _is_strange(question, one) else one for one, at in pairs]
    return [one for question in questions for one in found[question.id]]


def _is_strange(question: BankQuestion, found: Outcome) -> bool:
    """Whether a question was lost where nobody knows why."""
    return found.lost is not None and found.door not in question.losses


async def _ask(left: Iterator[BankQuestion], doors: Sequence[Asks], found: dict[str, list[Outcome]]) -> None:
    """Take question after question, each to all doors in turn: what one asked a platform, the next finds kept."""
    for question in left:
        found[question.id] = [await outcome(question, door) for door in doors]


async def outcome(question: BankQuestion, door: Asks) -> Outcome:
    """What becomes of a question at a door."""
    expected = question.expected
    try:
        seen = await door.ask(question)
        wrong = judge_answer(seen, expected)
        if wrong is not None and wrong[0] is Step.REASON and seen.straight:
            wrong = judge_reason((await door.read(seen.straight[0])).remarks, expected)
        paper = paper_in(seen, expected)
        if wrong is None and (expected.values or expected.without) and paper is not None:
            wrong = judge_paper((await door.read(paper)).text, expected)
    except Unanswered as error:
        wrong = (Step.ANSWER, str(error))
    return Outcome(question.id, door.door) if wrong is None else Outcome(question.id, door.door, *wrong)
