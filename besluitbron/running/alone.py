"""A product of its own on loopback, for as long as its context lasts: what the question bank and the benchmarks ask.

The parts and their commands are those of ``./start``, each a process of its own in a data folder that goes with it. The workers
stay away: what they do now and then would be measured with the rest. So no report is made here, and no document with keys of
others is fetched: whoever vouches for agents gives its keys in the file (``keys``), not where they are (``keysAt``).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from besluitbron.running.launcher import ALIVE
from besluitbron.running.layout import PROJECT
from besluitbron.running.leftovers import wait_until
from besluitbron.running.options import Options, read_options
from besluitbron.running.parts import BOOKKEEPER, BUFFER, STAND_INS, STATE, WEB, Part
from besluitbron.running.probes import answers_http, answers_ping, free_port

_START_SECONDS: Final = 90.0
_END_SECONDS: Final = 5.0
_LOG_CHARACTERS: Final = 2000
_STAND_IN: Final = "/_stand/rechtspraak"
_PREPARATION: Final = (
    "import os; from besluitbron.running.options import read_options; "
    "from besluitbron.running.preparation import prepare; prepare(read_options(os.environ))"
)
PREPARE: Final = (sys.executable, "-c", _PREPARATION)
"""The command that makes the database and the operator, as ``./start`` does, of the data folder in its environment."""


class NotStartedError(Exception):
    """A part does not start. The text is Dutch; ``log`` is the end of what the part wrote."""

    def __init__(self, text: str, log: str = "") -> None:
        super().__init__(text)
        self.log = log


@dataclass(frozen=True, slots=True)
class Alone:
    """A product that can be started; ``environment`` is that of its parts. ``stand_ins`` and ``preparing``: other commands."""

    options: Options
    environment: Mapping[str, str]
    stand_ins: Sequence[str] = ()
    preparing: Sequence[str] = PREPARE
    _running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self) -> None:
        """Start all parts and wait until they answer. Raises ``NotStartedError``."""
        options, layout = self.options, self.options.layout
        self._begin(STATE)
        self._begin(BUFFER)
        self._begin(STAND_INS, self.stand_ins)
        self._await(lambda: answers_ping(layout.state_socket) and answers_ping(layout.buffer_socket), STATE)
        done = subprocess.run(self.preparing, check=False, cwd=PROJECT, env=dict(self.environment))  # noqa: S603 - ours
        if done.returncode:
            message = "Er is geen database te maken."
            raise NotStartedError(message)
        self._begin(WEB)
        self._begin(BOOKKEEPER)
        self._await(lambda: answers_http(options.stand_ins_port, _STAND_IN), STAND_INS)
        self._await(lambda: answers_http(options.port, ALIVE), WEB)

    def stop(self) -> None:
        """End all of its processes."""
        for process in reversed(self._running):
            process.terminate()
        for process in reversed(self._running):
            with suppress(subprocess.TimeoutExpired):
                process.wait(_END_SECONDS)
            process.kill()
            process.wait()

    def _begin(self, part: Part, instead: Sequence[str] = ()) -> None:
        with self._log(part).open("wb") as log:
            process = subprocess.Popen(  # noqa: S603 - our own command
                instead or part.command(self.options),
                cwd=PROJECT,
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._running.append(process)

    def _await(self, ready: Callable[[], bool], part: Part) -> None:
        """Wait until a part answers; not once any has ended."""
        wait_until(lambda: ready() or any(one.poll() is not None for one in self._running), _START_SECONDS)
        if not ready():
            message = f"{part.title} start niet."
            raise NotStartedError(message, self._log(part).read_text("utf-8", "replace")[-_LOG_CHARACTERS:])

    def _log(self, part: Part) -> Path:
        return self.options.layout.logs / f"{part.name}.log"


@contextmanager
def alone(
    settings: Mapping[str, str],
    stand_ins: Callable[[Options], Sequence[str]] = lambda _: (),
    preparing: Sequence[str] = PREPARE,
) -> Iterator[Alone]:
    """A product with these settings, to be started, that ends with the context. No setting of the machine's own counts."""
    with tempfile.TemporaryDirectory(prefix="besluitbron-") as folder:
        given = {name: value for name, value in os.environ.items() if not name.startswith("BESLUITBRON_")}
        options = read_options(given | {"BESLUITBRON_DATA": folder, "PORT": str(free_port()), **settings})
        options.layout.make_folders()
        one = Alone(options, given | options.environment(), stand_ins(options), preparing)
        try:
            yield one
        finally:
            one.stop()
