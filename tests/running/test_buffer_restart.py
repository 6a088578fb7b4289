"""A restart costs no buffer, however the run before it ended."""

from __future__ import annotations

import os
import re
import signal
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from besluitbron.running.leftovers import wait_until
from besluitbron.running.probes import answers_http
from tests.running.conftest import PATIENCE

PATIENT = {"BESLUITBRON_BUFFER_WAIT_MS": "5000"}  # a busy machine may not make a miss of a hit
QUESTION = "/zoeken?vraag=subsidie&platform=rechtspraak"


def page(run: Any) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{run.port}{QUESTION}", timeout=60) as answer:
        text: str = answer.read().decode()
    return text


def fetched(run: Any) -> str:
    """When the answer on the page was fetched, to the second; empty while there is none.

    Calls are not counted: after a start others may ask the same source, such as its daily canary.
    """
    found = re.search(r'data-staat="klaar" data-opgehaald="([^"]+)"', page(run))
    return found[1] if found else ""


def await_stand_ins(run: Any) -> None:
    """The web server is ready a little earlier than what it asks."""
    run.await_ready()
    assert wait_until(lambda: answers_http(run.port + 1, "/_stand/rechtspraak"), PATIENCE)


@pytest.mark.lang
def test_an_answer_is_still_there_after_ctrl_c_and_after_everything_was_killed(launch: Callable[..., Any]) -> None:
    first = launch(**PATIENT)
    await_stand_ins(first)
    assert wait_until(lambda: fetched(first) != "", PATIENCE)
    kept = fetched(first)
    assert first.end(signal.SIGINT) == 0

    second = launch(first.layout.data, first.port, **PATIENT)
    await_stand_ins(second)
    assert fetched(second) == kept
    everything = second.processes()
    for one in (second.launcher.pid, *(one.pid for one in everything)):
        os.kill(one, signal.SIGKILL)
    second.launcher.wait(PATIENCE)
    assert wait_until(lambda: not any(one.is_alive for one in everything), PATIENCE)

    third = launch(first.layout.data, first.port, **PATIENT)
    await_stand_ins(third)
    assert fetched(third) == kept
    assert third.end(signal.SIGINT) == 0


@pytest.mark.lang
def test_after_an_upgrade_the_platform_is_asked_again(launch: Callable[..., Any]) -> None:
    old = launch(BESLUITBRON_VERSIE="0.0.1")
    await_stand_ins(old)
    assert wait_until(lambda: fetched(old) != "", PATIENCE)
    kept = fetched(old)
    assert old.end(signal.SIGINT) == 0

    new = launch(old.layout.data, old.port, BESLUITBRON_VERSIE="0.0.2")
    await_stand_ins(new)
    assert wait_until(lambda: fetched(new) != "", PATIENCE)
    assert fetched(new) > kept
    assert new.end(signal.SIGINT) == 0
