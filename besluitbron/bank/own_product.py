"""A product of the bank's own: store, buffer, stand-ins and web server on loopback, with a data folder that goes with it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from besluitbron.running.launcher import ALIVE
from besluitbron.running.layout import PROJECT
from besluitbron.running.leftovers import wait_until
from besluitbron.running.options import Options, read_options
from besluitbron.running.parts import BUFFER, STATE, WEB
from besluitbron.running.probes import answers_http, answers_ping

_START_SECONDS: Final = 90.0
_END_SECONDS: Final = 5.0
_PLENTY: Final = 10_000
_STAND_IN: Final = "/_stand/rechtspraak"


class OwnProductError(Exception):
    """The bank's own product does not start. The text is Dutch."""


@dataclass(frozen=True, slots=True)
class OwnProduct:
    """A running product: its ``address``, and the socket of its store."""

    address: str
    store: Path

    async def rest(self) -> None:
        """Forget all turns and limits, as a fresh installation: the bank asks for answers, not for how long they take."""
        with socket.socket(socket.AF_UNIX) as door:
            door.settimeout(_END_SECONDS)
            door.connect(str(self.store))
            door.sendall(b"FLUSHALL\r\n")
            door.recv(16)


@contextmanager
def own_product() -> Iterator[OwnProduct]:
    """Start one, and end it with the context. Raises ``OwnProductError``."""
    with tempfile.TemporaryDirectory(prefix="vragenbank-") as folder:
        environment = _environment(Path(folder), _free_port())
        options = read_options(environment)
        options.layout.make_folders()
        running: list[subprocess.Popen[bytes]] = []
        try:
            _start(options, environment, running)
            yield OwnProduct(options.address, options.layout.state_socket)
        finally:
            for process in reversed(running):
                process.terminate()
            for process in reversed(running):
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_END_SECONDS)
                process.kill()


def _environment(folder: Path, port: int) -> Mapping[str, str]:
    """The options of its own: nothing of the machine's counts, the platforms are stand-ins, and much may come in."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BESLUITBRON_")}
    door = f"connector={_PLENTY},session={_PLENTY}"
    return {
        **kept,
        "BESLUITBRON_DATA": str(folder),
        "BESLUITBRON_PLATFORMS": "stand-ins",
        "BESLUITBRON_LIMIET_SPREIDEN": "nee",
        "BESLUITBRON_MCP_RATE_LIMIT": f"process={_PLENTY},{door}",
        "BESLUITBRON_PAGINA_RATE_LIMIT": door,
        "BESLUITBRON_API_RATE_LIMIT": door,
        "DJANGO_SETTINGS_MODULE": "besluitbron.settings",
        "PORT": str(port),
    }


def _start(options: Options, environment: Mapping[str, str], running: list[subprocess.Popen[bytes]]) -> None:
    layout = options.layout

    def begin(command: list[str], name: str) -> None:
        with (layout.logs / f"{name}.log").open("wb") as log:
            running.append(
                subprocess.Popen(  # noqa: S603 - our own command
                    command, cwd=PROJECT, env=dict(environment), stdin=subprocess.DEVNULL, stdout=log, stderr=log
                )
            )

    begin(STATE.command(options), STATE.name)
    begin(BUFFER.command(options), BUFFER.name)
    migrate = [sys.executable, str(PROJECT / "manage.py"), "migrate", "--no-input", "--verbosity", "0"]
    subprocess.run(migrate, check=True, cwd=PROJECT, env=dict(environment))  # noqa: S603 - our own command
    _await(lambda: answers_ping(layout.state_socket) and answers_ping(layout.buffer_socket), "de opslag", running)
    serve = [sys.executable, "-m", "uvicorn", "besluitbron.bank.standins:application", "--no-access-log"]
    begin([*serve, "--host", "127.0.0.1", "--port", str(options.stand_ins_port)], "stand-ins")
    begin(WEB.command(options), WEB.name)
    _await(lambda: answers_http(options.stand_ins_port, _STAND_IN), "de meegeleverde verzameling", running)
    _await(lambda: answers_http(options.port, ALIVE), "de webserver", running)


def _await(ready: Callable[[], bool], what: str, running: Iterable[subprocess.Popen[bytes]]) -> None:
    """Wait until a part answers; not for one that has ended."""
    wait_until(lambda: ready() or any(one.poll() is not None for one in running), _START_SECONDS)
    if not ready():
        message = f"Voor de vragenbank start {what} niet."
        raise OwnProductError(message)


def _free_port() -> int:
    """A port of which the next is free too, for the stand-ins."""
    for _ in range(100):
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port: int = first.getsockname()[1]
            with suppress(OSError, OverflowError):
                second.bind(("127.0.0.1", port + 1))
                return port
    message = "Voor de vragenbank is geen poort vrij."
    raise OwnProductError(message)
