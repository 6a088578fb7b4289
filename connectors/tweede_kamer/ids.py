"""The ids of this platform: numbers as people cite them, and the GUID of a row where it has no number (section 13)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from connectors.kamer_ids import COMMITMENT, GUID, NUMBER


class Entity(StrEnum):
    """The entity sets in which something to open stands, by their exact names."""

    DOCUMENT = "Document"
    CASE = "Zaak"
    ACTIVITY = "Activiteit"
    COMMITMENT = "Toezegging"
    MEETING = "Vergadering"


_LETTERS: Final = {"D": Entity.DOCUMENT, "Z": Entity.CASE, "A": Entity.ACTIVITY}
_BY_GUID: Final = re.compile(rf"(document|zaak|activiteit|toezegging|vergadering):({GUID})", re.ASCII)
_HOSTS: Final = frozenset({"tweedekamer.nl", "www.tweedekamer.nl"})
_LONGEST: Final = 500


@dataclass(frozen=True, slots=True)
class Key:
    """Where an id leads: an entity set, and a number or the GUID of a row in it."""

    entity: Entity
    number: str = ""
    guid: str = ""

    @property
    def upstream_id(self) -> str:
        """The canonical id."""
        return self.number or f"{self.entity.value.lower()}:{self.guid}"


def key_of(text: str) -> Key | None:
    """The key for an id in its canonical form or in another case; None for anything else."""
    number = text.upper()
    if found := NUMBER.fullmatch(number):
        return Key(_LETTERS[found[1]], number=number)
    if COMMITMENT.fullmatch(number):
        return Key(Entity.COMMITMENT, number=number)
    if found := _BY_GUID.fullmatch(text.lower()):
        return Key(Entity(found[1].capitalize()), guid=found[2])
    return None


def canonical(text: str) -> str | None:
    """The id for any accepted spelling: other case, percent-encoded, or the address of a page of www.tweedekamer.nl."""
    if len(text) > _LONGEST:
        return None
    plain = unquote(text).strip()
    key = key_of(plain) or _of_address(plain)
    return key.upstream_id if key else None


def id_of(entity: Entity, number: object, guid: object) -> str | None:
    """The id of a row: its number where that is one, else its GUID; None when it has neither."""
    if isinstance(number, str) and (key := key_of(number.strip())) and key.entity is entity:
        return key.upstream_id
    key = key_of(f"{entity.value}:{guid}") if isinstance(guid, str) else None
    return key.upstream_id if key else None


def _of_address(text: str) -> Key | None:
    """A page names a document with ``did``, or whatever it shows with ``id``; the document goes first."""
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or host not in _HOSTS:
        return None
    named = parse_qs(parts.query)
    candidates = (value for name in ("did", "id") for value in named.get(name, ())[:1])
    return next((key for value in candidates if (key := key_of(value.strip()))), None)
