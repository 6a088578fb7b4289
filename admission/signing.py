"""The keys that we sign tokens with, one after another, all made from one secret: no process need tell another of a new one.

Each signs for a month. It is shown in the set of keys a month before it begins, and read ten minutes after the next one began.
A new secret ends all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from joserfc.jwk import OKPKey

from admission.proofs.own_keys import Keyring, OwnKey, own_key
from admission.proofs.tokens import Issuer

PERIOD: Final = 30 * 86_400
"""Seconds that one key signs."""
LEAST_SECRET: Final = 32
_PURPOSE: Final = b"besluitbron admission token key "


class Signing:
    """Gives who mints and reads tokens now. ``secret``: at least 32 bytes; ``name`` is this site's own address.

    ``clock``: seconds since 1970.
    """

    def __init__(self, secret: bytes, name: str, clock: Callable[[], float]) -> None:
        if len(secret) < LEAST_SECRET:
            message = "a secret of at least 32 bytes"
            raise ValueError(message)
        self._secret = secret
        self._name = name
        self._clock = clock
        self._made: tuple[int, Issuer] | None = None

    @property
    def issuer(self) -> Issuer:
        """Who mints and reads tokens at this moment."""
        period = int(self._clock() // PERIOD)
        if self._made is None or self._made[0] != period:
            keys = tuple(self._key(one) for one in (period - 1, period, period + 1))
            self._made = (period, Issuer(name=self._name, audience=self._name, keys=Keyring(keys)))
        return self._made[1]

    def _key(self, period: int) -> OwnKey:
        made = HKDF(SHA256(), 32, salt=None, info=_PURPOSE + str(period).encode()).derive(self._secret)
        jwk = OKPKey.import_key(Ed25519PrivateKey.from_private_bytes(made)).as_dict(private=True)
        return own_key({name: str(jwk[name]) for name in ("kty", "crv", "x", "d")}, period * PERIOD)
