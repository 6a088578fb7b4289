"""Secrets that are made once and kept in the data folder, readable by their owner only."""

from __future__ import annotations

import base64
import os
import secrets
import tempfile
from pathlib import Path

from besluitbron.running.layout import Layout


def secret_key(layout: Layout) -> str:
    """The key that signs sessions: made at the first call, the same ever after.

    Processes that ask at the same moment get the same key. Raises ``OSError`` when it can neither be read nor written.
    """
    return keep_once(layout.secret_key, secrets.token_urlsafe(50))


def report_key(layout: Layout) -> str:
    """The key that seals what reports are of (32 bytes, base64url): made at the first call. Raises ``OSError``."""
    return keep_once(layout.report_key, base64.urlsafe_b64encode(secrets.token_bytes(32)).decode())


def admission_key(layout: Layout) -> str:
    """The secret that our keys for contracts are made from (32 bytes, base64url). Raises ``OSError``."""
    return keep_once(layout.admission_key, base64.urlsafe_b64encode(secrets.token_bytes(32)).decode())


def keep_once(path: Path, text: str) -> str:
    """What ``path`` holds; when it does not exist yet, it then holds ``text``. The first writer wins."""
    try:
        kept = path.read_text("utf-8").strip()
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    else:
        if not kept:  # broken off while somebody wrote it by hand: an empty key would sign nothing
            replace(path, text)
        return kept or text
    fresh = _write_beside(path, text)
    try:
        path.hardlink_to(fresh)  # unlike a rename it fails when somebody else was first
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return path.read_text("utf-8").strip()


def replace(path: Path, text: str) -> None:
    """Put ``text`` in ``path`` in one step, readable by its owner only."""
    _write_beside(path, text).replace(path)


def _write_beside(path: Path, text: str) -> Path:
    """A new file (mode 0600) with ``text`` in the folder of ``path``, complete on disk."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{text}\n")
        file.flush()
        os.fsync(file.fileno())
    return Path(name)
