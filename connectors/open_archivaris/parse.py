"""A page of search results: bytes in, hits out. Raises nothing but ``ConnectorError``, whatever the bytes are.

A row that cannot be read is left out and counted when others are fine; when all are wrong, the body is no answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.json_values import count
from connectors.open_archivaris.answers import KEY, body_of
from connectors.open_archivaris.items import Item, Reader
from connectors.open_archivaris.paths import at, found, written
from connectors.records import Certainty, Hit, Total


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page as the platform gave it.

    ``rows`` counts all of its rows, ``skipped`` those that could not be read. ``has_next`` is None where it does not say.
    """

    hits: tuple[Hit, ...]
    rows: int
    skipped: int
    total: Total
    has_next: bool | None
    fetched_at: datetime


def search_page(answer: Answer, reader: Reader) -> SearchPage:
    """The page in ``answer``."""
    places = reader.fields.search.answer
    body = body_of(answer, places["items"])
    rows = at(body, places["items"])
    if not isinstance(rows, list):
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, written(places["items"]))
    items = [item for row in rows if (item := reader.item(row, reader.fields.item)) is not None]
    if rows and not items:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, f"{written(places['items'])}[]")
    return SearchPage(
        hits=tuple(_hit(item, answer.fetched_at) for item in items),
        rows=len(rows),
        skipped=len(rows) - len(items),
        total=_total(count(found(body, places.get("total"))), found(body, places.get("total_is_exact"))),
        has_next=bool(found(body, places["next_page"])) if "next_page" in places else None,
        fetched_at=answer.fetched_at,
    )


def _total(value: int | None, is_exact: Any) -> Total:
    """The total; exact only when the platform calls it exact (field report 4)."""
    if value is None:
        return Total(None, Certainty.UNKNOWN)
    return Total(value, Certainty.EXACT if is_exact is True else Certainty.ESTIMATE)


def _hit(item: Item, fetched_at: datetime) -> Hit:
    return Hit(
        platform=KEY,
        upstream_id=item.upstream_id,
        title=item.title,
        organisation=item.organisation,
        organisation_id=item.organisation_id,
        kind=item.kind,
        kind_at_source="",
        date=item.created,
        snippet=item.snippet,
        address=item.original_url,
        original=item.file,
        fetched_at=fetched_at,
        page=item.page,
        pages_searched=item.pages_searched,
        pages_in_all=item.pages,
        archived=item.copy,
        same_as=item.same_as,
    )
