"""The stand-in's bucket against the published price list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from connectors.openbesluitvorming.standin_bucket import Buckets, cost, is_counted

COSTS = json.loads((Path(__file__).parents[2] / "samples/openbesluitvorming/rate_limit_costs.json").read_text())


@pytest.mark.parametrize(("limit", "units"), COSTS["newest_model"]["examples"].items())
def test_a_search_costs_what_the_price_list_says(limit: str, units: float) -> None:
    assert cost("/api/search", limit.removeprefix("limit=")) == pytest.approx(units * 1_000)


@pytest.mark.parametrize("limit", [None, "", "0", "-5", "veel", "1e3"])
def test_a_search_without_a_usable_limit_costs_one(limit: str | None) -> None:
    assert cost("/api/search", limit) == 1_000


def test_other_calls_cost_one_and_a_page_picture_an_eighth() -> None:
    assert cost("/api/entities/x", "100") == 1_000
    assert cost("/api/entities/x/pdf", None) == 1_000
    assert cost("/api/entities/x/pdf/page/12", None) == 125


def test_only_public_calls_are_counted() -> None:
    assert is_counted("/api/stats")
    assert not any(is_counted(path) for path in ("/api/admin/x", "/api/ops/x", "/docs", "/"))


def test_a_refusal_takes_nothing_and_tells_when_the_call_fits() -> None:
    now = [0.0]
    buckets = Buckets(lambda: now[0])
    granted = [buckets.charge("a", 1_304).granted for _ in range(60)]
    assert granted == [True] * 46 + [False] * 14
    refused = buckets.charge("a", 1_304)
    assert (refused.remaining, refused.reset, refused.retry_after) == (0, 60, 2)
    now[0] = 2.0
    assert buckets.charge("a", 1_304).granted


def test_it_never_holds_more_than_its_capacity() -> None:
    now = [0.0]
    buckets = Buckets(lambda: now[0])
    buckets.charge("a", 1_000)
    now[0] = 100.0
    charge = buckets.charge("a", 1_000)
    assert (charge.remaining, charge.reset) == (59, 1)


def test_an_idle_bucket_is_swept_and_comes_back_full() -> None:
    now = [0.0]
    buckets = Buckets(lambda: now[0])
    buckets.charge("a", 60_000)
    now[0] = 121.0
    buckets.charge("b", 1_000)
    assert set(buckets._levels) == {"b"}
    assert buckets.charge("a", 60_000).granted
