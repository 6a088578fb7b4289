"""From marked-up text to passages: one walk for the XML and for the HTML of publications. Pure, linear, bounded.

Every element that is not known to stand within a line begins and ends a paragraph, so that an unknown one loses nothing.
Numbers and bullets stand before their paragraph, cells of a row have " | " between them, notes stand together at the end. A
heading begins a passage; long ones are cut at paragraphs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from lxml import etree

from connectors.cutting import cut
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.officiele_bekendmakingen.elements import KEY, one_line
from connectors.records import Passage
from connectors.xml_elements import local

NOTES_HEADING: Final = "Noten"
_MOST_PASSAGES: Final = 5000
_LONGEST_HEADING: Final = 500
_DEEPEST: Final = 120
_MOST_ELEMENTS: Final = 300_000  # the longest real page, 800 kB of treaty, has far fewer
_MOST_LEVELS: Final = 8  # of headings, cells and notes in one another: each writes its text once more


@dataclass(frozen=True, slots=True)
class Markup:
    """What the elements of one markup mean. ``fronts`` stand before what follows them, on the same line.

    ``flat``: blocks that are one line. ``inner``: what is quoted within a text, so that its heading begins no passage.
    ``marked``: in the first of these elements the second one, when it comes first, is such a front (the bullet of an item).
    """

    inline: frozenset[str]
    headings: frozenset[str]
    fronts: frozenset[str]
    cells: frozenset[str]
    notes: frozenset[str]
    breaks: frozenset[str]
    skipped: frozenset[str]
    flat: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()
    marked: tuple[str, str] = ("", "")


XML: Final = Markup(
    inline=frozenset(
        [
            "nadruk",
            "extref",
            "intref",
            "dossierref",
            "sup",
            "inf",
            "unl",
            "ovl",
            "datum",
            "naam",
            "voornaam",
            "achternaam",
            "voorvoegsels",
            "politiek",
            "ondernummer",
            "plaats",
            "functie",
            "dossiernr",
            "begrotingshoofdstuk",
            "raadnr",
            "rijkswetnr",
            "label",
            "afkorting",
            "organisatie",
            "noot.nr",
            "verwijzing",
        ]
    ),
    headings=frozenset({"kop", "tussenkop", "item-titel", "intitule", "stuktitel"}),
    fronts=frozenset({"li.nr", "lidnr", "spreker", "nr", "stuknr"}),
    cells=frozenset({"entry"}),
    notes=frozenset({"noot"}),
    breaks=frozenset({"br"}),
    skipped=frozenset({"metadata", "colspec", "illustratie"}),
    flat=frozenset({"kamerstukkop", "dossier"}),
    inner=frozenset({"motie"}),
)
HTML: Final = Markup(
    inline=frozenset(
        [
            "a",
            "abbr",
            "acronym",
            "b",
            "big",
            "cite",
            "code",
            "del",
            "em",
            "font",
            "i",
            "ins",
            "label",
            "q",
            "s",
            "small",
            "span",
            "strike",
            "strong",
            "sub",
            "sup",
            "tt",
            "u",
        ]
    ),
    headings=frozenset({"h1", "h2", "h3", "h4", "h5", "h6"}),
    fronts=frozenset(),
    cells=frozenset({"td", "th"}),
    notes=frozenset(),
    breaks=frozenset({"br"}),
    skipped=frozenset({"script", "style", "head", "noscript", "svg", "input", "select", "button", "template"}),
    marked=("li", "span"),
)


@dataclass(slots=True)
class _Writer:
    """Paragraphs and headings as they are met."""

    groups: list[tuple[str, list[str]]] = field(default_factory=lambda: [("", [])])
    notes: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    is_front: bool = False
    note_count: int = 0
    level: int = 0

    def put(self, text: str | None) -> None:
        """Add text to the line; anything readable ends the wait for what stands behind a number."""
        if text:
            self.line.append(text)
            if self.is_front and text.strip():
                self.is_front = False

    def end_line(self) -> None:
        """End the paragraph, unless it holds no more than the number in front of it."""
        if self.is_front:
            return
        self.flush()

    def flush(self) -> None:
        """End the paragraph, whatever it holds."""
        self.is_front = False
        paragraph = one_line("".join(self.line))
        self.line.clear()
        if paragraph.strip("| "):
            self.groups[-1][1].append(paragraph.strip("| ") if paragraph.startswith("| ") else paragraph)

    def begin(self, heading: str) -> None:
        """Begin a passage under a heading."""
        if len(heading) > _LONGEST_HEADING:
            self.groups[-1][1].append(heading)
        elif heading:
            self.groups.append((heading, []))
            if len(self.groups) > _MOST_PASSAGES:
                raise NotAnAnswerError(KEY, Defect.TOO_LARGE, "passages")


def passages_of(element: etree._Element, markup: Markup) -> tuple[Passage, ...]:
    """The passages below an element; none when there is no text. Raises ``NotAnAnswerError`` beyond what a publication is."""
    if next(islice(element.iter(), _MOST_ELEMENTS, None), None) is not None:
        raise NotAnAnswerError(KEY, Defect.TOO_LARGE, "elements")
    writer = _Writer()
    _walk(element, markup, writer, 0)
    writer.flush()
    if writer.notes:
        writer.groups.append((NOTES_HEADING, writer.notes))
    parts: list[Passage] = []
    for heading, text in _parts(writer.groups):
        if len(parts) == _MOST_PASSAGES:
            raise NotAnAnswerError(KEY, Defect.TOO_LARGE, "passages")
        parts.append(Passage(len(parts) + 1, text, heading))
    return tuple(parts)


def _walk(element: etree._Element, markup: Markup, writer: _Writer, depth: int) -> None:
    """Read an element and what stands behind its children, in order."""
    if depth > _DEEPEST:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "depth")
    writer.put(element.text)
    for child in element:
        name = local(child)
        if name and name not in markup.skipped:
            _child(child, name, markup, writer, depth + 1)
        writer.put(child.tail)


def _child(child: etree._Element, name: str, markup: Markup, writer: _Writer, depth: int) -> None:
    if name in markup.fronts or _is_mark(child, name, markup):
        writer.flush()
        # The layout of the XML puts a blank before the colon behind a speaker's name.
        front = _flat(child, markup, writer, depth).replace(" :", ":")
        writer.put(f"{front} ")
        writer.is_front = bool(front)
    elif name in markup.inline:
        _walk(child, markup, writer, depth)
    elif name in markup.breaks:
        writer.put(" ")
    elif name in markup.flat or (name in markup.headings and _is_inner(child, markup)):
        writer.flush()
        writer.put(_flat(child, markup, writer, depth))
        writer.flush()
    elif name in markup.headings:
        _heading(child, markup, writer, depth)
    elif name in markup.cells:
        writer.line.append(" | ")
        writer.line.append(_flat(child, markup, writer, depth))
    elif name in markup.notes:
        writer.note_count += 1
        mark = f"[{writer.note_count}]"
        writer.put(mark)
        if text := _flat(child, markup, writer, depth):
            writer.notes.append(f"{mark} {text}")
    else:
        writer.end_line()
        _walk(child, markup, writer, depth)
        writer.end_line()


def _is_mark(child: etree._Element, name: str, markup: Markup) -> bool:
    parent = child.getparent()
    return (
        name == markup.marked[1]
        and parent is not None
        and local(parent) == markup.marked[0]
        and child.getprevious() is None
        and not (parent.text or "").strip()
    )


def _is_inner(child: etree._Element, markup: Markup) -> bool:
    parent = child.getparent()
    return parent is not None and local(parent) in markup.inner


def _heading(element: etree._Element, markup: Markup, writer: _Writer, depth: int) -> None:
    """A heading of one or more lines. Its parts ("Artikel", "1", "Begrip") are joined; what holds no text begins nothing."""
    writer.flush()
    writer.begin(_flat(element, markup, writer, depth))


def _flat(element: etree._Element, markup: Markup, writer: _Writer, depth: int) -> str:
    """All text below an element on one line, its blocks apart; notes in it go to the others."""
    if writer.level == _MOST_LEVELS:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "depth")
    inner = _Writer(note_count=writer.note_count, level=writer.level + 1)
    _walk(element, markup, inner, depth)
    inner.flush()
    writer.note_count = inner.note_count
    writer.notes += inner.notes
    lines = [line for heading, paragraphs in inner.groups for line in (heading, *paragraphs) if line]
    return " ".join(lines)


def _parts(groups: list[tuple[str, list[str]]]) -> Iterator[tuple[str, str]]:
    """Cut every group at paragraphs into parts; a heading without text joins what follows it."""
    waiting: list[str] = []
    for heading, paragraphs in groups:
        if not paragraphs:
            waiting += [heading] if heading else []
            continue
        yield from cut(heading, [*waiting, *paragraphs])
        waiting = []
    if waiting:
        yield "", "\n\n".join(waiting)
