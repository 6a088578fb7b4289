"""Any spelling of an ECLI, brought to the one form that the platform stores.

An ECLI is ``ECLI:country:court:year:number`` (platform page, section A8). People write it in lower case, with blanks, without
its first part, with a comma after it, or as the address of the page (field report 30).
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final
from urllib.parse import unquote

_LONGEST: Final = 500
_PREFIXES: Final = frozenset({"ECLI", "ECL", "ECI", "CLI", "ELCI", "ECLII", "ECCLI", "ECLL"})
_PARTS: Final = re.compile(
    r"([A-Z]{2}):([A-Z0-9.]{1,7}):((?:1[0-9]|20)[0-9]{2}):([A-Z0-9][A-Z0-9.]{0,24})(?::(?:INH|DOC))?"
)
_SEPARATORS: Final = re.compile(r"[\s:;,_]+")
_ID_IN_ADDRESS: Final = re.compile(r"[?&]id=([^&#\s]+)", re.IGNORECASE)
_AROUND: Final = " \t\r\n.,:;!?'\"“”„‘’«»()[]{}<>"
# Without its first part, and with blanks between the others, only these countries are read: "in ede 2024 12" is a question.
_COUNTRIES_WITHOUT_PREFIX: Final = frozenset({"NL", "EU", "CE"})


def parse_ecli(text: str) -> str | None:
    """The ECLI that ``text`` is, in upper case with colons, or None when it is anything else.

    Accepted: any case; blanks, underscores, commas or semicolons for colons; the first part left out or misspelt (ECL, ECI,
    CLI, ELCI); punctuation and quotes around it; invisible characters in it; the suffixes ``:INH`` and ``:DOC``; the address
    of a ruling at rechtspraak.nl in any of its forms. A number that is an old LJN (BP5608) is kept. Refused: more words than
    the ECLI, and an ECLI of which a part is missing.
    """
    if len(text) > _LONGEST:
        return None
    plain = "".join(
        c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) not in {"Cf", "Cc"} or c.isspace()
    )
    if "rechtspraak.nl/" in plain.lower():
        inside = _ID_IN_ADDRESS.search(plain)
        return _read(unquote(inside[1])) if inside else None
    return _read(plain)


def court_code(ecli: str) -> str:
    """The code of the court in a canonical ECLI: ``RBAMS`` of ``ECLI:NL:RBAMS:2021:8211``."""
    return ecli.split(":")[2]


def _read(text: str) -> str | None:
    text = text.strip(_AROUND).upper()
    if not text.isascii():
        return None
    first, _, rest = _SEPARATORS.sub(":", text).partition(":")
    has_prefix = first in _PREFIXES
    parts = _PARTS.fullmatch(rest if has_prefix else f"{first}:{rest}")
    if parts is None or not (has_prefix or ":" in text or parts[1] in _COUNTRIES_WITHOUT_PREFIX):
        return None
    return ":".join(("ECLI", *parts.groups()))
