"""The connections to the store (Valkey or Redis): the one place that imports its client, and inside this room the clock.

Scripts are read once, made of the parts that they share, and run by their digest. A store that does not answer in time, or
answers nonsense, is ``StoreLostError``: whoever decides by it must then decide nothing (rule R12).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from redis.asyncio import Redis
from redis.exceptions import RedisError

from throttling.line import AnswerError, Line, connect

_SECONDS: Final = 2.0
_SILENCE: Final = 15.0
_CLOSED: Final = "the connection is closed"
_SILENT: Final = "the store says nothing"
_SCRIPTS: Final = Path(__file__).parent / "scripts"
_FIRST: Final = ("state", "room", "records", "grants")
_THEN: Final = ("ledgers", "queue", "order")
_BETWEEN: Final = {"enter": ("direct",)}
_LOAD: Final = ("load_state", "load_kept", "load_gate", "load_sweep", "load_forecast")
_ALONE: Final = frozenset(
    {"breaker", "incoming", "incoming_session", "incoming_tally", "incoming_seen", "once", "presence", "seats"}
)


class StoreLostError(Exception):
    """The store did not answer, or not with an answer."""


@dataclass(frozen=True, slots=True)
class Script:
    """A decision that another room hands down: its text, and the digest by which the store knows it.

    ``by_run``: to its first argument are added a bar and the run of the server (``run_id``) that it is asked of.
    """

    text: str
    digest: str
    by_run: bool = False


def read_script(folder: Path, *parts: str, by_run: bool = False) -> Script:
    """The decision made of these parts in ``folder`` (names without ``.lua``), in this order. Raises ``OSError``."""
    text = "\n".join((folder / f"{part}.lua").read_text(encoding="utf-8") for part in parts)
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest(), by_run)


def monotonic() -> float:
    """The process's own clock that no one sets, in seconds."""
    return time.monotonic()


def wall() -> float:
    """The time of day as seconds since 1970, for what is kept in the database."""
    return time.time()  # noqa: TID251 - the one clock of this room


@cache
def script(name: str) -> tuple[str, str]:
    """The text of the decision ``name`` with the parts that decisions about queues share, and its digest."""
    if name.startswith("load_"):
        parts: tuple[str, ...] = (*_LOAD, name)
    else:
        parts = (name,) if name in _ALONE else (*_FIRST, *_BETWEEN.get(name, ()), *_THEN, name)
    read = read_script(_SCRIPTS, *parts)
    return read.text, read.digest


