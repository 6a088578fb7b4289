"""The calls of this platform, built from what is asked. Nothing here sends anything (platform page, sections 2, 3 and 6).

A page is never more than 24 results: that is what the platform's own site asks, and costs one unit under each of its price
lists. Words go out as words and phrases only: ordinary punctuation made older generations answer 500 (field report 5).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from connectors.calls import Call, CallKind
from connectors.openbesluitvorming.ids import EntityType
from connectors.platforms import OPENBESLUITVORMING
from connectors.questions import sort_of
from connectors.records import Query, SearchText, Sort, Term

SERVICE: Final = "api"
PAGE_SIZE: Final = 24
_SORTS: Final = {Sort.RELEVANCE: "relevance", Sort.NEWEST: "date_desc", Sort.OLDEST: "date_asc"}


def search_call(
    query: Query,
    offset: int = 0,
    *,
    limit: int = PAGE_SIZE,
    key: str | None = None,
    entity_type: EntityType | None = None,
) -> Call:
    """At most ``limit`` rows of a search from ``offset`` on. ``key`` is the one organisation that a call can name.

    Without words the platform browses an organisation, where relevance has no meaning: then newest first.
    """
    words = query_words(query.text)
    params: list[tuple[str, str]] = []
    if words:
        params.append(("query", words))
    if key is not None:
        params.append(("organization", key))
    if entity_type is not None:
        params.append(("entityType", entity_type.value))
    params.append(("sort", _SORTS[effective_sort(query)]))
    if query.date_from is not None:
        params.append(("dateFrom", query.date_from.isoformat()))
    if query.date_until is not None:
        params.append(("dateTo", query.date_until.isoformat()))
    params.append(("offset", str(offset)))
    params.append(("limit", str(limit)))
    return _call("/api/search", CallKind.SEARCH, tuple(params))


def entity_call(upstream_id: str) -> Call:
    """One item with its whole text. The id is encoded to the last colon, so that it stays one segment of the path."""
    return _call(f"/api/entities/{quote(upstream_id, safe='')}", CallKind.DOCUMENT)


def sources_call() -> Call:
    """The list of sources."""
    return _call("/api/sources", CallKind.LIST)


def status_call() -> Call:
    """The Laadstatus."""
    return _call("/api/status", CallKind.STATUS)


def effective_sort(query: Query) -> Sort:
    """The order in which the platform is asked."""
    return sort_of(query, has_words=bool(query_words(query.text)))


def query_words(text: SearchText) -> str:
    """The words of a question as the platform reads them; empty when there is nothing to search for.

    In lower case, as it reads them itself, so that no word can be taken for an operator (``OR``) of an older generation.
    """
    return " ".join(cleaned for term in text.terms if (cleaned := _term(term)))


def _term(term: Term) -> str:
    words = " ".join(part for word in term.words for part in _letters_and_digits(word))
    return f'"{words}"' if term.phrase and words else words


def _letters_and_digits(word: str) -> Iterator[str]:
    """The runs of letters and digits in ``word``, of any script, with the marks that belong to a letter."""
    composed = unicodedata.normalize("NFC", word).lower()
    kept = "".join(c if c.isalnum() or unicodedata.category(c).startswith("M") else " " for c in composed)
    return (run for run in kept.split() if any(c.isalnum() for c in run))


def _call(path: str, kind: CallKind, params: tuple[tuple[str, str], ...] = ()) -> Call:
    return Call(platform=OPENBESLUITVORMING.key, service=SERVICE, path=path, kind=kind, params=params)
