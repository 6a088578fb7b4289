"""Recognising processes by a note on disk, and ending those that a killed run left behind.

A process id alone says little: once its process is gone, the system gives the number to a stranger. A note therefore holds the
moment that process started as well, and only a process that fits both is ever sent a signal.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from besluitbron.running.layout import Layout
from besluitbron.running.secrets import replace

SUPERVISOR: Final = "supervisord"
_PROC: Final = Path("/proc")
_PATIENCE: Final = 5.0
_STEP: Final = 0.05


@dataclass(frozen=True, slots=True)
class Process:
    """One process, told apart from any later one with the same id by the moment it started."""

    pid: int
    started: str

    @property
    def is_alive(self) -> bool:
        """Whether this very process still runs. One that ended and was not yet collected does not."""
        return _started(self.pid) == self.started

    def signal(self, number: signal.Signals) -> None:
        """Send ``number`` to it and, when it leads a process group, to its children; nothing when it is gone."""
        try:
            if self.is_alive:
                (os.killpg if os.getpgid(self.pid) == self.pid else os.kill)(self.pid, number)
        except ProcessLookupError:
            return


def process(pid: int) -> Process | None:
    """The process that has ``pid`` now, or nothing."""
    started = _started(pid)
    return Process(pid, started) if started else None


def leave_note(path: Path, pid: int) -> None:
    """Note in ``path`` which process ``pid`` is."""
    found = process(pid)
    if found is not None:
        replace(path, f"{found.pid} {found.started}")


def read_note(path: Path) -> Process | None:
    """The process that ``path`` names, alive or not; nothing when there is no such file or it is damaged."""
    try:
        pid, _, started = path.read_text("utf-8").strip().partition(" ")
    except (OSError, UnicodeDecodeError):
        return None
    number = int(pid) if pid.isascii() and pid.isdigit() else 0
    return Process(number, started) if number > 1 and started else None


def end_all(layout: Layout) -> int:
    """End what the notes of an earlier run name, and remove its notes and sockets. Returns how many still ran.

    The supervisor goes first and at once: as long as it lives it restarts its parts. The parts may finish what they write.
    """
    folder = layout.part_pids
    notes = sorted(folder.iterdir()) if folder.is_dir() else []  # with those that were broken off half written
    found = [one for one in map(read_note, notes) if one is not None and one.is_alive]
    supervisor = read_note(folder / f"{SUPERVISOR}.pid")
    if supervisor in found:
        supervisor.signal(signal.SIGKILL)
    end(found)
    for path in (*notes, layout.state_socket, layout.buffer_socket, layout.supervisor_socket):
        with suppress(FileNotFoundError, NotADirectoryError):  # the folder may be a file of somebody else
            path.unlink()
    return len(found)


def end(processes: Iterable[Process], patience: float = _PATIENCE) -> None:
    """Ask ``processes`` to end, and kill those that still run after ``patience`` seconds."""
    rest = [one for one in processes if one.is_alive]
    for number, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, _PATIENCE)):
        for one in rest:
            one.signal(number)
        wait_until(lambda: not any(one.is_alive for one in rest), seconds)


def wait_until(condition: Callable[[], bool], seconds: float, stop: threading.Event | None = None) -> bool:
    """Wait until ``condition`` holds, at most ``seconds`` and no longer than until ``stop``; whether it held."""
    pause = threading.Event() if stop is None else stop
    for _ in range(max(1, round(seconds / _STEP))):
        if condition():
            return True
        if pause.wait(_STEP):
            return False
    return condition()


def _started(pid: int) -> str:
    """When the process with ``pid`` started, as the system says it; empty when there is none or it has ended."""
    if not _PROC.joinpath("self", "stat").exists():
        return _started_by_ps(pid)
    try:
        stat = _PROC.joinpath(str(pid), "stat").read_text("utf-8", errors="replace")
        boot = _PROC.joinpath("sys", "kernel", "random", "boot_id").read_text("ascii").strip()
    except OSError:
        return ""
    # proc(5): the name, in brackets, may hold anything; behind it the state comes first and the start time twentieth.
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] in {"Z", "X"} else f"{boot}/{fields[19]}"


def _started_by_ps(pid: int) -> str:
    """The same, on a system without ``/proc``."""
    ps = shutil.which("ps")
    if ps is None:
        return ""
    command = [ps, "-o", "stat=,lstart=", "-p", str(pid)]
    state, _, started = (
        subprocess.run(  # noqa: S603 - a fixed command and a number
            command, capture_output=True, text=True, check=False, env={"LC_ALL": "C"}
        )
        .stdout.strip()
        .partition(" ")
    )
    return "" if state.startswith("Z") else " ".join(started.split())
