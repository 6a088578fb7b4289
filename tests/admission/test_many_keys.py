"""Whoever makes more identities gets no more (attack 13 of the study)."""

from __future__ import annotations

import pytest

from admission.contracts import Tier
from admission.tiers import AD_HOC_ALL, AD_HOC_ISSUER, RULES, pools
from tests.admission.asking import agreed, opened, search
from tests.support.valkey import Valkey
from throttling.store import Store

pytestmark = pytest.mark.anyio
RULE = RULES[Tier.AD_HOC]


@pytest.mark.parametrize("networks", [1, 500])
async def test_five_hundred_keys_have_together_what_their_pools_have(valkey: Valkey, networks: int) -> None:
    """Attack 13: from one network, and each from a network of its own."""
    async with Store(valkey.address) as store:
        ledger = await opened(store, now=1_000_000.0)
        ledger.frozen = 1_000_000.0 + 10 * AD_HOC_ALL.seconds
        allowed = 0
        for number in range(500):
            name = f"c{number}"
            contract = agreed(
                name,
                workload=f"jkt:{number}",
                issuer=AD_HOC_ISSUER,
                tier=Tier.AD_HOC,
                most=RULE.most,
                pools=pools(Tier.AD_HOC, AD_HOC_ISSUER, (f"net:{number % networks}",), RULE),
            )
            assert (await ledger.put(contract)).answer == "put"
            for _ in range(2):
                decision = await ledger.decide(search(name))
                allowed += decision.allowed
                if decision.allowed:
                    await ledger.release(name, decision.lease)
        assert allowed == (RULE.shared.units if networks == 1 else AD_HOC_ALL.units)
