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
        self._tokens: OrderedDict[bytes, AccessToken] = OrderedDict()

    def read(self, token: str, now: float) -> AccessToken:
        """A token of ours that holds now. Raises ``TokenInvalidError``."""
        digest = hashlib.sha256(token.encode("latin-1", "replace")).digest()
        found = self._tokens.get(digest)
        if found is not None and found.issued <= now < found.expires:
            return found
        found = self._issuer().read(token, now)
        self._tokens[digest] = found
        if len(self._tokens) > MOST:
            self._tokens.popitem(last=False)
        return found
