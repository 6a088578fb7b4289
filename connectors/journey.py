"""The way of one errand from its turn to its value: turn, wire, reading, keeping, and word to those who wait for the same.

Every request has a turn of its own (rule R11), also one more after a refusal, a redirect, or a question whether something is
still the same. What was sent is read to its end and kept, also when its asker has gone; after that no further turn is taken.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from http import HTTPStatus
from typing import Any, Final, Generic, Literal, TypeVar

import structlog

from connectors import redirects
from connectors.addresses import Addresses
from connectors.bodies import require_not_over_limit
from connectors.breaker import Breaker
from connectors.buffer import Buffer, Found
from connectors.calls import Answer, Call, Reply
from connectors.conditional import confirmed, only_if_changed
from connectors.errands import Errand
from connectors.exceptions import (
    ClosedError,
    ConnectorError,
    Defect,
    NotAnAnswerError,
    OverLimitError,
    QueueFullError,
    RefusedError,
    TooSlowError,
    UnreachableError,
)
from connectors.filetext import FileKind, file_text, kind_of
from connectors.http import Http
from connectors.kept_text import as_read
from connectors.shared import BROKEN, code_of, failure_of
from throttling.turns import Expected, Outcome, Turn, TurnRefusedError, Turns, TurnsClosedError, Wanted

log = structlog.get_logger(__name__)
_T = TypeVar("_T")
GRANT_SECONDS: Final = 5.0
"""How old a turn may be when its request leaves; an older one is given back, because the platform's count moved on."""
_STILL_MISSED_SECONDS: Final = 2.0
"""For how long the buffer has what it had, when no answer to the same came in: shorter than ``Turn.is_first`` looks back."""
_STILL_CLOSED_SECONDS: Final = 0.1
"""For how long a breaker that was closed is taken to be so: shorter than any call that could open it."""
MOST_REFUSALS: Final = 2
LONGEST_REST: Final = 30
"""Seconds that a call waits after "over limit" before it asks again; a longer rest is told to its asker instead."""
_SMALL_BYTES: Final = 32 * 1024
_GOOD: Final = range(200, 300)
_FILES: Final = frozenset({FileKind.PDF, FileKind.DOCX})
_BROKEN_STATUSES: Final = range(500, 600)
_SAYS_NOTHING: Final = redirects.STATUSES | {HTTPStatus.NOT_MODIFIED}
RESTS: Final = "rests"
"""The kind of failure when a service is left alone for a while after it failed again and again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What every errand needs on its way."""

    http: Http
    buffer: Buffer
    turns: Turns
    breaker: Breaker
    addresses: Addresses
    version: str = ""


class _Go(Enum):
    """Nothing stands in the way of a request."""

    GO = auto()


class _LostError(Exception):
    """Somebody else's answer is nowhere to be found."""


@dataclass(frozen=True, slots=True)
class _Reading(Generic[_T]):
    """An answer that was read while its turn was held: its value, or why it has none."""

    answer: Answer
    value: _T | None = None
    failure: ConnectorError | None = None


@dataclass(frozen=True, slots=True)
class _Refused:
    """A turn that the platform refused."""

    turn: Turn
    failure: OverLimitError


async def read_kept(buffer: Buffer, errand: Errand[_T]) -> Reply[_T] | Found | None:
    """What the buffer has for an errand: its value, an answer that is due for a check, or nothing.

    What cannot be read any more is thrown away.
    """
    found = await buffer.read(errand.call, errand.document)
    if found is None or found.due:
        return found
    try:
        return _reply(await errand.read(found.answer), found.answer)
    except Exception as failure:  # noqa: BLE001 - whatever it is, the platform is asked
        log.warning("buffer_item_unreadable", platform=errand.platform.key, failure=type(failure).__name__)
        await buffer.drop(errand.call)
        return None


