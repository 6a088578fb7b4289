"""The contracts in the store, one script a decision (decision record 0027): the implementation of ``Admissions``."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import structlog

from admission.contracts import MOST_CONTRACTS, Budget, Contract, Loaded, Put, PutAnswer, Standing, Stop
from admission.edge import LEASE_SECONDS, PROOF_SECONDS, Ask, Decision, Event, Reason
from throttling.reckoning import Reckoner, invented
from throttling.store import Script, Store, StoreLostError, monotonic, read_script
from throttling.work import Access

log = structlog.get_logger(__name__)
_SCRIPTS: Final = Path(__file__).parent / "scripts"
_BOOKS: Final = frozenset({"put", "load"})
_SILENT: Final = "the store said nothing a moment ago"
_NONSENSE: Final = "not an answer of ours"
_RETRY: Final = 5
_AT_ONCE: Final = 16
"""Questions to the store at once: a flood of requests takes no connections that others of this process need."""
_SLOW: Final = 0.5
"""Seconds. A store that was lost after so long is not asked for as long: who comes meanwhile does not wait for the same."""
_CLASSES: Final = {Access.READ: "read", Access.WRITE: "write"}
_LIFTED: Final = frozenset({Stop.WORKLOAD, Stop.ISSUER, Stop.WRITES})
UNDECIDED: Final = Decision(reason=Reason.ADMISSION_UNAVAILABLE, retry_after=_RETRY)
"""What is said while the store is away. Of this one the store wrote no event."""


@cache
def script(name: str) -> Script:
    """The decision ``name`` with the parts that it shares with others."""
    return read_script(_SCRIPTS, "state", *(("book",) if name in _BOOKS else ()), name, by_run=True)


class Ledger:
    """Contracts in ``store``. ``node`` names this process in events; ``frozen`` is a test's own clock in seconds.

    ``dry_runs``: ids of operations that are decided and written, and let through; they may be set anew at any time. Only of
    what reads, because nothing changes without approval.
    """

    def __init__(
        self,
        store: Store,
        *,
        name: str = "toelating",
        node: str = "",
        dry_runs: frozenset[str] = frozenset(),
        lease: float = LEASE_SECONDS,
    ) -> None:
        self.key = f"toelating:{{{name}}}:"
        self.frozen: float | None = None
        self._store = store
        self._node = node
        self.dry_runs = dry_runs
        self._lease = repr(lease)
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._silent_until = 0.0
        self._reckoner = Reckoner(lambda: monotonic())  # noqa: PLW0108 - looked up each time: tests move it

    async def decide(self, ask: Ask) -> Decision:
        """As ``Admissions`` says. Without the store nothing is let through, a dry run neither: it would leave no event."""
        dry = ask.operation.access is Access.READ and ask.operation.id in self.dry_runs
        try:
            said = await self._run(
                "decide",
                *(ask.contract, ask.token, ask.proof, repr(PROOF_SECONDS), ask.operation.id),
                *(_CLASSES[ask.token_class], _CLASSES[ask.operation.access], ask.resource, str(ask.cost)),
                *(ask.request, self._lease, "1" if dry else "", self._node, ask.barred.value if ask.barred else ""),
            )
            word, *numbers = said.split("|")
            left, writes_left, flying, cap, wait, units, writes = map(int, numbers)
            reason = Reason(word) if word else None
        except (StoreLostError, ValueError) as failure:
            log.warning("admission_store_lost", failure=type(failure).__name__)
            return UNDECIDED
        return Decision(
            reason=reason,
            left=left,
            writes_left=writes_left,
            in_flight=flying,
            cap=cap,
            retry_after=wait,
            lease="" if reason else ask.request,
            dry_run=dry,
            units=units,
            writes=writes,
        )

    async def renew(self, leases: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """As ``Admissions`` says."""
        if not leases:
            return ()
        try:
            said = await self._run("renew", self._lease, *(part for lease in leases for part in lease))
            answers = tuple(said.split("|"))
        except StoreLostError:
            answers = ()
        return answers if len(answers) == len(leases) else (Reason.ADMISSION_UNAVAILABLE.value,) * len(leases)

    async def watch(self, calls: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """As ``Admissions`` says."""
        answers = tuple((await self._run("watch", *(part for call in calls for part in call))).split("|"))
        if len(answers) != len(calls):
            raise StoreLostError(_NONSENSE)
        return answers

    async def release(self, contract: str, lease: str, *, not_reached: bool = False) -> bool:
        """As ``Admissions`` says."""
        return await self._run("release", contract, lease, "1" if not_reached else "", self._node) == "refunded"

    async def put(self, contract: Contract) -> Put:
        """As ``Admissions`` says."""
        budget, most = contract.budget, contract.most
        said = await self._run(
            "put",
            *_who(contract),
            *map(str, (budget.in_flight, budget.units, budget.writes)),
            repr(float(contract.seconds)),
            *map(str, (most.in_flight, most.units, most.writes, MOST_CONTRACTS)),
            _pools(contract),
            self._node,
            *_operations(contract),
        )
        try:
            word, *numbers = said.split("|")
            cap, units, writes = map(int, numbers)
            return Put(PutAnswer(word), Budget(in_flight=cap, units=units, writes=writes))
        except ValueError as failure:
            raise StoreLostError(_NONSENSE) from failure

    async def revoke(self, what: Stop, name: str = "", *, why: str = "", seconds: float = 0.0) -> None:
        """As ``Admissions`` says."""
        await self._run("revoke", what.value, name, repr(float(seconds)), why, self._node, "")

    async def lift(self, what: Stop, name: str = "", *, why: str = "") -> None:
        """As ``Admissions`` says."""
        if what not in _LIFTED:
            raise ValueError(what)
        await self._run("revoke", what.value, name, "0", why, self._node, "1")

    async def expire(self, most: int = 100) -> int:
        """As ``Admissions`` says."""
        said = await self._run("expire", str(most), self._node)
        if not said.isdecimal():
            raise StoreLostError(_NONSENSE)
        return int(said)

    async def load(self, contracts: Iterable[Loaded]) -> None:
        """As ``Admissions`` says."""
        for one in contracts:
            contract, budget = one.contract, one.contract.budget
            await self._run(
                "load",
                *_who(contract),
                *map(str, (budget.in_flight, budget.units, budget.writes)),
                repr(float(contract.seconds)),
                *(str(contract.most.in_flight), _pools(contract), "1" if one.revoked else ""),
                *map(str, (one.left, one.writes_left, one.margin, one.writes_margin)),
                *_operations(contract),
            )

    async def open(self, quiet: float = PROOF_SECONDS) -> bool:
        """As ``Admissions`` says."""
        return await self._run("open", repr(float(quiet)), self._node) == "open"

    async def is_open(self) -> bool:
        """Whether decisions are made: all was loaded since the store started. Raises ``StoreLostError``."""
        return await self._run("is_open") == "1"

    async def earn(self, rates: Sequence[tuple[str, int, int]]) -> int:
        """Charge each rate (name, units, in so many seconds) once, or none: then how many seconds to wait, else 0.

        Raises ``StoreLostError``.
        """
        said = await self._run("rate", *(str(part) for rate in rates for part in rate))
        if not said.isdecimal():
            raise StoreLostError(_NONSENSE)
        return int(said)

    async def note(self, kind: str, **fields: str) -> None:
        """Write an event that is no decision about a request. Raises ``StoreLostError``."""
        await self._run("note", kind, *(part for field in fields.items() for part in field), "node", self._node)

    async def look(self, contract: str) -> Standing | None:
        """As ``Admissions`` says."""
        said = await self._run("look", contract)
        try:
            return _standing(said) if said else None
        except ValueError as failure:
            raise StoreLostError(_NONSENSE) from failure

    async def events(self, after: str = "", most: int = 1000) -> tuple[Event, ...]:
        """As ``Admissions`` says."""
        rows = await self._store.run(script("events"), self.key, (self._clock(), after, str(most)))
        try:
            return tuple(_event(row) for row in rows)
        except (AttributeError, KeyError, TypeError, ValueError) as failure:
            raise StoreLostError(_NONSENSE) from failure

    async def _run(self, name: str, *arguments: str) -> str:
        async with self._room:
            began = monotonic()
            if began < self._silent_until:
                raise StoreLostError(_SILENT)
            try:
                said = await self._store.run(script(name), self.key, (self._clock(), *arguments))
            except StoreLostError:
                if monotonic() - began > _SLOW:
                    self._silent_until = monotonic() + _SLOW
                raise
        self._reckoner.travelled(monotonic() - began)
        try:
            now, _, answer = said.decode().partition("|")
            if self.frozen is None:
                self._reckoner.heard(float(now))
        except (AttributeError, ValueError) as failure:
            raise StoreLostError(_NONSENSE) from failure
        return str(answer)

    def _clock(self) -> str:
        return self._reckoner.text() if self.frozen is None else invented(self.frozen)


def _who(contract: Contract) -> tuple[str, ...]:
    return contract.id, contract.workload, contract.issuer, contract.tier.value


def _pools(contract: Contract) -> str:
    return "\n".join(f"{pool.name}|{pool.in_flight}|{pool.units}|{pool.seconds}" for pool in contract.pools)


def _operations(contract: Contract) -> tuple[str, ...]:
    return tuple(part for grant in contract.grants for part in (grant.operation, "\n".join(grant.prefixes)))


def _standing(said: str) -> Standing:
    """Raises ``ValueError`` for anything else."""
    stopped, *numbers, seconds = said.split("|")
    units, writes, left, writes_left, cap, flying, workload_flying, refused = map(int, numbers)
    return Standing(
        stopped="" if stopped == "active" else stopped,
        units=units,
        writes=writes,
        left=left,
        writes_left=writes_left,
        cap=cap,
        in_flight=flying,
        workload_in_flight=workload_flying,
        refused=refused,
        seconds=float(seconds),
    )


def _event(row: Any) -> Event:
    name, parts = row
    texts = [part.decode(errors="replace") for part in parts]
    fields = dict(zip(texts[::2], texts[1::2], strict=True))
    return Event(name.decode(), fields.pop("event"), fields)