class Store:
    """The store at ``address`` (``unix://…`` or ``redis://…``): a connection for scripts, and a pool for what waits or listens.

    Opening it makes no connection yet.

    ``patience``: seconds that a decision may take before the store counts as lost.
    """

    def __init__(self, address: str, patience: float = _SECONDS) -> None:
        self._address = address
        self._patience = patience
        self._redis: Redis | None = None
        self._line: Line | None = None
        self._connecting = asyncio.Lock()

    async def __aenter__(self) -> Self:
        # One timeout around a whole decision: the client's own would make a task of every sending, and lose a cancellation
        # that comes as it is sent. And no greetings: on a slow way to the store each costs as much as a decision.
        self._redis = Redis.from_url(
            self._address, socket_timeout=None, socket_connect_timeout=_SECONDS, protocol=2, driver_info=None
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._line is not None:
            self._line.abort()
            await asyncio.sleep(0)  # it closes in the loop's next turn
        if self._redis is not None:
            await self._redis.aclose()
            self._redis = None

    def script(self, name: str) -> tuple[str, str]:
        """The text of the decision ``name``, and its digest."""
        return script(name)

    async def reachable(self) -> bool:
        """Whether the store answers."""
        try:
            async with asyncio.timeout(_SECONDS):
                await self._open().ping()
        except (RedisError, OSError, StoreLostError):
            return False
        return True

    async def run(self, name: str | Script, key: str, arguments: Sequence[str], within: float | None = None) -> Any:
        """What the script ``name`` answers about ``key``, ``within`` so many seconds. Raises ``StoreLostError``.

        A script of a higher room is handed down as a whole: this room knows no other's folder.
        """
        text, digest = self.script(name) if isinstance(name, str) else (name.text, name.digest)
        patience = self._patience if within is None else within
        line = self._line
        try:
            if line is None or not line.usable:
                line = None
                async with asyncio.timeout(patience):
                    line = await self._connected()
            if isinstance(name, Script) and name.by_run:
                if not line.run:
                    await line.learn_run(patience)
                arguments = (f"{arguments[0]}|{line.run}", *arguments[1:])
            try:
                return await line.ask("EVALSHA", digest, "1", key, *arguments, within=patience)
            except AnswerError as failure:
                if not failure.missing:
                    raise
            return await line.ask("EVAL", text, "1", key, *arguments, within=patience)
        except TimeoutError as failure:
            self._doubt(line)
            raise StoreLostError(_SILENT) from failure
        except (AnswerError, OSError) as failure:
            raise StoreLostError(str(failure)) from failure

    async def _connected(self) -> Line:
        """The connection for scripts, made by whoever comes first."""
        self._open()
        async with self._connecting:
            if self._line is None or not self._line.usable:
                self._line = await connect(self._address)
            return self._line

    def _doubt(self, line: Line | None) -> None:
        """Somebody waited too long: who comes next takes a new connection; who still waits on this one may get an answer."""
        if line is not None:
            line.leave()
        if self._line is line:
            self._line = None

    async def next_message(self, key: str, seconds: float) -> str | None:
        """The next message on a list, waited for at most ``seconds`` (under the connection's own patience)."""
        try:
            async with asyncio.timeout(_SECONDS):
                found: Any = await self._open().blpop([key], timeout=min(seconds, _SECONDS / 2))
        except (RedisError, OSError) as failure:
            raise StoreLostError(str(failure)) from failure
        return found[1].decode() if found else None

    async def messages(self, key: str) -> list[str]:
        """All messages of a list, which is then empty."""
        try:
            async with asyncio.timeout(_SECONDS):
                found: Any = await self._open().lpop(key, 1_000_000)
        except (RedisError, OSError) as failure:
            raise StoreLostError(str(failure)) from failure
        return [message.decode() for message in found or []]

    async def keep_message(self, key: str, message: str, most: int, seconds: int) -> None:
        """Add to a list that holds the newest ``most`` and is forgotten after ``seconds`` without an addition."""
        try:
            async with asyncio.timeout(_SECONDS), self._open().pipeline(transaction=True) as pipe:
                pipe.rpush(key, message)
                pipe.ltrim(key, -most, -1)
                pipe.expire(key, seconds)
                await pipe.execute()
        except (RedisError, OSError) as failure:
            raise StoreLostError(str(failure)) from failure

    async def publish(self, channel: str, message: str) -> None:
        """Say something to whoever listens at this moment. Raises ``StoreLostError``."""
        try:
            async with asyncio.timeout(_SECONDS):
                await self._open().publish(channel, message)
        except (RedisError, OSError) as failure:
            raise StoreLostError(str(failure)) from failure

    async def listen(self, channel: str) -> AsyncGenerator[str, None]:
        """What is said on a channel from now on; the first is an empty text, given once it listens.

        Raises ``StoreLostError`` when the connection is lost, or the store did not answer for half a minute.
        """
        asked = False
        try:
            async with self._open().pubsub() as ear:
                await ear.subscribe(channel)
                while True:
                    said: Any = await ear.get_message(timeout=_SILENCE)
                    if said is None and asked:
                        raise StoreLostError(_SILENT)
                    asked = said is None
                    if said is None:
                        await ear.ping()
                    elif said["type"] == "subscribe":
                        yield ""
                    elif said["type"] == "message":
                        yield said["data"].decode()
        except (RedisError, OSError) as failure:
            raise StoreLostError(str(failure)) from failure

    def _open(self) -> Redis:
        if self._redis is None:
            raise StoreLostError(_CLOSED)
        return self._redis
