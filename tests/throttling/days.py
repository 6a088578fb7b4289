"""A day at the gate for heavy work, for stories in a real store: who asks, who works, and a clock that a story moves on."""

from __future__ import annotations

import itertools

from throttling.load import Asked, AskState, Event, EventKind, LoadGate, Standing
from throttling.load_rules import LoadRules, Signal
from throttling.store import Store

_NUMBERS = itertools.count()
START = 1_790_000_000.0
MINUTE = 60


class Day:
    """A gate, and a clock that a story moves on. Runs have ten parts of a minute, where a story says nothing."""

    def __init__(self, store: Store, rules: LoadRules) -> None:
        self.gate = LoadGate(store, rules, f"verhaal{next(_NUMBERS)}")
        self.gate.frozen = START
        self.numbers = itertools.count()

    def later(self, seconds: float) -> None:
        assert self.gate.frozen is not None
        self.gate.frozen += seconds

    async def ask(self, by: str, what: str = "", size: int = 10) -> Asked:
        number = next(self.numbers)
        return await self.gate.ask(f"vraag{number}", by, what or f"iets{number}", f"werk{number}", size)

    async def work(self, run: str, worker: str = "w") -> None:
        taken, _ = await self.gate.take(run, worker)
        assert taken is not None

    async def end(self, run: str, worker: str = "w", how: AskState = AskState.READY) -> list[str]:
        """End a run; gives the runs that this lets start."""
        counted, events = await self.gate.done(run, worker, how)
        assert counted
        return started(events)

    async def see(self, ask: str) -> Standing:
        seen, _ = await self.gate.see(ask)
        assert seen is not None
        return seen

    async def busy(self, share: float, signal: Signal = Signal.PROCESSOR, process: str = "p") -> list[str]:
        return started(await self.gate.measure(process, {signal: share}))


def started(events: tuple[Event, ...]) -> list[str]:
    return [event.id for event in events if event.kind is EventKind.START]


def rules(slots: int = 1, **more: float) -> LoadRules:
    """One slot, and a lease that no story reaches by chance."""
    return LoadRules(**{"slots": slots, "lease": 10_000.0, "pace": 60.0, "per_hour": 50, **more})  # type: ignore[arg-type]
