"""An application that a benchmark measures has all it needs, and one that fails meanwhile gives no figure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from mcp import Client

from benchmarks.incoming import figures
from benchmarks.incoming_sdk import APPLICATIONS, rate, request, serving
from benchmarks.mcp_apps import STORE
from benchmarks.prepared import FailuresLoggedError, failures, prepare
from tests.support.valkey import Valkey

pytestmark = pytest.mark.anyio
_REQUEST = request("2026-07-28")


async def test_what_is_measured_runs_on_a_prepared_folder_and_logs_no_failure(store: Valkey, tmp_path: Path) -> None:
    made = await prepare(tmp_path)
    async with serving("ours", {**made, STORE: store.address}) as port:
        assert await rate(port, [_REQUEST]) > 0


async def test_an_application_without_its_database_gives_no_figure(store: Valkey, tmp_path: Path) -> None:
    with pytest.raises(FailuresLoggedError, match=r"^ours logged failures: .*database_lost"):
        async with serving("ours", {STORE: store.address, "BESLUITBRON_DATA": str(tmp_path)}) as port:
            assert await rate(port, [_REQUEST]) > 0


async def test_the_sdk_lists_the_tools_that_ours_lists(store: Valkey, tmp_path: Path) -> None:
    """All are measured by the same list, or a figure would say nothing."""
    made = {**await prepare(tmp_path), STORE: store.address}
    ours, *others = [await _tools(name, made) for name in APPLICATIONS]
    assert len(ours) > 8
    assert others == [ours, ours]


async def _tools(name: str, environment: Mapping[str, str]) -> list[str]:
    """The names of the tools that an application lists."""
    async with serving(name, environment) as port, Client(f"http://127.0.0.1:{port}/mcp/unified/v1") as client:
        return [tool.name for tool in (await client.list_tools()).tools]


def test_a_warning_a_traceback_and_a_bare_line_are_failures_and_news_is_none() -> None:
    news, warning = '{"event": "a", "level": "info"}', '{"event": "b", "level": "warning"}'
    assert failures(f"{news}\n\n{warning}\nTraceback (most recent call last):\n[1]\n") == (
        warning,
        "Traceback (most recent call last):",
        "[1]",
    )
    assert failures(f"{news}\n") == ()


@pytest.mark.lang
async def test_the_figures_are_met() -> None:
    """What one decision costs is measured too, but held to nothing here: that is a matter of a quiet machine."""
    found = await figures()
    assert found["three_limits_over_one_gcra"] > 0
    for peer in ("bare_sdk", "prepared_sdk"):
        assert found[f"tools_list_over_{peer}"] >= 0.80
        assert found[f"tools_list_over_{peer}_older"] >= 0.90
    assert found["flood_share_lost_by_calm_client"] <= 0.05
    assert found["flood_sent_per_second"] > found["flood_passed_per_second"] > 0
    assert found["over_limit_passed"] == 0
