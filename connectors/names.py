"""What bodies of government are called, and the ids of the register: ``gemeente-ede``, ``waterschap-de-dommel``.

Every platform spells them in its own way ("Dommel, De", "De Dommel", "Waterschap de Dommel"). The id is made from kind and
own name alone, so that connectors which never heard of each other arrive at the same one. Field report 14: a water board
shown without its kind is not recognised, hence ``display_name``.
"""

from __future__ import annotations

import re
import unicodedata

from connectors.records import BodyKind

_BODY_WORDS: dict[BodyKind, tuple[str, ...]] = {
    BodyKind.GEMEENTE: ("gemeente",),
    BodyKind.PROVINCIE: ("provincie",),
    BodyKind.WATERSCHAP: ("waterschap", "hoogheemraadschap", "wetterskip"),
    BodyKind.STADSDEEL: ("stadsdeel",),
    BodyKind.GERECHT: (),
}
_APOSTROPHES = re.compile("['\u2018\u2019\u02bc`\u00b4]")
_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")


def slug(name: str) -> str:
    """``name`` in lower-case ASCII with single hyphens: "Súdwest-Fryslân" → "sudwest-fryslan". Empty when nothing is left."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return _NOT_IN_SLUG.sub("-", _APOSTROPHES.sub("", plain).lower()).strip("-")


def own_name(kind: BodyKind, name: str) -> str:
    """``name`` without the word for its kind in front: "Hoogheemraadschap van Delfland" → "Delfland"."""
    name = " ".join(name.split())
    first, _, rest = name.partition(" ")
    if first.lower() not in _BODY_WORDS[kind] or not rest:
        return name
    # Only these boards are "of" somewhere; in any other name "van" is a part of it.
    return rest.removeprefix("van ") if first.lower() == "hoogheemraadschap" else rest


def display_name(kind: BodyKind, name: str) -> str:
    """``name`` with the word for its kind in front, unless it is there already: "De Dommel" → "Waterschap De Dommel"."""
    name = " ".join(name.split())
    words = _BODY_WORDS[kind]
    if not words or name.partition(" ")[0].lower() in words:
        return name[:1].upper() + name[1:] if name[:1].isascii() else name
    return f"{words[0].capitalize()} {name}"


def register_id(kind: BodyKind, name: str) -> str | None:
    """The register's id for a body, or None when ``name`` holds no letter or digit to make one from."""
    tail = slug(own_name(kind, name))
    return f"{kind.value}-{tail}" if tail else None
