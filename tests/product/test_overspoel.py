"""A flood at a stand-in, by its command: a real store, real requests, and a real Ctrl-C."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import httpx
import pytest
from django.core.management import call_command
from pytest_django import Settings

from besluitbron.flood import open_flood
from besluitbron.limits import Bound, LimitOptions
from besluitbron.queues import queues
from besluitbron.standins import make_application
from connectors.addresses import PlatformMode
from connectors.flooding import Tally, flood
from tests.product.conftest import Product
from tests.support.pages import sections
from tests.support.serving import served, until
from tests.support.valkey import Valkey
from throttling.callers import Caller
from throttling.operating.reading import Reader
from throttling.snapshot import Snapshot

OBV = "openbesluitvorming"
BOUND = 20.0


@pytest.fixture
def stand_ins(settings: Settings) -> Iterator[str]:
    """Stand-ins on a loop of their own, and a limit that a few calls fill."""
    settings.OPTIONS = replace(settings.OPTIONS, limits=LimitOptions(bounds={f"{OBV}/api": Bound(10, 60)}))
    with _served() as root:
        settings.STAND_INS_ADDRESS = root
        yield root


@contextmanager
def _served() -> Iterator[str]:
    found: list[str] = []
    there, over = threading.Event(), threading.Event()

    async def serve() -> None:
        async with served(make_application("http://localhost:8000")) as root:
            found.append(root)
            there.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert there.wait(BOUND)
    try:
        yield found[0]
    finally:
        over.set()
        thread.join(BOUND)


def run(*arguments: str, out: io.StringIO | None = None) -> tuple[int, str, str]:
    """Exit code, output and messages."""
    out, err = out or io.StringIO(), io.StringIO()
    try:
        call_command("overspoel", *arguments, stdout=out, stderr=err)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def counted(root: str, key: str = OBV) -> tuple[int, int]:
    """The calls and refusals that a stand-in counted."""
    found = httpx.get(f"{root}/_stand/{key}", verify=False).json()
    return found["aanroepen"], found["weigeringen"]


def in_store(store: Valkey) -> Snapshot | None:
    """The queue, None before it began."""
    (queue,) = (one for one in queues() if one.name == f"{OBV}/api")
    seen = Reader(store.address).look([queue])[queue.name]
    return None if seen is None else seen.snapshot


def waiting_and_under_way(store: Valkey) -> tuple[int, int]:
    snapshot = in_store(store)
    assert snapshot is not None
    return snapshot.waiting, snapshot.flying


def test_a_flood_that_fits_is_granted_whole_and_counted_by_the_stand_in(stand_ins: str, store: Valkey) -> None:
    code, out, err = run(OBV, "--sessies", "3", "--aanroepen", "7")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith(
        "7 aan de beurt geweest, 0 wachten, 0 geweigerd door onze rij, 0 door de bron"
    )
    assert counted(stand_ins) == (7, 0)
    snapshot = in_store(store)
    assert snapshot is not None
    assert sorted(session.used for session in snapshot.sessions) == [2000, 2000, 3000]
    assert all(session.name.startswith("overspoel:") for session in snapshot.sessions)


def test_a_flood_that_does_not_fit_tells_an_estimate_and_ends_cleanly_by_ctrl_c(stand_ins: str, store: Valkey) -> None:
    estimate = re.compile(r"^10 aan de beurt geweest, 20 wachten, de laatste begint over ongeveer 1[12]\d s, 0 gew")
    code, out, _ = run(OBV, "--aanroepen", "30", out=Interrupting(estimate))
    assert code == 130
    assert out.endswith("Gestopt. De plaatsen in de rij zijn opgegeven.\n")
    assert counted(stand_ins) == (10, 0)
    assert waiting_and_under_way(store) == (0, 0)


class Interrupting(io.StringIO):
    """Where a command writes; when it writes what was waited for, somebody presses Ctrl-C."""

    def __init__(self, awaited: re.Pattern[str]) -> None:
        super().__init__()
        self._awaited = awaited

    def write(self, text: str) -> int:
        if self._awaited.match(text):
            os.kill(os.getpid(), signal.SIGINT)
        return super().write(text)


def test_when_the_time_is_over_the_places_are_given_up(stand_ins: str, store: Valkey) -> None:
    code, out, err = run(OBV, "--aanroepen", "30", "--seconden", "1")
    assert (code, err) == (0, "")
    assert out.endswith("De tijd is om. De plaatsen in de rij zijn opgegeven.\n")
    assert waiting_and_under_way(store) == (0, 0)


def test_a_queue_that_takes_no_more_is_said(stand_ins: str, settings: Settings) -> None:
    settings.OPTIONS = replace(settings.OPTIONS, limits=LimitOptions(most=2))
    httpx.post(f"{stand_ins}/_stand/{OBV}", json={"staat": "traag", "seconden": 1}, verify=False)
    code, out, _ = run(OBV, "--aanroepen", "15")
    assert code == 0
    (found,) = re.findall(r"(\d+) aan de beurt geweest, 0 wachten, (\d+) geweigerd door onze rij", out.splitlines()[-1])
    assert int(found[1]) > 0
    assert int(found[0]) + int(found[1]) == 15


def test_a_live_platform_is_never_flooded(stand_ins: str, settings: Settings, store: Valkey) -> None:
    settings.PLATFORM_MODE = PlatformMode.LIVE
    code, out, err = run(OBV)
    assert (code, out) == (2, "")
    assert "Overspoelen kan niet: BesluitBron vraagt nu de echte bronnen" in err
    assert counted(stand_ins) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("bestaat-niet",), "Deze bron kennen we niet: bestaat-niet. Kies uit:\n  open-raadsinformatie"),
        ((OBV, "--sessies", "0"), "--sessies is '0', maar moet een heel getal zijn van 1 tot en met 50."),
        ((OBV, "--sessies", "51"), "van 1 tot en met 50"),
        ((OBV, "--aanroepen", "1001"), "van 1 tot en met 1000"),
        ((OBV, "--aanroepen", "veel"), "--aanroepen is 'veel'"),
        ((OBV, "--seconden", "901"), "van 1 tot en met 900"),
        ((OBV, "--seconden", "-1"), "--seconden is '-1'"),
        ((OBV, "--seconden", "²"), "--seconden is '²'"),
    ],
)
def test_what_cannot_be_asked_is_said_before_anything_is_sent(
    stand_ins: str, arguments: tuple[str, ...], words: str
) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert counted(stand_ins) == (0, 0)


def test_a_stand_in_that_is_not_there_is_said_with_what_to_do(settings: Settings) -> None:
    settings.STAND_INS_ADDRESS = "http://127.0.0.1:1"
    code, out, err = run(OBV, "--aanroepen", "2")
    assert code == 3
    assert "2 zonder antwoord" in out
    assert "Draait ./start wel, met dezelfde PORT en BESLUITBRON_DATA?" in err


def test_a_store_that_is_not_there_lets_nothing_through(stand_ins: str, settings: Settings) -> None:
    settings.STATE_STORE = "unix:///bestaat/niet"
    code, out, err = run(OBV, "--aanroepen", "2")
    assert code == 3
    assert "2 niet toegelaten" in out
    assert "de opslag antwoordde niet" in err
    assert counted(stand_ins) == (0, 0)


@pytest.mark.anyio
async def test_a_visitor_gets_an_answer_while_a_flood_waits(product: Product, settings: Settings) -> None:
    settings.OPTIONS = replace(settings.OPTIONS, limits=LimitOptions(bounds={f"{OBV}/api": Bound(20, 20)}))
    tally = Tally(100)
    callers = [Caller("overspoel:a"), Caller("overspoel:b"), Caller("overspoel:c")]
    async with open_flood(OBV) as tools:
        flooding = asyncio.ensure_future(flood(tools, callers, tally, lambda: None, BOUND))
        await until(lambda: tally.granted >= 20 and len(tally.starts) == tally.waiting)
        page = await product.site.get(f"/zoeken?vraag=klimaat&platform={OBV}")
        assert sections(page.text)[-1].state == "klaar"
        assert tally.waiting > 50
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
    assert (await product.counted(OBV))["weigeringen"] == 0
