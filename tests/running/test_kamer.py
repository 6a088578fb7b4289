from __future__ import annotations

import pytest

from besluitbron.running.faults import OptionsError
from besluitbron.running.kamer import KamerOptions, read_kamer_options
from besluitbron.running.options import read_options
from connectors.tweede_kamer.versions import V4, V5


@pytest.mark.parametrize("environment", [{}, {"BESLUITBRON_TWEEDE_KAMER_VERSIE": " "}])
def test_without_a_word_the_present_version_is_asked_at_the_address_that_we_know(environment: dict[str, str]) -> None:
    assert read_kamer_options(environment) == KamerOptions(V5, "")


def test_the_old_version_and_another_address_can_be_asked_for() -> None:
    """Field report 35: the old version may outlive its date, or the service may move."""
    given = {"BESLUITBRON_TWEEDE_KAMER_VERSIE": "v4", "BESLUITBRON_TWEEDE_KAMER_ADRES": "https://odata.example.nl/x/"}
    options = read_kamer_options(given)
    assert options == KamerOptions(V4, "https://odata.example.nl/x")
    assert read_kamer_options(options.given) == options


def test_every_part_of_a_run_asks_the_same_version() -> None:
    options = read_options({"BESLUITBRON_TWEEDE_KAMER_VERSIE": "v4"})
    assert read_options(options.environment()).kamer == KamerOptions(V4, "")


@pytest.mark.parametrize("version", ["v3", "V5", "4", "v4/2.0"])
def test_a_version_that_there_is_not_is_named(version: str) -> None:
    with pytest.raises(OptionsError, match=r"BESLUITBRON_TWEEDE_KAMER_VERSIE is .* maar moet v5 of v4 zijn"):
        read_kamer_options({"BESLUITBRON_TWEEDE_KAMER_VERSIE": version})


@pytest.mark.parametrize("address", ["http://a.nl", "a.nl", "https://a@b.nl", "https://a.nl?x=1", "https://"])
def test_an_address_that_questions_may_not_go_to_is_refused(address: str) -> None:
    with pytest.raises(OptionsError, match="BESLUITBRON_TWEEDE_KAMER_ADRES moet een adres zijn dat met https"):
        read_kamer_options({"BESLUITBRON_TWEEDE_KAMER_ADRES": address})
