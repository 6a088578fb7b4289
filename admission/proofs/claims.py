"""Single claims of a token, each with its bounds. What is absent, of another type or out of bounds is ``None``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from admission.proofs.exceptions import Check, RefusedError

SKEW: Final = 60
"""How many seconds the clock of somebody else may be off (attack 4 of the study)."""
MOST_TEXT: Final = 512
_LAST: Final = 2**40


def text(claims: Mapping[str, Any], name: str, most: int = MOST_TEXT) -> str | None:
    """Up to ``most`` visible signs of ASCII; a space or a control is none."""
    value = claims.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= most:
        return None
    return value if value.isascii() and value.isprintable() and " " not in value else None


def moment(claims: Mapping[str, Any], name: str) -> float | None:
    """A NumericDate of RFC 7519: seconds since 1970, with or without a fraction."""
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if 0 <= value < _LAST else None


def audience(claims: Mapping[str, Any]) -> str | None:
    """The one audience, alone or as a list of one. A token for more than one party is for none of them."""
    value = claims.get("aud")
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else None
    return text({"aud": value}, "aud")


def check_life(
    claims: Mapping[str, Any], now: float, longest: int, failure: type[RefusedError], skew: int = SKEW
) -> float:
    """When the token is over. Raises ``failure``: no end, over, not begun, from the future, or longer than ``longest``.

    ``skew`` is what is given to a clock of somebody else, on both sides.
    """
    expires = moment(claims, "exp")
    if expires is None or now >= expires + skew:
        raise failure(Check.EXPIRED)
    issued = moment(claims, "iat")
    if ("iat" in claims and issued is None) or (issued is not None and issued > now + SKEW):
        raise failure(Check.ISSUED)
    begins = moment(claims, "nbf")
    if ("nbf" in claims and begins is None) or (begins is not None and begins > now + SKEW):
        raise failure(Check.EARLY)
    if expires - (now if issued is None else issued) > longest:
        raise failure(Check.LIFETIME)
    return expires
