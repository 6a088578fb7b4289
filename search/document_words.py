"""What the page of a document says of finding words in it, in plain Dutch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from connectors.language import say, say_number
from connectors.platforms import PLATFORMS, Platform
from connectors.records import Document, TextState
from search import texts
from search.trial import is_ours
from search.wholeness import PAGES, is_cut, is_whole, letters_apart

_NAMES: Final = {platform.key: platform.name for platform in PLATFORMS}


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


def cut(document: Document) -> str:
    """How much of a document was read, where that is not all of it (field report 22); empty where it is, or may well be."""
    if not is_cut(document):
        return ""
    counted = next((texts.note(note) for note in document.notes if note.code in PAGES), "")
    return counted or say(
        "Deze bron leest van een lang bestand alleen het begin. Is dit stuk langer, dan ontbreekt de rest hier."
    )


def apart(document: Document) -> str:
    """That letters stand apart from their words, with one of those; empty where they do not."""
    example = letters_apart(document)
    if not example:
        return ""
    return say(
        "In deze tekst staan letters los van hun woord, zoals in “{example}”. Zo kwam hij van de bron. Zoeken vindt zulke "
        "woorden niet: open het origineel.",
        example=example,
    )


def rest(document: Document) -> tuple[str, str]:
    """Where the rest of a document is: what stands there, and its address.

    No address for a made paper of the stand-ins: it is no more than what its page shows already.
    """
    if document.archived and document.archived.original_gone:
        return say("Naar de bewaarde kopie"), document.archived.address or document.address
    if document.original:
        return say("Naar het origineel"), document.original
    if is_ours(document.address):
        name = _NAMES.get(document.platform, document.platform)
        return say("In de proefmodus is de rest er niet: dit stuk staat niet bij {name}.", name=name), ""
    return say("Naar het stuk bij de bron"), document.address


def cut_with_rest(document: Document) -> str:
    """The same in one sentence with the address, for a program; empty where nothing is to be said."""
    said, (words, address) = cut(document), rest(document)
    return f"{said} {f'De rest: {address}' if address else words}" if said else ""


def asks_elsewhere(platforms: Sequence[Platform]) -> str:
    """That other platforms are being asked for a document."""
    return say(
        "We kijken nu ook bij {names}. U kunt deze pagina open laten staan.",
        names=", ".join(one.name for one in platforms),
    )
