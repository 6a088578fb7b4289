"""The journals of this platform: their names, their areas in ids, and which of our kinds they hold.

Names and areas: platform page, section 2 (``w.publicatienaam``) and value-lists.json. An attachment (``blg``) goes under the
name Kamerstuk in a record; its type says "Bijlage".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from connectors.records import Kind


@dataclass(frozen=True, slots=True)
class Journal:
    """One journal: the platform's name for it, the beginnings of its ids, and our kind for what is in it."""

    name: str
    areas: tuple[str, ...]
    kind: Kind


KAMERSTUK: Final = Journal("Kamerstuk", ("kst", "blg"), Kind.DOCUMENT)
JOURNALS: Final = (
    Journal("Gemeenteblad", ("gmb",), Kind.BEKENDMAKING),
    Journal("Provinciaal blad", ("prb",), Kind.BEKENDMAKING),
    Journal("Waterschapsblad", ("wsb",), Kind.BEKENDMAKING),
    Journal("Blad gemeenschappelijke regeling", ("bgr",), Kind.BEKENDMAKING),
    Journal("Staatscourant", ("stcrt",), Kind.BEKENDMAKING),
    Journal("Staatsblad", ("stb",), Kind.WET),
    Journal("Tractatenblad", ("trb",), Kind.BEKENDMAKING),
    KAMERSTUK,
    Journal("Handelingen", ("h-tk", "h-ek", "h-vv"), Kind.VERSLAG),
    Journal("Kamervragen (Aanhangsel)", ("ah-tk", "ah-ek"), Kind.ANTWOORD),
    Journal("Kamervragen zonder antwoord", ("kv-tk", "kv-ek", "kv"), Kind.VRAAG),
    Journal("Niet-dossierstuk", ("nds-tk", "nds"), Kind.DOCUMENT),
    Journal("Agenda", ("ag-tk", "ag-ek", "ag-vv", "ag"), Kind.AGENDA),
)
_WORD: Final = re.compile(r"\w+")
_ABOUT: Final = re.compile(r"\b(?:van|over|op|inzake|bij)\b")
_BY_NAME: Final[Mapping[str, Journal]] = MappingProxyType({journal.name.casefold(): journal for journal in JOURNALS})
_BY_AREA: Final[Mapping[str, Journal]] = MappingProxyType(
    {area: journal for journal in JOURNALS for area in journal.areas}
)
# The words by which a parliamentary paper shows what it is, in its title, heading or type; the first that fits counts.
# A motion on a bill is a motion, and so is an amended one; a letter may answer a motion, so letters come last.
_PAPER_KINDS: Final = (
    ("motie", Kind.MOTIE),
    ("amendement", Kind.AMENDEMENT),
    ("verslag", Kind.VERSLAG),
    ("voorstel", Kind.VOORSTEL),
    ("brief", Kind.BRIEF),
)
PAPER_WORDS: Final[Mapping[Kind, str]] = MappingProxyType({kind: word for word, kind in _PAPER_KINDS})
KINDS: Final = frozenset({journal.kind for journal in JOURNALS} | PAPER_WORDS.keys())


def journal_named(name: str) -> Journal | None:
    """The journal with this name, in any case."""
    return _BY_NAME.get(name.casefold())


def journal_of(identifier: str) -> Journal | None:
    """The journal to which an id belongs, by its longest known beginning."""
    lowered = identifier.lower()
    fits = (area for area in _BY_AREA if lowered.startswith(f"{area}-"))
    area = max(fits, key=len, default=None)
    return _BY_AREA[area] if area else None


def kind_of(journal: Journal | None, words: Iterable[str]) -> Kind:
    """Our kind of a publication. ``words`` are what a parliamentary paper calls itself: heading, title and types.

    Read in turn, so that what the platform calls it goes before what stands in a title.
    """
    if journal is None:
        return Kind.DOCUMENT
    if journal is not KAMERSTUK:
        return journal.kind
    texts = [text.casefold() for text in words if text]
    if "bijlage" in texts:
        return Kind.DOCUMENT
    for text in texts:
        # What stands behind "van" or "over" is what it is about: an answer to a motion is none.
        called = set(_WORD.findall(_ABOUT.split(text)[0]))
        for word, kind in _PAPER_KINDS:
            if word in called:
                return kind
    return journal.kind


def journals_for(kinds: frozenset[Kind]) -> tuple[Journal, ...]:
    """The journals that can hold one of ``kinds``, in the order of the list."""
    papers = bool(kinds & (PAPER_WORDS.keys() | {KAMERSTUK.kind}))
    return tuple(journal for journal in JOURNALS if (papers if journal is KAMERSTUK else journal.kind in kinds))
