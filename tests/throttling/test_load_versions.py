"""While one version follows another, processes of both decide about one state: none fails on what the other left there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from hashlib import sha1

import pytest

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.days import MINUTE, Day, rules
from throttling.load import AskState, LoadGate, Reason
from throttling.store import Store

pytestmark = pytest.mark.anyio


class OtherVersion(Store):
    """A store as a process of another version has it: ``changed`` are its words in the place of ours."""

    changed: tuple[tuple[str, str], ...] = ()

    def script(self, name: str) -> tuple[str, str]:
        text, _ = super().script(name)
        for ours, theirs in self.changed:
            assert ours in text
            text = text.replace(ours, theirs)
        return text, sha1(text.encode(), usedforsecurity=False).hexdigest()


@pytest.fixture
async def store(valkey: Valkey) -> AsyncIterator[Store]:
    async with Store(valkey.address, PATIENCE) as opened:
        yield opened


@pytest.fixture
async def other(valkey: Valkey) -> AsyncIterator[OtherVersion]:
    async with OtherVersion(valkey.address, PATIENCE) as opened:
        yield opened


def beside(day: Day, other: OtherVersion) -> LoadGate:
    """The gate of ``day`` as a process of the other version has it, at the same moment."""
    found = LoadGate(other, day.gate.rules)
    found.key, found.frozen = day.gate.key, day.gate.frozen
    return found


async def test_a_reason_of_another_version_is_read_as_not_known_here_and_counted_so(
    store: Store, other: OtherVersion
) -> None:
    other.changed = (("'geen-werker' or 'wacht'", "'geen-werker' or 'te-warm'"),)
    day = Day(store, rules(longest_wait=10.0 * MINUTE, pace=6.0))
    await day.ask("a")
    waits = await day.ask("b")
    day.later(10 * MINUTE)
    await beside(day, other).overview()
    seen = await day.see(waits.ask)
    assert (seen.state, seen.reason) == (AskState.REFUSED, Reason.UNKNOWN)
    overview, _ = await day.gate.overview()
    assert overview.late == overview.late_ever == {Reason.UNKNOWN: 1}


async def test_a_refusal_of_which_another_version_says_only_that_it_was_is_counted_without_why(
    store: Store, other: OtherVersion
) -> None:
    """It knows the sums alone."""
    other.changed = (("ipairs({ S, own })", "ipairs({ S })"), ("S.why[why] = own", ""))
    day = Day(store, rules(longest_wait=10.0 * MINUTE, pace=6.0))
    await day.ask("a")
    for by, gate in (("b", day.gate), ("c", beside(day, other))):
        await day.ask(by)
        day.later(10 * MINUTE)
        gate.frozen = day.gate.frozen
        await gate.overview()
    overview, _ = await day.gate.overview()
    assert overview.late == overview.late_ever == {Reason.WAIT: 1, Reason.UNKNOWN: 1}
    day.later(61 * MINUTE)
    overview, _ = await day.gate.overview()
    assert (overview.late, overview.late_ever) == ({}, {Reason.WAIT: 1, Reason.UNKNOWN: 1})
