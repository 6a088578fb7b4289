"""The text of an official publication: its XML, or its HTML where there is no XML (section 6, field report 23).

Both are walked once, from block to block. Of the XML every element that holds text of its own counts as a block, so that
nothing is lost but its metadata; of a page what stands outside blocks (menus, scripts) is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml import etree, html

from connectors.bodies import looks_like_html, require_few_pieces, xml_root
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.records import Passage
from connectors.tweede_kamer.answers import KEY
from connectors.xml_elements import local

_ROOT: Final = "officiele-publicatie"
_SKIPPED: Final = frozenset({"metadata", "meta", "plaatje", "illustratie"})
_NUMBERS: Final = frozenset({"li.nr", "lidnr", "noot.nr"})
"""Stand in front of the block that they number."""
_HEADINGS: Final = frozenset({"kop", "tussenkop"})
_BLOCKS: Final = frozenset(
    {
        "al",
        "datumtekst",
        "stuknr",
        "dossiernummer",
        "tekstregel",
        "p",
        "row",
        "term",
        "titel",
        "subtitel",
        "naam",
        "ondertekening",
    }
)
_HTML_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_HTML_BLOCKS: Final = frozenset({"p", "li", "tr", "dt", "dd", "blockquote", "pre"})
_HTML_SKIPPED: Final = frozenset({"script", "style", "nav", "header", "footer", "head", "form", "noscript"})
_MOST_HTML: Final = 5 * 1024 * 1024
_MOST_PASSAGES: Final = 2_000

_Blocks = Iterator[tuple[bool, str]]


def xml_passages(body: bytes) -> tuple[Passage, ...]:
    """The text of an official XML by part. Raises ``NotAnAnswerError`` for anything else."""
    root = xml_root(KEY, body)
    if local(root).lower() != _ROOT:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "officiele-publicatie")
    for note in root.iter("{*}noot"):
        _set_apart(note)
    return _parts(_walked(root, _HEADINGS, _BLOCKS, _SKIPPED, is_xml=True))


def html_passages(body: bytes) -> tuple[Passage, ...]:
    """The text of an official HTML page by part. Raises ``NotAnAnswerError`` for anything else, and for too much of it."""
    if not looks_like_html(body) and b"<html" not in body[:1024].lower():
        raise NotAnAnswerError(KEY, Defect.WRONG_TYPE, "html")
    if len(body) > _MOST_HTML:
        raise NotAnAnswerError(KEY, Defect.TOO_LARGE, "html")
    require_few_pieces(KEY, body, b"<", "html")
    try:
        root = html.document_fromstring(body, parser=html.HTMLParser(encoding="utf-8", no_network=True))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise NotAnAnswerError(KEY, Defect.CUT_OFF, "html") from error
    return _parts(_walked(root, _HTML_HEADINGS, _HTML_BLOCKS, _HTML_SKIPPED, is_xml=False))


def _walked(
    root: etree._Element, headings: frozenset[str], blocks: frozenset[str], skipped: frozenset[str], *, is_xml: bool
) -> _Blocks:
    """The blocks in reading order: whether it is a heading, and its text. Each element is seen once."""
    walker = etree.iterwalk(root, events=("start",))
    mark = ""
    for _, element in walker:
        name = local(element).lower()
        if name in skipped:
            walker.skip_subtree()
        elif name in _NUMBERS:
            walker.skip_subtree()
            mark = f"{mark}{_text(element)} "
        elif name in headings or name in blocks or (is_xml and element.text and not element.text.isspace() and name):
            walker.skip_subtree()
            if text := _text(element):
                yield name in headings, f"{mark}{text}"
                mark = ""


def _parts(blocks: _Blocks) -> tuple[Passage, ...]:
    """Parts, each begun by a heading. Headings that follow one another without text between them stand together."""
    parts: list[tuple[list[str], list[str]]] = [([], [])]
    for is_heading, text in blocks:
        if is_heading and parts[-1][1]:
            if len(parts) == _MOST_PASSAGES:
                raise NotAnAnswerError(KEY, Defect.TOO_LARGE, "passages")
            parts.append(([text], []))
        else:
            parts[-1][0 if is_heading else 1].append(text)
    filled = (part for part in parts if any(part))
    return tuple(Passage(at, "\n".join(lines), " – ".join(heading)) for at, (heading, lines) in enumerate(filled, 1))


def _set_apart(note: etree._Element) -> None:
    """Put a note in brackets: it stands in the middle of the sentence that it belongs to."""
    note.text = f" [noot {(note.text or '').lstrip()}"
    for child in note:
        child.tail = f"{(child.tail or '').rstrip()} "
    if len(note):
        note[-1].tail = f"{(note[-1].tail or '').rstrip()}] "
    else:
        note.text += "] "


def _text(element: etree._Element) -> str:
    if local(element).lower() in {"row", "tr"}:
        cells = (" ".join("".join(cell.itertext("*")).split()) for cell in element)
        return " | ".join(filter(None, cells))
    return " ".join("".join(element.itertext("*")).split())
