"""One connection to the store, for scripts: questions go over it one after another, and answers come in that order.

Nobody waits for an answer to somebody else before asking, so a process needs one connection for all of its decisions, however
many are under way. The client library asks one question a connection at a time, and costs several times the decision itself;
it is used for all that is not a script (``throttling.store``).
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import deque
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from hiredis import HiredisError, Reader, ReplyError, pack_command

_PORT: Final = 6379
_PAUSES: Final = (0.05, 0.15)
"""Seconds before each further try to connect: a store that is started again is there within a moment."""
_LOOK: Final = 0.1
"""Seconds between two looks at who waits too long for an answer."""
_NOT_YET: Final = object()
_RUN: Final = re.compile(rb"^run_id:([0-9A-Za-z]{1,64})\r?$", re.MULTILINE)
_NAMELESS: Final = "this store does not say which run of it this is"
_LOST: Final = "the connection was lost"
_UNKNOWN: Final = "an address of a store begins with unix:// or redis://"


class AnswerError(Exception):
    """The store answered that it cannot do this. ``missing``: it does not know this script."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.missing = said.startswith("NOSCRIPT")


class Line(asyncio.Protocol):
    """One open connection."""

    def __init__(self) -> None:
        self._reader = Reader(notEnoughData=_NOT_YET)
        self._asked: deque[tuple[asyncio.Future[Any], float]] = deque()
        self._loop = asyncio.get_running_loop()
        self._watch: asyncio.TimerHandle | None = None
        self._transport: Any = None  # of asyncio or of uvloop, which share no class
        self._left = False
        self.run = ""
        """Which run of the server is at the other end, once it was asked (``learn_run``)."""

    @property
    def usable(self) -> bool:
        """Whether something can be asked over it."""
        return self._transport is not None and not self._left

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is there."""
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone: whoever waits for an answer hears so."""
        del exc
        self._transport = None
        if self._watch is not None:
            self._watch.cancel()
        while self._asked:
            _fail(self._asked.popleft()[0], ConnectionError(_LOST))

    def data_received(self, data: bytes) -> None:
        """Give each answer to who asked. What is no answer ends the connection: no later one can be trusted."""
        try:
            self._reader.feed(data)
            while (answer := self._reader.gets(False)) is not _NOT_YET:  # noqa: FBT003 - not decoded
                self._give(answer)
        except (HiredisError, IndexError):
            self.abort()

    def ask(self, *parts: str, within: float = math.inf) -> asyncio.Future[Any]:
        """Send one question; its answer as bytes, numbers and lists.

        Raises there ``AnswerError``, ``OSError``, and ``TimeoutError`` when it has no answer ``within`` so many seconds, give
        or take a tenth.
        """
        future: asyncio.Future[Any] = self._loop.create_future()
        if self._transport is None:
            future.set_exception(ConnectionError(_LOST))
            return future
        self._asked.append((future, self._loop.time() + within))
        if self._watch is None and within < math.inf:
            self._watch = self._loop.call_later(_LOOK, self._look)
        self._transport.write(pack_command(parts))  # type: ignore[arg-type]  # its stub says one part
        return future

    async def learn_run(self, within: float) -> None:
        """Ask which run it is: a server that is started again, or another that takes its place, breaks the connection.

        Raises as ``ask``.
        """
        found = _RUN.search(await self.ask("INFO", "server", within=within))
        if found is None:
            raise AnswerError(_NAMELESS)
        self.run = found[1].decode()

    def _look(self) -> None:
        """One timer for all questions: one for each would cost more than most answers take to come."""
        now = self._loop.time()
        for future, until in self._asked:
            if until <= now:
                _fail(future, TimeoutError())
        waits = any(until < math.inf and not future.done() for future, until in self._asked)
        self._watch = self._loop.call_later(_LOOK, self._look) if waits else None

    def leave(self) -> None:
        """Ask nothing more over it; it closes once nobody waits for an answer any more."""
        self._left = True
        for future, _ in self._asked:
            future.add_done_callback(self._close_unheard)
        self._close_unheard()

    def abort(self) -> None:
        """Close it at once."""
        self._left = True
        if self._transport is not None:
            self._transport.abort()

    def _close_unheard(self, _: object = None) -> None:
        if all(future.done() for future, _ in self._asked):
            self.abort()

    def _give(self, answer: Any) -> None:
        future, _ = self._asked.popleft()
        if isinstance(answer, ReplyError):
            _fail(future, AnswerError(str(answer)))
        elif not future.done():
            future.set_result(answer)


def _fail(future: asyncio.Future[Any], failure: Exception) -> None:
    if not future.done():
        future.set_exception(failure)


async def connect(address: str) -> Line:
    """A connection to ``unix://path`` or ``redis://host:port``, with ``?db=``. Raises ``OSError`` and ``AnswerError``."""
    for pause in _PAUSES:
        try:
            return await _connected(address)
        except OSError:
            await asyncio.sleep(pause)
    return await _connected(address)


async def _connected(address: str) -> Line:
    loop, parts = asyncio.get_running_loop(), urlsplit(address)
    if parts.scheme == "unix":
        _, line = await loop.create_unix_connection(Line, unquote(parts.path))
    elif parts.scheme == "redis":
        _, line = await loop.create_connection(Line, parts.hostname or "localhost", parts.port or _PORT)
    else:
        raise ValueError(_UNKNOWN)
    try:
        if parts.password:
            await line.ask("AUTH", *([unquote(parts.username)] if parts.username else []), unquote(parts.password))
        number = parse_qs(parts.query).get("db", [parts.path.strip("/") if parts.scheme == "redis" else ""])[0] or "0"
        if number != "0":
            await line.ask("SELECT", number)
    except BaseException:
        line.abort()
        raise
    return line
