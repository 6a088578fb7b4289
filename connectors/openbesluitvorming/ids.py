"""The platform's ids and the addresses that belong to them (platform page, section 4).

An id is ``{type}:{supplier}:{organisation type}:{source key}:{native id}``. It ends up in paths, so what could lead elsewhere
in a path (a slash, two dots, a control character) makes it no id at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import parse_qs, quote, unquote, urlsplit

from connectors.addresses import Addresses, PlatformMode
from connectors.platforms import OPENBESLUITVORMING

MAX_ID = 200
_HOSTS = frozenset({"openbesluitvorming.nl", "www.openbesluitvorming.nl", "beta.openbesluitvorming.nl"})
_MAX_ADDRESS = 2000
_GRAMMAR = re.compile(
    r"(?P<type>meeting|document|motion|recording)"
    r":(?P<supplier>[a-z0-9_-]+):(?P<body>[a-z0-9_-]+):(?P<key>[A-Za-z0-9_-]+)"
    r":(?P<native>[A-Za-z0-9_~-][A-Za-z0-9_.:~-]*)",
    re.ASCII,
)


class EntityType(StrEnum):
    """The platform's types that a search can be narrowed to; case-sensitive over there."""

    MEETING = "Meeting"
    DOCUMENT = "Document"
    MOTION = "Motion"
    RECORDING = "Recording"


@dataclass(frozen=True, slots=True)
class EntityId:
    """An id that was checked, and the parts of it that say something. ``native`` is the number of its ``supplier``."""

    text: str
    type: EntityType
    body_type: str
    key: str
    supplier: str
    native: str


def entity_id(value: object) -> EntityId | None:
    """The checked id, or None when ``value`` is none. Takes the exact spelling only; ``canonical`` takes the others."""
    if not isinstance(value, str) or len(value) > MAX_ID or ".." in value:
        return None
    match = _GRAMMAR.fullmatch(value)
    if match is None:
        return None
    return EntityId(
        text=value,
        type=EntityType(match["type"].capitalize()),
        body_type=match["body"],
        key=match["key"],
        supplier=match["supplier"],
        native=match["native"],
    )


def canonical(text: str) -> str | None:
    """The id for any accepted spelling: as it is, percent-encoded, with blanks or a slash behind, or as its page's address."""
    text = text.strip()
    if len(text) > _MAX_ADDRESS:
        return None
    if text[:8].lower().startswith(("http://", "https://")):
        text = _viewed(text)
    elif "%" in text:
        text = unquote(text)
    found = entity_id(text.strip().removesuffix("/"))
    return found.text if found else None


def _viewed(address: str) -> str:
    """The value of ``view`` in the address of a page of the platform; empty when it is another address."""
    try:
        parts = urlsplit(address)
        if parts.hostname not in _HOSTS or parts.path not in {"", "/"}:
            return ""
        return parse_qs(parts.query).get("view", [""])[0]
    except ValueError:
        return ""


def page_address(addresses: Addresses, upstream_id: str, page: int | None = None) -> str:
    """The page that a person cites: the platform's own, opened at ``page``, or ours when the stand-ins answer."""
    if addresses.mode is not PlatformMode.LIVE:
        return addresses.own_page(OPENBESLUITVORMING, upstream_id)
    at = f"&page={page}" if page else ""
    return f"{OPENBESLUITVORMING.home}/?view={quote(upstream_id, safe='')}{at}"
