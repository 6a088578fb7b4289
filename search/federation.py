"""Puts one query to every chosen platform at the same time, and hands on what comes back as it comes back.

Each platform has a task of its own, so that one that hangs or breaks takes nothing from the rest. How long an asker waits
(8 s after the last call left) is one thing, how long a call may take another: what was sent is read to its end by the client,
and what still waits for its turn keeps its place for a while, for whoever asks again. Only who disconnects gives it up.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Final, NoReturn, TypeVar

import structlog

from connectors.calls import Ask
from connectors.client import Client
from connectors.connector import Connector
from connectors.exceptions import (
    ClosedError,
    ConnectorError,
    GoneError,
    NotSupportedError,
    OverLimitError,
    QueueFullError,
    TakenDownError,
    TooSlowError,
)
from connectors.moments import now
from connectors.platforms import Platform
from connectors.questions import refuse_foreign_groups
from connectors.records import Document, NoteCode, Query, SearchResult
from connectors.takedowns import NoTakedowns, Takedowns, without_hits, without_related
from search.answers import PlatformAnswer, State, state_of
from search.as_word import with_name_as_word
from search.asking import Asking, asking
from search.organisations import Bodies
from search.progress import Progress
from search.telling import Tell, telling
from throttling.callers import Caller

_T = TypeVar("_T")
_MOMENT: Final = 0.05  # seconds: a turn that comes within it is not worth a word
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an asker waits: seconds after the last call was sent, and seconds in all.

    ``kept`` is how many seconds beyond its estimate a call keeps its place when its asker has waited long enough.
    """

    after_sent: float = 8.0
    page: float = 60.0
    kept: float = 60.0


