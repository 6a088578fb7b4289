"""Where a run keeps its things. Pure standard library: usable before Django, and before any package is installed."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
"""The folder that holds ``manage.py``."""

LONGEST_SOCKET_PATH = 100
"""Bytes. ``sun_path`` holds 108 on Linux and 104 elsewhere, and the end of the string takes one."""

_SUPERVISOR_SUFFIX = ".1234567"
"""The supervisor binds a socket under its name and process id first, then renames it."""


class FolderRefusedError(Exception):
    """A folder cannot be trusted with sockets. The text is Dutch, for the person who starts the product."""


def data_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Where a run keeps its data: ``BESLUITBRON_DATA``, or ``var`` beside ``manage.py``; always absolute.

    ``environment`` defaults to that of the process. An empty value counts as not set.
    """
    wanted = (os.environ if environment is None else environment).get("BESLUITBRON_DATA", "")
    return Path(wanted).expanduser().resolve() if wanted else PROJECT / "var"


@dataclass(frozen=True, slots=True)
class Layout:
    """Every path of a run below ``data`` (absolute). Nothing is made here, except the socket folder on request."""

    data: Path

    @property
    def database(self) -> Path:
        """The SQLite database."""
        return self.data / "besluitbron.sqlite3"

    @property
    def secret_key(self) -> Path:
        """The key that signs sessions, readable by its owner only."""
        return self.data / "secret-key"

    @property
    def day_key(self) -> Path:
        """The key of today under which addresses become keys, readable by its owner only."""
        return self.data / "day-key"

    @property
    def report_key(self) -> Path:
        """The key under which lies sealed what reports are of, readable by its owner only."""
        return self.data / "report-key"

    @property
    def admission_key(self) -> Path:
        """The secret that the keys of our tokens are made from, readable by its owner only."""
        return self.data / "admission-key"

    @property
    def operator_login(self) -> Path:
        """Name and password of the operator as first made, readable by its owner only."""
        return self.data / "beheerder.txt"

    @property
    def pid_file(self) -> Path:
        """Names the running launcher; locked for as long as it lives."""
        return self.data / "besluitbron.pid"

    @property
    def part_pids(self) -> Path:
        """Folder with one file per running part: who it is, so that a later start can recognise it."""
        return self.data / "pids"

    @property
    def logs(self) -> Path:
        """Folder with one log per part."""
        return self.data / "logs"

    @property
    def supervisor_conf(self) -> Path:
        """The supervisor's configuration, written anew by each start."""
        return self.data / "supervisord.conf"

    @property
    def beat_schedule(self) -> Path:
        """When Celery beat last sent what. Kept over a restart; beat itself replaces a damaged one."""
        return self.data / "beat-schedule"

    @property
    def heartbeat(self) -> Path:
        """When the background last showed that it works."""
        return self.data / "heartbeat"

    @property
    def state_data(self) -> Path:
        """Folder with the append-only file of the store (``staat``)."""
        return self.data / "staat"

    @property
    def buffer_data(self) -> Path:
        """Folder with the append-only file of the buffer."""
        return self.data / "buffer"

    @property
    def socket_folder(self) -> Path:
        """Folder of the sockets: ``run`` below the data, or one in the temporary folder when that path is too long."""
        own = self.data / "run"
        longest = own / f"supervisor.sock{_SUPERVISOR_SUFFIX}"
        if len(os.fsencode(longest)) <= LONGEST_SOCKET_PATH:
            return own
        mark = hashlib.sha256(os.fsencode(self.data)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"besluitbron-{os.getuid()}-{mark}"

    @property
    def state_socket(self) -> Path:
        """Where the store (``staat``) listens."""
        return self.socket_folder / "staat.sock"

    @property
    def buffer_socket(self) -> Path:
        """Where the buffer listens."""
        return self.socket_folder / "buffer.sock"

    @property
    def supervisor_socket(self) -> Path:
        """Where the supervisor listens."""
        return self.socket_folder / "supervisor.sock"

    def make_folders(self) -> None:
        """Make every folder a run needs, private to its owner. Raises ``FolderRefusedError``, or ``OSError``."""
        for folder in (self.data, self.logs, self.part_pids, self.state_data, self.buffer_data):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_private(self.socket_folder)

    def remove_socket_folder(self) -> None:
        """Remove the socket folder when it lies outside the data and nothing is in it any more."""
        if self.data not in self.socket_folder.parents:
            with contextlib.suppress(OSError):
                self.socket_folder.rmdir()


def make_private(folder: Path) -> None:
    """Make ``folder`` for its owner alone. Raises ``FolderRefusedError`` when it is a link or somebody else's.

    The temporary folder is open to all: a stranger who made our folder first could read along on every socket.
    """
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        message = (
            f"{folder} is geen gewone map (een verwijzing of een bestand). Verwijder wat daar staat en start opnieuw."
        )
        raise FolderRefusedError(message)
    if found.st_uid != os.getuid():
        message = f"De map {folder} is van een andere gebruiker. Laat die map verwijderen of kies een kortere BESLUITBRON_DATA."
        raise FolderRefusedError(message)
    folder.chmod(0o700)
