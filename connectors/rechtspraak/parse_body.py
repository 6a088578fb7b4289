"""The text of a ruling (section A4): its XML body in, passages out. No text is lost; a test counts it over the whole corpus.

Every ``para`` becomes a paragraph of its own, with a blank line between two. Numbers stand before their paragraph, rows of
tables have " | " between cells, items carry their mark, emphasis is dropped, an image is noted as ``[afbeelding]``. Footnotes
stand together at the end. Most bodies have no sections at all: those are cut at paragraphs into parts of a readable length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from connectors.cutting import cut
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.platforms import RECHTSPRAAK
from connectors.rechtspraak.elements import one_line, readable
from connectors.rechtspraak.numbering import item_mark
from connectors.records import Passage
from connectors.xml_elements import attribute, first, local

IMAGE: Final = "[afbeelding]"
NOTES_HEADING: Final = "Noten"
_BREAK: Final = "\0"  # no XML text can hold it
_DEEPEST: Final = 60
_MOST_PASSAGES: Final = 5000  # 20 MB of text in parts of some 4,000 characters
_LONGEST_HEADING: Final = 500  # a heading stands above every part of its section
_LONGEST_LABEL: Final = 20  # and the label of a note at every place that points to it
_LISTS: Final = frozenset({"itemizedlist", "orderedlist"})
_TABLES: Final = frozenset({"informaltable", "table"})
_MEDIA: Final = frozenset({"mediaobject", "inlinemediaobject"})
_LINES: Final = frozenset({"para", "title", "bridgehead", "emphasis"})
_BREAKING: Final = _LISTS | _TABLES | {"para", "parablock", "paragroup", "listitem", "row", "entry", "title"}
_APART: Final = {
    **dict.fromkeys(_BREAKING, (_BREAK, _BREAK)),
    **dict.fromkeys(_MEDIA, (f"{IMAGE} ", "")),
    "nr": ("", " "),
}
_ROLES: Final = {"procesverloop": "Procesverloop", "overwegingen": "Overwegingen", "beslissing": "Beslissing"}


@dataclass(slots=True)
class _Text:
    """Paragraphs as they are met. ``front`` waits for the paragraph it belongs to: a number, or the mark of an item."""

    labels: dict[str, str]
    paragraphs: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    front: str = ""
    front_is_text: bool = False

    def add(self, raw: str) -> None:
        """Add one paragraph, unless it is blank."""
        lines = (readable(line) for line in raw.split(_BREAK))
        paragraph = "\n".join(line for line in lines if line)
        if paragraph:
            self.paragraphs.append(f"{self.front} {paragraph}" if self.front else paragraph)
            self.front = ""

    def put_in_front(self, text: str, *, is_text: bool) -> None:
        """Let ``text`` stand before the next paragraph; a number that still waits becomes a paragraph of its own."""
        self.give_up_front()
        self.front, self.front_is_text = readable(text), is_text

    def give_up_front(self) -> None:
        """Write what waits as a paragraph when it is text of the ruling; a mark of ours is dropped."""
        if self.front and self.front_is_text:
            self.paragraphs.append(self.front)
        self.front = ""


def passages_of(body: etree._Element) -> tuple[Passage, ...]:
    """The passages of ``uitspraak`` or ``conclusie``: by section where there are sections, else by parts. Empty without text.

    Raises ``NotAnAnswerError`` when elements are nested deeper than any ruling, or cut it up into more passages.
    """
    text = _Text(_labels(body))
    groups: list[tuple[str, list[str]]] = []
    _stray(body.text, text)
    for child in body:
        if local(child) == "section":
            groups.append(("", _taken(text)))
            heading = _heading(child, text)
            _walk(child, text, 1, skip=first(child, "title"))
            groups.append((heading, _taken(text)))
            _require_few(len(groups) // 2)
        else:
            _block(child, text, 1)
        _stray(child.tail, text)
    groups.append(("", _taken(text)))
    groups.append((NOTES_HEADING if text.notes else "", text.notes))
    parts = [(heading, part) for heading, paragraphs in groups for heading, part in _parts(heading, paragraphs)]
    _require_few(len(parts))
    return tuple(Passage(number, part, heading) for number, (heading, part) in enumerate(parts, 1))


def paragraphs_of(element: etree._Element) -> tuple[str, ...]:
    """The paragraphs of any element with the same contents, such as ``inhoudsindicatie``."""
    text = _Text(_labels(element))
    _walk(element, text, 1)
    return tuple(_taken(text) + text.notes)


def _taken(text: _Text) -> list[str]:
    text.give_up_front()
    taken, text.paragraphs = text.paragraphs, []
    return taken


def _labels(body: etree._Element) -> dict[str, str]:
    notes = (element for element in body.iter() if local(element) == "footnote")
    return {attribute(note, "id"): _label(note) or str(number) for number, note in enumerate(notes, 1)}


def _label(note: etree._Element) -> str:
    label = attribute(note, "label")
    return label if len(label) <= _LONGEST_LABEL else ""


def _heading(section: etree._Element, text: _Text) -> str:
    title = first(section, "title")
    written = readable(_inline(title, text, 1).replace(_BREAK, " ")) if title is not None else ""
    if len(written) > _LONGEST_HEADING:
        text.paragraphs.append(written)
        written = ""
    return written or _ROLES.get(attribute(section, "role"), "")


def _parts(heading: str, paragraphs: list[str]) -> Iterator[tuple[str, str]]:
    """The parts of a section; a heading without paragraphs is a paragraph itself."""
    return cut(heading, paragraphs) if paragraphs or not heading else cut("", [heading])


def _walk(parent: etree._Element, text: _Text, depth: int, skip: etree._Element | None = None) -> None:
    """Read the children of an element that holds blocks, with whatever text stands loose between them."""
    _require_depth(depth)
    if local(parent):
        _stray(parent.text, text)
    for child in parent:
        if child is not skip:
            _block(child, text, depth + 1)
        _stray(child.tail, text)


def _block(element: etree._Element, text: _Text, depth: int) -> None:
    name = local(element)
    if name == "nr":
        text.put_in_front(_inline(element, text, depth), is_text=True)
    elif name in _LINES:
        text.add(_inline(element, text, depth))
    elif name in _LISTS:
        _list(element, text, depth)
    elif name in _TABLES:
        text.add(_BREAK.join(_table_lines(element, text, depth)))
    elif name in _MEDIA:
        text.add(f"{IMAGE} {_inline(element, text, depth)}")
    elif name == "footnote":
        _footnote(element, text, depth)
    else:
        _walk(element, text, depth)
        if name == "paragroup":
            text.give_up_front()


def _list(element: etree._Element, text: _Text, depth: int) -> None:
    _require_depth(depth)
    _stray(element.text, text)
    number = 0
    for child in element:
        if local(child) == "listitem":
            number += 1
            text.put_in_front(item_mark(attribute(element, "numeration"), number), is_text=False)
            _walk(child, text, depth + 1)
            text.give_up_front()
        else:
            _block(child, text, depth + 1)
        _stray(child.tail, text)


def _table_lines(element: etree._Element, text: _Text, depth: int) -> Iterator[str]:
    """One line a row; a title or other text inside the table is a line as well."""
    _require_depth(depth)
    yield element.text or ""
    for child in element:
        if local(child) == "row":
            cells = tuple(_cells(child, text, depth + 1))
            yield " | ".join(cells) if any(cells) else ""
        elif local(child) in {"tgroup", "tbody", "thead", "tfoot"}:
            yield from _table_lines(child, text, depth + 1)
        elif local(child):
            yield _inline(child, text, depth + 1)
        yield child.tail or ""


def _cells(row: etree._Element, text: _Text, depth: int) -> Iterator[str]:
    """The cells of a row, empty ones as well; text that stands loose in it is a cell of its own."""
    if loose := one_line(row.text):
        yield loose
    for cell in row:
        if local(cell):
            yield one_line(_inline(cell, text, depth).replace(_BREAK, " "))
        if loose := one_line(cell.tail):
            yield loose


def _footnote(element: etree._Element, text: _Text, depth: int) -> None:
    note = _Text(text.labels)
    note.put_in_front(_note_mark(element, text, "id"), is_text=True)
    _walk(element, note, depth + 1)
    text.notes += _taken(note) + note.notes


def _note_mark(element: etree._Element, text: _Text, key: str) -> str:
    return f"[{text.labels.get(attribute(element, key)) or '*'}]"


def _inline(element: etree._Element, text: _Text, depth: int) -> str:
    """The text of an element in one string, with ``_BREAK`` where a line ends."""
    _require_depth(depth)
    pieces = [element.text or "" if local(element) else ""]
    for child in element:
        pieces += (_inline_piece(child, text, depth + 1), child.tail or "")
    return "".join(pieces)


def _inline_piece(child: etree._Element, text: _Text, depth: int) -> str:
    """One child of a line: a break, the mark of a note, or its text with what keeps it apart from its neighbours."""
    name = local(child)
    if not name:  # a comment, which has no target, or a processing instruction
        return _BREAK if getattr(child, "target", "") == "linebreak" else ""
    if name == "footnote":
        _footnote(child, text, depth)
        return _note_mark(child, text, "id")
    inside = _inline(child, text, depth)
    if name == "footnote-ref":
        return f"{_note_mark(child, text, 'linkend')}{inside}"
    before, after = _APART.get(name, ("", ""))
    return f"{before}{inside}{after}"


def _stray(loose: str | None, text: _Text) -> None:
    if loose and not loose.isspace():
        text.add(loose)


def _require_few(passages: int) -> None:
    if passages > _MOST_PASSAGES:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.TOO_LARGE, "passages")


def _require_depth(depth: int) -> None:
    if depth > _DEEPEST:
        raise NotAnAnswerError(RECHTSPRAAK.key, Defect.WRONG_SHAPE, "depth")
