"""The text of a page by part: pages made of Word, reports, old Word in ``<pre>``, and PDF by page (section 4).

One walk over the tree in which each element is seen once. Blocks make lines, headings begin a part, and where a PDF was turned
into HTML each page is a part of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from lxml import etree

from connectors.letters import mended
from connectors.plaintext import clean
from connectors.records import Passage

MOST_CHARACTERS: Final = 2_000_000
_MOST_PASSAGES: Final = 2_000
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS: Final = frozenset(
    {"p", "li", "tr", "dt", "dd", "div", "section", "blockquote", "pre", "ul", "ol", "table", "article", "main", "body"}
)
_SKIPPED: Final = frozenset({"script", "style", "head", "nav", "form", "noscript", "iframe", "header", "footer"})
_CELLS: Final = frozenset({"td", "th"})


class _Piece(Enum):
    LINE = auto()
    HEADING = auto()
    PAGE = auto()


@dataclass(slots=True)
class _Part:
    heading: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    page: int | None = None


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page. ``is_cut`` says that what stands behind the bound was left out; ``is_paged`` that parts are pages."""

    passages: tuple[Passage, ...]
    is_cut: bool = False
    is_paged: bool = False


def page_text(root: etree._Element) -> PageText:
    """The text below ``root`` by part."""
    parts = [_Part()]
    room = MOST_CHARACTERS
    is_cut = False
    for piece, text in _pieces(root):
        if piece is _Piece.PAGE:
            parts.append(_Part(page=int(text)))
        elif piece is _Piece.HEADING and parts[-1].page is None:
            if parts[-1].lines:
                parts.append(_Part())
            parts[-1].heading.append(text)
        else:
            parts[-1].lines.append(text)
        room -= len(text)
        if room <= 0 or len(parts) > _MOST_PASSAGES:
            is_cut = True
            break
    return _written(parts, is_cut=is_cut)


def _written(parts: list[_Part], *, is_cut: bool) -> PageText:
    paged = [part for part in parts if part.page is not None]
    if paged:
        texts = mended(["\n".join(part.lines) for part in paged])
        passages = (
            Passage(part.page or at, text, is_page=True)
            for at, (part, text) in enumerate(zip(paged, texts, strict=True), 1)
            if text
        )
        return PageText(tuple(passages), is_cut, is_paged=True)
    filled = [part for part in parts if part.heading or part.lines]
    return PageText(
        tuple(Passage(at, "\n".join(part.lines), " – ".join(part.heading)) for at, part in enumerate(filled, 1)),
        is_cut,
    )


def _pieces(root: etree._Element) -> Iterator[tuple[_Piece, str]]:
    """Lines, headings and marks of pages in reading order."""
    held: list[str] = []
    headings = pre = 0
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        name = element.tag.lower() if isinstance(element.tag, str) else ""
        starts = event == "start"
        if name in _HEADINGS or name in _BLOCKS or name in {"br", "hr"}:
            yield from _lines(held, is_heading=headings > 0, keeps_lines=pre > 0)
            held = []
        if starts and name == "a" and (page := _page(element)):
            yield from _lines(held, is_heading=False, keeps_lines=False)
            held = []
            yield _Piece.PAGE, page
        change = 1 if starts else -1
        headings += change if name in _HEADINGS else 0
        pre += change if name == "pre" else 0
        if starts:
            if not name or name in _SKIPPED:
                walker.skip_subtree()
            elif element.text:
                held.append(element.text)
        else:
            if name in _CELLS:
                held.append(" | ")
            if element.tail and element is not root:
                held.append(element.tail)
    yield from _lines(held, is_heading=False, keeps_lines=False)


def _lines(held: list[str], *, is_heading: bool, keeps_lines: bool) -> Iterator[tuple[_Piece, str]]:
    text = clean("".join(held))
    for raw in text.split("\n") if keeps_lines else (text,):
        if line := " ".join(raw.split()).strip("| "):
            yield (_Piece.HEADING if is_heading else _Piece.LINE), line


def _page(element: etree._Element) -> str:
    """The number in ``<a name=12></a>``, with which a page of a PDF begins; empty for any other anchor."""
    name = element.get("name") or ""
    has_number = name.isascii() and name.isdigit() and len(name) < 6 and int(name) > 0  # noqa: PLR2004 - pages of a file
    return name if has_number and element.get("href") is None and not len(element) and not element.text else ""
