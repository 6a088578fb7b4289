"""The decisions about one queue, as the scripts take them: one method each, one answer, nothing kept here but a clock.

The server's time of day may be set while we run. Each caller therefore says what time it expects by a clock that nobody sets,
and the script keeps to that (``scripts/state.lua``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from throttling.foretold import KEPT_SECONDS, MOST, Foretold
from throttling.reckoning import Reckoner, Reckoning, invented
from throttling.rules import QueueRules, thousandths
from throttling.store import Store, StoreLostError, monotonic

_PATIENCE: Final = 1.0
_NONSENSE: Final = "not an answer of ours"
PREFIX: Final = "beurt:"


class QueueLostError(Exception):
    """The store answers, but knows nothing of this queue: a fresh installation, or its state was lost (rule R12)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a script answered: ``word``, the ledgers' clock, when to look again by itself, until when grants may be given.

    ``rests_until``: no grants before then. ``off``: what visitors read while an operator switched the queue off. ``epoch``: of
    the state; who entered under another one has no place any more.
    """

    word: str
    now: float
    look_at: float
    may_until: float
    rests_until: float
    off: str
    epoch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A call that comes in. ``cost`` in units; the other fields as ``Wanted`` and ``Caller`` say."""

    id: str
    process: str
    session: str
    visitor: str = ""
    cost: float = 1.0
    flight: str = ""
    solo: str = ""
    heir_of: str = ""

    def text(self) -> str:
        """The call as the script reads it: one argument, because each costs as much as a command."""
        parts = (self.id, self.process, self.session, self.visitor, str(thousandths(self.cost)))
        return "\x1f".join((*parts, self.flight, self.solo, self.heir_of))


class Decisions:
    """The scripts of one queue. ``frozen`` is a simulation's own clock, in place of the server's."""

    def __init__(self, store: Store, name: str, rules: QueueRules) -> None:
        self._store = store
        self.key = f"{PREFIX}{{{name}}}:"
        self.rules = rules
        self.frozen: float | None = None
        self._rules = "|".join(rules.arguments())
        self._reckoner = Reckoner(lambda: monotonic())  # noqa: PLW0108 - looked up each time: tests move it

    async def open(self, epoch: str, closed_for: float, used: Iterable[tuple[str, float, float]]) -> Verdict | None:
        """Begin the queue; ``used`` are session, units and seconds since its last call. None when it is there already."""
        rows = [part for name, units, idle in used for part in (name, str(thousandths(units)), repr(idle))]
        answer = await self._run("open", epoch, repr(closed_for), *rows)
        return None if answer == b"there" else self._verdict(answer)

    async def enter(self, entry: Entry) -> Verdict:
        """A call comes in: ``granted``, ``landed``, ``waits``, ``follows``, ``full``, ``closed`` or ``off``.

        ``landed`` is granted, too, but the answer to the same came in the last seconds: it may be in the buffer by now.
        """
        return await self._decide("enter", entry.text())

    async def done(self, call: str, remaining: float | None = None) -> Verdict:
        """The answer is in; ``remaining`` is what the platform says is left."""
        return await self._decide("done", call, "" if remaining is None else str(round(remaining * 1000)))

    async def not_sent(self, call: str) -> Verdict:
        """A granted call never left."""
        return await self._decide("not_sent", call)

    async def refused(self, call: str, rest: float) -> Verdict:
        """The platform said "over limit"; the call waits again in its old place."""
        return await self._decide("refused", call, repr(float(rest)))

    async def again(self, call: str) -> Verdict:
        """A granted call slept through its turn: it waits again in its old place."""
        return await self._decide("refused", call, "-1")

    async def leave(self, call: str) -> Verdict:
        """Whoever waited goes away."""
        return await self._decide("leave", call)

    async def renew(self, calls: Iterable[str] = ()) -> Verdict:
        """The process of these calls is still there; also a look at whose turn it is."""
        return await self._decide("renew", *calls)

    async def land(self, flight: str, leader: str, failure: str) -> Verdict:
        """A shared call is over."""
        return await self._decide("land", flight, leader, failure)

    async def permit(self, seconds: float) -> Verdict:
        """The database knows that grants may be given for so many seconds."""
        return await self._decide("permit", repr(float(seconds)))

    async def operate(self, act: str, value: str = "") -> Verdict:
        """What an operator does: ``off``, ``cap`` (in units), ``empty``, ``unblock``."""
        return await self._decide("operate", act, str(thousandths(float(value or 0))) if act == "cap" else value)

    def age(self, moment: float) -> float:
        """How long ago ``moment`` of the ledgers' clock was, by this process's own clock."""
        return self._reckoner.age(moment)

    @property
    def reckoning(self) -> Reckoning | None:
        """By what it knows the time; None before the first answer. Another for the same queue may go on with it."""
        return self._reckoner.seen

    @reckoning.setter
    def reckoning(self, reckoning: Reckoning | None) -> None:
        self._reckoner.seen = reckoning

    async def told(self, process: str) -> str | None:
        """The next that is told to a process, waited for a moment; None when nothing was."""
        return await self._store.next_message(f"{self.key}wek:{process}", _PATIENCE)

    async def messages(self, process: str) -> list[str]:
        """All that was told to a process so far; a process that waits uses ``told``."""
        return await self._store.messages(f"{self.key}wek:{process}")

    async def came_true(self, foretold: Foretold) -> None:
        """Keep for the bookkeeper what a call was told and what came of it."""
        await self._store.keep_message(f"{self.key}voorspeld", foretold.text(), MOST, KEPT_SECONDS)

    async def foretold(self) -> list[Foretold]:
        """All that was kept so, which is then forgotten in the store."""
        return [Foretold.read(text) for text in await self._store.messages(f"{self.key}voorspeld")]

    async def look(self) -> list[Any]:
        """The raw state of the queue (``throttling.snapshot`` reads it)."""
        answer: list[Any] = await self._run("look")
        if answer[0] == b"lost":
            raise QueueLostError(self.key)
        return answer

    async def _decide(self, name: str, *arguments: str) -> Verdict:
        return self._verdict(await self._run(name, *arguments))

    async def _run(self, name: str, *arguments: str) -> Any:
        began = monotonic()
        answer = await self._store.run(name, self.key, (self._clock(), self._rules, *arguments))
        self._reckoner.travelled(monotonic() - began)
        return answer

    def _clock(self) -> str:
        return self._reckoner.text() if self.frozen is None else invented(self.frozen)

    def _verdict(self, answer: Any) -> Verdict:
        try:
            word, *said = answer.decode().split("|", 6)
            if word == "lost":
                raise QueueLostError(self.key)
            now, look_at, may_until, rests_until = [float(part) for part in said[:4]]
            epoch, off = said[4:]
        except (AttributeError, IndexError, TypeError, ValueError) as failure:
            raise StoreLostError(_NONSENSE) from failure
        if self.frozen is None:
            self._reckoner.heard(now)
        return Verdict(word, now, look_at, may_until, rests_until, off, epoch)
