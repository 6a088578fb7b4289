"""Words of strangers, before they are kept or shown.

They decide nothing. They are bounded, on one line, without what moves the words around them, and still escaped wherever they
are shown.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_LEFT_OUT: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, signs that are not seen (of which some turn the order of reading), halves of signs, and what has no meaning."""


def plain(text: str, most: int) -> str | None:
    """``text`` on one line without what nobody sees; None when it is longer than ``most`` signs."""
    if len(text) > most:
        return None
    seen = "".join(" " if sign in "\n\r\t" else sign for sign in text)
    return " ".join("".join(sign for sign in seen if unicodedata.category(sign) not in _LEFT_OUT).split())
