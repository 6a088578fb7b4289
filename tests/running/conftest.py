"""A whole run of the product, in a data folder and on ports of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from besluitbron.running import probes
from besluitbron.running.launcher import ALIVE
from besluitbron.running.layout import PROJECT, Layout
from besluitbron.running.leftovers import Process, end_all, process, read_note, wait_until
from besluitbron.running.probes import answers_http

PATIENCE = 90.0


@dataclass
class Run:
    """A launcher as ``./start`` runs it."""

    layout: Layout
    port: int
    output: Path
    launcher: subprocess.Popen[bytes]

    def said(self) -> str:
        return self.output.read_text("utf-8")

    def is_ready(self) -> bool:
        return "staat klaar op" in self.said()

    def await_ready(self) -> None:
        assert wait_until(lambda: self.is_ready() or self.launcher.poll() is not None, PATIENCE)
        assert self.launcher.poll() is None, self.said()

    def layout_environment(self) -> dict[str, str]:
        return {"BESLUITBRON_DATA": str(self.layout.data), "PORT": str(self.port)}

    def answers(self) -> bool:
        return answers_http(self.port, ALIVE)

    def part(self, name: str) -> Process | None:
        return read_note(self.layout.part_pids / f"{name}.pid")

    def processes(self) -> list[Process]:
        """The supervisor and everything it started, grandchildren included: they share its session."""
        supervisor = self.part("supervisord")
        assert supervisor is not None
        return [one for one in _all_processes() if _session(one.pid) == supervisor.pid]

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        self.launcher.send_signal(number)
        return self.launcher.wait(PATIENCE)


def _all_processes() -> list[Process]:
    numbers = (int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit())
    return [one for one in map(process, numbers) if one is not None]


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return 0


@pytest.fixture
def free_port() -> int:
    """A port that is free, and the one above it as well."""
    return probes.free_port()


@pytest.fixture
def launch(tmp_path: Path, free_port: int) -> Iterator[Callable[..., Run]]:
    """Start the product; whatever a test leaves running is ended."""
    runs: list[Run] = []

    def start(data: Path | None = None, port: int | None = None, **environment: str) -> Run:
        layout = Layout((data or tmp_path / "var").resolve())
        chosen = free_port if port is None else port
        output = tmp_path / f"said-{len(runs)}"
        clean = {k: v for k, v in os.environ.items() if not k.startswith("BESLUITBRON_")}
        own = {"BESLUITBRON_DATA": str(layout.data), "PORT": str(chosen)}
        with output.open("wb") as file:
            launcher = subprocess.Popen(
                [sys.executable, "-m", "besluitbron.running"],
                cwd=PROJECT,
                env=clean | own | environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        runs.append(Run(layout, chosen, output, launcher))
        return runs[-1]

    yield start
    for run in runs:
        if run.launcher.poll() is None:
            run.end(signal.SIGTERM)
        end_all(run.layout)
        run.layout.remove_socket_folder()
