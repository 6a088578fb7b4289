"""One question that is with its sources: their answers as they come, and whether all of them are on their way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, Self

from search.answers import PlatformAnswer, State

SourceAsked = Callable[["Asking"], Coroutine[Any, Any, None]]
"""Asks one source: hands its answers to ``tell``, and says by ``on_its_way`` that there is nothing left to do but wait."""


class Asking:
    """A question with these sources. Iterating over it gives their answers, in order of arrival, until all have ended."""

    def __init__(self, sources: Iterable[str]) -> None:
        self._staying = set(sources)
        self._open = self._sources = len(self._staying)
        self._left = asyncio.Event()
        if not self._staying:
            self._left.set()
        self._answers: asyncio.Queue[PlatformAnswer | None] = asyncio.Queue()
        self.going_on: list[asyncio.Future[Any]] = []
        """Calls that were not waited for to their end; given up as well when the question is."""

    def tell(self, answer: PlatformAnswer) -> None:
        """A source has something to say."""
        if answer.state is not State.NOT_SUPPORTED:
            self._left.set()
        self._answers.put_nowait(answer)

    def on_its_way(self, source: str) -> None:
        """This source was asked, or waits for its turn."""
        self._staying.discard(source)
        if not self._staying:
            self._left.set()

    async def leaves(self, seconds: float) -> None:
        """Wait until all sources that can answer are on their way, or one has; no longer than ``seconds``.

        What is to be done before the first answer comes costs nobody time from then on: it is done while the sources work.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._left.wait()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> PlatformAnswer:
        while self._open:
            answer = await self._answers.get()
            if answer is not None:
                return answer if self._sources > 1 else replace(answer, is_alone=True)
            self._open -= 1
        raise StopAsyncIteration

    async def results_first(self, seconds: float) -> AsyncIterator[PlatformAnswer]:
        """The same, but who found nothing waits for who found something, for so many seconds after the first of them.

        A page whose answers are all kept begins with papers, and not with the sources that have none.
        """
        loop = asyncio.get_running_loop()
        held: list[PlatformAnswer] = []
        until: float | None = None
        waits = True
        while True:
            try:
                async with asyncio.timeout_at(until):
                    answer = await anext(self)
            except TimeoutError:
                waits, until = False, None
            except StopAsyncIteration:
                break
            else:
                if not (waits and answer.state.is_final and answer.state is not State.READY):
                    yield answer
                    continue
                held.append(answer)
                until = until or loop.time() + seconds
                continue
            for one in held:
                yield one
            held.clear()
        for one in held:
            yield one

    @property
    def is_over(self) -> bool:
        """Whether all sources have ended."""
        return self._open == 0

    async def ask(self, source: str, asked: SourceAsked) -> None:
        """Ask one source, to its end."""
        try:
            await asked(self)
        finally:
            self.on_its_way(source)
            self._answers.put_nowait(None)


@asynccontextmanager
async def asking(sources: Mapping[str, SourceAsked]) -> AsyncIterator[Asking]:
    """Ask all of them at the same time, each in a task of its own. Leaving early gives up what still waits for its turn."""
    here = Asking(sources)
    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(here.ask(source, asked)) for source, asked in sources.items()]
    try:
        yield here
    finally:
        for work in (*tasks, *(() if here.is_over else here.going_on)):
            work.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
