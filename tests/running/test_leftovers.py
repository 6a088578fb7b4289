from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from besluitbron.running.layout import Layout
from besluitbron.running.leftovers import Process, end, end_all, leave_note, process, read_note, wait_until

_WAITING = "import sys; print('ready', flush=True); sys.stdin.read()"
_STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {_WAITING}"
_WITH_CHILD = (
    "import subprocess, sys; read = 'import sys; sys.stdin.read()';"
    "child = subprocess.Popen([sys.executable, '-c', read], stdin=subprocess.PIPE);"
    "print(child.pid, flush=True); sys.stdin.read()"
)

Spawn = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def layout(tmp_path: Path) -> Iterator[Layout]:
    layout = Layout(tmp_path)
    layout.make_folders()
    yield layout
    layout.remove_socket_folder()


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    """Start a Python program and wait for its first line, which is kept as ``said``."""
    started: list[subprocess.Popen[str]] = []

    def start(code: str, *, group: bool = True) -> subprocess.Popen[str]:
        child = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=group,
        )
        started.append(child)
        assert child.stdout is not None
        child.said = child.stdout.readline().strip()  # type: ignore[attr-defined]
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()


def test_a_stranger_that_got_the_number_of_a_part_is_left_alone(layout: Layout, spawn: Spawn) -> None:
    stranger = spawn(_WAITING)
    (layout.part_pids / "web.pid").write_text(f"{stranger.pid} another-boot/12345\n", "utf-8")
    assert end_all(layout) == 0
    assert stranger.poll() is None
    assert not list(layout.part_pids.iterdir())


def test_a_note_without_a_moment_ends_nothing(layout: Layout, spawn: Spawn) -> None:
    stranger = spawn(_WAITING)
    (layout.part_pids / "web.pid").write_text(f"{stranger.pid}\n", "utf-8")
    assert end_all(layout) == 0
    assert stranger.poll() is None


def test_a_part_that_still_runs_is_ended_with_its_children(layout: Layout, spawn: Spawn) -> None:
    part = spawn(_WITH_CHILD)
    child = process(int(part.said))  # type: ignore[attr-defined]
    assert child is not None
    leave_note(layout.part_pids / "reports.pid", part.pid)
    assert end_all(layout) == 1
    assert part.wait(30) == -signal.SIGTERM
    assert wait_until(lambda: not child.is_alive, 30)


def test_the_children_of_a_stranger_that_leads_no_group_are_left_alone(spawn: Spawn) -> None:
    part = spawn(_WAITING, group=False)
    ours = process(part.pid)
    assert ours is not None
    ours.signal(signal.SIGTERM)  # a whole group would be this very test
    assert part.wait(30) == -signal.SIGTERM


def test_a_part_that_ignores_the_request_is_killed(spawn: Spawn) -> None:
    part = spawn(_STUBBORN)
    found = process(part.pid)
    assert found is not None
    end([found], patience=0.2)
    assert part.wait(30) == -signal.SIGKILL


def test_the_supervisor_is_killed_before_it_can_restart_a_part(layout: Layout, spawn: Spawn) -> None:
    supervisor = spawn(_WAITING)
    leave_note(layout.part_pids / "supervisord.pid", supervisor.pid)
    assert end_all(layout) == 1
    assert supervisor.wait(30) == -signal.SIGKILL


def test_what_is_stale_is_cleared(layout: Layout, spawn: Spawn) -> None:
    gone = spawn(_WAITING)
    leave_note(layout.part_pids / "web.pid", gone.pid)
    (layout.part_pids / "staat.pid").write_bytes(b"\xff\x00 damaged")
    (layout.part_pids / ".staat.pid-x1").touch()  # killed while it wrote its note
    layout.state_socket.touch()
    layout.supervisor_socket.touch()
    gone.communicate()
    assert end_all(layout) == 0
    assert not list(layout.part_pids.iterdir())
    assert not list(layout.socket_folder.iterdir())


def test_a_process_that_ended_and_was_not_collected_is_not_alive(spawn: Spawn) -> None:
    child = spawn(_WAITING)
    found = process(child.pid)
    assert found is not None
    assert found.is_alive
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and its number is still taken
    assert not found.is_alive


@pytest.mark.parametrize("text", ["", "web", "0 boot/1", "1 boot/1", "-5 boot/1", "12", "١٢ boot/1"])
def test_a_note_that_names_no_process_is_no_note(tmp_path: Path, text: str) -> None:
    note = tmp_path / "web.pid"
    note.write_text(text, "utf-8")
    assert read_note(note) is None


def test_a_note_says_who_was_running(tmp_path: Path) -> None:
    leave_note(tmp_path / "web.pid", os.getpid())
    assert read_note(tmp_path / "web.pid") == process(os.getpid())


def test_waiting_ends_when_asked_to() -> None:
    stop = threading.Event()
    stop.set()
    assert not wait_until(lambda: False, 3600, stop)


def test_nobody_is_signalled_when_a_process_is_gone() -> None:
    Process(2**22 - 1, "boot/1").signal(signal.SIGKILL)
