"""The key under which addresses become session keys. It changes every day, and the old one is gone for good.

There are so few IPv4 addresses that whoever holds the key can try them all. So the key itself is what must not last: it is
overwritten at 3:00 UTC, when hardly anybody asks. No key of yesterday is kept, not even for those who ask at that moment: they
begin with a clean slate, once a day.
"""

from __future__ import annotations

import fcntl
import hmac
import os
import re
import secrets
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Final

import structlog

from throttling.store import wall

log = structlog.get_logger(__name__)

CHANGES_AT: Final = 3 * 3600.0
"""When in the day the key changes, in seconds after midnight UTC."""
_DAY: Final = 86_400
_FORM: Final = re.compile(rb"([0-9]{1,9}) ([0-9a-f]{64})\n")
_DIGITS: Final = 32


class DayKey:
    """The key in the file ``path``, shared by all processes that have it. ``clock`` gives seconds since 1970."""

    def __init__(self, path: Path, clock: Callable[[], float] = wall) -> None:
        self._path = path
        self._clock = clock
        self._day: int | None = None
        self._secret = b""

    def digest(self, text: str) -> str:
        """What stands for ``text`` today, in 32 hexadecimal digits."""
        return hmac.new(self._today(), text.encode(), sha256).hexdigest()[:_DIGITS]

    def _today(self) -> bytes:
        day = int((self._clock() - CHANGES_AT) // _DAY)
        if day != self._day:
            try:
                self._secret = _shared(self._path, day)
            except OSError as failure:
                # Then this process has a key of its own: it still tells people apart, and nothing is told of them.
                log.warning("day_key_unusable", failure=type(failure).__name__)
                self._secret = secrets.token_bytes()
            self._day = day
        return self._secret


def _shared(path: Path, day: int) -> bytes:
    """The key of ``day``: the one that another process wrote, or a new one in the place of the old. Raises ``OSError``."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        os.fchmod(descriptor, 0o600)
        kept = _FORM.fullmatch(file.read(128))
        # Around the change the clock of another process may be a little ahead: its key is as good.
        if kept and 0 <= int(kept[1]) - day <= 1:
            return bytes.fromhex(kept[2].decode())
        secret = secrets.token_bytes(32)
        file.seek(0)
        file.truncate()  # first: what is broken off here is no key
        file.write(b"%d %s\n" % (day, secret.hex().encode()))
        file.flush()
        os.fsync(descriptor)
        return secret
