"""The load runs: what the limits cost and what they are good for, held to what was promised (``docs/naslag/cijfers.md``)."""

from __future__ import annotations

import pytest

from benchmarks.incoming import figures

pytestmark = [pytest.mark.anyio, pytest.mark.lang]


async def test_the_limits_cost_little_and_a_flood_takes_nothing_from_others() -> None:
    """Ratios of runs that take turns and counts, no durations: a busy machine touches both sides alike."""
    found = await figures()
    assert found["over_limit_passed"] == 0
    assert found["flood_share_lost_by_calm_client"] <= 0.05
    assert found["flood_passed_per_second"] < found["flood_sent_per_second"]
    assert found["three_limits_over_one_gcra"] <= 1.5
    assert found["tools_list_over_bare_sdk"] >= 0.80
    assert found["tools_list_over_bare_sdk_older"] >= 0.90
