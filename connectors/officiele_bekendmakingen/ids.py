"""The ids of this platform, brought to the spelling that its exact search finds (platform page, section 5).

``gmb-2024-216934``, ``kst-36600-VII-139``, ``kst-32123-XIV-A-b1``, ``h-tk-19981999-2741-2768``, ``nds-ocw0400097-b2``,
``Stcrt-2001-130-CAO1965``. The search is case sensitive, so an id in the platform's own spelling is kept as it is, and only
another spelling is mended: beginnings in lower case, Roman numbers and letters of a dossier in upper case.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final
from urllib.parse import quote, unquote

_LONGEST: Final = 300
_DOSSIER: Final = r"(?:[0-9]{4,8}-)?(?:[0-9]{1,6}|[A-Z]{1,8})(?:-[A-Z]{1,8}){0,3}"
_TAIL: Final = r"(?:-[bhknv][0-9]{1,4}){0,3}"
_FORM: Final = re.compile(
    "|".join(
        (
            rf"(?:gmb|prb|wsb|bgr|stcrt|stb|trb)-[0-9]{{4}}-[0-9]{{1,8}}(?:-p[0-9]{{1,3}})?(?:-[A-Z]+[0-9]*)?{_TAIL}",
            r"trb-[0-9]{4}-[a-z]{3,9}",
            r"Stcrt-[0-9]{4}-[0-9]{1,8}-[A-Z]+[0-9]*",
            rf"kst-{_DOSSIER}(?:-[0-9]{{1,6}}(?:-[A-Z]{{1,2}})?)?{_TAIL}",
            r"h-(?:tk|ek|vv)-[0-9]{8}(?:[-_](?:[0-9]{1,5}|VV)){1,5}(?:-n[0-9])?",
            r"h-[0-9]{1,8}(?:-[0-9]{1,5}){0,3}",
            rf"ah-(?:(?:tk|ek)-)?[0-9]{{1,8}}(?:-[0-9]{{1,6}})?{_TAIL}",
            rf"kv-(?:(?:tk|ek)-)?[0-9]{{4,12}}(?:Z[0-9]{{1,6}})?{_TAIL}",
            rf"blg-[0-9]{{1,8}}(?:-[0-9]{{1,6}}[A-Z]{{0,2}})?{_TAIL}",
            rf"nds-(?:tk-)?[a-z]{{0,6}}[0-9]{{1,12}}(?:D[0-9]{{1,6}})?(?:-[0-9]{{1,8}})?{_TAIL}",
            rf"ag-(?:(?:tk|ek|vv)-)?(?:[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|[0-9]{{2}}-[0-9]{{2}}-[0-9]{{4}})(?:-[0-9]{{1,3}})?{_TAIL}",
            r"ag-(?:(?:tk|ek|vv)-)?[0-9]{1,8}",
        )
    )
)
_UPPER: Final = re.compile(r"[ivxlcdm]+[a-h]?|[a-z]{1,2}|[0-9]+[a-z]{1,2}|[0-9]+[dz][0-9]+|(?:cao|sc)[0-9]*")
_BEGINNINGS: Final = frozenset(
    {"gmb", "prb", "wsb", "bgr", "stcrt", "stb", "trb", "kst", "h", "ah", "kv", "blg", "nds", "ag", "tk", "ek", "vv"}
)
_HOSTS: Final = ("zoek.officielebekendmakingen.nl/", "repository.overheid.nl/frbr/officielepublicaties/")
_FILE_END: Final = re.compile(r"\.(?:html|xml|pdf|odt)$|/metadata(?:_owms)?\.xml$", re.IGNORECASE)
_DASHES: Final = re.compile(r"[\s\u2010-\u2015\u2212]+")
SITE: Final = "https://zoek.officielebekendmakingen.nl"


def is_canonical(identifier: str) -> bool:
    """Whether this is an id in a spelling of the platform itself."""
    return len(identifier) <= _LONGEST and _FORM.fullmatch(identifier) is not None


def canonical(text: str) -> str | None:
    """The id that ``text`` is, or None when it is anything else.

    Accepted: the id in any case; percent-encoded; with blanks or other dashes for hyphens; the address of its page or files.
    """
    if len(text) > _LONGEST:
        return None
    plain = unicodedata.normalize("NFKC", unquote(text)).strip(" \t\r\n.,;!?'\"“”()[]<>")
    plain = _in_address(plain)
    if is_canonical(plain):
        return plain
    mended = "-".join(_mended(at, part) for at, part in enumerate(_DASHES.sub("-", plain).lower().split("-")))
    return mended if is_canonical(mended) else None


def _in_address(text: str) -> str:
    """The id in an address of this platform; any other text as it is."""
    for host in _HOSTS:
        if host in text.lower():
            rest = text[text.lower().index(host) + len(host) :].partition("?")[0].partition("#")[0]
            # The repository writes area, group and id in front of the version; the site writes the id alone.
            parts = _FILE_END.sub("", rest).strip("/").split("/")
            return parts[2] if len(parts) > 2 else parts[0]  # noqa: PLR2004 - area, group, id
    return text


def _mended(at: int, part: str) -> str:
    """One part between hyphens, in the case that the platform gives it."""
    if part in _BEGINNINGS and at <= 1:
        return part
    return part.upper() if _UPPER.fullmatch(part) else part


def page_address(identifier: str) -> str:
    """The page that a person cites (``preferredUrl`` of a record)."""
    return f"{SITE}/{quote(identifier, safe='')}.html"
