"""A request to negotiate, for a token, or to revoke, as it comes in: bounds first, then its proof, and then what it says.

The order keeps what costs little before what costs much: how often its network asks, how large it is, whether its key signed it
now and for here, whether that was used before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl

from admission.gatehouse import Gatehouse
from admission.proofs import strict
from admission.proofs.credentials import proof_alone
from admission.proofs.dpop import KEPT, Proof, check_proof
from admission.proofs.exceptions import Check, ProofInvalidError

MOST_BODY: Final = 16_384
"""Bytes of a request (attack 20 of the study)."""
MOST_FIELDS: Final = 32
_MINUTE: Final = 60


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a network may ask: of its narrowest and of its wider one, in a minute."""

    near: int
    wide: int

    def rates(self, name: str, networks: Sequence[str]) -> list[tuple[str, int, int]]:
        """The rates to charge."""
        sizes = (self.near, *(self.wide for _ in networks[1:]))
        return [(f"{name}:{one}", size, _MINUTE) for one, size in zip(networks, sizes, strict=True)]


NEGOTIATING: Final = Pace(20, 60)
TOKENS: Final = Pace(240, 960)


class TooOftenError(Exception):
    """This network asks too often; it may again after so many seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class UnreadableError(Exception):
    """The body is no form, no JSON object, or too large. ``large`` says which."""

    def __init__(self, *, large: bool = False) -> None:
        super().__init__("unreadable")
        self.large = large


async def paced(house: Gatehouse, scope: Mapping[str, Any], name: str, pace: Pace) -> tuple[str, ...]:
    """The keys of the networks of a request that does not come too often. Raises ``TooOftenError`` and ``StoreLostError``."""
    networks = house.callers.networks(scope)
    wait = await house.admissions.earn(pace.rates(name, networks))
    if wait:
        raise TooOftenError(wait)
    return networks


async def proven(house: Gatehouse, scope: Mapping[str, Any]) -> Proof:
    """The proof of a request's key, for this request, not used before. Raises ``RefusedError`` and ``StoreLostError``."""
    proof = read_proof(house, scope)
    if not await house.once.spend(f"proof|{proof.replay_key()}", KEPT):
        raise ProofInvalidError(Check.IDENTIFIER)
    return proof


def read_proof(house: Gatehouse, scope: Mapping[str, Any], *, jkt: str | None = None) -> Proof:
    """The proof of a request's key; it may have been used before. Raises ``RefusedError``."""
    headers = [(name.lower(), value) for name, value in scope["headers"]]
    path = scope.get("raw_path") or scope["path"].encode()
    target = house.site.target(scope["method"], path.partition(b"?")[0], headers)
    return check_proof(proof_alone(headers), target, house.clock(), jkt=jkt)


def members(body: bytes) -> dict[str, Any]:
    """The members of a JSON object. Raises ``UnreadableError``."""
    if len(body) > MOST_BODY:
        raise UnreadableError(large=True)
    found = strict.members(body)
    if found is None:
        raise UnreadableError
    return found


def fields(body: bytes) -> dict[str, str]:
    """The fields of a form, each once (RFC 6749, section 3.2). Raises ``UnreadableError``."""
    if len(body) > MOST_BODY:
        raise UnreadableError(large=True)
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=False,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError:
        raise UnreadableError from None
    found = dict(pairs)
    if len(found) != len(pairs):
        raise UnreadableError
    return found
