"""One decision of Open Data (section A4): bytes in, a ``Ruling`` out. Raises nothing but ``ConnectorError``.

The first block of metadata is the ECLI register's and always there; the second exists only when there is a text. Both carry
``issued`` and ``modified``: the register's say when the ECLI was made, never when the court decided (section A4, DOC 12.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from lxml import etree

from connectors.bodies import require_success
from connectors.calls import Answer
from connectors.exceptions import Defect, GoneError, NotAnAnswerError
from connectors.platforms import RECHTSPRAAK
from connectors.rechtspraak.ecli import parse_ecli
from connectors.rechtspraak.elements import at_most, child_line, child_lines, line_of, one_line, root_of
from connectors.rechtspraak.parse_body import paragraphs_of, passages_of
from connectors.records import Passage
from connectors.xml_elements import attribute, children, day_of, first, local

_GONE: Final = frozenset({404, 410})
_NO_ABSTRACT: Final = frozenset({"", "-"})
_MOST_FACTS: Final = 20_000  # elements of the metadata; the fullest decision we know has under 100


@dataclass(frozen=True, slots=True)
class Relation:
    """A formal relation: the platform's sentence, and the ECLI it points to when it carries one."""

    text: str
    ecli: str | None


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to law or case law: the platform's label and words, and its identifier in whatever scheme."""

    label: str
    text: str
    identifier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A decision as the platform describes it. ``kind`` is its own word (Uitspraak, Conclusie). Unknown days are None.

    ``registered`` is when the ECLI was made, ``published`` and ``changed`` are of the text, and None without one.
    ``case_numbers`` are literal: one of them may hold several.
    """

    ecli: str
    kind: str
    court: str
    decided: date | None
    published: date | None
    changed: date | None
    registered: date | None
    case_numbers: tuple[str, ...]
    subjects: tuple[str, ...]
    procedures: tuple[str, ...]
    places: tuple[str, ...]
    periods: tuple[str, ...]
    published_in: tuple[str, ...]
    relations: tuple[Relation, ...]
    references: tuple[Reference, ...]
    replaces: tuple[str, ...]
    replaced_by: str
    abstract: str
    passages: tuple[Passage, ...]


def parse_content(answer: Answer, ecli: str) -> Ruling:
    """The decision ``ecli``. Raises ``GoneError`` for 404, 410 and an empty ``<content/>``; ``NotAnAnswerError`` for the rest.

    What an unknown ECLI gets is not known (section A6); another decision than the one asked for is refused.
    """
    if answer.status in _GONE:
        raise GoneError(RECHTSPRAAK.key, ecli)
    require_success(RECHTSPRAAK.key, answer)
    root = root_of(answer.body)
    if local(root) == "content" and not len(root) and not line_of(root):
        raise GoneError(RECHTSPRAAK.key, ecli)
    if local(root) != "open-rechtspraak":
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "root")
    ruling = _ruling(root)
    if ruling.ecli != ecli:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "identifier")
    return ruling


def _ruling(root: etree._Element) -> Ruling:
    register, text = _descriptions(root)
    ecli = parse_ecli(child_line(register, "identifier"))
    if ecli is None:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "identifier")
    body = next(children(root, "uitspraak", "conclusie"), None)
    return Ruling(
        ecli=ecli,
        kind=child_line(register, "type"),
        court=child_line(register, "creator"),
        decided=day_of(child_line(register, "date")),
        published=day_of(child_line(text, "issued")) if text is not None else None,
        changed=day_of(child_line(text, "modified")) if text is not None else None,
        registered=day_of(child_line(register, "issued")),
        case_numbers=child_lines(register, "zaaknummer"),
        subjects=child_lines(register, "subject"),
        procedures=child_lines(register, "procedure"),
        places=child_lines(register, "spatial"),
        periods=tuple(period for item in children(register, "temporal") if (period := _period(item))),
        published_in=_published_in(register),
        relations=tuple(_relation(item) for item in children(register, "relation")),
        references=tuple(_reference(item) for item in children(register, "references")),
        replaces=child_lines(register, "replaces"),
        replaced_by=child_line(register, "isReplacedBy"),
        abstract=_abstract(root),
        passages=passages_of(body) if body is not None else (),
    )


def _descriptions(root: etree._Element) -> tuple[etree._Element, etree._Element | None]:
    """The register's block and the text's. The second says what it is ``about``."""
    rdf = first(root, "RDF")
    if rdf is not None:
        at_most(_MOST_FACTS, rdf.iter(), "RDF")
    blocks = tuple(children(rdf, "Description")) if rdf is not None else ()
    if not blocks:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "Description")
    register = next((block for block in blocks if not attribute(block, "about")), blocks[0])
    return register, next((block for block in blocks if block is not register), None)


def _abstract(root: etree._Element) -> str:
    indication = first(root, "inhoudsindicatie")
    abstract = "\n\n".join(paragraphs_of(indication)) if indication is not None else ""
    return "" if abstract in _NO_ABSTRACT else abstract


def _period(item: etree._Element) -> str:
    return " - ".join(dict.fromkeys(part for part in (child_line(item, "start"), child_line(item, "end")) if part))


def _published_in(register: etree._Element) -> tuple[str, ...]:
    versions = children(register, "hasVersion")
    return tuple(
        line for version in versions for items in children(version, "list") for line in child_lines(items, "li")
    )


def _relation(item: etree._Element) -> Relation:
    return Relation(line_of(item), parse_ecli(attribute(item, "resourceIdentifier")))


def _reference(item: etree._Element) -> Reference:
    return Reference(attribute(item, "label"), line_of(item), one_line(attribute(item, "resourceIdentifier")))
