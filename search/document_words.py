"""What the page of a document says of finding words in it, in plain Dutch."""

from __future__ import annotations

from collections.abc import Sequence

from connectors.language import say, say_number
from connectors.platforms import Platform
from connectors.records import Document, TextState
from search import texts
from search.wholeness import is_whole


def times(count: int) -> str:
    """How often: "1 keer"."""
    return say_number("{count} keer", "{count} keer", count, count=texts.number(count))


def part_name(number: int, *, is_page: bool) -> str:
    """What a part of a text is called: "Pagina 12"."""
    return say("Pagina {number}", number=number) if is_page else say("Deel {number}", number=number)


def folded(first: int, last: int, *, is_page: bool) -> str:
    """The line that stands for parts in which nothing was found."""
    if first == last:
        return say("{part}: niet gevonden", part=part_name(first, is_page=is_page))
    if is_page:
        return say("Pagina {first} tot en met {last}: niet gevonden", first=first, last=last)
    return say("Deel {first} tot en met {last}: niet gevonden", first=first, last=last)


def found(counts: tuple[int, ...], document: Document) -> str:
    """What came of finding: how often, on how many parts, and what that does not say. ``counts``: of every part."""
    if document.text_state is TextState.NONE or not counts:
        return say("Van dit stuk is hier geen tekst. We konden er dus niet in zoeken. Open het origineel.")
    said = _found(counts, is_page=any(passage.is_page for passage in document.passages))
    if is_whole(document):
        return said
    return f"{said} {say('Niet alle tekst van dit stuk staat hier. Open het origineel voor de rest.')}"


def _found(counts: tuple[int, ...], *, is_page: bool) -> str:
    there, often = sum(1 for count in counts if count), times(sum(counts)).capitalize()
    if not there:
        return say("Niet gevonden in de tekst van dit stuk.")
    if len(counts) == 1:
        return say("{often} gevonden.", often=often)
    if is_page:
        return say("{often} gevonden, op {there} van {parts} pagina's.", often=often, there=there, parts=len(counts))
    return say("{often} gevonden, in {there} van {parts} delen.", often=often, there=there, parts=len(counts))


def asks_elsewhere(platforms: Sequence[Platform]) -> str:
    """That other platforms are being asked for a document."""
    return say(
        "We kijken nu ook bij {names}. U kunt deze pagina open laten staan.",
        names=", ".join(one.name for one in platforms),
    )
