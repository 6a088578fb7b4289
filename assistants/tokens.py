"""Texts that only we can have made: a random part, what was written on it, and a seal.

Whoever holds one of our keys can tell a real text from a forged one without looking anything up.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

_RANDOM_BYTES: Final = 16
_SEAL_BYTES: Final = 16
_PARTS: Final = 3
_MOST_CHARACTERS: Final = 120


@dataclass(frozen=True, slots=True)
class Token:
    """``name`` is the random part, which tells it from all others; ``note`` was written on it (letters, digits, dashes)."""

    name: str
    note: str


class Sealer:
    """Makes and reads tokens of one ``kind`` under a key derived from ``secret``; another kind's tokens are forged here."""

    def __init__(self, secret: str, kind: str) -> None:
        self._key = hmac.digest(secret.encode(), f"besluitbron.{kind}".encode(), sha256)

    def new(self, note: str, name: str = "") -> str:
        """A sealed text with this note, of a new name unless one is given. Visible ASCII without spaces."""
        name = name or _printed(secrets.token_bytes(_RANDOM_BYTES))
        return f"{name}.{note}.{self._seal(name, note)}"

    def read(self, text: str) -> Token | None:
        """The token, or None for a text that this sealer did not make."""
        if len(text) > _MOST_CHARACTERS or not text.isascii():
            return None
        parts = text.split(".")
        if len(parts) != _PARTS:
            return None
        name, note, seal = parts
        if not hmac.compare_digest(seal, self._seal(name, note)):
            return None
        return Token(name, note)

    def _seal(self, name: str, note: str) -> str:
        return _printed(hmac.digest(self._key, f"{name}.{note}".encode(), sha256)[:_SEAL_BYTES])


def _printed(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()
