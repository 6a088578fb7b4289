"""Tokens that were read before: the same bytes say the same for as long as they hold.

What a contract still allows is asked of the store each time; nothing of that is remembered here.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from admission.proofs.tokens import AccessToken, Issuer

MOST: Final = 1024


class Remembered:
    """Reads tokens as ``issuer`` does, and each that is good once. It keeps at most ``MOST``, by their digests."""

    def __init__(self, issuer: Callable[[], Issuer]) -> None:
        self._issuer = issuer
        self._read_by: Issuer | None = None
        self._tokens: OrderedDict[bytes, AccessToken] = OrderedDict()

    def read(self, token: str, now: float) -> AccessToken:
        """A token of ours that holds now. Raises ``TokenInvalidError``.

        With other keys all is read anew: what a key signed that is withdrawn holds no longer (attack 5 of the study).
        """
        issuer = self._issuer()
        if issuer is not self._read_by:
            self._tokens.clear()
            self._read_by = issuer
        digest = _digest(token.encode("latin-1", "replace"))
        found = self._tokens.get(digest)
        if found is not None and found.issued <= now < found.expires:
            return found
        self._tokens.pop(digest, None)
        found = issuer.read(token, now)
        self._tokens[digest] = found
        if len(self._tokens) > MOST:
            self._tokens.popitem(last=False)
        return found

    def contract(self, token: bytes) -> str:
        """The contract of a token that was read before, whether it still holds or not; "" for any other. Nothing is proven."""
        found = self._tokens.get(_digest(token))
        return found.grant.contract if found is not None else ""


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()
