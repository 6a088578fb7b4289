"""Reports made for real: a store, a database and stand-ins of their own, and either the test or a real worker makes them."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx
import pytest
from celery import Celery
from django.db import connections
from django.db.models import Model
from pytest_django import DjangoDbBlocker, Settings

from besluitbron import reporting
from besluitbron.celery import MOST_STARTS, REPORTS, broker_address, room
from besluitbron.composition import open_federation, open_reach
from besluitbron.postgres.places import PLACES
from besluitbron.reporting import ReportHouse, make_desk, open_office
from besluitbron.running.database import read_database_options
from besluitbron.running.layout import PROJECT, Layout
from besluitbron.running.leftovers import wait_until
from besluitbron.running.options import Options, read_options
from besluitbron.running.parts import REPORTS as WORKER
from besluitbron.running.parts import STATE
from besluitbron.running.probes import answers_ping
from besluitbron.running.reporting import ReportOptions
from besluitbron.running.secrets import report_key
from besluitbron.standins import make_application as make_stand_ins
from connectors.moments import now
from reports.apart import Apart
from reports.desk import Desk
from reports.records import ReportStatus, Standing, Wish
from reports.rules import change
from reports.running import Run
from reports.workshop import Office
from tests.support.postgres import copied
from tests.support.serving import served
from tests.support.threads import in_thread
from throttling.load_rules import LoadRules, Signal

PATIENCE = 150.0
CALM = LoadRules(counts=frozenset({Signal.SLOTS}))
"""How busy the machine of a test is says nothing about a report."""
SENT: list[str] = []
BROKERS: list[Celery] = []
OF_WORKERS: dict[str, str] = {}
"""On PostgreSQL (``tests/product/test_postgres.py``): the database of this test, for the environment of workers."""


def send(task: str, run: str) -> None:
    """The background: what was sent is written down, or goes to a real worker where a test has one."""
    assert task == "reports.tasks.build"
    if BROKERS:
        room(BROKERS[0], REPORTS, MOST_STARTS)
        BROKERS[0].send_task(task, (run,), queue=REPORTS)
    else:
        SENT.append(run)


async def at_once(seconds: float) -> None:
    """A pause that takes no time."""


@pytest.fixture(scope="session")
def installation() -> Iterator[Options]:
    """A data folder with a store that runs, and an empty database to copy."""
    folder = Path(tempfile.mkdtemp(prefix="rapporten-"))
    address = os.environ.get("BESLUITBRON_DATABASE", "")
    options = read_options({"BESLUITBRON_DATA": str(folder), "BESLUITBRON_DATABASE": address})
    options.layout.make_folders()
    with subprocess.Popen(STATE.command(options), stdout=subprocess.DEVNULL) as server:
        assert wait_until(lambda: answers_ping(options.layout.state_socket), PATIENCE)
        migrate = [sys.executable, str(PROJECT / "manage.py"), "migrate", "--verbosity", "0"]
        subprocess.run(migrate, check=True, cwd=PROJECT, env=os.environ | options.environment())
        if not address:
            options.layout.database.replace(folder / "leeg.sqlite3")
        yield options
        server.terminate()
    options.layout.remove_socket_folder()
    shutil.rmtree(folder, ignore_errors=True)


def emptied(options: Options) -> Path | str:
    """As a fresh installation; gives its database, which is a new one: who still writes for another test writes elsewhere."""
    layout = options.layout
    subprocess.run([sys.executable, "-c", _FLUSH, str(layout.state_socket)], check=True, stdout=subprocess.DEVNULL)
    if options.database.address:
        OF_WORKERS["BESLUITBRON_DATABASE"] = copied(options.database.address)
        return read_database_options(OF_WORKERS).parts["dbname"]
    file = layout.data / f"{uuid.uuid4().hex}.sqlite3"
    shutil.copy(layout.data / "leeg.sqlite3", file)
    layout.database.unlink(missing_ok=True)
    layout.database.symlink_to(file)
    return layout.database


_FLUSH = """
import socket, sys
door = socket.socket(socket.AF_UNIX)
door.connect(sys.argv[1])
door.sendall(b"FLUSHALL\\r\\n")
assert door.recv(16).startswith(b"+OK")
"""


@pytest.fixture(autouse=True)
def fresh(
    installation: Options, settings: Settings, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Layout]:
    """Settings of a fresh installation; reports may read 8 texts, so that none takes long."""
    layout = installation.layout
    database = emptied(installation)
    SENT.clear()
    settings.STATE_STORE = f"unix://{layout.state_socket}"
    settings.TURNS_MEMORY = "throttling.memory.ForgetfulMemory"
    settings.BACKGROUND = f"{__name__}.send"
    settings.REPORT_KEY = report_key(layout)
    monkeypatch.setattr(reporting, "APART", apart := Apart())
    capped(settings, hits=40, texts=8)
    monkeypatch.setitem(connections.settings["default"], "NAME", database)
    connections.close_all()
    monkeypatch.setitem(connections["default"].settings_dict, "NAME", database)
    with django_db_blocker.unblock():
        change(CALM, "beheerder", now())
        yield layout
        apart.close()
        PLACES.close()
    connections.close_all()


def capped(settings: Settings, *, hits: int, texts: int) -> None:
    """How much a report holds from now on."""
    settings.OPTIONS = replace(settings.OPTIONS, reporting=ReportOptions(most_hits=hits, most_texts=texts))


@dataclass(slots=True)
class Bureau:
    """A desk, what it works with, and the stand-ins behind it."""

    desk: Desk
    office: Office
    stand_ins: httpx.AsyncClient
    address: str
    sent: list[str] = field(default_factory=lambda: SENT)

    async def put(self, platform: str, state: str, seconds: float = 5) -> None:
        answer = await self.stand_ins.post(f"/_stand/{platform}", json={"staat": state, "seconden": seconds})
        assert answer.status_code == 200

    async def counted(self, platform: str) -> dict[str, float]:
        found: dict[str, float] = (await self.stand_ins.get(f"/_stand/{platform}")).json()
        return found

    def rules(self, **changes: object) -> None:
        """What an operator sets, and this process keeps to at once."""
        wanted = replace(CALM, **changes)  # type: ignore[arg-type]
        try:
            change(wanted, "beheerder", now())
        finally:
            connections.close_all()
        self.office.gate.rules = wanted

    async def rows(self, model: type[Model]) -> list[dict[str, object]]:
        """All rows of a table."""
        return await in_thread(lambda: list(model._default_manager.values()))

    async def count(self, model: type[Model]) -> int:
        return len(await self.rows(model))

    async def ask(self, target: str = "vraag=zonnepanelen", by: str = "adres:a") -> Standing:
        return await self.desk.ask(Wish(target), by)

    async def standing(self, token: str) -> Standing:
        found = await self.desk.standing(token)
        assert found is not None
        return found

    async def work(self, worker: str = "werker") -> None:
        """Make everything that was sent to the background."""
        house = ReportHouse()
        async with house.office() as office:
            while SENT:
                await Run(office, house.workshop, SENT.pop(0), worker, at_once).go()

    async def until(self, token: str, holds: Callable[[Standing], bool]) -> Standing:
        """Wait until a standing is as wanted."""
        async with asyncio.timeout(PATIENCE):
            while not holds(standing := await self.standing(token)):
                assert not standing.status.is_final or holds(standing), standing
                await asyncio.sleep(0.02)
        return standing

    async def ended(self, token: str) -> Standing:
        async with asyncio.timeout(PATIENCE):
            while not (standing := await self.standing(token)).status.is_final:
                await asyncio.sleep(0.05)
        return standing


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Bureau]:
    """A desk on the settings as they are."""
    pages = "http://localhost:8000"
    async with served(make_stand_ins(pages)) as stand_ins:
        settings.STAND_INS_ADDRESS = stand_ins
        async with (
            open_reach() as reach,
            open_office(reach) as office,
            open_federation(reach) as federation,
            httpx.AsyncClient(base_url=stand_ins, verify=False) as control,
        ):
            yield Bureau(make_desk(office, federation), office, control, stand_ins)


@pytest.fixture
async def bureau(settings: Settings) -> AsyncIterator[Bureau]:
    async with opened(settings) as one:
        yield one


@contextmanager
def worker(options: Options, stand_ins: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A real worker for reports, as a process of its own."""
    mine = {
        "BESLUITBRON_STAND_INS": stand_ins,
        "BESLUITBRON_RAPPORT_TREFFERS": "40",
        "BESLUITBRON_RAPPORT_TEKSTEN": "8",
    }
    env = os.environ | options.environment() | OF_WORKERS | mine | environment
    log = (options.layout.data / "werker.log").open("ab")
    with log, subprocess.Popen(WORKER.command(options), cwd=PROJECT, env=env, stdout=log, stderr=log) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def to_worker(installation: Options) -> Iterator[Options]:
    """What is sent goes to whichever real worker there is."""
    with Celery(broker=broker_address(installation.layout), set_as_current=False) as broker:
        BROKERS.append(broker)
        yield installation
        BROKERS.clear()


__all__ = ["Bureau", "ReportStatus", "opened", "worker"]
