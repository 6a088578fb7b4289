"""The bookkeeper: looks at all queues every few seconds and writes down what must outlive the store.

It runs as a process of its own, so that neither a report nor a dead platform delays it. A queue that cannot be read now is left
as the books have it; the others go on.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Protocol

import structlog

from throttling.callers import HOUSE_SESSION
from throttling.decisions import Decisions, QueueLostError
from throttling.foretold import Foretold
from throttling.rules import QueueRules
from throttling.snapshot import SessionNow, Snapshot, read_snapshot
from throttling.store import Store, StoreLostError, wall

log = structlog.get_logger(__name__)

EVERY: Final = 2.0
"""Seconds between two rounds: with the round itself the books stay under 5 s behind."""
_LAST_ROUND: Final = 2.0
_MOST_FORETOLD: Final = 10_000  # kept while the database cannot be written


@dataclass(frozen=True, slots=True)
class Use:
    """What a session used at a queue, in thousandths, and when it last called."""

    session: str
    used: int
    last_call: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What there is to write about one queue: counters since its epoch began, uses that changed, and estimates."""

    queue: str
    epoch: str
    given: int
    refusals: int
    waiting: int
    uses: tuple[Use, ...] = ()
    foretold: tuple[Foretold, ...] = ()


class UnwritableError(Exception):
    """The books cannot be written now."""


class Books(Protocol):
    """Where it is written (``throttling.database``)."""

    async def write(self, pages: Sequence[Page], at: datetime) -> None:
        """Write these pages in one step, and forget what is too old at ``at``. Raises ``UnwritableError``."""
        ...


@dataclass(slots=True)
class _Kept:
    """What the books hold of a queue, and what they could not take in yet."""

    uses: dict[str, tuple[int, float]] = field(default_factory=dict)
    foretold: list[Foretold] = field(default_factory=list)


class Bookkeeper:
    """Keeps the books of the queues in ``rules``. ``clock`` gives seconds since 1970."""

    def __init__(
        self, store: Store, rules: Mapping[str, QueueRules], books: Books, clock: Callable[[], float] = wall
    ) -> None:
        self.queues = tuple(Decisions(store, name, wanted) for name, wanted in rules.items())
        self._names = tuple(rules)
        self._books = books
        self._clock = clock
        self._kept = {name: _Kept() for name in rules}
        self._trouble = ""

    async def run(self, stop: asyncio.Event, every: float = EVERY) -> None:
        """Keep the books until ``stop``, and once more at the end."""
        while not stop.is_set():
            await self.round()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(every):
                    await stop.wait()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_ROUND):
                await self.round()

    async def round(self) -> None:
        """Look at every queue and write once. What goes wrong is logged when it begins, and tried again in the next round."""
        looks = await asyncio.gather(*map(self._look, self._names, self.queues))
        at = datetime.fromtimestamp(self._clock(), UTC)
        seen = {name: look for name, look in zip(self._names, looks, strict=True) if isinstance(look, Snapshot)}
        pages = [self._page(name, snapshot, at) for name, snapshot in seen.items()]
        try:
            await self._books.write(pages, at)
        except UnwritableError:
            self._note("books_unwritable")
            return
        for name, snapshot in seen.items():
            self._kept[name] = _Kept({s.name: (s.used, s.last) for s in snapshot.sessions})
        self._note("queues_unreadable" if any(isinstance(look, StoreLostError) for look in looks) else "")

    async def _look(self, name: str, queue: Decisions) -> Snapshot | StoreLostError | None:
        """The queue as it is; None when nobody began it, or its state was lost: whoever asks for a turn begins it again."""
        try:
            # Said by what clock we go before looking: a server's clock that jumps must not pass for time that went by.
            await queue.renew()
            snapshot = read_snapshot(await queue.look())
            self._keep_foretold(name, await queue.foretold())
        except QueueLostError:
            return None
        except StoreLostError as failure:
            return failure
        return snapshot

    def _keep_foretold(self, name: str, came_true: Iterable[Foretold]) -> None:
        kept = self._kept[name].foretold
        kept.extend(came_true)
        del kept[:-_MOST_FORETOLD]

    def _page(self, name: str, snapshot: Snapshot, at: datetime) -> Page:
        kept = self._kept[name]
        changed = (s for s in snapshot.sessions if s.waiting or kept.uses.get(s.name) != (s.used, s.last))
        return Page(
            queue=name,
            epoch=snapshot.epoch,
            given=snapshot.given,
            refusals=snapshot.refusals,
            waiting=snapshot.waiting,
            uses=tuple(_use(s, snapshot.now, at) for s in changed if s.used and s.name != HOUSE_SESSION),
            foretold=tuple(kept.foretold),
        )

    def _note(self, trouble: str) -> None:
        """Log a trouble when it begins and when it is over, not every two seconds."""
        if trouble != self._trouble:
            log.warning(trouble or "books_kept_again")
        self._trouble = trouble


def _use(session: SessionNow, now: float, at: datetime) -> Use:
    """A session's use; a call that waits counts as a call (rule R9)."""
    idle = 0.0 if session.waiting else max(now - session.last, 0.0)
    return Use(session.name, session.used, datetime.fromtimestamp(at.timestamp() - idle, UTC))