class Journey(Generic[_T]):
    """One errand, once. ``sent``: a request is under way; ``abandoned``: its asker has gone, and no turn is to be taken.

    ``reply`` has the value once it was read and its turn given back, or the next call of the same asker would wait behind its
    own sister; the journey itself ends when it is kept, too.
    """

    def __init__(self, tools: Tools, errand: Errand[_T], due: Found | None = None) -> None:
        self._tools = tools
        self._errand = errand
        self._due = due
        self._owed: Turn | None = None
        self._well = ""
        self._began = asyncio.get_running_loop().time()
        self.sent = False
        self.abandoned = False
        self.reply: asyncio.Future[Reply[_T]] = asyncio.get_running_loop().create_future()
        self.reply.add_done_callback(_seen)

    async def run(self) -> None:
        """Go the whole way. ``reply`` gets the value, or what was raised: by the reading, or a failure of ``exceptions``."""
        try:
            self._answer(await self._value())
        except BaseException as failure:
            if not self.reply.done():
                self.reply.set_exception(failure) if isinstance(failure, Exception) else self.reply.cancel()
            raise

    def _answer(self, reply: Reply[_T]) -> None:
        if not self.reply.done():
            self.reply.set_result(reply)

    async def _value(self) -> Reply[_T]:
        """The value. A text that was only to be checked stands when the platform cannot say now whether it is the same."""
        try:
            return await self._run()
        except ConnectorError as failure:
            if self._due is None or not _cannot_say(failure):
                raise
            return _reply(await self._errand.read(self._due.answer), self._due.answer)

    async def _run(self) -> Reply[_T]:
        name = "" if self._errand.past_buffer else self._tools.buffer.name(self._errand.call)
        # With the version: how a call failed is told by its code, and another version may mean something else by it.
        flight = f"{self._tools.version}.{name}" if name else ""
        reply = await self._fly(flight)
        # Somebody else had the answer, and it is not in the buffer: too large for it, or the buffer is gone.
        return reply if reply is not None else await self._arrive("")

    async def _fly(self, flight: str) -> Reply[_T] | None:
        """As ``_arrive``; None when somebody else's answer is nowhere to be found."""
        ending = Outcome(BROKEN)
        try:
            reply = await self._arrive(flight)
            ending = Outcome()
        except _LostError:
            return None
        except ConnectorError as failure:
            ending = Outcome(code_of(failure))
            raise
        else:
            return reply
        finally:
            if self._owed is not None:
                await self._owed.share(ending)

    async def _arrive(self, flight: str) -> Reply[_T]:
        """The value at the end of the way, kept for whoever comes next."""
        call = self._errand.call if self._due is None else only_if_changed(self._errand.call, self._due.answer)
        got = await self._reading(call, flight)
        if isinstance(got, Outcome):
            return await self._of_others(got)
        if isinstance(got, Reply):
            return got
        if got.answer.status in redirects.STATUSES and not self.abandoned:
            platform = self._errand.platform
            base = self._tools.addresses.base(platform, platform.service(call.service))
            got = await self._reading(redirects.redirected(call, base, got.answer), "")
            if not isinstance(got, _Reading):
                return got if isinstance(got, Reply) else await self._of_others(got)
        if got.answer.status in redirects.STATUSES:
            raise NotAnAnswerError(call.platform, Defect.REDIRECTED)
        return await self._kept(got)

    async def _kept(self, got: _Reading[_T]) -> Reply[_T]:
        """Read what was not read yet, and keep it when that was possible. Its asker need not wait for the breaker to know."""
        try:
            return await self._keep(got)
        finally:
            if self._well:
                await self._tools.breaker.record(self._well, ok=True)

    async def _keep(self, got: _Reading[_T]) -> Reply[_T]:
        answer = got.answer
        still = confirmed(self._due.answer, answer) if self._due is not None else None
        if still is not None:
            answer = still
            value = await self._errand.read(answer)
        elif got.failure is not None:
            raise got.failure
        else:
            answer = await self._without_file(answer)
            value = await self._errand.read(answer) if got.value is None else got.value
        reply = _reply(value, answer)
        self._answer(reply)
        if answer.status in _GOOD:
            await self._tools.buffer.keep(self._errand.call, answer, self._errand.document)
        return reply

    async def _without_file(self, answer: Answer) -> Answer:
        """The answer with the text of a file in its place: a file is read once, when it comes."""
        if not _is_file(answer):
            return answer
        return await as_read(answer, partial(file_text, self._errand.platform.key))

    async def _of_others(self, outcome: Outcome) -> Reply[_T]:
        """What somebody else's call for the same brought."""
        failure = failure_of(outcome.failure, self._errand.platform.key, self._errand.document)
        if not outcome.answered and failure is not None:
            raise failure
        kept = await read_kept(self._tools.buffer, self._errand)
        if isinstance(kept, Reply):
            return kept
        raise _LostError

    async def _reading(self, call: Call, flight: str) -> _Reading[_T] | Reply[_T] | Outcome:
        """The answer to one request, asked again in the same place as often as the platform's refusals allow."""
        again: Turn | None = None
        refusals = 0
        while True:
            got = await self._one_turn(call, Wanted(service=call.queue, cost=call.cost, flight=flight, again=again))
            if isinstance(got, _Refused):
                refusals += 1
                if refusals > MOST_REFUSALS or got.failure.retry_after > LONGEST_REST or self.abandoned:
                    raise got.failure
                again = got.turn
            elif got is None:
                again = None
            else:
                return got

    async def _one_turn(self, call: Call, wanted: Wanted) -> _Reading[_T] | Reply[_T] | Outcome | _Refused | None:
        """Wait for a turn and use it; None when it came too late to be used."""
        errand, waited = self._errand, False

        def waits(expected: Expected) -> None:
            nonlocal waited
            tell, waited = errand.watch.moved if waited else errand.watch.waiting, True
            tell(expected)

        loop = asyncio.get_running_loop()
        looked, reopens_in = loop.time(), await self._tools.breaker.reopens_in(call.queue)
        if reopens_in:
            raise UnreachableError(call.platform, RESTS)
        self.sent = False
        try:
            async with self._tools.turns.turn(wanted, errand.caller, waits) as turn:
                closed = reopens_in is None and not waited and loop.time() - looked < _STILL_CLOSED_SECONDS
                try:
                    instead = await self._instead(call, turn, closed=closed)
                except BaseException:  # its asker left, or the service rests: the turn, and the flight, go to the next
                    turn.not_sent()
                    raise
                if instead is not _Go.GO:
                    errand.watch.spared(waited=waited)
                    return instead
                self.sent = True
                if wanted.flight:
                    self._owed = turn
                errand.watch.sent(waited=waited)
                try:
                    return await self._exchange(call, turn)
                finally:
                    errand.watch.answered()
        except TurnRefusedError as refused:
            raise QueueFullError(call.platform, refused.retry_after) from None
        except TurnsClosedError as closed:
            raise ClosedError(call.platform, closed.retry_after, closed.text) from None

    async def _instead(self, call: Call, turn: Turn, *, closed: bool) -> Reply[_T] | Outcome | Literal[_Go.GO] | None:
        """What makes this turn needless: somebody's outcome, an answer kept meanwhile, or None when it is too old.

        ``closed``: the breaker was closed a moment ago.
        """
        loop = asyncio.get_running_loop()
        granted = loop.time()
        if turn.outcome is not None:
            return turn.outcome
        known = self._errand.past_buffer or (turn.is_first and granted - self._began < _STILL_MISSED_SECONDS)
        kept = None if known else await read_kept(self._tools.buffer, self._errand)
        if isinstance(kept, Reply):
            turn.not_sent()
            return kept
        if loop.time() - granted > GRANT_SECONDS:
            turn.not_sent()
            return None
        # It may have opened while this call waited, or another is the trial.
        if not closed and not await self._tools.breaker.may_call(call.queue):
            raise UnreachableError(call.platform, RESTS)
        return _Go.GO

    async def _exchange(self, call: Call, turn: Turn) -> _Reading[_T] | _Refused:
        """One request and its answer, with what it says about our use of the service."""
        breaker = self._tools.breaker
        try:
            answer = await self._tools.http.send(call)
        except ConnectorError as failure:
            await breaker.record(call.queue, ok=not isinstance(failure, UnreachableError | TooSlowError))
            raise
        turn.answered(remaining(answer))
        got = await self._look_at(answer)
        over = isinstance(got.failure, OverLimitError)
        if answer.status in _GOOD and not over:
            self._well = call.queue  # said once its asker has it; no turn is taken in between
        else:
            await breaker.record(call.queue, ok=over or answer.status not in _BROKEN_STATUSES)
        if isinstance(got.failure, OverLimitError):
            turn.refused(got.failure.retry_after)
            return _Refused(turn, got.failure)
        return got

    async def _look_at(self, answer: Answer) -> _Reading[_T]:
        """Read a small answer while the turn is held: it may say that we asked too much, each platform in its own way."""
        if (
            answer.status in _SAYS_NOTHING
            or _is_file(answer)
            or (len(answer.body) > _SMALL_BYTES and answer.status in _GOOD)
        ):
            return _Reading(answer)
        try:
            require_not_over_limit(self._errand.platform.key, answer)
            return _Reading(answer, await self._errand.read(answer))
        except ConnectorError as failure:
            return _Reading(answer, failure=failure)


def remaining(answer: Answer) -> float | None:
    """The units that a platform says are left (``RateLimit-Remaining``); None when it says nothing that can be believed."""
    try:
        units = float(answer.headers.get("ratelimit-remaining", ""))
    except ValueError:
        return None
    return units if math.isfinite(units) and units >= 0 else None


def _seen(reply: asyncio.Future[Any]) -> None:
    """Look at how a call ended, also when its asker has gone: what went wrong is told by the journey itself."""
    if not reply.cancelled():
        reply.exception()


def _is_file(answer: Answer) -> bool:
    """Whether an answer is a PDF or a Word file."""
    return answer.status in _GOOD and kind_of(answer.body) in _FILES


def _cannot_say(failure: ConnectorError) -> bool:
    """Whether a failure leaves open what the platform holds: it did not answer, or not about this."""
    match failure:
        case (
            UnreachableError()
            | TooSlowError()
            | QueueFullError()
            | ClosedError()
            | OverLimitError()
            | NotAnAnswerError()
        ):
            return True
        case RefusedError(status=status):
            return status in _BROKEN_STATUSES
        case _:
            return False


def _reply(value: _T, answer: Answer) -> Reply[_T]:
    return Reply(value, answer.fetched_at, answer.buffered)
