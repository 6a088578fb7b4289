"""The edge's decisions: the scripts beside a plain model, in a real store, in any order of what may happen.

Attacks 1, 11, 12, 16, 17 and 21 of the study behind the design page: replays, races, crashes, revocation, a lost store.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from admission.contracts import Budget, Grant, Loaded, Pool, Stop, Tier
from admission.edge import Ask, Reason
from admission.ledger import Ledger
from admission.operations import PROTOCOL, UNKNOWN
from tests.admission.asking import MOST, agreed, order, search
from tests.admission.plain_edge import Held, PlainEdge
from tests.support.valkey import PATIENCE, Valkey
from throttling.store import Store
from throttling.work import Access

START = 1_790_000_000.0
_NUMBERS = itertools.count()
DECISIONS = ("allow", "deny", "throttle")
POOL = Pool("gedeeld", 3, 6, 60)
workloads = st.sampled_from(("a#1", "a#2", "b#1"))
budgets = st.builds(Budget, in_flight=st.integers(0, 3), units=st.integers(0, 20), writes=st.integers(0, 3))
tokens = st.sampled_from(("t1", "t2"))
asks = st.one_of(
    st.just(search),
    st.just(search),
    st.just(order),
    st.just(search),
    st.just(order),
    st.just(lambda **given: search(**given, resource="/zoeken/stroom")),
    st.just(lambda **given: search(**given, resource="/zoekenx")),
    st.just(lambda **given: order(**given, token_class=Access.READ)),
    st.just(lambda **given: order(**given, operation=UNKNOWN)),
    st.just(lambda **given: search(**given, operation=PROTOCOL, resource="/mcp/unified/v1")),
    st.just(lambda **given: order(**given, barred=Reason.APPROVAL_REQUIRED)),
)


class Machine(RuleBasedStateMachine):
    """Two processes at one store, and the model, which are told the same."""

    address = ""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.store = Store(self.address, PATIENCE)
        self.do(self.store.__aenter__())
        name = f"m{next(_NUMBERS)}"
        self.ledgers = [Ledger(self.store, name=name), Ledger(self.store, name=name)]
        self.plain = PlainEdge()
        self.now = START
        self.past: list[Ask] = []
        self.spent: Counter[str] = Counter()
        self.wrote: Counter[str] = Counter()
        self.decisions = 0
        self.revoked: set[str] = set()
        self.checkpoint: dict[str, tuple[int, int]] = {}
        self.stopped_since: set[str] = set()
        self.agreed = 0
        self.lost = 0
        self.whole = False
        self.counted = 0
        self.after = ""

    def teardown(self) -> None:
        self.do(self.store.__aexit__(None, None, None))
        self.runner.close()

    def do(self, what: Any) -> Any:
        return self.runner.run(what)

    @property
    def ledger(self) -> Ledger:
        self.ledgers.reverse()
        self.ledgers[0].frozen = self.now
        self.plain.at(self.now)
        return self.ledgers[0]

    @initialize(
        quiet=st.sampled_from((0.0, 0.0, 40.0)), tier=st.sampled_from((Tier.FEDERATED, Tier.FEDERATED, Tier.AD_HOC))
    )
    def begin(self, quiet: float, tier: Tier) -> None:
        assert self.do(self.ledger.open(quiet))
        self.plain.open(quiet)
        for workload, budget in (
            ("a#1", Budget(in_flight=2, units=12, writes=2)),
            ("b#1", Budget(in_flight=4, units=15, writes=1)),
        ):
            self.a_contract_is_agreed(workload, tier, budget, MOST, 3600.0, narrow=False)

    @rule(seconds=st.sampled_from((1.0, 10.0, 29.0, 31.0, 61.0, 121.0)))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(seconds=st.sampled_from((1.0, 40.0, 90.0)))
    def the_clock_is_set_back(self, seconds: float) -> None:
        self.now -= seconds

    @precondition(lambda self: self.plain.opened is not None)
    @rule(
        workload=workloads,
        tier=st.sampled_from((Tier.FEDERATED, Tier.FEDERATED, Tier.AD_HOC)),
        budget=budgets,
        most=st.sampled_from((Budget(in_flight=2, units=20, writes=3), Budget(in_flight=4, units=9, writes=1))),
        seconds=st.sampled_from((30.0, 3600.0, 86_400.0)),
        narrow=st.booleans(),
    )
    def a_contract_is_agreed(
        self, workload: str, tier: Tier, budget: Budget, most: Budget, seconds: float, *, narrow: bool
    ) -> None:
        other: dict[str, Any] = {"grants": (Grant("zoeken"),)} if narrow else {}
        self.agreed += 1
        contract = agreed(
            f"c{self.agreed}",
            workload=workload,
            issuer=workload[0],
            tier=tier,
            budget=budget,
            most=most,
            seconds=seconds,
            pools=(POOL,) if tier is Tier.AD_HOC else (),
            **other,
        )
        said = self.do(self.ledger.put(contract))
        assert said == self.plain.put(contract)

    def pick(self, number: int) -> str:
        names = list(self.plain.held)
        return names[number % len(names)] if names else "onbekend"

    def decide(self, ask: Ask) -> None:
        decision = self.do(self.ledger.decide(ask))
        charged_before = self.plain.charged.get((ask.contract, ask.request))
        expected = self.plain.decide(ask)
        held = self.plain.held.get(ask.contract)
        # What a store that was lost says is left, nobody may rely on: before it is open, and of what ended meanwhile.
        if self.plain.opened is None or (held is not None and not held.loaded):
            expected = replace(expected, left=decision.left, writes_left=decision.writes_left)
            expected = replace(expected, in_flight=decision.in_flight, cap=decision.cap)
            expected = replace(expected, units=decision.units, writes=decision.writes)
        assert decision == expected
        if decision.allowed:
            assert ask.contract not in self.revoked
        again = charged_before is not None and charged_before is self.plain.charged.get((ask.contract, ask.request))
        if decision.allowed and not again:
            self.spent[ask.contract] += ask.cost
            self.wrote[ask.contract] += ask.operation.access is Access.WRITE
        self.decisions += not (decision.allowed and again)

    @rule(
        number=st.integers(0, 5),
        some=st.lists(st.tuples(asks, tokens, st.integers(1, 4)), min_size=1, max_size=8),
        ends=st.booleans(),
    )
    def requests_come(self, number: int, some: list[tuple[Any, str, int]], *, ends: bool) -> None:
        for turn, (make, token, cost) in enumerate(some):
            if turn and self.plain.opened is None:
                self.all_is_loaded_again(0, 0.0)
            ask = make(contract=self.pick(number), token=token, cost=cost)
            self.past.append(ask)
            self.decide(ask)
            if ends:
                self.a_call_ends(0, not_reached=False)

    @precondition(lambda self: self.past)
    @rule(number=st.integers(0, 3), how=st.sampled_from(("same", "other proof", "other request", "other contract")))
    def a_request_comes_again(self, number: int, how: str) -> None:
        ask = self.past[-1 - number % len(self.past)]
        other = {
            "same": ask,
            "other proof": replace(ask, proof="anders"),
            "other request": replace(ask, request=f"{ask.request}x"),
            "other contract": replace(ask, contract=self.pick(number)),
        }
        self.decide(other[how])

    @precondition(lambda self: self.past)
    @rule(number=st.integers(0, 5))
    def a_call_goes_on(self, number: int) -> None:
        ask = self.past[-1 - number % len(self.past)]
        said = self.do(self.ledger.renew([(ask.contract, ask.request)]))
        assert said == (self.plain.renew(ask.contract, ask.request),)

    @precondition(lambda self: self.past)
    @rule(number=st.integers(0, 5), not_reached=st.booleans())
    def a_call_ends(self, number: int, *, not_reached: bool) -> None:
        ask = self.past[-1 - number % len(self.past)]
        kept = self.plain.charged.get((ask.contract, ask.request))
        refunded = self.do(self.ledger.release(ask.contract, ask.request, not_reached=not_reached))
        assert refunded == self.plain.release(ask.contract, ask.request, not_reached=not_reached)
        if refunded:
            assert kept is not None
            self.spent[ask.contract] -= kept.ask.cost
            self.wrote[ask.contract] -= kept.ask.operation.access is Access.WRITE

    @precondition(lambda self: len(self.past) > 3)
    @rule(number=st.integers(0, 5), what=st.sampled_from(Stop), token=tokens)
    def something_is_stopped(self, number: int, what: Stop, token: str) -> None:
        one = self.plain.held.get(self.pick(number))
        names = {Stop.TOKEN: token, Stop.WRITES: ""}
        if one is not None:
            contract = one.contract
            names |= {Stop.CONTRACT: contract.id, Stop.WORKLOAD: contract.workload, Stop.ISSUER: contract.issuer}
        if what in names:
            self.do(self.ledger.revoke(what, names[what], seconds=300))
            self.plain.revoke(what.value, names[what], 300)
            if what is Stop.CONTRACT:
                self.stopped_since.add(names[what])  # a row that was read before says nothing of it
            self.revoked = {name for name, held in self.plain.held.items() if held.revoked}

    @rule(what=st.sampled_from((Stop.WORKLOAD, Stop.ISSUER, Stop.WRITES)), workload=workloads)
    def something_may_come_again(self, what: Stop, workload: str) -> None:
        name = {Stop.WORKLOAD: workload, Stop.ISSUER: workload[0]}.get(what, "")
        self.do(self.ledger.lift(what, name))
        self.plain.lift(what.value, name)

    @precondition(lambda self: self.plain.opened is not None)
    @rule()
    def what_ended_is_put_away(self) -> None:
        assert self.do(self.ledger.expire()) == self.plain.expire()

    @rule()
    def the_database_takes_a_checkpoint(self) -> None:
        if self.plain.opened is not None:
            self.checkpoint = {name: (one.left, one.writes_left) for name, one in self.plain.held.items()}

    @precondition(lambda self: self.plain.opened is not None and len(self.past) > 5)
    @rule(whole=st.booleans(), lost=st.integers(0, 3))
    def the_store_is_lost(self, lost: int, *, whole: bool) -> None:
        """It comes back with nothing, or as another run that misses the last so many units."""
        self.past.clear()
        self.stopped_since, self.whole, self.lost = set(), whole, lost
        self.do(self.lose(whole=whole, lost=lost))
        self.plain.lose(whole=whole)
        # Time goes on by the callers' own clocks, whatever the store forgot.
        self.now = self.plain.now
        assert self.do(self.ledger.look("onbekend")) is None

    async def lose(self, *, whole: bool, lost: int) -> None:
        redis, key = self.store._open(), self.ledgers[0].key
        if whole:
            await self.seen()
            await redis.delete(*await redis.keys(f"{key}*"))
            self.after = ""
            return
        await redis.hset(f"{key}stand:", "run", "een-andere")
        for name in self.plain.held:
            await redis.hset(f"{key}c:{name}", "run", "een-andere")
            await redis.hincrby(f"{key}c:{name}", "left", lost)

    @precondition(lambda self: self.plain.opened is None)
    @rule(extra=st.integers(0, 2), quiet=st.sampled_from((0.0, 60.0)))
    def all_is_loaded_again(self, extra: int, quiet: float) -> None:
        for what, name in sorted(self.plain.barred):
            self.do(self.ledger.revoke(Stop(what), name))
        for token, until in self.plain.tokens.items():
            if until > self.plain.now:
                self.do(self.ledger.revoke(Stop.TOKEN, token, seconds=until - self.plain.now))
        if self.plain.frozen_writes:
            self.do(self.ledger.revoke(Stop.WRITES))
        else:
            self.do(self.ledger.lift(Stop.WRITES))
        for name, one in list(self.plain.held.items()):
            if one.ends > self.plain.now:
                self.load(name, one, extra)
            elif self.whole:
                del self.plain.held[name]
        assert self.do(self.ledger.open(quiet))
        self.plain.open(quiet)

    def load(self, name: str, one: Held, extra: int) -> None:
        left, writes = self.checkpoint.get(name, (one.granted.units, one.granted.writes))
        margin, writes_margin = max(left - one.left, self.lost) + extra, max(writes - one.writes_left, 0)
        contract = replace(one.contract, seconds=one.ends - self.plain.now, budget=one.granted)
        row = Loaded(
            contract=contract,
            left=left,
            writes_left=writes,
            margin=margin,
            writes_margin=writes_margin,
            revoked=one.revoked and name not in self.stopped_since,
        )
        self.do(self.ledger.load([row]))
        known = (left, writes) if self.whole else (min(left, one.left + self.lost), min(writes, one.writes_left))
        self.plain.load(name, max(known[0] - margin, 0), max(known[1] - writes_margin, 0))

    async def seen(self) -> None:
        for event in await self.ledgers[0].events(self.after, 100_000):
            self.counted += event.kind in DECISIONS
            self.after = event.id

    @invariant()
    def no_more_is_used_than_was_granted_and_no_more_is_under_way_than_may_be(self) -> None:
        for name, one in self.plain.held.items():
            assert self.spent[name] <= one.granted.units
            assert self.wrote[name] <= one.granted.writes
            standing = self.do(self.ledger.look(name))
            if standing is None or not one.loaded:
                continue
            assert (standing.left, standing.writes_left) == (one.left, one.writes_left)
            assert standing.in_flight == self.plain.flying(name) <= one.granted.in_flight
            workload = one.contract.workload
            whole = [held.contract for held in self.plain.held.values() if held.contract.workload == workload]
            assert standing.workload_in_flight == self.plain.flying_of(workload)
            assert standing.workload_in_flight <= max(contract.most.in_flight for contract in whole)
            assert (standing.stopped or None) == self.plain.stopped(one)

    @invariant()
    def every_decision_left_one_event(self) -> None:
        self.do(self.seen())
        assert self.counted == self.decisions


def test_the_scripts_decide_as_the_rules_say_in_any_interleaving(valkey: Valkey) -> None:
    settled = settings(stateful_step_count=40, max_examples=settings().max_examples * 3)
    here = type("Here", (Machine,), {"address": valkey.address})
    run_state_machine_as_test(here, settings=settled)
