"""Where the text of a document can be had, best first: the official XML, its HTML, then the file itself (section 6). Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from connectors.calls import Answer
from connectors.filetext import file_text
from connectors.kamer_words import line
from connectors.kept_text import FileText
from connectors.records import Note, Passage, TextState
from connectors.tweede_kamer.answers import KEY, resource
from connectors.tweede_kamer.ids import Entity
from connectors.tweede_kamer.official import html_passages, xml_passages
from connectors.tweede_kamer.values import Row, expanded, objects


class Form(StrEnum):
    """In what form a text comes; the values are for the facts list."""

    XML = "officiële XML"
    HTML = "officiële HTML"
    FILE = "bestand (PDF of Word)"


@dataclass(frozen=True, slots=True)
class Source:
    """One place to get a text: an entity set and the GUID of a row in it, whose resource is asked."""

    entity: str
    guid: str
    form: Form


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a document with what must be said about it."""

    passages: tuple[Passage, ...]
    state: TextState
    notes: tuple[Note, ...] = ()


_PUBLICATIONS: Final = (("xml", Form.XML), ("html", Form.HTML), ("pdf", Form.FILE))


def sources_of(document: Row) -> tuple[Source, ...]:
    """The places for a document row with its version expanded. The official PDF goes before the Kamer's own file."""
    return tuple(_sources(document))


def text_from(answer: Answer, upstream_id: str, form: Form) -> Text:
    """The text in an answer. Raises ``GoneError`` and ``NotAnAnswerError``; can take seconds for a long PDF."""
    body = resource(answer, upstream_id)
    match form:
        case Form.XML:
            passages = xml_passages(body)
        case Form.HTML:
            passages = html_passages(body)
        case Form.FILE:
            return _of_file(file_text(KEY, body))
    return Text(passages, TextState.FULL if passages else TextState.NONE)


def _of_file(found: FileText) -> Text:
    return Text(found.passages, found.state, found.notes)


def _sources(document: Row) -> Iterator[Source]:
    version = expanded(document.get("HuidigeDocumentVersie")) or {}
    publications = objects(version.get("DocumentPublicatie"))
    for wanted, form in _PUBLICATIONS:
        for row in publications:
            if line(row.get("DocumentType")).lower() == wanted and (guid := line(row.get("Id"))):
                yield Source("DocumentPublicatie", guid, form)
                break
    if guid := line(document.get("Id")):
        yield Source(Entity.DOCUMENT.value, guid, Form.FILE)
