"""The same question on a terminal: words for people, data for programs, and exit codes."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

import besluitbron.settings
from besluitbron.standins import make_application
from tests.support.serving import served

TWO = ("--platform", "openbesluitvorming", "--platform", "rechtspraak")
KEYS = {
    *("platform", "staat", "melding", "totaal", "genegeerdeFilters", "opmerkingen", "opgehaald"),
    *("verwachteStart", "plaats", "treffers"),
}
HIT_KEYS = {
    *("id", "titel", "organisatie", "soort", "soortBijBron", "datum", "tijdstip", "datumBetekenis", "fragment"),
    *("dekking", "lijktErop", "bronId", "adres", "origineel", "verwijzing"),
}


def ask(settings: Settings, *arguments: str, stand_ins: bool = True) -> tuple[int, str, str]:
    """Run ``zoek`` against stand-ins; gives exit code, output and messages."""

    async def scenario() -> tuple[int, str, str]:
        async with served(make_application("http://localhost:8000")) as root:
            settings.STAND_INS_ADDRESS = root if stand_ins else "http://127.0.0.1:1"
            return await asyncio.to_thread(run)

    def run() -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        try:
            call_command("zoek", *arguments, stdout=out, stderr=err)
        except SystemExit as end:
            return int(str(end.code)), out.getvalue(), err.getvalue()
        return 0, out.getvalue(), err.getvalue()

    return asyncio.run(scenario())


def test_a_question_prints_hits_of_both_sources_with_their_addresses(settings: Settings) -> None:
    code, out, _ = ask(settings, "subsidie", *TWO)
    assert code == 0
    assert "── OpenBesluitvorming (klaar" in out
    assert "── Rechtspraak (klaar" in out
    assert "https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:" in out
    assert "2 van 2 gevraagde bronnen gaven antwoord" in out
    assert len(re.findall(r"^   opgehaald om \d\d:\d\d uur$", out, re.MULTILINE)) == 2


def test_the_data_form_has_the_words_of_the_architecture(settings: Settings) -> None:
    code, out, _ = ask(settings, "warmtenet", "--organisatie", "ede", "--van", "2013-01-01", "--json", *TWO)
    data: dict[str, Any] = json.loads(out)
    assert code == 0
    answers = {answer["platform"]: answer for answer in data["platforms"]}
    assert {answer["staat"] for answer in answers.values()} == {"klaar", "niet-ondersteund"}
    council = answers["openbesluitvorming"]
    assert council.keys() == KEYS
    assert datetime.now(UTC) - datetime.fromisoformat(council["opgehaald"]) < timedelta(minutes=30)
    assert council["totaal"].keys() == {"waarde", "zekerheid"}
    assert all(hit.keys() == HIT_KEYS for hit in council["treffers"])
    assert {hit["organisatie"] for hit in council["treffers"]} == {"Gemeente Ede"}
    assert all(hit["datum"] >= "2013-01-01" for hit in council["treffers"])


def test_a_question_is_read_as_on_the_page_which_is_said_beside_the_data(settings: Settings) -> None:
    """Field report 9."""
    typed = ("Wat is er in Ede besloten over warmtenet?", "--platform", "openbesluitvorming")
    code, out, err = ask(settings, *typed, "--json")
    assert code == 0
    (council,) = json.loads(out)["platforms"]
    assert council["treffers"]
    assert {hit["organisatie"] for hit in council["treffers"]} == {"Gemeente Ede"}
    assert "Zo lazen we uw vraag: we zoeken op “warmtenet”, alleen bij Gemeente Ede" in err
    assert "--letterlijk" in err
    _, literal, err = ask(settings, *typed, "--json", "--letterlijk")
    assert err == ""
    assert json.loads(literal)["platforms"][0]["treffers"] != council["treffers"]


def test_a_name_of_several_bodies_is_asked_back_as_options(settings: Settings) -> None:
    _, _, err = ask(settings, "parkeren Utrecht", "--platform", "openbesluitvorming")
    assert "--organisatie gemeente-utrecht of --organisatie provincie-utrecht" in err


@pytest.mark.parametrize("arguments", [("?!",), ("a", "--van", "2023-02-30"), ("a", "--organisatie", "Utrecht"), ("",)])
def test_a_bad_question_ends_with_2_and_says_why(settings: Settings, arguments: tuple[str, ...]) -> None:
    code, out, err = ask(settings, *arguments)
    assert (code, out) == (2, "")
    assert err.strip()


def test_no_platform_that_answers_ends_with_3(settings: Settings) -> None:
    code, out, _ = ask(settings, "subsidie", "--json", stand_ins=False)
    assert code == 3
    assert {answer["staat"] for answer in json.loads(out)["platforms"]} == {"fout"}


def test_without_our_own_store_the_terminal_says_that_it_is_us_and_what_to_start(
    settings: Settings, tmp_path: Path
) -> None:
    settings.STATE_STORE = f"unix://{tmp_path}/nowhere.sock"
    code, out, err = ask(settings, "subsidie", *TWO)
    assert code == 3
    assert "niet bereikbaar" not in out
    assert "BesluitBron zelf heeft nu een storing" in out
    assert "Draait ./start wel" in err
    assert "proefbronnen" not in err


@pytest.mark.lang
def test_a_reader_that_has_seen_enough_and_a_terminal_without_accents_are_no_fault(tmp_path: Path) -> None:
    """As a process of its own, because it is about that process's output."""
    command = f"{sys.executable} manage.py zoek subsidie | head -1"
    for name, environment in (("utf-8", {}), ("ascii", {"PYTHONIOENCODING": "ascii"})):
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=besluitbron.settings.BASE_DIR,
            env=os.environ | environment | {"BESLUITBRON_DATA": str(tmp_path / name)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr
        assert done.stdout.strip()
