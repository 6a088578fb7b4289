"""Base64url and JSON as the token standards have them, and not a spelling more: each value has one form.

Sizes come first: whoever calls has bounded the length, and what is here costs no more than that length. Both give ``None``
for what is not well formed; a failure with what was sent inside is never chained.
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Final

MOST_NESTED: Final = 8
_MOST_OPENED: Final = 64
_MOST_DIGITS: Final = 16
_ALPHABET: Final = re.compile(r"[A-Za-z0-9_-]*", re.ASCII)
_LAST: Final = {1: "", 2: "AQgw", 3: "AEIMQUYcgkosw048"}
"""With which sign a text may end whose length is so much above four: the bits of it that say nothing are 0."""


def encode(data: bytes) -> str:
    """Base64url without padding (RFC 7515, appendix C)."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode(text: str) -> bytes | None:
    """The bytes of base64url without padding, or ``None``. A second spelling of the same bytes is refused as well."""
    over = len(text) % 4
    if not _ALPHABET.fullmatch(text) or (over and text[-1] not in _LAST[over]):
        return None
    return urlsafe_b64decode(text + "=" * (-over % 4))


def members(data: bytes) -> dict[str, Any] | None:
    """The members of one JSON object in UTF-8, or ``None``.

    Refused: a member twice (at any depth), a number that is none (NaN) or has more than 16 digits, a lone surrogate, and more
    than eight levels.
    """
    opened = data.count(b"{") + data.count(b"[")
    if opened > _MOST_OPENED:
        return None
    try:
        value = _DECODER.decode(data.decode("utf-8"))
    except ValueError:
        return None
    sound = (opened <= MOST_NESTED and b"\\u" not in data) or _plain(value, MOST_NESTED)
    return value if isinstance(value, dict) and sound else None


def dump(value: Any) -> bytes:
    """JSON without white space, as it goes into a token."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of an object, for a decoder's ``object_pairs_hook``. Raises ``ValueError`` when a name comes twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def refuse(_: str) -> Any:
    """Raises ``ValueError``: for a decoder's ``parse_constant``, as NaN and Infinity are no JSON (RFC 8259, section 6)."""
    raise ValueError


def _number(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError
    return int(digits)


def _fraction(digits: str) -> float:
    if len(digits) > 2 * _MOST_DIGITS:
        raise ValueError
    return float(digits)


def _plain(value: Any, levels: int) -> bool:
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in value)
    if isinstance(value, dict):
        return levels > 0 and all(_plain(name, 1) and _plain(inside, levels - 1) for name, inside in value.items())
    if isinstance(value, list):
        return levels > 0 and all(_plain(inside, levels - 1) for inside in value)
    return True


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=once, parse_constant=refuse, parse_int=_number, parse_float=_fraction
)
