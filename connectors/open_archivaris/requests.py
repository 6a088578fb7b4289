"""The calls of this platform, built from what is asked and from the field map (platform page, section 5). Sends nothing.

``Wanted`` is the proposal's own interface, which can more than a question holds: kinds of bodies, and numbers of pages.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from typing import Final
from urllib.parse import quote

from connectors.calls import Call, CallKind
from connectors.open_archivaris.field_map import FieldMap
from connectors.platforms import OPEN_ARCHIVARIS
from connectors.records import SearchText, Sort, Term

SERVICE: Final = "api"
_NO_WORD: Final = re.compile(r"[^\w]|_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One search. ``bodies`` and ``body_kinds`` are the platform's own words; ``page`` counts from 1."""

    words: str = ""
    bodies: tuple[str, ...] = ()
    body_kinds: tuple[str, ...] = ()
    created_from: date | None = None
    created_to: date | None = None
    min_pages: int | None = None
    max_pages: int | None = None
    page: int = 1
    page_size: int = 25
    order: Sort = Sort.RELEVANCE


def search_call(fields: FieldMap, wanted: Wanted) -> Call:
    """A search. What the map has no parameter for is left out: the plan says so or sees to it itself."""
    values: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("words", (wanted.words,) if wanted.words else ()),
        ("bodies", wanted.bodies),
        ("body_kinds", wanted.body_kinds),
        ("created_from", _written(wanted.created_from)),
        ("created_to", _written(wanted.created_to)),
        ("min_pages", _written(wanted.min_pages)),
        ("max_pages", _written(wanted.max_pages)),
        ("page", (str(wanted.page),)),
        ("start", (str((wanted.page - 1) * wanted.page_size),)),
        ("page_size", (str(wanted.page_size),)),
        ("order", (fields.search.orders[wanted.order],) if wanted.order in fields.search.orders else ()),
    )
    names = fields.search.parameters
    params = tuple((names[name], value) for name, several in values if name in names for value in several)
    return _call(fields.search.path, CallKind.SEARCH, params)


def document_call(fields: FieldMap, upstream_id: str) -> Call:
    """One document. The id is encoded whole, so that it stays one segment of the path."""
    return _call(fields.document.path.replace("{id}", quote(upstream_id, safe="")), CallKind.DOCUMENT)


def health_call(fields: FieldMap) -> Call:
    """The state of the platform."""
    return _call(fields.health.path, CallKind.STATUS)


def query_words(text: SearchText, *, phrases: bool) -> str:
    """The words of a question as they go out: letters and digits of any script, in lower case, so that none is an operator.

    Punctuation crashed other platforms (field report 5). A phrase keeps its quotes only where the platform knows phrases.
    """
    return " ".join(written for term in text.terms if (written := _term(term, phrases=phrases)))


def _term(term: Term, *, phrases: bool) -> str:
    words = " ".join(run for word in term.words for run in _runs(word))
    return f'"{words}"' if words and term.phrase and phrases else words


def _runs(word: str) -> list[str]:
    composed = unicodedata.normalize("NFC", word).lower()
    kept = "".join(c if unicodedata.category(c).startswith("M") else _NO_WORD.sub(" ", c) for c in composed)
    return [run for run in kept.split() if any(c.isalnum() for c in run)]


def _written(value: date | int | None) -> tuple[str, ...]:
    return () if value is None else (value.isoformat() if isinstance(value, date) else str(value),)


def _call(path: str, kind: CallKind, params: tuple[tuple[str, str], ...] = ()) -> Call:
    return Call(platform=OPEN_ARCHIVARIS.key, service=SERVICE, path=path, kind=kind, params=params)
