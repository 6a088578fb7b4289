"""A document as data: what it is, how much of its text there is, and its text cut into parts that fit one answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from assistants.printing.hits import copy_data, when_data
from assistants.printing.quoting import quoted
from connectors.moments import AMSTERDAM
from connectors.records import Document, Passage
from search import citations, serialise, texts
from search.document_words import apart, cut_with_rest
from search.wholeness import PAGES, is_whole, read_as_far, without_text

PART_CHARACTERS: Final = 12_000
"""About three thousand tokens: a part fits any assistant, and a thousand pages take few parts."""
_MOST_RELATED: Final = 50


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage, or a piece of one that is longer than a part. ``continued``: it does not begin the passage."""

    passage: Passage
    text: str
    continued: bool = False


def parts_of(document: Document, most: int = PART_CHARACTERS) -> tuple[tuple[Piece, ...], ...]:
    """The text in parts of at most ``most`` characters, in order; one empty part where there is no text."""
    parts: list[list[Piece]] = [[]]
    room = most
    for piece in (piece for passage in document.passages for piece in _pieces(passage, most)):
        if parts[-1] and len(piece.text) > room:
            parts.append([])
            room = most
        parts[-1].append(piece)
        room -= len(piece.text)
    return tuple(tuple(part) for part in parts)


def _pieces(passage: Passage, most: int) -> Iterator[Piece]:
    """A passage cut behind an empty line, else behind a line, else behind a word, else anywhere."""
    rest, continued = passage.text, False
    while len(rest) > most:
        half = most // 2
        at = next((cut for mark in ("\n\n", "\n", " ") if (cut := rest.rfind(mark, half, most)) > 0), most)
        yield Piece(passage, rest[:at], continued)
        rest, continued = rest[at:], True
    yield Piece(passage, rest, continued)


def part_numbers(parts: Sequence[Sequence[Piece]]) -> dict[int, int]:
    """In which part (from 1) each passage begins, by the number of the passage."""
    numbers: dict[int, int] = {}
    for at, part in enumerate(parts, 1):
        for piece in part:
            numbers.setdefault(piece.passage.number, at)
    return numbers


def fingerprint(document: Document) -> str:
    """A short mark of the text: another text, another mark."""
    digest = hashlib.sha256()
    for passage in document.passages:
        digest.update(f"{passage.number}\x00{passage.heading}\x00{passage.text}\x00".encode())
    return digest.hexdigest()[:12]


def remarks(document: Document) -> list[str]:
    """What must be said to who reads it."""
    pages = without_text(document)
    empty = ""
    if pages:
        shown = ", ".join(map(str, pages[:10])) + (" en meer" if len(pages) > 10 else "")  # noqa: PLR2004 - a line
        empty = f"Van deze bladzijden is er geen tekst, misschien zijn het plaatjes: {shown}."
    far = read_as_far(document)
    short = f"De bron las {far}." if far else ""
    notes = (texts.note(note) for note in document.notes if note.code not in PAGES)
    read = cut_with_rest(document) or short
    return [*filter(None, (texts.archived(document.archived), read, apart(document), *notes, empty))]


def paper_data(document: Document, began: datetime, now: datetime) -> dict[str, Any]:
    """What a document is, without its text. What was fetched before the call ``began`` comes from the buffer."""
    return {
        "id": document.id,
        "platform": document.platform,
        "bronId": document.upstream_id,
        "titel": document.title,
        "organisatie": document.organisation,
        "organisatieId": document.organisation_id,
        "soort": document.kind.value,
        "soortBijBron": document.kind_at_source,
        **when_data(next(iter(document.dates), None)),
        "adres": document.address,
        "origineel": document.original,
        "bewaardeKopie": copy_data(document.archived),
        "verwijzing": citations.citation(document, now.astimezone(AMSTERDAM).date()),
        "opgehaald": serialise.utc(document.fetched_at),
        "uitBuffer": document.fetched_at < began,
        "datums": [serialise.moment(when) for when in document.dates],
        "tekststaat": document.text_state.value,
        "tekstVolledig": is_whole(document),
        "opmerkingen": remarks(document),
    }


def particulars_data(document: Document) -> dict[str, Any]:
    """What else the source says of a document: abstract, facts, what belongs to it, and the vote."""
    return {
        "samenvatting": document.abstract,
        "kenmerken": serialise.details(document),
        "verwant": serialise.related(document)[:_MOST_RELATED],
        "verwantInAlles": len(document.related),
        "stemming": serialise.votes(document.votes),
    }


def piece_data(piece: Piece) -> dict[str, Any]:
    """A page or part of a text."""
    return {
        "nummer": piece.passage.number,
        "isPagina": piece.passage.is_page,
        "kop": piece.passage.heading,
        "vorm": piece.passage.form.value,
        "vervolg": piece.continued,
        "tekst": piece.text,
    }


def place_words(number: int, *, is_page: bool) -> str:
    """Where something stands: "pagina 3", or "deel 3" of a text without pages."""
    return f"{'pagina' if is_page else 'onderdeel'} {number}"


def paper_lines(paper: dict[str, Any]) -> Iterable[str]:
    """A document in words, from its data."""
    yield f"# {quoted(paper['titel'])}"
    meaning = f" ({paper['datumBetekenis']})" if paper["datumBetekenis"] else ""
    yield f"{paper['soort']}, {paper['datumInWoorden']}{meaning}, {quoted(paper['organisatie'])}"
    yield f"id: {paper['id']}"
    yield f"verwijzing: {quoted(paper['verwijzing'])}"
    yield f"adres: {paper['adres']}"
    kept = ", bewaard antwoord" if paper["uitBuffer"] else ""
    yield f"opgehaald: {paper['opgehaald']}{kept}"
    yield from paper["opmerkingen"]
