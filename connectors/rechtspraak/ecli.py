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
# As one word, as in the name of a file. Only of a Dutch court: its code is letters alone, so the year says where it ends.
_ONE_WORD: Final = re.compile(r"ECLI(NL)([A-Z]{2,7})((?:1[0-9]|20)[0-9]{2})([A-Z0-9][A-Z0-9.]{0,24})")
_LJN: Final = re.compile(r"(?:LJN[\s:-]*)?([A-Z]{2}[0-9]{4})", re.ASCII)
_SEPARATORS: Final = re.compile(r"[\s:;,_]+")
_ID_IN_ADDRESS: Final = re.compile(r"[?&]id=([^&#\s]+)", re.IGNORECASE)
_AROUND: Final = " \t\r\n.,:;!?'\"“”„‘’«»()[]{}<>/"
# Without its first part only these countries are read, and of their courts those with a name: "in ede 2024 12" and
# "CE 1 2020 5" are questions.
_COUNTRIES_WITHOUT_PREFIX: Final = frozenset({"NL", "EU", "CE"})
_COURT_WITHOUT_PREFIX: Final = re.compile(r"[A-Z][A-Z0-9.]+")
# The courts of the Union have one letter, and are always written with colons: EU:C:2022:276.
_COURTS_OF_THE_UNION: Final = frozenset({"EU:C", "EU:F", "EU:T"})


def parse_ecli(text: str) -> str | None:
    """The ECLI that ``text`` is, in upper case with colons, or None when it is anything else.

    Accepted: any case; blanks, underscores, commas or semicolons for colons; the first part misspelt (ECL, ECI, CLI, ELCI)
    or, of a court of the Netherlands or Europe, left out; punctuation, quotes and slashes around it; invisible characters in
    it; all of it as one word; percent-encoding; the suffixes ``:INH`` and ``:DOC``; the address of a ruling at rechtspraak.nl
    in any of its forms. A number that is an old LJN (BP5608) is kept. Refused: more words than the ECLI, and an ECLI of which a
    part is missing.
    """
    if len(text) > _LONGEST:
        return None
    plain = "".join(
        c
        for c in unicodedata.normalize("NFKC", unquote(text))
        if unicodedata.category(c) not in {"Cf", "Cc"} or c.isspace()
    )
    if "rechtspraak.nl/" in plain.lower():
        inside = _ID_IN_ADDRESS.search(plain)
        return _read(inside[1]) if inside else None
    return _read(plain)


def parse_ljn(text: str) -> str | None:
    """The old number of a decision, as "LJN BP5608" or alone; None for anything else. It does not say of which court."""
    found = _LJN.fullmatch(text.strip(_AROUND).upper()) if len(text) <= _LONGEST else None
    return found[1] if found else None


def court_code(ecli: str) -> str:
    """The code of the court in a canonical ECLI: ``RBAMS`` of ``ECLI:NL:RBAMS:2021:8211``."""
    return ecli.split(":")[2]


def _read(text: str) -> str | None:
    text = text.strip(_AROUND).upper()
    if not text.isascii():
        return None
    if one_word := _ONE_WORD.fullmatch(text):
        return ":".join(("ECLI", *one_word.groups()))
    first, _, rest = _SEPARATORS.sub(":", text).partition(":")
    has_prefix = first in _PREFIXES
    parts = _PARTS.fullmatch(rest if has_prefix else f"{first}:{rest}")
    if parts is None or not (has_prefix or _needs_no_prefix(text, parts[1], parts[2])):
        return None
    return ":".join(("ECLI", *parts.groups()))


def _needs_no_prefix(text: str, country: str, court: str) -> bool:
    if text.startswith(f"{country}:{court}:") and f"{country}:{court}" in _COURTS_OF_THE_UNION:
        return True
    return country in _COUNTRIES_WITHOUT_PREFIX and _COURT_WITHOUT_PREFIX.fullmatch(court) is not None
