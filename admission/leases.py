"""The calls of this process that go on under a contract: their slots are kept, and they hear at once that they must stop.

One task looks after all of them. It asks the store whether their contracts and tokens still hold, once a half second and in one
script for all, so that an open stream ends within a second of a revocation; no message that could be missed is involved.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final

import structlog

from admission.edge import Admissions, Reason
from throttling.ending import Alongside
from throttling.store import StoreLostError

LOOK_SECONDS: Final = 0.4
"""Between two looks at the contracts of what goes on."""
RENEW_SECONDS: Final = 10.0
"""Between two renewals of all slots: a third of a lease."""
LOST_SECONDS: Final = 5.0
"""So long nobody knows whether a contract still holds before what goes on under it ends."""
MOST_SECONDS: Final = 900.0
"""No call keeps its slot longer (attack 12 of the study: a client that reads slowly holds it for nothing)."""

log = structlog.get_logger(__name__)


@dataclass(slots=True, eq=False)
class Held:
    """A call that goes on. ``stop`` is done, with the reason, once it must end.

    ``since`` it began and ``heard`` of its contract, by the loop's clock.
    """

    contract: str
    lease: str
    token: str
    since: float
    heard: float
    stop: asyncio.Future[Reason] = field(repr=False)
    reached: bool = False
    """Whether the origin saw it: what stands before it may refuse as well."""

    def end(self, reason: Reason) -> None:
        """Tell it once."""
        if not self.stop.done():
            self.stop.set_result(reason)


class Leases(Alongside):
    """Looks after the calls of this process for as long as its context lasts. Times in seconds."""

    def __init__(
        self,
        admissions: Admissions,
        *,
        look: float = LOOK_SECONDS,
        renew: float = RENEW_SECONDS,
        lost: float = LOST_SECONDS,
        most: float = MOST_SECONDS,
    ) -> None:
        self._admissions = admissions
        self._look, self._renew, self._lost, self._most = look, renew, lost, most
        self._held: set[Held] = set()
        self._some = asyncio.Event()
        self._ending: set[asyncio.Task[None]] = set()
        self._renewed = 0.0

    def __len__(self) -> int:
        """How many calls go on."""
        return len(self._held)

    def hold(self, contract: str, lease: str, token: str) -> Held:
        """A call goes on, with the lease of its decision."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        held = Held(contract, lease, token, now, now, loop.create_future())
        self._held.add(held)
        self._some.set()
        return held

    def holds(self, held: Held) -> bool:
        """Whether a call goes on."""
        return held in self._held

    async def release(self, held: Held) -> bool:
        """A call is over; its units come back when the origin never saw it. False: it was over before.

        Without the store its slot comes free when the lease runs out.
        """
        if held not in self._held:
            return False
        self._held.discard(held)
        try:
            await self._admissions.release(held.contract, held.lease, not_reached=not held.reached)
        except StoreLostError as failure:
            log.warning("admission_not_released", failure=type(failure).__name__)
        return True

    async def soon(self, over: Callable[[], Awaitable[None]]) -> None:
        """Give something back as soon as what is being sent was written: before whoever reads it can ask again."""
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(_done(over))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*self._ending)
        await super().__aexit__(kind, error, trace)

    async def _go_on(self) -> None:
        loop = asyncio.get_running_loop()
        self._renewed = loop.time()
        while True:
            if not self._held:
                self._some.clear()
                await self._some.wait()
            await asyncio.sleep(self._look)
            try:
                await self._look_after(loop.time())
            except Exception:  # whatever it is, the next look may do better
                log.exception("admission_leases_failed")

    async def _look_after(self, now: float) -> None:
        """One look at everything that goes on."""
        held = [one for one in self._held if not one.stop.done()]
        for one in held:
            if now - one.since > self._most:
                one.end(Reason.IN_FLIGHT_EXCEEDED)
        await self._watch(held, now)
        if now - self._renewed >= self._renew:
            self._renewed = now
            await self._renew_all(held)

    async def _watch(self, held: list[Held], now: float) -> None:
        calls = sorted({(one.contract, one.token) for one in held})
        if not calls:
            return
        try:
            said = dict(zip(calls, await self._admissions.watch(calls), strict=True))
        except StoreLostError:
            said = {}
        for one in held:
            word = said.get((one.contract, one.token), Reason.ADMISSION_UNAVAILABLE.value)
            if word != Reason.ADMISSION_UNAVAILABLE:
                one.heard = now
            elif now - one.heard < self._lost:
                continue  # a store that was started again is loaded within moments
            if word:
                one.end(Reason(word))

    async def _renew_all(self, held: list[Held]) -> None:
        going = [one for one in held if not one.stop.done()]
        answers = await self._admissions.renew([(one.contract, one.lease) for one in going])
        for one, word in zip(going, answers, strict=True):
            # Without the store the look above decides; a slot that was lost is somebody else's by now.
            if word == "lost":
                one.end(Reason.ADMISSION_UNAVAILABLE)


async def _done(over: Callable[[], Awaitable[None]]) -> None:
    await over()
