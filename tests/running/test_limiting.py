"""The settings of the limits: what they change in the rules of each queue, and that nonsense is refused by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from besluitbron.limits import LimitOptions, queue_rules
from besluitbron.running.faults import OptionsError
from besluitbron.running.limiting import read_limit_options
from besluitbron.running.options import read_options
from connectors.platforms import PLATFORMS
from throttling.limits import SlidingWindow, TokenBucket
from throttling.rules import QueueRules

USUAL = queue_rules(PLATFORMS, LimitOptions())


def rules(**environment: str) -> dict[str, QueueRules]:
    """The rules that differ from the usual ones."""
    given = {f"BESLUITBRON_LIMIET_{name}": value for name, value in environment.items()}
    return {name: one for name, one in queue_rules(PLATFORMS, read_limit_options(given)).items() if one != USUAL[name]}


def test_every_service_has_a_queue_that_keeps_what_we_know_of_it() -> None:
    assert list(USUAL) == [f"{platform.key}/{service.key}" for platform in PLATFORMS for service in platform.services]
    for platform in PLATFORMS:
        for service in platform.services:
            kept = USUAL[f"{platform.key}/{service.key}"]
            assert (kept.limit, kept.in_flight) == (service.limit, service.in_flight)
            assert kept.deadline == platform.deadline
            assert (kept.spaced, kept.most_of_session, kept.most) == (True, 200, 2000)


def test_units_of_one_service_can_be_set_in_its_own_time_or_in_another() -> None:
    changed = rules(EENHEDEN="rechtspraak/zoeken=30, officiele-bekendmakingen/bestanden=10/5 ,")
    assert {name: one.limit for name, one in changed.items()} == {
        "rechtspraak/zoeken": SlidingWindow(30, 60),
        "officiele-bekendmakingen/bestanden": SlidingWindow(10, 5),
    }


def test_a_platform_without_a_service_means_all_of_them() -> None:
    changed = rules(TEGELIJK="rechtspraak=1")
    assert {name: one.in_flight for name, one in changed.items()} == {
        "rechtspraak/zoeken": 1,
        "rechtspraak/open-data": 1,
    }


def test_a_service_without_a_known_limit_can_be_given_one() -> None:
    assert rules(EENHEDEN="tweede-kamer=90")["tweede-kamer/odata"].limit == SlidingWindow(90, 60)


def test_a_bucket_that_is_lowered_refills_slower_too() -> None:
    assert rules(EENHEDEN="openbesluitvorming=30")["openbesluitvorming/api"].limit == TokenBucket(30, 0.5)
    assert rules(EENHEDEN="openbesluitvorming=30/60")["openbesluitvorming/api"].limit == TokenBucket(30, 0.5)
    assert rules(EENHEDEN="openbesluitvorming=60/120")["openbesluitvorming/api"].limit == TokenBucket(60, 0.5)


def test_spreading_and_how_many_may_wait_hold_for_every_queue() -> None:
    changed = rules(SPREIDEN="nee", WACHTEND_PER_VRAGER="20", WACHTEND="500")
    wanted = {"spaced": False, "most_of_session": 20, "most": 500}
    assert changed == {name: replace(one, **wanted) for name, one in USUAL.items()}  # type: ignore[arg-type]  # by name


def test_every_part_of_a_run_keeps_the_same_limits() -> None:
    given = {"BESLUITBRON_LIMIET_EENHEDEN": "rechtspraak=30", "BESLUITBRON_LIMIET_SPREIDEN": "nee"}
    options = read_options(given)
    assert options.limits == read_limit_options(given)
    assert read_options(options.environment()).limits == options.limits
    assert read_limit_options({"BESLUITBRON_LIMIET_EENHEDEN": " "}) == LimitOptions()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("EENHEDEN", "rechtspraak=0", r"'0', maar moet een heel getal zijn vanaf 1"),
        ("EENHEDEN", "rechtspraak=-3", "'-3'"),
        ("EENHEDEN", "rechtspraak=veel", "'veel'"),
        ("EENHEDEN", "rechtspraak=1.5", "'1.5'"),
        ("EENHEDEN", "rechtspraak=30/0", "'30/0'"),
        ("EENHEDEN", "rechtspraak=30/99999", "'30/99999'"),
        ("EENHEDEN", "rechtspraak=٣٠", "'٣٠'"),
        ("EENHEDEN", "rechtspraak=", "''"),
        ("EENHEDEN", "rechtspraak", "zegt niets bij 'rechtspraak'"),
        ("EENHEDEN", "hogeraad=3", "'hogeraad', maar die bron bestaat niet. Kies uit: .*rechtspraak"),
        ("EENHEDEN", "rechtspraak/x=3", "'rechtspraak/x', maar die dienst bestaat niet. Kies uit: rechtspraak/zoeken"),
        ("EENHEDEN", "openbesluitvorming=61", "openbesluitvorming/api: de grens die de bron zelf noemt, mag lager"),
        ("EENHEDEN", "openbesluitvorming=60/59", "openbesluitvorming/api: de grens die de bron zelf noemt, mag lager"),
        ("TEGELIJK", "opentk=0", "'0', maar moet een heel getal zijn van 1 tot en met 32"),
        ("TEGELIJK", "opentk=33", "'33'"),
        ("TEGELIJK", "onbekend=1", "'onbekend', maar die bron bestaat niet"),
        ("SPREIDEN", "misschien", "'misschien', maar moet ja of nee zijn"),
        ("WACHTEND", "0", "'0'"),
        ("WACHTEND_PER_VRAGER", "²", "'²'"),
    ],
)
def test_nonsense_is_refused_by_name_before_anything_starts(name: str, value: str, said: str) -> None:
    with pytest.raises(OptionsError, match=f"^BESLUITBRON_LIMIET_{name} .*{said}"):
        read_options({f"BESLUITBRON_LIMIET_{name}": value})
