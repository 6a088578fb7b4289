"""What bodies of government are called, and the ids of the register: ``gemeente-ede``, ``tweede-kamer``.

Every platform spells them in its own way ("Dommel, De", "De Dommel", "Waterschap de Dommel"). The id is made from kind and
own name alone, so that connectors which never heard of each other arrive at the same one. Field report 14: a water board
shown without its kind is not recognised, hence ``display_name``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from connectors.records import BodyKind, Organisation

_BODY_WORDS: dict[BodyKind, tuple[str, ...]] = {
    BodyKind.GEMEENTE: ("gemeente",),
    BodyKind.PROVINCIE: ("provincie",),
    BodyKind.WATERSCHAP: ("waterschap", "hoogheemraadschap", "wetterskip"),
    BodyKind.STADSDEEL: ("stadsdeel",),
    BodyKind.GERECHT: (),
    BodyKind.PARLEMENT: (),
    BodyKind.MINISTERIE: ("ministerie",),
    BodyKind.OVERIG: (),
}
_OF_SOMEWHERE = frozenset({"hoogheemraadschap", "ministerie"})
_CHAMBER_OF = re.compile(r"(?<=\w) der staten-generaal$", re.IGNORECASE)
TWEEDE_KAMER_ID = "tweede-kamer"
_APOSTROPHES = re.compile("['\u2018\u2019\u02bc`\u00b4]")
_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")


def slug(name: str) -> str:
    """``name`` in lower-case ASCII with single hyphens: "Súdwest-Fryslân" → "sudwest-fryslan". Empty when nothing is left."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return _NOT_IN_SLUG.sub("-", _APOSTROPHES.sub("", plain).lower()).strip("-")


def own_name(kind: BodyKind, name: str) -> str:
    """``name`` without the word for its kind: "Hoogheemraadschap van Delfland" → "Delfland"."""
    name = " ".join(name.split())
    if kind is BodyKind.PARLEMENT:
        return _CHAMBER_OF.sub("", name)
    first, _, rest = name.partition(" ")
    if first.lower() not in _BODY_WORDS[kind] or not rest:
        return name
    # Only these are "of" something; in any other name "van" is a part of it.
    return rest.removeprefix("van ") if first.lower() in _OF_SOMEWHERE else rest


def display_name(kind: BodyKind, name: str) -> str:
    """``name`` with the word for its kind in front, unless it is there already: "De Dommel" → "Waterschap De Dommel"."""
    name = " ".join(name.split())
    words = _BODY_WORDS[kind]
    if kind is BodyKind.PARLEMENT:
        return own_name(kind, name)
    if not words or name.partition(" ")[0].lower() in words:
        return name[:1].upper() + name[1:] if name[:1].isascii() else name
    return f"{words[0].capitalize()} {'van ' if words[0] in _OF_SOMEWHERE else ''}{name}"


def register_id(kind: BodyKind, name: str) -> str | None:
    """The register's id for a body, or None when ``name`` holds no letter or digit to make one from.

    There is one parliament, so its chambers need no kind in front: ``tweede-kamer``.
    """
    tail = slug(own_name(kind, name))
    if not tail:
        return None
    return tail if kind is BodyKind.PARLEMENT else f"{kind.value}-{tail}"


def listed_body(
    kind: BodyKind, name: str, key: tuple[str, str], row: Mapping[str, Any], spellings: Iterable[str] = ()
) -> Organisation | None:
    """The body of a row in a list that the project ships; None when its name makes no id.

    ``key`` is the platform and its own key; of ``row`` the fields ``code``, ``ended`` (a day in ISO 8601) and ``successor``
    (an id of the register) are read; ``spellings`` are names beside its own.
    """
    identifier = register_id(kind, name)
    if identifier is None:
        return None
    shown = display_name(kind, name)
    return Organisation(
        id=identifier,
        name=shown,
        kind=kind,
        keys=(key,),
        names=tuple(other for other in dict.fromkeys((own_name(kind, name), *spellings)) if other != shown),
        code=row.get("code"),
        ended=date.fromisoformat(row["ended"]) if "ended" in row else None,
        successor=row.get("successor"),
    )
