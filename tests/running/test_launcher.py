"""Whole runs of the product: real parts, a real supervisor, a data folder of their own."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from besluitbron.running.layout import PROJECT, Layout
from besluitbron.running.leftovers import wait_until
from besluitbron.running.options import read_options
from besluitbron.running.parts import parts

Launch = Callable[..., Any]
PATIENCE = 90.0


def test_one_command_starts_everything_keeps_it_running_and_ends_it(launch: Launch) -> None:
    run = launch()
    run.await_ready()
    assert f"http://localhost:{run.port} (proefmodus)" in run.said()
    assert run.answers()
    _check_what_was_made(run)
    _check_that_a_killed_part_comes_back(run)
    names = {part.name for part in parts(read_options(run.layout_environment()))}
    assert wait_until(lambda: all((one := run.part(name)) and one.is_alive for name in names), PATIENCE)
    started = run.processes()
    assert len(started) > len(names)
    assert run.end(signal.SIGINT) == 0
    assert not [one for one in started if one.is_alive]
    assert "Traceback" not in run.said()
    assert not list(run.layout.part_pids.iterdir())
    assert not list(run.layout.socket_folder.glob("*"))


def _check_what_was_made(run: Any) -> None:
    login = run.layout.operator_login
    password = login.read_text("utf-8").partition("Wachtwoord: ")[2].strip()
    assert run.said().count(password) == 1
    assert password
    for file in (login, run.layout.secret_key, run.layout.database):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with closing(sqlite3.connect(run.layout.database)) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def _check_that_a_killed_part_comes_back(run: Any) -> None:
    first = run.part("web")
    assert first.is_alive
    os.kill(first.pid, signal.SIGKILL)
    assert wait_until(lambda: run.part("web") not in {None, first} and run.answers(), PATIENCE)
    assert run.launcher.poll() is None


@pytest.mark.lang
def test_a_start_after_everything_was_killed_clears_what_was_left(launch: Launch) -> None:
    killed = launch()
    killed.await_ready()
    assert wait_until(lambda: killed.part("upkeep") is not None, PATIENCE)
    left = killed.processes()
    for one in (killed.launcher.pid, killed.part("supervisord").pid, killed.part("upkeep").pid):
        os.kill(one, signal.SIGKILL)
    killed.launcher.wait(PATIENCE)
    assert any(one.is_alive for one in left)  # the web server and the stores have nobody any more

    again = launch(killed.layout.data, killed.port)
    again.await_ready()
    assert not [one for one in left if one.is_alive]
    assert "afgebroken" in again.said()
    assert "wachtwoord" not in again.said()
    assert again.end(signal.SIGTERM) == 0


@pytest.mark.lang
def test_a_long_data_folder_does_not_break_the_start(launch: Launch, tmp_path: Path) -> None:
    run = launch(tmp_path / f"{'lange map ' * 12}50% #1".ljust(150, "x"))
    run.await_ready()
    started = run.processes()
    assert run.layout.data not in run.layout.socket_folder.parents
    assert run.end() == 0
    assert not [one for one in started if one.is_alive]
    assert not run.layout.socket_folder.exists()


@pytest.mark.lang
def test_a_second_start_with_the_same_data_is_refused_and_harms_nothing(launch: Launch) -> None:
    first = launch()
    first.await_ready()
    second = launch(first.layout.data)
    assert second.launcher.wait(PATIENCE) == 1
    assert f"Er draait al een BesluitBron (proces {first.launcher.pid})" in second.said()
    assert first.answers()
    assert first.end() == 0


@pytest.mark.lang
def test_a_part_that_cannot_start_is_named_with_its_log_and_ends_the_rest(launch: Launch, tmp_path: Path) -> None:
    layout = Layout(tmp_path / "var")
    layout.make_folders()
    (layout.buffer_data / "appendonlydir").write_text("in the way of the folder of that name", "utf-8")
    run = launch(layout.data)
    assert run.launcher.wait(PATIENCE) == 1
    assert "Onderdeel buffer (de buffer) kan niet starten. Het eind van" in run.said()
    assert "appendonlydir" in run.said()
    assert not list(layout.part_pids.iterdir())


@pytest.mark.parametrize("above", [0, 1])
def test_a_taken_port_is_named_and_nothing_is_started(launch: Launch, free_port: int, above: int) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", free_port + above))
        other.listen()
        run = launch()
        assert run.launcher.wait(PATIENCE) == 1
    assert f"Poort {free_port + above}" in run.said()
    assert "is al in gebruik" in run.said()
    assert not run.layout.supervisor_conf.exists()


@pytest.mark.parametrize(("name", "value"), [("PORT", "acht"), ("BESLUITBRON_PLATFORMS", "echt")])
def test_an_impossible_option_is_named_before_anything_is_made(launch: Launch, name: str, value: str) -> None:
    run = launch(**{name: value})
    assert run.launcher.wait(PATIENCE) == 2
    assert f"{name} is '{value}'" in run.said()
    assert not run.layout.data.exists()


def test_a_data_folder_that_cannot_be_made_is_named(launch: Launch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    run = launch(tmp_path / "file" / "var")
    assert run.launcher.wait(PATIENCE) == 1
    assert str(tmp_path / "file") in run.said()
    assert "Traceback" not in run.said()


def test_a_python_that_is_too_old_is_told_what_to_do(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2\nexit 1\n', "utf-8")
    old.chmod(0o755)
    (tmp_path / "dirname").symlink_to("/usr/bin/dirname")
    done = subprocess.run([PROJECT / "start"], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "heeft Python 3.11 of nieuwer nodig; gevonden: Python 3.9.2" in done.stderr
