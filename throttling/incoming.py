"""Three limits on what comes in: of this process, of a connector, and of a session or, before there is one, an address.

A request passes all three or is charged to none. The limit of the process costs no network; the other two are one script on the
store, and requests that come in while a script runs go together in the next. When the store does not answer, each process keeps
stricter limits by itself until it does: reading goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Self

import structlog

from throttling.callers import CONTRACT, Caller
from throttling.ending import end
from throttling.incoming_memory import Meter, Table
from throttling.incoming_rules import (
    CONNECTOR,
    OPENING,
    PROCESS,
    SECOND,
    SESSION,
    UNLIMITED,
    IncomingRules,
    Rate,
    whole_seconds,
)
from throttling.incoming_tally import PREFIX, Tally
from throttling.store import Store, StoreLostError, monotonic

log = structlog.get_logger(__name__)

PATIENCE: Final = 1.0
"""Seconds. Who comes in when the store is lost waits so long, once; who comes after does not wait."""
_TRY_AGAIN: Final = 1.0
_TELL_EVERY: Final = 5.0
_TOGETHER: Final = 128
_MARK: Final = "\x1f"
_PASSED, _REFUSED, _GONE = "1", "0", "2"
_NO_ANSWER: Final = ("", 0, 0)
_Answer = tuple[str, int, int]
_Waiting = tuple[str, asyncio.Future[_Answer]]
MustLive = tuple[str, int]
"""A key that ``open_session`` made, and for how many seconds it lives on from now."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who makes a request. ``must_live``: the session that it says it is in, whose id was found to be ours."""

    caller: Caller
    must_live: MustLive | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the limits say of one request. ``policy`` and ``standing`` are the two fields of the answer.

    ``refused_by``: the limits that refuse, empty when it passes. ``retry_after``: whole seconds until one request passes.
    ``gone``: the session that must live does not; the request was charged to its address. ``strict``: the store is lost.
    """

    policy: bytes
    standing: bytes
    refused_by: tuple[str, ...] = ()
    retry_after: int = 0
    gone: bool = False
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """Whether a session may begin; else in how many whole seconds, with what the fields of the answer say of this limit."""

    opened: bool
    retry_after: int = 0
    policy: bytes = b""
    standing: bytes = b""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is the same for all requests at a door with one rate a session, made once."""

    connector: Rate
    session: Rate
    head: str
    tail: str
    policy: bytes
    contracted: bool

    @classmethod
    def make(cls, name: str, process: Rate, connector: Rate, session: Rate, *, contracted: bool) -> _Plan:
        """The plan of the door ``name``. ``contracted``: a contract stands in the place of the limit of a session."""
        items = (process.policy(PROCESS), connector.policy(CONNECTOR), session.policy(SESSION))
        return cls(
            connector,
            session,
            _MARK.join((name, str(connector.step), str(connector.room), "")),
            _MARK.join(("", str(session.step), str(session.room), "")),
            ", ".join(items[:-1] if contracted else items).encode(),
            contracted,
        )

    def stricter(self, name: str, process: Rate) -> _Plan:
        """What holds while the store is lost."""
        session = self.session if self.contracted else self.session.stricter()
        return self.make(name, process, self.connector.stricter(), session, contracted=self.contracted)


