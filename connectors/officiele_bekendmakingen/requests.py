"""The calls of this platform (platform page, sections 1 to 3). Pure: nothing here sends anything.

A search is one CQL query. Every word and name of it goes through ``quoted``, so that no word can end a clause or begin an
operator; days are dates, so that one which does not exist cannot be asked (the service would drop it and answer too widely).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from connectors.calls import Call, CallKind
from connectors.officiele_bekendmakingen.elements import KEY
from connectors.officiele_bekendmakingen.ids import canonical
from connectors.records import SearchText, Sort

PAGE_SIZE: Final = 24
DEEPEST: Final = 9_999
"""The last place that the service still answers (section 3): beyond it comes a 504."""
_MOST_PARTS: Final = 8
_AREA: Final = "c.product-area==officielepublicaties"
_IN_A_JOURNAL: Final = re.compile(r"(gmb|prb|wsb|bgr|stcrt|stb|trb)-([0-9]{4})-[0-9]{1,8}")
_SORTS: Final = {
    Sort.NEWEST: " sortBy dt.available/sort.descending",
    Sort.OLDEST: " sortBy dt.available/sort.ascending",
    Sort.RELEVANCE: "",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question in CQL: ``clauses`` are joined with AND, the days are those of publication, both included."""

    clauses: tuple[str, ...] = ()
    date_from: date | None = None
    date_until: date | None = None
    sort: Sort = Sort.RELEVANCE

    @property
    def cql(self) -> str:
        """The query, without its order."""
        days = (
            *((f'dt.available>="{self.date_from.isoformat()}"',) if self.date_from else ()),
            *((f'dt.available<="{self.date_until.isoformat()}"',) if self.date_until else ()),
        )
        return " AND ".join((_AREA, *self.clauses, *days))


def quoted(text: str) -> str:
    """``text`` as a string of CQL: letters, digits and the marks of names alone, in double quotes.

    Braces make the service answer 500 and an inner plus is a syntax error (section 2); quotes and backslashes could end the
    string. None of them belongs to a word or to a name.
    """
    composed = unicodedata.normalize("NFC", text)
    kept = "".join(c if c.isalnum() or c in "-'().,/_" or unicodedata.category(c)[0] == "M" else " " for c in composed)
    return f'"{" ".join(kept.split())}"'


def words_of(text: SearchText) -> tuple[str, ...]:
    """A clause for each word and each phrase: two bare words in one clause are refused (section 2).

    Words that are an id of this platform together find that publication as well.
    """
    words = [" ".join(term.words) for term in text.terms if term.phrase]
    words += [word for term in text.terms if not term.phrase for word in term.words]
    if not words and text.ecli:
        words = [text.ecli.replace(":", " ")]
    strings = dict.fromkeys(quoted(word) for word in words)
    clauses = tuple(f"cql.textAndIndexes={string}" for string in strings if any(c.isalnum() for c in string))
    identifier = canonical("-".join(text.words)) if len(text.words) <= _MOST_PARTS else None
    if identifier is None:
        return clauses
    return (f"(dt.identifier=={quoted(identifier)} OR ({' AND '.join(clauses)}))",)


def any_of(clauses: Iterable[str]) -> str:
    """Clauses joined with OR, in brackets."""
    joined = tuple(clauses)
    return joined[0] if len(joined) == 1 else f"({' OR '.join(joined)})"


def search_call(question: Question, start: int = 1, size: int = PAGE_SIZE) -> Call:
    """``size`` records from place ``start`` on, which counts from 1. With size 0 the answer is a count."""
    return _sru(question.cql + _SORTS[question.sort], CallKind.SEARCH, start, size)


def record_call(identifier: str) -> Call:
    """The record of one publication, found by its exact id."""
    return _sru(f"{_AREA} AND dt.identifier=={quoted(identifier)}", CallKind.DOCUMENT, 1, 1)


def page_call(identifier: str) -> Call | None:
    """The page of a publication of a journal, where it would be; None for an id that does not say where (section 6)."""
    found = _IN_A_JOURNAL.fullmatch(identifier)
    if found is None:
        return None
    return file_call(f"/frbr/officielepublicaties/{found[1]}/{found[2]}/{identifier}/1/html/{identifier}.html")


def explain_call() -> Call:
    """What the service says of itself."""
    params = (("operation", "explain"), ("version", "2.0"), ("httpAccept", "application/xml"))
    return Call(platform=KEY, service="zoeken", path="/sru", kind=CallKind.STATUS, params=params)


def file_call(path: str) -> Call:
    """One file of a publication; ``path`` is that of its address in a record."""
    return Call(platform=KEY, service="bestanden", path=path, kind=CallKind.DOCUMENT)


def _sru(cql: str, kind: CallKind, start: int, size: int) -> Call:
    params = (
        ("operation", "searchRetrieve"),
        ("version", "2.0"),
        ("httpAccept", "application/xml"),
        ("query", cql),
        ("startRecord", str(start)),
        ("maximumRecords", str(size)),
    )
    return Call(platform=KEY, service="zoeken", path="/sru", kind=kind, params=params)
