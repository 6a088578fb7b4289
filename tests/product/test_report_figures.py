"""The benchmark of reports, tiny: it runs, nothing gets lost, and what needs no clock is held to what was promised."""

from __future__ import annotations

import pytest

from benchmarks.private_postgres import is_installed
from benchmarks.reports import Size, figures

pytestmark = [pytest.mark.anyio, pytest.mark.lang]


async def test_no_report_is_lost_or_made_twice_and_every_figure_is_measured() -> None:
    found = await figures(Size(pairs=1, seconds=4.0, reports=3))
    assert found.keys() >= {"search_p95_ratio", "search_p95_ms_buffered", "urgent_write_ms_max"}
    assert (found["lost"], found["duplicate_runs"]) == (0, 0)
    assert found["reports_made"] + found["reports_refused"] == 4
    assert found["estimate_within"] >= 0.9
    if is_installed():
        assert found["reserved_taken"] == 0
        assert found["report_connections_most"] <= found["report_connections"]
    else:
        assert "reserved_taken" not in found
