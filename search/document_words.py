"""What the page of a document says of finding words in it, in plain Dutch."""

from __future__ import annotations

from collections.abc import Sequence

from connectors.platforms import Platform
from connectors.records import Document, TextState
from search import texts
from search.wholeness import is_whole


def times(count: int) -> str:
    """How often: "1 keer"."""
    return f"{texts.number(count)} keer"


def part_name(number: int, *, is_page: bool) -> str:
    """What a part of a text is called: "Pagina 12"."""
    return f"{'Pagina' if is_page else 'Deel'} {number}"


def folded(first: int, last: int, *, is_page: bool) -> str:
    """The line that stands for parts in which nothing was found."""
    if first == last:
        return f"{part_name(first, is_page=is_page)}: niet gevonden"
    return f"{'Pagina' if is_page else 'Deel'} {first} tot en met {last}: niet gevonden"


def found(counts: tuple[int, ...], document: Document) -> str:
    """What came of finding: how often, on how many parts, and what that does not say. ``counts``: of every part."""
    is_page = any(passage.is_page for passage in document.passages)
    there = sum(1 for count in counts if count)
    if document.text_state is TextState.NONE or not counts:
        return "Van dit stuk is hier geen tekst. We konden er dus niet in zoeken. Open het origineel."
    partly = " Niet alle tekst van dit stuk staat hier. Open het origineel voor de rest."
    rest = "" if is_whole(document) else partly
    if not there:
        return f"Niet gevonden in de tekst van dit stuk.{rest}"
    if len(counts) == 1:
        return f"{times(sum(counts)).capitalize()} gevonden.{rest}"
    kind = "pagina's" if is_page else "delen"
    return f"{times(sum(counts)).capitalize()} gevonden, op {there} van {len(counts)} {kind}.{rest}"


def asks_elsewhere(platforms: Sequence[Platform]) -> str:
    """That other platforms are being asked for a document."""
    return f"We kijken nu ook bij {', '.join(one.name for one in platforms)}. U kunt deze pagina open laten staan."
