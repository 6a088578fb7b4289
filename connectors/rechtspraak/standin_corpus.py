"""What the stand-in serves: the decisions of ``corpus/``, read once, and the search over their words.

It reads the files with code of its own, not with the connector's parsers, so that it cannot share their mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Final

from lxml import etree

CORPUS: Final = Path(__file__).parent / "corpus"
VALUE_LISTS: Final = CORPUS / "waardelijst"
_NAMES: Final = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "dcterms": "http://purl.org/dc/terms/",
    "psi": "http://psi.rechtspraak.nl/",
    "rs": "http://www.rechtspraak.nl/schema/rechtspraak-1.0",
}
_WORD: Final = re.compile(r"\w+")
_TERM: Final = re.compile(r'"([^"]*)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Named:
    """A value with the identifier that it has in a value list."""

    identifier: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decision:
    """One decision of the corpus. ``changed`` is Dutch local time; ``published`` is None when there is no text.

    ``words`` holds every word of abstract, text, ECLI, case numbers and court, each between blanks.
    """

    file: Path
    ecli: str
    kind: Named
    court: Named
    decided: date
    published: date | None
    changed: datetime
    case_numbers: str
    subjects: tuple[Named, ...]
    procedures: tuple[Named, ...]
    replaces: tuple[str, ...]
    is_replaced: bool
    found_in: tuple[str, ...]
    abstract: str | None
    text: str = field(repr=False)
    words: str = field(repr=False)

    @property
    def title(self) -> str:
        """Court, day and case numbers, as the website titles a decision."""
        return f"{self.court.name}, {self.decided:%d-%m-%Y}, {self.case_numbers}".removesuffix(", ")


@cache
def decisions() -> tuple[Decision, ...]:
    """All decisions of the corpus, in order of ECLI."""
    return tuple(
        sorted((_read(file) for file in (CORPUS / "content").glob("*.xml")), key=lambda decision: decision.ecli)
    )


def by_ecli(ecli: str) -> Decision | None:
    """The decision with exactly this ECLI."""
    return next((decision for decision in decisions() if decision.ecli == ecli), None)


def score(decision: Decision, phrases: tuple[str, ...]) -> int:
    """How often the words and phrases occur in a decision; 0 when one of them does not."""
    counts = [decision.words.count(phrase) for phrase in phrases]
    return sum(counts) if all(counts) else 0


def phrases_of(term: str) -> tuple[str, ...]:
    """A search term as the strings to look for in ``Decision.words``: words, and what stands between double quotes."""
    found = (_words(quoted or loose) for quoted, loose in _TERM.findall(term))
    return tuple(phrase for phrase in found if phrase.strip())


@cache
def identifiers(name: str) -> frozenset[str]:
    """All identifiers of a value list."""
    root = etree.parse(VALUE_LISTS / f"{name}.xml").getroot()
    return frozenset(str(identifier.text) for identifier in root.iter("Identifier"))


@cache
def areas_below(identifier: str) -> frozenset[str]:
    """An area of law and those below it: a root covers its children."""
    root = etree.parse(VALUE_LISTS / "Rechtsgebieden.xml").getroot()
    for area in root.iter("Rechtsgebied"):
        if area.findtext("Identifier") == identifier:
            return frozenset(str(below.text) for below in area.iter("Identifier"))
    return frozenset({identifier})


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _read(file: Path) -> Decision:
    root = etree.parse(file).getroot()
    blocks = root.findall("rdf:RDF/rdf:Description", _NAMES)
    register = blocks[0]
    court, kind = (_named(register, name)[0] for name in ("dcterms:creator", "dcterms:type"))
    ecli, cases = _texts(register, "dcterms:identifier")[0], ", ".join(_texts(register, "psi:zaaknummer"))
    abstract = root.find("rs:inhoudsindicatie", _NAMES)
    body = next((body for name in ("rs:uitspraak", "rs:conclusie") for body in root.findall(name, _NAMES)), None)
    summary = "\n".join(_lines(abstract)) if abstract is not None else None
    text = "\n".join(_lines(body)) if body is not None else ""
    return Decision(
        file=file,
        ecli=ecli,
        kind=kind,
        court=court,
        decided=date.fromisoformat(_texts(register, "dcterms:date")[0]),
        published=date.fromisoformat(_texts(blocks[1], "dcterms:issued")[0]) if len(blocks) > 1 else None,
        changed=datetime.fromisoformat(_texts(register, "dcterms:modified")[0]),
        case_numbers=cases,
        subjects=_named(register, "dcterms:subject"),
        procedures=_named(register, "psi:procedure"),
        replaces=_texts(register, "dcterms:replaces"),
        is_replaced=bool(_texts(register, "dcterms:isReplacedBy")),
        found_in=_texts(register, "dcterms:hasVersion/rdf:list/rdf:li"),
        abstract=summary,
        text=text,
        words=_words(f"{ecli} {court.name} {cases} {summary or ''} {text}"),
    )


def _texts(block: etree._Element, path: str) -> tuple[str, ...]:
    return tuple(" ".join((found.text or "").split()) for found in block.findall(path, _NAMES))


def _named(block: etree._Element, path: str) -> tuple[Named, ...]:
    found = block.findall(path, _NAMES)
    return tuple(
        Named(element.get("resourceIdentifier", ""), " ".join((element.text or "").split())) for element in found
    )


def _lines(element: etree._Element) -> Iterator[str]:
    """The text nodes that say something, in order."""
    return (line for piece in element.itertext("*") if (line := " ".join(piece.split())))
