"""Addresses that lead to a record here but do not say of which organisation (platform page, sections 3, 6 and 7).

The number of a record is unique over all organisations at one moment, and so is the address of a file; the platform is asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from connectors.addresses import web_address
from connectors.calls import Answer
from connectors.open_raadsinformatie.answers import envelope
from connectors.open_raadsinformatie.parse import item

_LONGEST: Final = 2000
_RECORD: Final = re.compile(r"https?://id\.openraadsinformatie\.nl/([1-9][0-9]{0,17})", re.ASCII | re.IGNORECASE)
_NOTUBIZ: Final = re.compile(r"/document/([1-9][0-9]{0,17})(?:/([1-9][0-9]{0,5}))?(?:/[^/]*)?", re.ASCII)
_RESOLVED: Final = re.compile(r"/v1/resolve/api\.notubiz\.nl(/document/.+)", re.ASCII)
_SITE: Final = re.compile(r"[A-Za-z0-9_-]{1,60}", re.ASCII)
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_OWN_HOST: Final = "openraadsinformatie.nl"
_SHORTEST_PATH: Final = 5
_IBABS: Final = "api1.ibabs.eu"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to look for: the number of a record, or the addresses that its file may have."""

    number: str | None = None
    originals: tuple[str, ...] = ()


def wanted(text: str) -> Wanted | None:
    """What an address of this platform, or of a file at a supplier or a council, stands for; None for anything else."""
    if len(text) > _LONGEST:
        return None
    for one in (text, unquote(text), unquote(unquote(text))):
        if found := _RECORD.search(one):
            return Wanted(number=found[1])
    try:
        parts = urlsplit(text.strip())
        host = (parts.hostname or "").lower()
    except ValueError:
        return None
    path = unquote(parts.path)
    if host.endswith("openraadsinformatie.nl") and (resolved := _RESOLVED.fullmatch(path)):
        host, path = "api.notubiz.nl", resolved[1]
    if host == "api.notubiz.nl" and (document := _NOTUBIZ.fullmatch(path.rstrip("/"))):
        return Wanted(originals=(f"https://{host}/document/{document[1]}/{document[2] or '1'}",))
    if host == _IBABS and path.lower() == "/publicdownload.aspx":
        return _ibabs({name.lower(): values[0] for name, values in parse_qs(parts.query).items()})
    return _elsewhere(text.strip(), parts.scheme.lower(), host, path)


def _elsewhere(text: str, scheme: str, host: str, path: str) -> Wanted | None:
    """A file on a council's own host: its address as it is, with either scheme."""
    if scheme not in {"http", "https"} or "." not in host or len(path) < _SHORTEST_PATH or host.endswith(_OWN_HOST):
        return None
    rest = text[text.index("://") :]
    return Wanted(originals=(f"https{rest}", f"http{rest}")) if web_address(text) else None


def _ibabs(given: dict[str, str]) -> Wanted | None:
    site, uuid = given.get("site", ""), given.get("id", "").lower()
    if not _SITE.fullmatch(site) or not _UUID.fullmatch(uuid):
        return None
    # The site is written with capitals that people lose.
    sites = dict.fromkeys((site, site.capitalize(), site.lower(), site.upper()))
    return Wanted(originals=tuple(f"https://{_IBABS}/publicdownload.aspx?site={one}&id={uuid}" for one in sites))


def query_of(found: Wanted) -> dict[str, object]:
    """The question for the platform."""
    if found.number is not None:
        return {"ids": {"values": [found.number]}}
    return {"bool": {"filter": [{"terms": {"original_url": list(found.originals)}}]}}


def ids_in(answer: Answer) -> tuple[str, ...]:
    """The ids of the records in an answer, each once."""
    rows = (item(row) for row in envelope(answer).hits["hits"])
    return tuple(dict.fromkeys(one.upstream_id for one in rows if one is not None))
