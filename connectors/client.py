"""Between a connector and the wire: buffer, flight, turn, HTTP, reading, and keeping what could be read.

The six steps of the architecture page: the first is here, the others are a ``Journey``. A call that was sent is read to its
end, also when nobody waits for it any more: it was charged over there, and its answer is worth keeping.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import structlog

from connectors.calls import Answer, Ask, Call, Reply
from connectors.errands import Errand, Unwatched, Watch
from connectors.exceptions import ConnectorError, GoneError, NotKeptError, ReplacedError, WithdrawnError
from connectors.journey import Journey, Tools, read_kept
from connectors.platforms import Platform
from connectors.reading import read
from throttling.callers import Caller

_KEEPING_SECONDS: Final = 2.0
log = structlog.get_logger(__name__)
_T = TypeVar("_T")
_P = ParamSpec("_P")


class Client:
    """Makes calls for connectors. One per process and event loop; ``aclose`` ends what is still under way."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._under_way: set[asyncio.Task[Any]] = set()
        self._keeping: set[asyncio.Task[Any]] = set()

    def bind(
        self,
        platform: Platform,
        caller: Caller,
        watch: Watch | None = None,
        *,
        document: str = "",
        past_buffer: bool = False,
    ) -> Ask:
        """The ``ask`` of one asker at one platform: what a connector makes its calls with.

        ``document`` is the number of the document that the calls are for. ``past_buffer`` asks the platform itself, whatever
        the buffer holds; the answer goes into it as any other.
        """
        watching = watch or Unwatched()

        async def ask(
            call: Call, parse: Callable[Concatenate[Answer, _P], _T], /, *args: _P.args, **kwargs: _P.kwargs
        ) -> Reply[_T]:
            async def read_it(answer: Answer) -> _T:
                return await read(parse, answer, *args, **kwargs)

            return await self._run(
                Errand(
                    call=call,
                    read=read_it,
                    platform=platform,
                    caller=caller,
                    watch=watching,
                    document=document,
                    past_buffer=past_buffer,
                )
            )

        return ask

    def kept(self, platform: Platform, caller: Caller) -> Ask:
        """An ``ask`` that asks nobody: it has what the buffer has. Raises ``NotKeptError`` for anything else."""

        async def ask(
            call: Call, parse: Callable[Concatenate[Answer, _P], _T], /, *args: _P.args, **kwargs: _P.kwargs
        ) -> Reply[_T]:
            async def read_it(answer: Answer) -> _T:
                return await read(parse, answer, *args, **kwargs)

            errand = Errand(call=call, read=read_it, platform=platform, caller=caller, watch=Unwatched())
            found = await read_kept(self._tools.buffer, errand)
            if not isinstance(found, Reply):
                raise NotKeptError(platform.key)
            return found

        return ask

    async def require_there(self, platform: Platform, document: str) -> None:
        """Raise ``GoneError`` or ``ReplacedError`` when the platform said within the last day that it has no such document."""
        gone = await self._tools.buffer.gone(platform.key, document)
        if gone is not None:
            if gone.successor:
                raise ReplacedError(platform.key, document, gone.successor)
            raise (WithdrawnError if gone.withdrawn else GoneError)(platform.key, document)

    async def bury(self, platform: Platform, document: str, gone: GoneError) -> None:
        """Throw away what is kept of a document that its platform no longer has, and know that for a day."""
        successor = gone.successor if isinstance(gone, ReplacedError) else ""
        withdrawn = isinstance(gone, WithdrawnError)
        await self._tools.buffer.bury(platform.key, document, successor, withdrawn=withdrawn)

    def go_on(self, work: asyncio.Future[Any], seconds: float) -> None:
        """Let work that its asker no longer waits for go on, for at most ``seconds``; what it fetches is kept."""

        async def bounded() -> None:
            async with asyncio.timeout(seconds):
                await work

        self._start(bounded())

    async def aclose(self) -> None:
        """End the calls that nobody waits for any more, once what was answered is kept."""
        if self._keeping:
            await asyncio.wait(self._keeping, timeout=_KEEPING_SECONDS)
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _run(self, errand: Errand[_T]) -> Reply[_T]:
        """From the buffer, or on a journey in a task that outlives its asker once its request has been sent."""
        kept = None if errand.past_buffer else await read_kept(self._tools.buffer, errand)
        if isinstance(kept, Reply):
            return kept
        journey = Journey(self._tools, errand, kept)
        task = self._start(journey.run())
        journey.reply.add_done_callback(lambda _: self._keeping.add(task))

        def over(ended: asyncio.Task[None]) -> None:
            self._keeping.discard(ended)
            journey.reply.cancel()  # does nothing once it is there: only one that was ended before it began has none

        task.add_done_callback(over)
        try:
            return await asyncio.shield(journey.reply)
        except asyncio.CancelledError:
            journey.abandoned = True
            if not journey.sent:
                task.cancel()
            raise

    def _start(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        task = asyncio.get_running_loop().create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[Any]) -> None:
        """Look at how a call ended: its asker was told, or is gone, and then nobody else would see a fault of ours."""
        self._under_way.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is not None and not isinstance(failure, ConnectorError | TimeoutError):
            log.error("call_broken", exc_info=failure)
