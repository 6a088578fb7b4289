"""PostgreSQL goes away while a report is made, as a machine that loses its power, with the whole product running."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from benchmarks.private_postgres import Postgres
from benchmarks.report_asking import Reporter
from benchmarks.report_reserve import allow
from besluitbron.running.leftovers import wait_until
from besluitbron.running.parts import REPORTS
from connectors.platforms import PLATFORMS
from reports import words
from reports.records import Reason
from tests.running.test_postgres import asked, manage
from tests.support.pages import main_text
from tests.support.postgres import a_database, a_server, needs_postgres

Launch = Callable[..., Any]
pytestmark = [needs_postgres, pytest.mark.lang]
PATIENCE = 120.0
SLOW = "rechtspraak"
SLOW_SECONDS = 20
LEAST_PARTS = 2
DATABASE = 'besluitbron_load_share{signal="database"}'
ALMOST_FULL = 0.8


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with a_server() as one:
        yield one


@pytest.fixture
def address(server: Postgres) -> str:
    return a_database(server)


@pytest.fixture
def run(address: str, launch: Launch, tmp_path: Path) -> Any:
    """The product, ready to make reports without texts."""
    manage(address, tmp_path, "migrate", "--verbosity", "0")
    allow(address)
    one = launch(BESLUITBRON_DATABASE=address, BESLUITBRON_RAPPORT_TREFFERS="12", BESLUITBRON_RAPPORT_TEKSTEN="0")
    one.await_ready()
    assert wait_until(lambda: one.part(REPORTS.name) is not None, PATIENCE)
    return one


def stand_in(run: Any, platform: str, state: str = "") -> dict[str, Any]:
    """What the stand-in of a platform counted; first it is put in ``state``, where one is given."""
    target = f"http://127.0.0.1:{run.port + 1}/_stand/{platform}"
    with httpx.Client(verify=False, timeout=PATIENCE) as client:
        if state:
            answer = client.post(target, json={"staat": state, "seconden": SLOW_SECONDS})
            assert answer.status_code == 200
        found: dict[str, Any] = client.get(target).json()
        return found


def kept(address: str) -> set[str]:
    """The keys of the parts that are kept."""
    with psycopg.connect(address) as database:
        return {key for (key,) in database.execute("SELECT key FROM reports_reportpart").fetchall()}


def under_way(run: Any, address: str) -> str:
    """Ask for a report; gives its address once parts of it are kept and one platform keeps it waiting."""
    reporter = Reporter(run.port)
    reporter.prepare(["zonnepanelen"])
    stand_in(run, SLOW, "traag")
    reporter.ask("zonnepanelen")
    [where] = reporter.addresses
    assert wait_until(lambda: len(kept(address)) >= LEAST_PARTS, PATIENCE)
    return where


def measured(run: Any, name: str) -> float:
    """A figure of ``/metrics``."""
    page = asked(run.port, "GET", "/metrics")[1]
    [value] = [line.removeprefix(name) for line in page.splitlines() if line.startswith(f"{name} ")]
    return float(value)


def cut_off(server: Postgres) -> None:
    with server.master() as master:
        master.execute("CHECKPOINT")  # this server need not keep what it was told last, and this is not about that
    server.stop(signal.SIGQUIT)


def told(run: Any, where: str) -> dict[str, Any]:
    """What the API says of a report."""
    found: dict[str, Any] = json.loads(asked(run.port, "GET", f"/api/v1{where}")[1])
    return found


def logged(run: Any) -> str:
    """What all parts wrote down."""
    return "".join(one.read_text("utf-8", "replace") for one in run.layout.logs.iterdir())


def says_that_it_is_away(run: Any, where: str) -> None:
    """The page, its files and the API say so in Dutch, and when to come back; nothing is shown as done."""
    for target in (where, f"{where}.csv", f"/api/v1{where}"):
        status, page, headers = asked(run.port, "GET", target)
        assert status == 503, (target, page)
        assert int(headers["retry-after"]) > 0
        assert "Traceback" not in page
    said = main_text(asked(run.port, "GET", where)[1])
    assert "Rapporten kunnen nu even niet" in said
    assert "Ververs deze pagina over een minuut." in said
    problem = told(run, where)
    assert (problem["status"], problem["title"]) == (503, "Storing bij BesluitBron")
    assert problem["retryAfter"] > 0
    assert "staat" not in problem


def test_a_report_goes_on_from_its_parts_when_the_server_is_back(server: Postgres, run: Any, address: str) -> None:
    where = under_way(run, address)
    before = kept(address)
    complete = {key.split(":")[1] for key in before} - {SLOW}
    counted = {platform.key: stand_in(run, platform.key) for platform in PLATFORMS}
    cut_off(server)
    try:
        says_that_it_is_away(run, where)
    finally:
        server.start()
    assert told(run, where)["staat"] == "bezig"
    assert before <= kept(address)
    stand_in(run, SLOW, "goed")
    assert wait_until(lambda: told(run, where)["staat"] not in {"bezig", "wacht", "aangevraagd"}, PATIENCE)
    assert told(run, where)["staat"] == "klaar", told(run, where)
    assert {one: stand_in(run, one) for one in complete} == {one: counted[one] for one in complete}
    assert kept(address) == set()
    assert wait_until(lambda: measured(run, "besluitbron_reports_running") == 0, PATIENCE)
    assert run.end(signal.SIGINT) == 0
    assert "Traceback" not in run.said()


def test_a_report_fails_with_its_reason_when_the_server_stays_away(server: Postgres, run: Any, address: str) -> None:
    where = under_way(run, address)
    cut_off(server)
    try:
        says_that_it_is_away(run, where)
        assert wait_until(lambda: "report_failed" in logged(run), PATIENCE)
        says_that_it_is_away(run, where)
        assert wait_until(lambda: measured(run, DATABASE) > ALMOST_FULL, PATIENCE), "rule L3: never idle"
    finally:
        server.start()
    assert wait_until(lambda: measured(run, DATABASE) < ALMOST_FULL, PATIENCE)
    assert wait_until(lambda: measured(run, "besluitbron_reports_running") == 0, PATIENCE)
    found = told(run, where)
    assert (found["staat"], found["reden"]) == ("mislukt", Reason.DISK.value)
    assert words.reason(Reason.DISK) in main_text(asked(run.port, "GET", where)[1])
