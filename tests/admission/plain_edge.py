"""The edge's decisions written the slow and obvious way, from the choices A2-A5 and A9: lists, loops, no store.

A request is judged in this order: is the store loaded; was the contract revoked, or is it over; was the token revoked; class;
scope; are state changes off; was the proof used; is enough left; are there slots (contract, workload, pools); is the pool dry.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from admission.contracts import MOST_CONTRACTS, Budget, Contract, Pool, Put, PutAnswer, Tier
from admission.edge import Ask, Decision, Reason
from throttling.work import Access

LEASE, PROOF, REMEMBERED = 30, 121, 60
CLOSED_RETRY, FROZEN_RETRY = 5, 300


@dataclass(slots=True)
class Held:
    """One contract."""

    contract: Contract
    granted: Budget
    left: int
    writes_left: int
    ends: float
    revoked: bool = False
    expired: bool = False
    loaded: bool = True


@dataclass(slots=True)
class Charged:
    """What a request cost, as long as it is remembered."""

    ask: Ask
    until: float


@dataclass(slots=True)
class Drawn:
    """What is in a pool at a moment."""

    level: Fraction
    at: float


@dataclass(slots=True)
class PlainEdge:
    """What must come of everything."""

    now: float = 0
    opened: float | None = None
    quiet_until: float = 0
    frozen_writes: bool = False
    held: dict[str, Held] = field(default_factory=dict)
    barred: set[tuple[str, str]] = field(default_factory=set)
    tokens: dict[str, float] = field(default_factory=dict)
    proofs: dict[tuple[str, str], float] = field(default_factory=dict)
    charged: dict[tuple[str, str], Charged] = field(default_factory=dict)
    leases: dict[tuple[str, str], float] = field(default_factory=dict)
    pools: dict[str, Drawn] = field(default_factory=dict)

    def at(self, now: float) -> None:
        """A decision begins; time never goes back."""
        self.now = max(self.now, now)

    # What is the case.

    def flying(self, contract: str) -> int:
        return sum(1 for (of, _), until in self.leases.items() if of == contract and until > self.now)

    def flying_of(self, workload: str) -> int:
        return sum(self.flying(name) for name, one in self.held.items() if one.contract.workload == workload)

    def flying_in(self, pool: str) -> int:
        return sum(self.flying(name) for name, one in self.held.items() if pool in {p.name for p in one.contract.pools})

    def over(self, one: Held | None) -> Reason | None:
        if one is None:
            return Reason.CONTRACT_EXPIRED
        if one.revoked:
            return Reason.CONTRACT_REVOKED
        return Reason.CONTRACT_EXPIRED if one.expired or one.ends <= self.now else None

    def stopped(self, one: Held | None) -> Reason | None:
        if self.opened is None:
            return Reason.ADMISSION_UNAVAILABLE
        over = self.over(one)
        return Reason.ADMISSION_UNAVAILABLE if not over and one and not one.loaded else over

    def level(self, pool: Pool) -> Fraction:
        assert self.opened is not None
        drawn = self.pools.get(pool.name) or Drawn(Fraction(0), self.opened)
        earned = Fraction(self.now - drawn.at) * pool.units / pool.seconds
        return min(drawn.level + earned, Fraction(pool.units))

    # What is done.

    def put(self, contract: Contract) -> Put:
        nothing = Budget(in_flight=0, units=0, writes=0)
        if self.opened is None:
            return Put(PutAnswer.CLOSED, nothing)
        if contract.id in self.held:
            return Put(PutAnswer.THERE, nothing)
        if {("workload", contract.workload), ("issuer", contract.issuer)} & self.barred:
            return Put(PutAnswer.REVOKED, nothing)
        before = [
            one for one in self.held.values() if one.contract.workload == contract.workload and one.ends > self.now
        ]
        if len([one for one in before if not self.over(one)]) >= MOST_CONTRACTS:
            return Put(PutAnswer.MANY, nothing)
        wanted, most = contract.budget, contract.most
        units = min(wanted.units, most.units - sum(one.granted.units for one in before))
        writes = max(min(wanted.writes, most.writes - sum(one.granted.writes for one in before)), 0)
        cap = min(wanted.in_flight, most.in_flight)
        if min(units, cap) < 1:
            return Put(PutAnswer.SPENT, nothing)
        granted = Budget(in_flight=cap, units=units, writes=writes if contract.tier is Tier.FEDERATED else 0)
        ends = self.now + contract.seconds
        self.held[contract.id] = Held(contract, granted, granted.units, granted.writes, ends)
        return Put(PutAnswer.PUT, granted)

    def decide(self, ask: Ask) -> Decision:
        one = self.held.get(ask.contract)
        kept = self.charged.get((ask.contract, ask.request))
        again = kept is not None and kept.until > self.now and self.same(kept.ask, ask)
        reason, wait = self.judge(ask, one, again=again)
        if reason is None:
            assert one is not None
            self.take(ask, one, again=again)
        return Decision(
            reason=reason,
            left=one.left if one else 0,
            writes_left=one.writes_left if one else 0,
            in_flight=self.flying(ask.contract),
            cap=one.granted.in_flight if one else 0,
            retry_after=wait,
            units=one.granted.units if one else 0,
            writes=one.granted.writes if one else 0,
            lease="" if reason else ask.request,
        )

    def judge(  # noqa: PLR0911 - one return a rule
        self, ask: Ask, one: Held | None, *, again: bool
    ) -> tuple[Reason | None, int]:
        stopped = self.stopped(one)
        if stopped or one is None:
            return stopped, CLOSED_RETRY if stopped is Reason.ADMISSION_UNAVAILABLE else 0
        if self.tokens.get(ask.token, 0) > self.now:
            return Reason.TOKEN_INVALID, 0
        write = ask.operation.access is Access.WRITE
        if ask.token_class is not ask.operation.access or (write and one.contract.tier is not Tier.FEDERATED):
            return Reason.CLASS_MISMATCH, 0
        if ask.operation.id != "mcp" and not any(
            grant.operation == ask.operation.id and below(ask, grant.prefixes) for grant in one.contract.grants
        ):
            return Reason.OUT_OF_SCOPE, 0
        if write and self.frozen_writes:
            return Reason.ADMISSION_UNAVAILABLE, FROZEN_RETRY
        if write and self.quiet_until > self.now:
            return Reason.ADMISSION_UNAVAILABLE, ceil(self.quiet_until - self.now)
        if ask.barred:
            return ask.barred, 0
        return self.judge_budget(ask, one, again=again)

    def judge_budget(  # noqa: PLR0911 - one return a rule
        self, ask: Ask, one: Held, *, again: bool
    ) -> tuple[Reason | None, int]:
        if not again and self.used_before(ask):
            return Reason.PROOF_INVALID, 0
        write = ask.operation.access is Access.WRITE
        if not again and (ask.cost > one.left or (write and one.writes_left < 1)):
            return Reason.QUOTA_EXHAUSTED, 0
        if again and self.leases.get((ask.contract, ask.request), 0) > self.now:
            return None, 0
        contract = one.contract
        if self.flying(contract.id) >= one.granted.in_flight:
            return Reason.IN_FLIGHT_EXCEEDED, 1
        if self.flying_of(contract.workload) >= contract.most.in_flight:
            return Reason.IN_FLIGHT_EXCEEDED, 1
        for pool in contract.pools:
            if self.flying_in(pool.name) >= pool.in_flight:
                return Reason.PUBLIC_LIMIT, 1
        for pool in contract.pools if not again else ():
            if self.level(pool) < ask.cost:
                return Reason.PUBLIC_LIMIT, ceil((ask.cost - self.level(pool)) * pool.seconds / pool.units)
        return None, 0

    def used_before(self, ask: Ask) -> bool:
        kept = self.charged.get((ask.contract, ask.request))
        if kept is not None and kept.until > self.now:
            return True
        return self.proofs.get((ask.contract, ask.proof), 0) > self.now

    def same(self, one: Ask, other: Ask) -> bool:
        return (one.operation, one.proof) == (other.operation, other.proof)

    def take(self, ask: Ask, one: Held, *, again: bool) -> None:
        place = (ask.contract, ask.request)
        if not again:
            one.left -= ask.cost
            one.writes_left -= ask.operation.access is Access.WRITE
            self.proofs[ask.contract, ask.proof] = self.now + PROOF
            self.charged[place] = Charged(ask, self.now + REMEMBERED)
            for pool in one.contract.pools:
                self.pools[pool.name] = Drawn(self.level(pool) - ask.cost, self.now)
        if not (again and self.leases.get(place, 0) > self.now):
            self.leases[place] = self.now + LEASE

    def renew(self, contract: str, lease: str) -> str:
        stopped = self.stopped(self.held.get(contract))
        if stopped:
            return stopped.value
        if self.leases.get((contract, lease), 0) <= self.now:
            return "lost"
        self.leases[contract, lease] = self.now + LEASE
        return ""

    def release(self, contract: str, lease: str, *, not_reached: bool) -> bool:
        self.leases.pop((contract, lease), None)
        kept = self.charged.pop((contract, lease), None) if not_reached else None
        one = self.held.get(contract)
        if kept is None or one is None or kept.until <= self.now:
            return False
        one.left += kept.ask.cost
        one.writes_left += kept.ask.operation.access is Access.WRITE
        return True

    def revoke(self, what: str, name: str, seconds: float = 0) -> None:
        if what == "token":
            self.tokens[name] = self.now + seconds
        elif what == "writes":
            self.frozen_writes = True
        elif what == "contract":
            if name in self.held:
                self.held[name].revoked = True
        else:
            self.barred.add((what, name))
            for one in self.held.values():
                if getattr(one.contract, what) == name:
                    one.revoked = True

    def lift(self, what: str, name: str) -> None:
        if what == "writes":
            self.frozen_writes = False
        self.barred.discard((what, name))

    def expire(self) -> int:
        found = [one for one in self.held.values() if one.ends <= self.now and not one.expired]
        for one in found:
            one.expired = True
        return len(found)

    def lose(self, *, whole: bool) -> None:
        """The store was started again; ``whole``: it kept nothing."""
        self.opened = None
        for one in self.held.values():
            one.loaded = False
        if whole:
            self.proofs.clear()
            self.charged.clear()
            self.leases.clear()
            self.pools.clear()

    def load(self, contract: str, left: int, writes_left: int) -> None:
        one = self.held[contract]
        one.loaded, one.left, one.writes_left = True, left, writes_left

    def open(self, quiet: float) -> None:
        self.opened, self.quiet_until = self.now, self.now + quiet


def below(ask: Ask, prefixes: tuple[str, ...]) -> bool:
    """Whether a resource is a granted address, or lies below one."""
    parts = ask.resource.split("/")
    return not prefixes or any(
        parts[: len(wanted)] == wanted for wanted in (prefix.rstrip("/").split("/") for prefix in prefixes)
    )
