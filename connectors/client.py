"""Between a connector and the wire: buffer, turn, HTTP, and whether the body can be an answer at all.

The six steps of the architecture page. Single flight (step 2) comes with the buffer. A call that was sent is read to its end,
also when nobody waits for it any more: it was charged over there, and its answer is worth keeping.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, Final, Protocol
from urllib.parse import SplitResult, parse_qsl, urljoin, urlsplit

import structlog

from connectors.addresses import Addresses
from connectors.bodies import require_not_over_limit
from connectors.buffer import Buffer
from connectors.calls import Answer, Ask, Call
from connectors.exceptions import ConnectorError, Defect, NotAnAnswerError, OverLimitError, QueueFullError
from connectors.http import Http
from connectors.platforms import Platform
from throttling.callers import Caller
from throttling.turns import TurnRefusedError, Turns, Wanted

log = structlog.get_logger(__name__)
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_GOOD: Final = range(200, 300)
_CLIMBS: Final = re.compile(r"(?:^|/)(?:\.|%2e){1,2}(?:/|$)|%2f|\\", re.IGNORECASE)
_PORTS: Final = {"http": 80, "https": 443}


class Watch(Protocol):
    """Told how one asker's calls fare, so that a page can say so while it waits."""

    def waiting(self, seconds: float) -> None:
        """A call waits for its turn and will probably start in ``seconds``."""

    def sent(self, *, waited: bool) -> None:
        """A call has its turn and leaves now; ``waited`` when ``waiting`` was told of it before."""

    def answered(self) -> None:
        """A call that left is over, with an answer or without."""


class Unwatched:
    """A watch that looks away."""

    def waiting(self, seconds: float) -> None:
        """Nothing to tell."""

    def sent(self, *, waited: bool) -> None:
        """Nothing to tell."""

    def answered(self) -> None:
        """Nothing to tell."""


class Client:
    """Makes calls for connectors. One per process and event loop; ``aclose`` ends what is still under way."""

    def __init__(self, *, http: Http, buffer: Buffer, turns: Turns, addresses: Addresses) -> None:
        self._http = http
        self._buffer = buffer
        self._turns = turns
        self._addresses = addresses
        self._under_way: set[asyncio.Task[Any]] = set()

    def bind(self, platform: Platform, caller: Caller, watch: Watch | None = None, *, past_buffer: bool = False) -> Ask:
        """The ``ask`` of one asker at one platform: what a connector makes its calls with.

        ``past_buffer`` asks the platform itself, whatever the buffer holds; the answer goes into it as any other.
        """
        watching = watch or Unwatched()

        async def ask(call: Call) -> Answer:
            kept = None if past_buffer else await self._buffer.read(call)
            return kept.answer if kept else await self._ask(call, platform, caller, watching)

        return ask

    async def aclose(self) -> None:
        """End the calls that nobody waits for any more."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _ask(self, call: Call, platform: Platform, caller: Caller, watch: Watch) -> Answer:
        answer = await self._take_turn(call, caller, watch)
        if answer.status in _REDIRECTS:
            # A redirect is a new request with a turn of its own, and only within the same service. Once.
            answer = await self._take_turn(self._redirected(call, platform, answer), caller, watch)
            if answer.status in _REDIRECTS:
                raise NotAnAnswerError(platform.key, Defect.REDIRECTED)
        return answer

    async def _take_turn(self, call: Call, caller: Caller, watch: Watch) -> Answer:
        """Wait for the turn in a task that outlives its asker once the call has been sent."""
        sent = asyncio.Event()
        task = self._start(self._send(call, caller, watch, sent))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not sent.is_set():
                task.cancel()
            raise

    async def _send(self, call: Call, caller: Caller, watch: Watch, sent: asyncio.Event) -> Answer:
        waited = False

        def waits(seconds: float) -> None:
            nonlocal waited
            waited = True
            watch.waiting(seconds)

        try:
            async with self._turns.turn(Wanted(service=call.queue, cost=call.cost), caller, waits) as turn:
                sent.set()
                watch.sent(waited=waited)
                try:
                    answer = await self._http.send(call)
                    require_not_over_limit(call.platform, answer)
                except OverLimitError as over:
                    turn.refused(over.retry_after)
                    raise
                finally:
                    watch.answered()
        except TurnRefusedError as refused:
            raise QueueFullError(call.platform, refused.retry_after) from None
        if answer.status in _GOOD:
            await self._buffer.keep(call, answer)
        return answer

    def _start(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        task = asyncio.get_running_loop().create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[Answer]) -> None:
        """Look at how a call ended: its asker was told, or is gone, and then nobody else would see a fault of ours."""
        self._under_way.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is not None and not isinstance(failure, ConnectorError):
            log.error("call_broken", exc_info=failure)

    def _redirected(self, call: Call, platform: Platform, answer: Answer) -> Call:
        """The call to where a redirect points, when that is below the same service; else ``NotAnAnswerError``.

        Only a GET is asked again elsewhere, and only at an address that says plainly where it is.
        """
        base = self._addresses.base(platform, platform.service(call.service))
        location = answer.headers.get("location", "")
        try:
            target, home = urlsplit(urljoin(base + call.path, location)), urlsplit(base)
            params = tuple(parse_qsl(target.query, keep_blank_values=True, errors="strict"))
            same_host = _host(target) == _host(home)
        except ValueError:
            raise NotAnAnswerError(platform.key, Defect.REDIRECTED) from None
        path = target.path.removeprefix(home.path)
        inside = target.path.startswith(f"{home.path}/") and not _CLIMBS.search(target.path)
        if call.method != "GET" or not location or not same_host or not inside or target.username is not None:
            raise NotAnAnswerError(platform.key, Defect.REDIRECTED)
        return replace(call, path=path, params=params)


def _host(address: SplitResult) -> tuple[str, str | None, int | None]:
    return address.scheme, address.hostname, address.port or _PORTS.get(address.scheme)
