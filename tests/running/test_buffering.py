"""The settings of the buffer: their defaults, and that nonsense is refused by name before anything starts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from besluitbron.running.breaking import BreakerOptions
from besluitbron.running.buffering import read_buffer_options
from besluitbron.running.faults import OptionsError
from besluitbron.running.options import read_options
from connectors.buffering.rules import MEGABYTE, Lifetimes
from connectors.platforms import PLATFORMS


@pytest.mark.parametrize("environment", [{}, {"BESLUITBRON_BUFFER_MB": "", "BESLUITBRON_BUFFER_TEXT_DAYS": ""}])
def test_by_itself_each_platform_has_the_same_share_and_each_kind_its_time(environment: dict[str, str]) -> None:
    options = read_buffer_options(environment)
    assert options.shares == {platform.key: 60 * MEGABYTE for platform in PLATFORMS}
    assert options.lifetimes == Lifetimes(
        lists=timedelta(days=60),
        searches=timedelta(minutes=30),
        texts=timedelta(weeks=4),
        recheck=timedelta(weeks=1),
        gone=timedelta(days=1),
    )
    assert options.patience == 0.25


def test_everything_can_be_set_and_every_part_of_a_run_is_told_the_same() -> None:
    given = {
        "BESLUITBRON_BUFFER_MB": "10, rechtspraak=90 ,opentk=5",
        "BESLUITBRON_BUFFER_LIST_DAYS": "1",
        "BESLUITBRON_BUFFER_SEARCH_MINUTES": "2",
        "BESLUITBRON_BUFFER_TEXT_DAYS": "3",
        "BESLUITBRON_BUFFER_RECHECK_DAYS": "4",
        "BESLUITBRON_BUFFER_GONE_HOURS": "5",
        "BESLUITBRON_BUFFER_WAIT_MS": "60",
    }
    options = read_buffer_options(given)
    assert {key: share // MEGABYTE for key, share in options.shares.items()} == {
        **{platform.key: 10 for platform in PLATFORMS},
        "rechtspraak": 90,
        "opentk": 5,
    }
    lives = options.lifetimes
    assert (lives.lists.days, lives.searches, lives.texts.days) == (1, timedelta(minutes=2), 3)
    assert (lives.recheck.days, lives.gone, options.patience) == (4, timedelta(hours=5), 0.06)
    assert read_options(read_options(given).environment()).buffer == options


@pytest.mark.parametrize("value", ["0", "-1", "veel", "1.5", "²", "1e3", "9999999999999"])
@pytest.mark.parametrize(
    "name", ["BESLUITBRON_BUFFER_TEXT_DAYS", "BESLUITBRON_BUFFER_WAIT_MS", "BESLUITBRON_BUFFER_MB"]
)
def test_a_number_that_is_none_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(OptionsError, match=f"{name} is '{value}'"):
        read_options({name: value})


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("rechtspraken=5", "noemt 'rechtspraken', maar die bron bestaat niet"),
        ("rechtspraak=0", "is '0'"),
        ("rechtspraak=", "is ''"),
        ("=5", "noemt ''"),
        ("5,rechtspraak=460", "samen 490 MB, en er is 448 MB"),
        ("65", "samen 455 MB"),
    ],
)
def test_a_share_that_cannot_be_is_refused_by_name(value: str, complaint: str) -> None:
    with pytest.raises(OptionsError, match=f"BESLUITBRON_BUFFER_MB .*{complaint}"):
        read_options({"BESLUITBRON_BUFFER_MB": value})


def test_a_service_is_left_alone_after_as_many_failures_and_for_as_long_as_was_set() -> None:
    assert read_options({}).breaker == BreakerOptions(failures=5, seconds=30)
    options = read_options({"BESLUITBRON_BREAKER_FAILURES": "2", "BESLUITBRON_BREAKER_SECONDS": "7"})
    assert options.breaker == BreakerOptions(failures=2, seconds=7)
    assert read_options(options.environment()) == options
