"""A PostgreSQL server of one's own, in a folder that goes away: on a socket there alone, for measuring and for tests."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import psycopg
from psycopg import sql

ROLE: Final = "besluitbron"
"""Who owns the databases: nobody with more rights than an operator would give."""
_MASTER: Final = "meester"
_START_SECONDS: Final = 60.0
_AGAIN: Final = 0.05
_DEBIAN: Final = Path("/usr/lib/postgresql")
_SOUND: Final = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "listen_addresses=")


class NoPostgresError(Exception):
    """No PostgreSQL is installed, or none that can be run here."""


def program(name: str) -> str | None:
    """The path of a program of PostgreSQL: on the path, or where Debian puts them; None when there is none."""
    found = shutil.which(name)
    if found is None:
        versions = sorted(_DEBIAN.glob(f"*/bin/{name}"), key=lambda path: path.parts[-3].zfill(3))
        found = str(versions[-1]) if versions else None
    return found


def is_installed() -> bool:
    """Whether a server can be started here."""
    return program("postgres") is not None and program("initdb") is not None


def _somebody() -> pwd.struct_passwd | None:
    """Whom root becomes for the server, which refuses to run as root; None for anybody else."""
    if os.getuid():
        return None
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name)
    message = "no user to run PostgreSQL as"
    raise NoPostgresError(message)


@dataclass(slots=True)
class Postgres:
    """A server in ``folder`` that can be started, stopped and killed. ``connections``: its ``max_connections``."""

    folder: Path
    connections: int = 60
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def make(self) -> None:
        """Make the files of a server, and the role that owns databases. Raises ``NoPostgresError``."""
        initdb = program("initdb")
        if initdb is None:
            message = "no initdb"
            raise NoPostgresError(message)
        if owner := _somebody():
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        options = ["--auth=trust", f"--username={_MASTER}", "--encoding=UTF8", "--locale=C", "--no-sync"]
        if self._run([initdb, "-D", str(self.folder / "data"), *options]).wait():
            raise NoPostgresError((self.folder / "log").read_text("utf-8", "replace"))
        self.start()
        with self.master() as connection:
            connection.execute(f"CREATE ROLE {ROLE} LOGIN CREATEDB")

    def start(self) -> None:
        """Start it, and wait until it answers. Raises ``NoPostgresError`` when it does not."""
        wanted = [f"unix_socket_directories={self.folder}", f"max_connections={self.connections}", *_SOUND]
        options = [part for one in wanted for part in ("-c", one)]
        self._process = self._run([str(program("postgres")), "-D", str(self.folder / "data"), *options])
        ends = time.monotonic() + _START_SECONDS
        while time.monotonic() < ends and self._process.poll() is None:
            try:
                self.master().close()
            except psycopg.OperationalError:
                time.sleep(_AGAIN)  # noqa: TID251 - another process gives no event
            else:
                return
        self.stop()
        message = "PostgreSQL does not start"
        raise NoPostgresError(message)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: at once for everybody (SIGINT), or as a machine that loses its power (SIGQUIT)."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.communicate()
            self._process = None

    def master(self) -> psycopg.Connection[Any]:
        """A connection that may do all; it counts for nobody. The caller closes it."""
        return psycopg.connect(
            host=str(self.folder), user=_MASTER, dbname="postgres", autocommit=True, connect_timeout=5
        )

    def address(self, name: str) -> str:
        """The address of a database, as ``BESLUITBRON_DATABASE`` has it."""
        return f"postgresql://{ROLE}@/{name}?host={quote(str(self.folder), safe='')}"

    def database(self, name: str, template: str = "template0") -> str:
        """Make a database anew, a copy of ``template``; gives its address."""
        names = {"name": sql.Identifier(name), "template": sql.Identifier(template), "role": sql.Identifier(ROLE)}
        with self.master() as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {name} WITH (FORCE)").format(**names))
            connection.execute(sql.SQL("CREATE DATABASE {name} OWNER {role} TEMPLATE {template}").format(**names))
        return self.address(name)

    def _run(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        owner = _somebody()
        as_owner: dict[str, Any] = {}
        if owner:
            as_owner = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - our own command
                command,
                cwd=self.folder,
                env={"PATH": os.environ.get("PATH", ""), "TZ": "UTC"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **as_owner,
            )


@contextmanager
def private_postgres(connections: int = 60) -> Iterator[Postgres]:
    """A server that runs for as long as the context lasts. Raises ``NoPostgresError``."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    server = Postgres(folder, connections)
    try:
        server.make()
        yield server
    finally:
        server.stop(signal.SIGQUIT)
        shutil.rmtree(folder, ignore_errors=True)
