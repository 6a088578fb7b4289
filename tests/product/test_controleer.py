"""``manage.py controleer`` and ``manage.py vul_lijsten``: words, data and exit codes."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path

import httpx
import pytest
from django.core.management import call_command
from pytest_django import Settings

from besluitbron.composition import UpkeepHouse
from besluitbron.standins import make_application
from connectors.addresses import PlatformMode
from tests.support.serving import served

ORI = "open-raadsinformatie"


def run(*arguments: str) -> tuple[int, str, str]:
    """Run a command; gives exit code, output and messages."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(*arguments, stdout=out, stderr=err)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def check(settings: Settings, *arguments: str, dead: str = "") -> tuple[int, str, str]:
    """Run ``controleer`` against stand-ins, of which one may be dead."""

    async def scenario() -> tuple[int, str, str]:
        async with served(make_application("http://localhost:8000")) as root, httpx.AsyncClient() as control:
            settings.STAND_INS_ADDRESS = root
            if dead:
                await control.post(f"{root}/_stand/{dead}", json={"staat": "dood"})
            return await asyncio.to_thread(run, "controleer", *arguments)

    return asyncio.run(scenario())


def test_all_sources_answer_as_expected_and_each_check_is_named(settings: Settings) -> None:
    """Field report 31."""
    code, out, err = check(settings)
    assert (code, err) == (0, "")
    for connector in UpkeepHouse().connectors:
        assert f"── {connector.platform.name}: in orde" in out
    assert "   goed  Zoeken: " in out
    assert "FOUT" not in out


def test_one_dead_source_ends_with_1_and_the_others_are_still_checked(settings: Settings) -> None:
    arguments = ("--json", "--platform", ORI, "--platform", "rechtspraak")
    code, out, _ = check(settings, *arguments, dead=ORI)
    data = json.loads(out)
    assert code == 1
    assert {one["platform"]: one["staat"] for one in data["platforms"]} == {ORI: "fout", "rechtspraak": "goed"}
    first = data["platforms"][0]["controles"][0]
    assert first.keys() == {"naam", "goed", "gezien"}
    assert (first["goed"], first["gezien"].startswith("niet bereikbaar")) == (False, True)


def test_without_our_own_store_no_source_is_blamed_and_the_command_says_what_to_start(
    settings: Settings, tmp_path: Path
) -> None:
    settings.STATE_STORE = f"unix://{tmp_path}/nowhere.sock"
    code, out, err = check(settings, "--platform", ORI, "--platform", "rechtspraak")
    assert code == 3
    assert out.count(": niet gevraagd\n") == 2
    assert out.count("BesluitBron kan niet bij haar eigen opslag voor de beurten; aan deze bron ligt het niet") == 2
    assert "niet zoals verwacht" not in out
    assert err.count("Start ./start") == 1


def test_an_unknown_source_ends_with_2_and_names_the_known_ones() -> None:
    code, out, err = run("controleer", "--platform", "bestaat-niet")
    assert (code, out) == (2, "")
    assert "Deze bron kennen we niet: bestaat-niet" in err
    assert "  rechtspraak (Rechtspraak)" in err


def test_a_source_without_an_address_is_off_and_that_is_no_failure(settings: Settings) -> None:
    settings.PLATFORM_MODE = PlatformMode.LIVE
    settings.UPKEEP_FACTORY = "tests.support.upkeep.HouseWithoutAddress"
    code, out, _ = run("controleer")
    assert code == 0
    assert out == "── Open Archivaris: staat uit: er is geen adres ingesteld\n"


def test_a_fault_of_ours_is_said_and_breaks_nothing(settings: Settings) -> None:
    settings.UPKEEP_FACTORY = "tests.support.upkeep.HouseOfFaults"
    code, out, _ = run("controleer")
    assert code == 1
    assert "aan onze kant ging iets mis" in out


@pytest.mark.django_db
def test_lists_are_filled_once_and_it_is_said(settings: Settings) -> None:
    code, out, _ = run("vul_lijsten")
    assert (code, out.startswith("Gevuld: open-raadsinformatie, ")) == (0, True)
    settings.UPKEEP_FACTORY = "tests.support.upkeep.SmallHouse"
    assert run("vul_lijsten")[1] == "Er was niets te vullen.\n"
