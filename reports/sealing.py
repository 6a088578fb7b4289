"""What is asked for lies sealed in the database: whoever reads a copy of it learns no question and finds no address.

The key is a file of the data folder. A report is found by a digest of its token; what is the same is known by a digest under
the key, so that nobody can try out questions.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

from cryptography.fernet import Fernet, InvalidToken

_TOKEN_BYTES: Final = 24
TOKEN_LENGTH: Final = 32
"""Characters of a token: four for every three of its bytes."""


class UnsealableError(Exception):
    """It was sealed under another key, or is damaged."""


def new_token() -> str:
    """The unguessable part of an address: 192 bits, ``TOKEN_LENGTH`` characters."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def digest_of(token: str) -> str:
    """By what a token is found: it cannot be turned back into an address."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Seal:
    """Seals under ``key``, as ``Fernet.generate_key`` makes it. Raises ``ValueError`` for anything else."""

    def __init__(self, key: str) -> None:
        self._fernet = Fernet(key)
        self._key = key.encode()

    def close(self, content: bytes) -> bytes:
        """Sealed."""
        return self._fernet.encrypt(content)

    def open(self, sealed: bytes | memoryview) -> bytes:
        """What was sealed. Raises ``UnsealableError``."""
        try:
            return self._fernet.decrypt(bytes(sealed))
        except InvalidToken as failure:
            raise UnsealableError from failure

    def mark(self, *what: str) -> str:
        """By what the same is known as the same, without the key to nobody of use."""
        return hmac.new(self._key, "\0".join(what).encode(), hashlib.sha256).hexdigest()
