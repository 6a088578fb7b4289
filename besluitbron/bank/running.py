"""Putting the bank to a product: every question at every door, some side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from besluitbron.bank.api_door import ApiDoor
from besluitbron.bank.mcp_door import McpDoor
from besluitbron.bank.page_door import PageDoor
from besluitbron.bank.questions import BankQuestion
from besluitbron.bank.scoring import Outcome, Step, judge_answer, judge_paper, paper_in
from besluitbron.bank.seen import Asks
from besluitbron.bank.web import Unanswered, Web

BATCH: Final = 12
"""Questions between two rests: with three doors each they stay within the strictest limit that a platform publishes."""
SIDE_BY_SIDE: Final = 4
Rest = Callable[[], Awaitable[None]]


def doors_of(web: Web) -> tuple[Asks, ...]:
    """All doors of the product."""
    return (PageDoor(web), ApiDoor(web), McpDoor(web))


async def no_rest() -> None:
    """Between two batches of a product that looks after itself."""


async def run(questions: Sequence[BankQuestion], doors: Iterable[Asks], rest: Rest = no_rest) -> list[Outcome]:
    """The outcome of every question at every door, in their order."""
    asked, outcomes = tuple(doors), list[Outcome]()
    for start in range(0, len(questions), BATCH):
        await rest()
        room = asyncio.Semaphore(SIDE_BY_SIDE)
        batch = questions[start : start + BATCH]
        for found in await asyncio.gather(*(_one(question, asked, room) for question in batch)):
            outcomes += found
    return outcomes


async def _one(question: BankQuestion, doors: Iterable[Asks], room: asyncio.Semaphore) -> list[Outcome]:
    """One question at all doors, one after another: what the first asked a platform, the others find kept."""
    async with room:
        return [await outcome(question, door) for door in doors]


async def outcome(question: BankQuestion, door: Asks) -> Outcome:
    """What becomes of a question at a door."""
    expected = question.expected
    try:
        seen = await door.ask(question)
        wrong = judge_answer(seen, expected)
        paper = paper_in(seen, expected)
        if wrong is None and expected.values and paper is not None:
            wrong = judge_paper(await door.read(paper), expected)
    except Unanswered as error:
        wrong = (Step.ANSWER, str(error))
    return Outcome(question.id, door.door) if wrong is None else Outcome(question.id, door.door, *wrong)
