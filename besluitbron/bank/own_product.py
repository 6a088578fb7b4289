"""A product of the bank's own: store, buffer, stand-ins and web server on loopback, with a data folder that goes with it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from besluitbron.running.launcher import ALIVE
from besluitbron.running.layout import PROJECT
from besluitbron.running.leftovers import wait_until
from besluitbron.running.options import Options, read_options
from besluitbron.running.parts import BUFFER, STAND_INS, STATE, WEB, Part
from besluitbron.running.probes import answers_http, answers_ping, free_port

_START_SECONDS: Final = 90.0
_END_SECONDS: Final = 5.0
_PLENTY: Final = 10_000
_ASSUMED: Final = ("officiele-bekendmakingen", "rechtspraak", "open-archivaris")
"""Platforms whose limits are our own guess: those may be larger here, the one that is published may not."""
_STAND_IN: Final = "/_stand/rechtspraak"


class OwnProductError(Exception):
    """The bank's own product does not start. The text is Dutch."""


@contextmanager
def own_products(count: int) -> Iterator[tuple[str, ...]]:
    """Start so many, side by side, and end them with the context; gives their addresses. Raises ``OwnProductError``.

    More than one, because each keeps to the limits of the platforms, as any product does, and together they need not wait.
    """
    with ExitStack() as ending, ThreadPoolExecutor(count) as starting:
        products = [ending.enter_context(_prepared()) for _ in range(count)]
        for one in [starting.submit(product.start) for product in products]:
            one.result()
        yield tuple(product.options.address for product in products)


@dataclass(frozen=True, slots=True)
class _Product:
    """One that can be started; ``running`` are its processes."""

    options: Options
    environment: Mapping[str, str]
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self) -> None:
        """Start all parts that answer questions. Raises ``OwnProductError``."""
        options, layout = self.options, self.options.layout
        self._begin(STATE.command(options), STATE.name)
        self._begin(BUFFER.command(options), BUFFER.name)
        serve = [sys.executable, "-m", "uvicorn", "besluitbron.bank.standins:application", "--no-access-log"]
        self._begin([*serve, "--host", "127.0.0.1", "--port", str(options.stand_ins_port)], STAND_INS.name)
        migrate = [sys.executable, str(PROJECT / "manage.py"), "migrate", "--no-input", "--verbosity", "0"]
        done = subprocess.run(migrate, check=False, cwd=PROJECT, env=dict(self.environment))  # noqa: S603 - our own command
        if done.returncode:
            message = "Voor de vragenbank is geen database te maken."
            raise OwnProductError(message)
        self._await(lambda: answers_ping(layout.state_socket) and answers_ping(layout.buffer_socket), STATE)
        self._begin(WEB.command(options), WEB.name)
        self._await(lambda: answers_http(options.stand_ins_port, _STAND_IN), STAND_INS)
        self._await(lambda: answers_http(options.port, ALIVE), WEB)

    def stop(self) -> None:
        """End all of its processes."""
        for process in reversed(self.running):
            process.terminate()
        for process in reversed(self.running):
            with suppress(subprocess.TimeoutExpired):
                process.wait(_END_SECONDS)
            process.kill()
            process.wait()

    def _begin(self, command: list[str], name: str) -> None:
        with (self.options.layout.logs / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(  # noqa: S603 - our own command
                command, cwd=PROJECT, env=dict(self.environment), stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        self.running.append(process)

    def _await(self, ready: Callable[[], bool], part: Part) -> None:
        """Wait until a part answers; not for one that has ended."""
        wait_until(lambda: ready() or any(one.poll() is not None for one in self.running), _START_SECONDS)
        if not ready():
            message = f"Voor de vragenbank start {part.title} niet."
            raise OwnProductError(message)


@contextmanager
def _prepared() -> Iterator[_Product]:
    with tempfile.TemporaryDirectory(prefix="vragenbank-") as folder:
        environment = _environment(Path(folder), free_port())
        options = read_options(environment)
        options.layout.make_folders()
        product = _Product(options, environment)
        try:
            yield product
        finally:
            product.stop()


def _environment(folder: Path, port: int) -> Mapping[str, str]:
    """The options of its own: nothing of the machine's counts, the platforms are stand-ins, and much may come in."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BESLUITBRON_")}
    door = f"connector={_PLENTY},session={_PLENTY}"
    return {
        **kept,
        "BESLUITBRON_DATA": str(folder),
        "BESLUITBRON_PLATFORMS": "stand-ins",
        "BESLUITBRON_LIMIET_SPREIDEN": "nee",
        "BESLUITBRON_LIMIET_EENHEDEN": ",".join(f"{key}={_PLENTY}/60" for key in _ASSUMED),
        "BESLUITBRON_MCP_RATE_LIMIT": f"process={_PLENTY},{door}",
        "BESLUITBRON_PAGINA_RATE_LIMIT": door,
        "BESLUITBRON_API_RATE_LIMIT": door,
        "DJANGO_SETTINGS_MODULE": "besluitbron.settings",
        "PORT": str(port),
    }
