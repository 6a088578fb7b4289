"""Whole runs of the product on a real PostgreSQL: what a person does, and what is said when the server is not there."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest

from benchmarks.private_postgres import ROLE, Postgres
from benchmarks.report_asking import Reporter
from benchmarks.report_reserve import allow
from besluitbron.running.layout import PROJECT
from besluitbron.running.leftovers import wait_until
from besluitbron.running.parts import REPORTS
from tests.support.postgres import a_database, a_server, needs_postgres

Launch = Callable[..., Any]
pytestmark = [needs_postgres, pytest.mark.lang]
PATIENCE = 90.0
_REPORT_SECONDS = 400.0  # its worker steps back for whatever else a machine does
SECRET = "geh-eim-7"


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with a_server() as one:
        yield one


def asked(
    port: int, method: str, target: str, body: str = "", **headers: str
) -> tuple[int, str, http.client.HTTPMessage]:
    """What the website answers."""
    form = {"content-type": "application/x-www-form-urlencoded"} if body else {}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, target, body or None, {"host": "localhost", **form, **headers})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers
    finally:
        connection.close()


def sign_in(run: Any) -> tuple[int, str]:
    """As the operator of whom the start told; gives the status, and the cookies."""
    password = run.layout.operator_login.read_text("utf-8").partition("Wachtwoord: ")[2].strip()
    _, page, headers = asked(run.port, "GET", "/beheer/login/")
    (token,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    cookies = "; ".join(one.partition(";")[0] for one in headers.get_all("set-cookie", []))
    fields = {"username": "beheer", "password": password, "csrfmiddlewaretoken": token, "next": "/beheer/"}
    status, _, headers = asked(run.port, "POST", "/beheer/login/", urlencode(fields), cookie=cookies)
    return status, "; ".join(one.partition(";")[0] for one in headers.get_all("set-cookie", []))


def manage(address: str, data: Path, *command: str) -> None:
    """A command of the product on that database."""
    environment = os.environ | {"BESLUITBRON_DATABASE": address, "BESLUITBRON_DATA": str(data)}
    program = [sys.executable, str(PROJECT / "manage.py"), *command]
    subprocess.run(program, check=True, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL)


def are_let_go(server: Postgres) -> bool:
    """Whether nobody keeps a connection with nothing to do: each is opened for one thing."""
    asking = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s AND backend_start < now() - interval '20 s'"
    with server.master() as master:
        return master.execute(asking, [ROLE]).fetchone() == (0,)


def parts_that_are_ready(run: Any) -> dict[str, bool]:
    _, page, _ = asked(run.port, "GET", "/gezondheid/klaar")
    found: dict[str, bool] = json.loads(page)["onderdelen"]
    return found


def test_a_start_on_postgresql_searches_signs_in_makes_a_report_and_survives_its_server(
    server: Postgres, launch: Launch, tmp_path: Path
) -> None:
    address = a_database(server)
    manage(address, tmp_path, "migrate", "--verbosity", "0")
    allow(address)
    run = launch(BESLUITBRON_DATABASE=address, BESLUITBRON_RAPPORT_TREFFERS="30", BESLUITBRON_RAPPORT_TEKSTEN="5")
    run.await_ready()
    assert not run.layout.database.exists()
    assert asked(run.port, "GET", "/zoeken?vraag=warmtenet")[0] == 200
    status, cookies = sign_in(run)
    assert status == 302
    assert "Beheer van BesluitBron" in asked(run.port, "GET", "/beheer/", cookie=cookies)[1]
    assert asked(run.port, "GET", "/beheer/reports/loadchange/", cookie=cookies)[0] == 200
    assert parts_that_are_ready(run)["database"]

    assert wait_until(lambda: run.part(REPORTS.name) is not None, PATIENCE)
    reporter = Reporter(run.port)
    reporter.prepare(["zonnepanelen"])
    reporter.ask("zonnepanelen")
    reporter.finish(_REPORT_SECONDS)
    assert reporter.ended() == {"klaar": 1}
    with psycopg.connect(address) as database:
        assert database.execute("SELECT count(*) FROM reports_reportrun WHERE state = 'klaar'").fetchone() == (1,)
        assert database.execute("SELECT count(*) FROM reports_reportpart").fetchone() == (0,)

    assert wait_until(lambda: are_let_go(server), PATIENCE)

    with server.master() as master:
        master.execute("CHECKPOINT")  # this server need not keep what it was told last, and this is not about that
    server.stop(signal.SIGQUIT)
    assert not parts_that_are_ready(run)["database"]
    assert asked(run.port, "GET", "/zoeken?vraag=warmtenet")[0] == 200
    status, page, _ = asked(run.port, "GET", reporter.addresses[0])
    assert status == 503
    assert "Traceback" not in page
    server.start()
    assert parts_that_are_ready(run)["database"]
    assert reporter.ended() == {"klaar": 1}
    assert run.end(signal.SIGINT) == 0
    assert "Traceback" not in run.said()


def test_commands_follow_the_same_database(server: Postgres, tmp_path: Path) -> None:
    address = a_database(server)
    manage(address, tmp_path, "check")
    manage(address, tmp_path, "migrate", "--verbosity", "0")
    with psycopg.connect(address) as database:
        assert database.execute("SELECT count(*) FROM django_migrations WHERE app = 'reports'").fetchone() != (0,)
    assert not (tmp_path / "besluitbron.sqlite3").exists()


@pytest.mark.parametrize(
    ("address", "code", "words"),
    [
        (
            f"postgresql://bron:{SECRET}@127.0.0.1:1/besluiten",
            1,
            "De database besluiten op 127.0.0.1 is niet te gebruiken",
        ),
        (f"postgresql://bron:{SECRET}@127.0.0.1/besluiten?sslmode=misschien", 1, "is niet te gebruiken"),
        (f"postgres//bron:{SECRET}@127.0.0.1/besluiten", 2, "BESLUITBRON_DATABASE klopt niet"),
    ],
)
def test_a_database_that_cannot_be_used_is_said_in_words_without_its_password(
    launch: Launch, address: str, code: int, words: str
) -> None:
    run = launch(BESLUITBRON_DATABASE=address)
    assert run.launcher.wait(PATIENCE) == code
    assert words in run.said()
    assert "Traceback" not in run.said()
    logs = [file.read_text("utf-8", "replace") for file in run.layout.data.rglob("*") if file.is_file()]
    assert not [text for text in (run.said(), *logs) if SECRET in text]
