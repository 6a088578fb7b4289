"""A page of search results: bytes in, hits out. Raises nothing but ``ConnectorError``, whatever the bytes are.

A row that is not built as described is left out and counted when others are fine; when all are wrong, the body is no answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from connectors.addresses import Addresses, web_address
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.json_values import count, mapping, objects
from connectors.open_raadsinformatie.answers import KEY, envelope
from connectors.open_raadsinformatie.council_pages import meeting_page
from connectors.open_raadsinformatie.dates import date_of
from connectors.open_raadsinformatie.ids import cited, id_of, index_alias, record_number
from connectors.open_raadsinformatie.kinds import MEDIA, MEETING, REPORT, TYPES, kind_of
from connectors.open_raadsinformatie.organisations import organisation
from connectors.open_raadsinformatie.origins import same_as
from connectors.open_raadsinformatie.text import name, snippet
from connectors.open_raadsinformatie.values import first_line, several
from connectors.records import Certainty, Hit, Kind, Moment, Total

UNTITLED = "Ongetiteld stuk"


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page as the platform gave it.

    ``rows`` counts all of its rows, ``skipped`` those that could not be read; ``shards`` how many indices were asked.
    """

    hits: tuple[Hit, ...]
    rows: int
    skipped: int
    total: Total
    shards: int
    is_partial: bool
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class Item:
    """What a result and a whole record have in common."""

    alias: str
    number: str
    upstream_id: str
    record_type: str
    title: str
    organisation: str
    organisation_id: str | None
    kind: Kind
    kind_at_source: str
    date: Moment | None
    original: str | None
    for_people: str | None
    same_as: tuple[str, ...]


def search_page(answer: Answer, addresses: Addresses) -> SearchPage:
    """The page in ``answer``."""
    found = envelope(answer)
    rows = found.hits["hits"]
    hits = [hit for row in rows if (hit := _hit(row, addresses, answer.fetched_at)) is not None]
    if rows and not hits:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "hits.hits[]")
    return SearchPage(
        hits=tuple(hits),
        rows=len(rows),
        skipped=len(rows) - len(hits),
        total=_total(found.hits.get("total"), is_partial=found.is_partial),
        shards=found.shards,
        is_partial=found.is_partial,
        fetched_at=answer.fetched_at,
    )


def item(row: object) -> Item | None:
    """The common fields of a row; None when its index, number or type cannot be read, or when it is no paper or meeting."""
    row = mapping(row)
    alias, number, record = index_alias(row.get("_index")), record_number(row.get("_id")), mapping(row.get("_source"))
    record_type = record.get("@type")
    if alias is None or number is None or record_type not in TYPES:
        return None
    body = organisation(alias)
    title = name(first_line(record.get("name"))) or name(first_line(record.get("file_name"))) or UNTITLED
    register = first_line(record.get("classification")) if record_type == REPORT else ""
    original = web_address(first_line(record.get("original_url"))) or web_address(first_line(record.get("url")))
    kind = kind_of(record_type, title, register)
    return Item(
        alias=alias,
        number=number,
        upstream_id=id_of(alias, number, original),
        record_type=record_type,
        title=title,
        organisation=body.name if body else alias,
        organisation_id=body.id if body else None,
        kind=kind,
        kind_at_source=name(register) or record_type,
        date=date_of(record, record_type),
        original=original,
        for_people=original or (meeting_page(alias, record) if record_type == MEETING else None),
        same_as=same_as(record, kind, original if record_type == MEDIA else None, body),
    )


def _hit(row: object, addresses: Addresses, fetched_at: datetime) -> Hit | None:
    found = item(row)
    if found is None or not isinstance(row, dict):
        return None
    page, fragment = _page_hit(row)
    return Hit(
        platform=KEY,
        upstream_id=found.upstream_id,
        title=found.title,
        organisation=found.organisation,
        organisation_id=found.organisation_id,
        kind=found.kind,
        kind_at_source=found.kind_at_source,
        date=found.date,
        snippet=fragment or _fragment(row) or snippet(mapping(row.get("_source")).get("description"))[:300],
        address=cited(addresses, found.upstream_id, found.number, found.for_people),
        original=found.original,
        fetched_at=fetched_at,
        page=page,
        same_as=found.same_as,
    )


def _page_hit(row: dict[str, Any]) -> tuple[int | None, str]:
    """The page on which the words stand, and what stands there."""
    inner = mapping(mapping(mapping(mapping(row.get("inner_hits")).get("text_pages")).get("hits")))
    for page in objects(inner.get("hits")):
        number = next(iter(several(mapping(page.get("fields")).get("text_pages.page_number"))), None)
        if number is None:
            number = mapping(page.get("_source")).get("page_number")
        fragments = several(mapping(page.get("highlight")).get("text_pages.text"))
        return count(number) or None, snippet(fragments[0]) if fragments else ""
    return None, ""


def _fragment(row: dict[str, Any]) -> str:
    marked = mapping(row.get("highlight"))
    found = (snippet(text) for field in ("text", "md_text", "description") for text in several(marked.get(field)))
    return next(filter(None, found), "")


def _total(value: object, *, is_partial: bool) -> Total:
    """The total. ``gte`` says that there are more; so does an answer of which a part is missing."""
    total = mapping(value)
    counted = count(total.get("value"))
    if counted is None:
        return Total(None, Certainty.UNKNOWN)
    exact = total.get("relation") == "eq" and not is_partial
    return Total(counted, Certainty.EXACT if exact else Certainty.AT_LEAST)
