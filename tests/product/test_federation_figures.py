"""The benchmark of the answers page, tiny: it runs, and what needs no clock is held to what was promised."""

from __future__ import annotations

import pytest

from benchmarks.federation import Size, figures

pytestmark = [pytest.mark.anyio, pytest.mark.lang]


async def test_every_figure_of_the_page_is_measured_and_its_weight_is_within_bounds() -> None:
    """Eis P6."""
    found = await figures(Size(rounds=1, pairs=1, seconds=0.5))
    assert found.keys() >= {
        "first_section_ms_over_fastest_platform",
        "slow_platform_cost_ms",
        "page_kb_compressed",
        "pages_per_second_buffered",
    }
    assert found["page_kb_compressed"] <= 60
    assert found["page_kb_plain"] > found["page_kb_compressed"]
    assert found["pages_per_second_ours"] > 0