class StillWaitingError(Exception):
    """The page's time is over and the call still waits for its turn, which probably comes in ``seconds``."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Federation:
    """The connectors in use, what makes their calls, and the register of organisations they share.

    ``off`` holds the keys of platforms that have no address here: they say so themselves when they are asked.
    """

    connectors: tuple[Connector, ...]
    client: Client
    register: Bodies
    patience: Patience = Patience()
    off: frozenset[str] = frozenset()
    takedowns: Takedowns = field(default_factory=NoTakedowns)

    def connector(self, key: str) -> Connector | None:
        """The connector of a platform, or None when there is none (yet)."""
        return next((c for c in self.connectors if c.platform.key == key), None)

    def chosen(self, keys: Iterable[str]) -> tuple[Connector, ...]:
        """The connectors of the chosen platforms; all of them when nothing was chosen."""
        wanted = set(keys)
        return tuple(c for c in self.connectors if not wanted or c.platform.key in wanted)

    async def ask(self, query: Query, keys: Iterable[str], caller: Caller) -> AsyncGenerator[PlatformAnswer, None]:
        """Answers in order of arrival: each platform once with a final state, and before it ``gepland`` while it waits.

        ``gepland`` comes again when the source waits at least ten seconds longer than was said.

        A platform whose call still waits when the page's time is over keeps ``gepland`` as its last. Closing the
        iterator before its end gives up the places of calls that wait; calls that were sent go on.
        """
        async with self.asking(query, keys, caller) as here:
            async for answer in here:
                yield answer

    def asking(self, query: Query, keys: Iterable[str], caller: Caller) -> AbstractAsyncContextManager[Asking]:
        """The same, for who has something to do while the sources are on their way."""
        return asking({one.platform.key: partial(self._ask_one, one, query, caller) for one in self.chosen(keys)})

    async def kept(self, query: Query, keys: Iterable[str], caller: Caller) -> Mapping[str, SearchResult | None]:
        """What the buffer has of their answers, by platform; nobody is asked. None of one that can have nothing of this.

        A platform of which the buffer has no whole answer is left out.
        """
        chosen = self.chosen(keys)
        found = await asyncio.gather(*(self._kept(one, query, caller) for one in chosen), return_exceptions=True)
        return {
            connector.platform.key: None if isinstance(result, NotSupportedError) else result
            for connector, result in zip(chosen, found, strict=True)
            if isinstance(result, SearchResult | NotSupportedError)
        }

    async def _kept(self, connector: Connector, query: Query, caller: Caller) -> SearchResult:
        asked, _ = with_name_as_word(query, connector.platform.key, self.register)
        return await connector.search(asked, self.client.kept(connector.platform, caller))

    async def document(
        self, connector: Connector, upstream_id: str, caller: Caller, tell: Tell = lambda _: None
    ) -> Document:
        """One document. ``tell`` hears ``gepland`` while its call waits for its turn, as in ``ask``.

        Raises the failures of connectors, ``TakenDownError`` among them, and ``StillWaitingError`` when no turn came in the
        page's time.
        """
        platform, known = connector.platform, await self.takedowns.known()
        if (platform.key, upstream_id) in known:
            raise TakenDownError(platform.key, upstream_id)
        progress = Progress()
        ask = self.client.bind(platform, caller, progress, document=upstream_id)
        work = self._opened(connector, upstream_id, ask, progress)
        return without_related(await self._patiently(platform, work, progress, tell, []), known)

    def opening(
        self, connector: Connector, upstream_id: str, caller: Caller
    ) -> AsyncGenerator[PlatformAnswer | Document, None]:
        """One document as its last item, and before it ``gepland`` while its call waits. Raises what ``document`` raises.

        Closing the iterator before its end gives up the place of a call that waits.
        """
        return telling(partial(self.document, connector, upstream_id, caller))

    async def _opened(self, connector: Connector, upstream_id: str, ask: Ask, progress: Progress) -> Document:
        """The document, unless its platform said lately that it is gone; that it says so now is remembered."""
        await self.client.require_there(connector.platform, upstream_id)
        try:
            return await connector.document(upstream_id, ask)
        except GoneError as gone:
            if progress.last_sent is not None:
                await self.client.bury(connector.platform, upstream_id, gone)
            raise

    async def _ask_one(
        self,
        connector: Connector,
        query: Query,
        caller: Caller,
        here: Asking,
    ) -> None:
        platform = connector.platform
        leaves = partial(here.on_its_way, platform.key)
        progress = Progress(began=asyncio.get_running_loop().time(), on_its_way=leaves)
        ask = self.client.bind(platform, caller, progress)
        query, as_word = with_name_as_word(query, platform.key, self.register)
        try:
            refuse_foreign_groups(platform.key, query, connector.capabilities.groups)
            result = await self._patiently(platform, connector.search(query, ask), progress, here.tell, here.going_on)
            told = replace(result, notes=(as_word, *result.notes)) if as_word else result
            here.tell(_answered(platform, without_hits(told, await self.takedowns.known())))
            self._forget_withdrawn(platform, result)
        except StillWaitingError:
            pass  # it was told that it waits; the stylesheet leaves that section standing
        except ConnectorError as failure:
            here.tell(failed(platform, failure))
        except Exception:  # a fault of ours in one connector must not take the others' answers away
            log.exception("connector_broken", platform=platform.key)
            here.tell(PlatformAnswer(platform=platform, state=State.FAILED))

    async def _patiently(
        self,
        platform: Platform,
        work: Awaitable[_T],
        progress: Progress,
        tell: Tell,
        left: list[asyncio.Future[_T]],
    ) -> _T:
        """Wait for ``work`` as long as the patience allows. What is not done then goes on without its asker, put in ``left``.

        While a call waits for its turn the patience stands still.
        """
        loop = asyncio.get_running_loop()
        ends = loop.time() + self.patience.page
        task = asyncio.ensure_future(work)
        task.add_done_callback(lambda _: progress.changed.set())
        told = False
        try:
            while True:
                look_again = _MOMENT if progress.only_waits and not told else self.patience.page
                await _wait(progress.changed, min(self._until(progress, ends) - loop.time(), look_again))
                if task.done():
                    return task.result()
                if progress.only_waits and not told and not progress.changed.is_set():
                    told = True
                    tell(_planned(platform, progress))
                elif progress.only_waits and told and progress.has_moved:
                    tell(_planned(platform, progress))
                progress.changed.clear()
                if loop.time() >= self._until(progress, ends):
                    left.append(task)
                    self.client.go_on(task, (progress.estimate or 0.0) + self.patience.kept)
                    self._give_up(platform, progress, told=told)
        finally:
            if not task.done() and task not in left:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    def _forget_withdrawn(self, platform: Platform, result: SearchResult) -> None:
        """Throw away what is kept of documents that the platform says it withdrew: their note names them after its count."""
        codes = (note.values[1:] for note in result.notes if note.code is NoteCode.WITHDRAWN_LEFT_OUT)
        numbers = [number for values in codes for number in values]
        if numbers:
            gone = (self.client.bury(platform, number, GoneError(platform.key, number)) for number in numbers)
            self.client.go_on(asyncio.gather(*gone), self.patience.kept)

    def _give_up(self, platform: Platform, progress: Progress, *, told: bool) -> NoReturn:
        """The time is over: the source was too slow, or had no time to be so because its turn came at the very end."""
        sent = progress.last_sent
        had_its_time = sent is not None and asyncio.get_running_loop().time() >= sent + self.patience.after_sent
        if progress.waiting_calls or (told and not had_its_time):
            raise StillWaitingError(progress.starts_in)
        raise TooSlowError(platform.key, self.patience.after_sent)

    def _until(self, progress: Progress, ends: float) -> float:
        since = progress.began if progress.last_sent is None else progress.last_sent
        if progress.waiting_calls or since is None:
            return ends
        return min(ends, since + self.patience.after_sent)


def failed(platform: Platform, failure: ConnectorError) -> PlatformAnswer:
    """The final state of a source that gave no answer, by what went wrong."""
    match failure:
        case NotSupportedError():
            return PlatformAnswer(platform=platform, state=State.NOT_SUPPORTED, failure=failure)
        case QueueFullError(retry_after=seconds) | OverLimitError(retry_after=seconds):
            again = now() + timedelta(seconds=seconds)
            return PlatformAnswer(platform=platform, state=State.REFUSED, failure=failure, retry_at=again)
        case ClosedError(retry_after=float() | int() as seconds):
            again = now() + timedelta(seconds=seconds)
            return PlatformAnswer(platform=platform, state=State.FAILED, failure=failure, retry_at=again)
        case TooSlowError():
            return PlatformAnswer(platform=platform, state=State.TOO_LATE, failure=failure)
        case _:
            return PlatformAnswer(platform=platform, state=State.FAILED, failure=failure)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    """Wait for an event, at most so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return


def _answered(platform: Platform, result: SearchResult) -> PlatformAnswer:
    return PlatformAnswer(platform=platform, state=state_of(result), result=result)


def _planned(platform: Platform, progress: Progress) -> PlatformAnswer:
    starts_at = now() + timedelta(seconds=progress.say())
    return PlatformAnswer(platform=platform, state=State.PLANNED, starts_at=starts_at, place=progress.place)
