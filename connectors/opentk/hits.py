"""The rows of a search as hits. Pure."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from connectors.calls import Answer
from connectors.kamer_body import kamer_at
from connectors.kamer_words import from_html, line
from connectors.opentk.answers import KEY, search_rows
from connectors.opentk.ids import Key, of_link, same_as
from connectors.opentk.kinds import PAPERS, kind_of_hit
from connectors.opentk.pages import Pages
from connectors.opentk.values import Row, moment
from connectors.records import DateMeaning, Hit

ORGANISATION: Final = kamer_at(KEY)
_MARK: Final = re.compile(r"</?b>")
_MARKED_UP: Final = frozenset({"Activiteit", "Toezegging"})
"""Categories of which the text was written as HTML; a paper's text is plain, and ``<concept>`` in it is a word."""
_MEANINGS: Final = {
    PAPERS: DateMeaning.DOCUMENT,
    "Activiteit": DateMeaning.MEETING,
    "Verslag": DateMeaning.MEETING,
    "Toezegging": DateMeaning.COMMITMENT,
    "OODocument": DateMeaning.PUBLICATION,
}
_LONGEST_TITLE: Final = 300


@dataclass(frozen=True, slots=True)
class ScoredHit:
    """A hit with its bm25 score: lower is better."""

    hit: Hit
    score: float


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of one search. ``given`` counts the rows that came, ``unread`` those that could not be read."""

    hits: tuple[ScoredHit, ...]
    given: int
    unread: int
    fetched_at: datetime


def found(answer: Answer, pages: Pages, questions: frozenset[str] = frozenset()) -> Found:
    """The hits of an answer to ``search_call``, each once; ``questions`` are the ids of what is a question or its answer."""
    rows = search_rows(answer)
    hits: dict[str, ScoredHit] = {}
    unread = 0
    for row in rows:
        one = _hit(row, pages, answer.fetched_at, questions) if isinstance(row, dict) else None
        if one is None:
            unread += 1
        else:
            hits.setdefault(one.hit.upstream_id, one)
    return Found(tuple(hits.values()), len(rows), unread, answer.fetched_at)


def ids_in(answer: Answer) -> frozenset[str]:
    """The ids of the hits of an answer."""
    keys = (_key(row) for row in search_rows(answer) if isinstance(row, dict))
    return frozenset(key.upstream_id for key in keys if key)


def snippet(category: str, text: object) -> str:
    """The fragment as plain text. Only the marks of the search are markup: the text between them was never escaped."""
    if not isinstance(text, str):
        return ""
    plain = _MARK.sub("", text)
    if category in _MARKED_UP:
        plain = from_html(plain)
    if category == "OODocument":
        plain = _unlisted(plain)
    return line(plain).replace("...", "…")


def _hit(row: Row, pages: Pages, fetched_at: datetime, questions: frozenset[str]) -> ScoredHit | None:
    key = _key(row)
    category = line(row.get("category"))
    if key is None or not category:
        return None
    title = _title(row, category)
    hit = Hit(
        platform=KEY,
        upstream_id=key.upstream_id,
        title=title or f"{category} {key.name}",
        organisation=ORGANISATION.name,
        organisation_id=ORGANISATION.id,
        kind=kind_of_hit(category, title, is_question=key.upstream_id in questions),
        kind_at_source=category,
        date=moment(row.get("datum"), _MEANINGS.get(category, DateMeaning.DOCUMENT)),
        snippet=snippet(category, row.get("snip")),
        address=pages.of(key),
        original=pages.file(key),
        fetched_at=fetched_at,
        same_as=same_as(key),
    )
    return ScoredHit(hit, _score(row.get("score")))


def _score(value: object) -> float:
    """The score as a number that can be ordered by; 0, the worst there is, for anything else."""
    try:
        score = float(value) if isinstance(value, (int, float)) else 0.0
    except OverflowError:
        return 0.0
    return score if math.isfinite(score) else 0.0


def _key(row: Row) -> Key | None:
    """Where the hit leads: its ``nummer`` alone does not say what it is the number of."""
    link = row.get("relurl")
    return of_link(link) if isinstance(link, str) else None


def _title(row: Row, category: str) -> str:
    title = row.get("onderwerp")
    text = line(from_html(title) if category in _MARKED_UP else title)
    return text if len(text) <= _LONGEST_TITLE else f"{text[:_LONGEST_TITLE].rsplit(' ', 1)[0]} …"


def _unlisted(text: str) -> str:
    """The texts of ``["one", "other"]``: so the platform keeps the descriptions of open.overheid.nl. A cut piece stays."""
    try:
        parts = json.loads(text)
    except (ValueError, RecursionError):
        return text.removeprefix('["').removesuffix('"]')
    return " · ".join(part for part in parts if isinstance(part, str)) if isinstance(parts, list) else text
