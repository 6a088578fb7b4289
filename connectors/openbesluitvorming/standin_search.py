"""The stand-in's search: the scan with its budget, and the results (platform page, section 3.1)."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from connectors.council_papers.bodies import Supplier
from connectors.council_papers.papers import Paper
from connectors.openbesluitvorming.standin_entities import Entities, head
from connectors.openbesluitvorming.standin_index import Row, index, ordered
from connectors.openbesluitvorming.standin_parameters import Parameters
from connectors.openbesluitvorming.standin_query import Wanted, read

SCAN_BUDGET = 6_000
NO_SUMMARY = "Geen samenvatting beschikbaar."
_SNIPPET_FROM = 4
_SUMMARY, _BEFORE, _AFTER = 240, 60, 130
_ESTIMATE_DIGITS = 3
_MOST_HITS = 60
_MARKDOWN = (
    (re.compile(r"(?m)^#{1,6}\s+"), ""),
    (re.compile(r"(?m)^\s*(?:[-*]|\d+\.)\s+"), ""),
    (re.compile(r"(?m)^\|[-|]+\|$"), ""),
    (re.compile(r"[|*_`]+"), " "),
    (re.compile(r"\s+"), " "),
)


@dataclass(frozen=True, slots=True)
class _Scan:
    """What a scan came to: the rows that are in reach, and the total with whether it is an estimate."""

    rows: Sequence[Row]
    total: int
    is_estimate: bool = False


class Search:
    """Answers searches over everything that is served. ``scan_budget`` is the number of index rows read for one query."""

    def __init__(self, entities: Entities, scan_budget: int = SCAN_BUDGET) -> None:
        self._entities = entities
        self._rows = index(entities)
        self._scan_budget = scan_budget

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows of the index."""
        return self._rows

    def answer(self, asked: Parameters) -> dict[str, Any]:
        """The envelope with one page of results."""
        wanted = read(asked.query) if asked.query else None
        scan = self._scan(asked, wanted)
        page = scan.rows[asked.offset : asked.offset + asked.limit]
        return {
            "results": [self._result(row, asked, wanted) for row in page],
            "totalCount": scan.total,
            "totalIsApproximate": scan.is_estimate,
            "hasMore": asked.offset + len(page) < len(scan.rows) if page else False,
        }

    def _scan(self, asked: Parameters, wanted: Wanted | None) -> _Scan:
        if wanted is None and not asked.organization:
            return _Scan((), 0)
        found = [row for row in self._rows if _passes(row, asked) and (wanted is None or wanted.matches(row))]
        if wanted is None:
            rows = ordered(found, asked.sort)
            return _Scan(rows, len(rows))
        terms = wanted.terms
        read_order = "relevance" if asked.sort == "title_asc" else asked.sort
        reached, read_rows, all_rows = [], 0, 0
        for row in ordered(found, read_order, terms):
            size = 1 + sum(wanted.matches_page(page, row.key) for page in row.pages)
            all_rows += size
            if all_rows <= self._scan_budget:
                reached.append(row)
                read_rows = all_rows
        if asked.sort == "title_asc":
            reached = ordered(reached, "title_asc")
        if len(reached) == len(found):
            return _Scan(reached, len(found))
        return _Scan(reached, _estimate(len(reached) * all_rows / max(read_rows, 1)), is_estimate=True)

    def _result(self, row: Row, asked: Parameters, wanted: Wanted | None) -> dict[str, Any]:
        found = head(row.kind, row.entity_id, row.entity)
        page = _page_of(row, wanted) if wanted else None
        source = row.pages[page - 1].plain if page else row.content.plain
        snippet = _snippet(_prose(source), wanted) if wanted and len(asked.query) >= _SNIPPET_FROM else None
        if snippet is None:
            found["summary"] = _first_words(_prose(row.content.plain))
        else:
            twice = isinstance(row.entity, Paper) and row.entity.escaped_twice
            found |= _escaped(snippet, twice=twice)
        if isinstance(row.entity, Paper):
            found["downloadUrl"] = self._entities.own_page(row.entity_id)
            found |= _page_counts(row, row.entity, page)
        return found


def _passes(row: Row, asked: Parameters) -> bool:
    """The filters. Days are compared in UTC, as the platform does; what has no date passes no date filter."""
    day = row.sort_date[:10]
    if (asked.date_from or asked.date_to) and not day:
        return False
    return (
        (not asked.entity_type or row.kind == asked.entity_type)
        and (not asked.organization or row.key == asked.organization)
        and (not asked.date_from or day >= asked.date_from)
        and (not asked.date_to or day <= asked.date_to)
    )


def _estimate(value: float) -> int:
    """A total rounded to three digits."""
    whole = int(value)
    return round(whole, min(0, _ESTIMATE_DIGITS - len(str(whole))))


def _page_of(row: Row, wanted: Wanted) -> int | None:
    """The first page on which the query was found."""
    for number, page in enumerate(row.pages, 1):
        if wanted.matches_page(page, row.key):
            return number
    return None


def _page_counts(row: Row, paper: Paper, page: int | None) -> dict[str, int]:
    found = {"matchedPage": page} if page else {}
    if row.pages:
        found["pageCount"] = len(row.pages)
        if paper.source_pages and (paper.body.supplier is not Supplier.IBABS or paper.source_pages > len(row.pages)):
            found["sourcePageCount"] = paper.source_pages
    return found


def _prose(text: str) -> str:
    for pattern, replacement in _MARKDOWN:
        text = pattern.sub(replacement, text)
    return text.strip()


def _first_words(prose: str) -> str:
    if not prose:
        return NO_SUMMARY
    return prose if len(prose) <= _SUMMARY else f"{prose[: _SUMMARY - 3].rstrip()}..."


def _snippet(prose: str, wanted: Wanted) -> list[tuple[str, bool]] | None:
    """The words around the best hit, in pieces with whether each is a hit; None when the prose holds none."""
    words = {word for term in wanted.terms for word in term.split()}
    if not words:
        return None
    marked = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, sorted(words)))})(?![^\W_])", re.IGNORECASE)
    hits = [*islice(marked.finditer(prose), _MOST_HITS)]
    if not hits:
        return None
    best = max(hits, key=lambda hit: len({h.group().lower() for h in hits if 0 <= h.start() - hit.start() < _AFTER}))
    start = prose.rfind(" ", 0, max(0, best.start() - _BEFORE)) + 1
    end = prose.find(" ", best.end() + _AFTER)
    part = prose[start : end if end >= 0 else None]
    pieces, place = [], 0
    for match in marked.finditer(part):
        pieces += [(part[place : match.start()], False), (match.group(), True)]
        place = match.end()
    return [*pieces, (part[place:], False)]


def _escape(text: str) -> str:
    """HTML escaped with the platform's own spelling of the apostrophe."""
    return html.escape(text).replace("&#x27;", "&#39;")


def _escaped(pieces: list[tuple[str, bool]], *, twice: bool) -> dict[str, str]:
    """``summary`` and ``summaryHtml``; ``twice`` shows the fault that HTML was escaped once too often (quirk, #213)."""
    texts = [(_escape(text) if twice else text, is_hit) for text, is_hit in pieces]
    return {
        "summary": "".join(text for text, _ in texts),
        "summaryHtml": "".join(f"<b>{_escape(text)}</b>" if is_hit else _escape(text) for text, is_hit in texts),
    }