class Incoming:
    """The limits of this process and, in ``store``, of all processes together. Open it with ``async with``.

    ``frozen`` is a test's own clock in microseconds, for this process and for the script.
    """

    def __init__(
        self, store: Store, rules: IncomingRules, *, patience: float = PATIENCE, try_again: float = _TRY_AGAIN
    ) -> None:
        self.rules = rules
        self.tally = Tally()
        self.table = Table()
        self.strict = False
        self.losses = 0
        self.frozen: int | None = None
        self._store = store
        self._patience = patience
        self._try_again = try_again
        self._process = Meter(rules.process)
        self._process_policy = rules.process.policy(PROCESS).encode()
        self._vendors = {f"aanbieder:{name}": rate for name, rate in rules.vendors.items()}
        self._plans: dict[tuple[str, str, bool], _Plan] = {}
        self._queue: list[_Waiting] = []
        self._flying = False
        self._flight: asyncio.Task[None] | None = None
        self._recovery: asyncio.Task[None] | None = None
        self._telling: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._telling = asyncio.get_running_loop().create_task(self._keep_telling())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in (self._telling, self._recovery, self._flight):
            if task is not None:
                await end(task)
        await self._tell()

    def enter(self, connector: str) -> Verdict | None:
        """Take a unit of this process's limit for a request at ``connector``. A verdict only when there is none."""
        now = self._now()
        if self._process.take(now):
            return None
        self.tally.refused(connector, (PROCESS,))
        ahead, rate = self._process.ahead(now), self.rules.process
        return Verdict(
            self._process_policy,
            rate.standing(PROCESS, ahead).encode(),
            (PROCESS,),
            whole_seconds(rate.wait(ahead)),
            strict=self.strict,
        )

    async def admit(self, connector: str, asker: Asker) -> Verdict:
        """What the other two limits say of a request that took its unit of the process; refused, it is given back."""
        key = session_key(asker.caller)
        self.tally.asked(key)
        plan, answer = await self._decide(connector, key, asker.must_live)
        gone = answer[0] == _GONE
        if gone:
            plan, answer = await self._decide(connector, asker.caller.heir_of or key, None)
        return self._verdict(connector, plan, answer, gone=gone)

    async def open_session(self, key: str, seconds: int, caller: Caller) -> Opening:
        """Begin the session ``key``, which lives ``seconds`` after each use, when ``caller``'s address may open one now.

        While the store is lost nobody looks whether a session lives; then it begins by a stricter limit of this process.
        """
        opener = caller.heir_of or caller.session
        rate = self._vendors.get(opener, self.rules.opening)
        ahead = None
        if not self.strict:
            clock = "" if self.frozen is None else str(self.frozen)
            wanted = (clock, key, str(seconds), opener, str(rate.step), str(rate.room))
            try:
                ahead = int(await self._store.run("incoming_session", PREFIX, wanted, self._patience))
            except (StoreLostError, TypeError, ValueError) as failure:
                self._lose(failure)
        if ahead is None:
            rate, now, place = rate.stricter(), self._now(), f"o:{opener}"
            ahead = self.table.ahead(place, rate, now)
            if rate.wait(ahead) <= 0:
                self.table.put(place, ahead + rate.step, now)
        wait = rate.wait(ahead)
        if wait <= 0:
            return Opening(opened=True)
        policy, standing = rate.policy(OPENING).encode(), rate.standing(OPENING, ahead).encode()
        return Opening(opened=False, retry_after=whole_seconds(wait), policy=policy, standing=standing)

    async def end_session(self, key: str) -> None:
        """The session ``key`` is over. Without the store it ends by itself, when it is not used."""
        with contextlib.suppress(StoreLostError):
            await self._store.run("incoming_session", PREFIX, ("", key, "0", "", "1", "1"), self._patience)

    async def _decide(self, connector: str, key: str, must_live: MustLive | None) -> tuple[_Plan, _Answer]:
        if not self.strict:
            plan = self._plan(connector, key, strict=False)
            lives, life = must_live or ("", "")
            answer = await self._together(f"{plan.head}{key}{plan.tail}{lives}{_MARK}{life}")
            if answer is not _NO_ANSWER:
                return plan, answer
        plan = self._plan(connector, key, strict=True)
        return plan, self._decide_alone(plan, f"c:{connector}", f"s:{key}")

    def _decide_alone(self, plan: _Plan, connector: str, session: str) -> _Answer:
        """As the script does, in this process."""
        now, table = self._now(), self.table
        c_ahead, s_ahead = table.ahead(connector, plan.connector, now), table.ahead(session, plan.session, now)
        if plan.connector.wait(c_ahead) > 0 or plan.session.wait(s_ahead) > 0:
            return _REFUSED, c_ahead, s_ahead
        c_ahead, s_ahead = c_ahead + plan.connector.step, s_ahead + plan.session.step
        table.put(connector, c_ahead, now)
        table.put(session, s_ahead, now)
        return _PASSED, c_ahead, s_ahead

    def _verdict(self, connector: str, plan: _Plan, answer: _Answer, *, gone: bool) -> Verdict:
        word, c_ahead, s_ahead = answer
        if word != _PASSED:
            self._process.give_back()
        process = self.rules.process.standing(PROCESS, self._process.ahead(self._now()))
        standing = [process, plan.connector.standing(CONNECTOR, c_ahead)]
        if not plan.contracted:
            standing.append(plan.session.standing(SESSION, s_ahead))
        verdict = Verdict(plan.policy, ", ".join(standing).encode(), gone=gone, strict=self.strict)
        if word == _PASSED:
            self.tally.passed(connector)
            return verdict
        waits = {CONNECTOR: plan.connector.wait(c_ahead), SESSION: plan.session.wait(s_ahead)}
        refused_by = tuple(name for name, wait in waits.items() if wait > 0)
        self.tally.refused(connector, refused_by)
        return replace(verdict, refused_by=refused_by, retry_after=whole_seconds(max(waits.values())))

    def _plan(self, connector: str, key: str, *, strict: bool) -> _Plan:
        """The plan for ``key`` at a door: its vendor's, that of all under a contract, or the one of everybody."""
        contracted = key.startswith(CONTRACT)
        name = (connector, CONTRACT if contracted else key if key in self._vendors else "", strict)
        plan = self._plans.get(name)
        if plan is None:
            door = self.rules.of(connector)
            session = UNLIMITED if contracted else self._vendors.get(key, door.session)
            plan = _Plan.make(connector, self.rules.process, door.connector, session, contracted=contracted)
            plan = self._plans[name] = plan.stricter(connector, self.rules.process) if strict else plan
        return plan

    async def _together(self, request: str) -> _Answer:
        """What the script says of ``request``, asked together with all that came in at the same moment or wait already."""
        if self._flying:
            future: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
            self._queue.append((request, future))
            return await future
        self._flying = True
        together: list[_Waiting] = []
        try:
            await asyncio.sleep(0)  # whoever came in at the same moment gets to the queue
            together, self._queue = self._queue[:_TOGETHER], self._queue[_TOGETHER:]
            own, *answers = await self._ask([request, *(text for text, _ in together)])
            _hand_out(together, answers)
            together = []
            return own
        finally:
            # Whoever asked for all of them may have been cancelled.
            self._queue = together + self._queue
            if self._queue:
                self._flight = asyncio.get_running_loop().create_task(self._fly())
            else:
                self._flying = False

    async def _fly(self) -> None:
        """Ask the store about all who wait, until nobody does."""
        try:
            while self._queue:
                together, self._queue = self._queue[:_TOGETHER], self._queue[_TOGETHER:]
                _hand_out(together, await self._ask([text for text, _ in together]))
        finally:
            self._flying = False

    async def _ask(self, requests: list[str]) -> list[_Answer]:
        if self.strict:
            return [_NO_ANSWER] * len(requests)
        clock = "" if self.frozen is None else str(self.frozen)
        try:
            said = await self._store.run("incoming", PREFIX, (clock, *requests), self._patience)
            return [_read(text) for _, text in zip(requests, said.decode().split(","), strict=True)]
        except Exception as failure:  # noqa: BLE001 - whatever it is, all who wait get an answer
            self._lose(failure)
        return [_NO_ANSWER] * len(requests)

    def _lose(self, failure: Exception) -> None:
        """From now on this process decides alone, until the store answers again."""
        if self.strict:
            return
        self.strict = True
        self.losses += 1
        log.warning("incoming_store_lost", failure=type(failure).__name__)
        self._recovery = asyncio.get_running_loop().create_task(self._recover())

    async def _recover(self) -> None:
        while self.strict:
            await asyncio.sleep(self._try_again)
            with contextlib.suppress(Exception):  # whatever it was, it is tried again
                self.strict = await self._store.run("incoming", PREFIX, ("",), self._patience) != b""
        log.warning("incoming_store_back")

    async def _keep_telling(self) -> None:
        while True:
            await asyncio.sleep(_TELL_EVERY)
            await self._tell()

    async def _tell(self) -> None:
        if not self.strict:
            with contextlib.suppress(StoreLostError):
                await self.tally.tell(self._store)

    def _now(self) -> int:
        return int(monotonic() * SECOND) if self.frozen is None else self.frozen


def session_key(caller: Caller) -> str:
    """Under which key a request counts: its session, or who reads a page."""
    return f"pagina:{caller.visitor}" if caller.is_house else caller.session


def _hand_out(together: Iterable[_Waiting], answers: Iterable[_Answer]) -> None:
    for (_, future), answer in zip(together, answers, strict=True):
        if not future.done():
            future.set_result(answer)


def _read(text: str) -> _Answer:
    """One answer of the script. Raises ``ValueError`` for anything else."""
    word, connector, session = text.split(" ")
    return word, int(connector), int(session)
