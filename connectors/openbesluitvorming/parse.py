"""A page of search results: bytes in, hits out. Raises nothing but ``ConnectorError``, whatever the bytes are.

The envelope is ``results``, ``totalCount``, ``totalIsApproximate``, ``hasMore`` (platform page, section 3.1). A row that is not
built as described is left out and counted when others are fine; when all are wrong, the body is no answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from connectors.addresses import Addresses, web_address
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.json_values import count, mapping
from connectors.openbesluitvorming.answers import KEY, body_of
from connectors.openbesluitvorming.dates import MEANINGS, UNKNOWN, moment
from connectors.openbesluitvorming.ids import EntityId, EntityType, entity_id, page_address
from connectors.openbesluitvorming.kinds import kind_of
from connectors.openbesluitvorming.organisations import organisation
from connectors.openbesluitvorming.text import snippet
from connectors.plaintext import line
from connectors.records import Certainty, Hit, Kind, Moment, Total
from connectors.sameness import address_keys, supplier_key

UNKNOWN_TOTAL = Total(None, Certainty.UNKNOWN)
UNTITLED = "Ongetiteld document"


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page as the platform gave it. ``rows`` counts all of its rows, ``skipped`` those that could not be read."""

    hits: tuple[Hit, ...]
    rows: int
    skipped: int
    total: Total
    has_more: bool
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class Item:
    """What a result and an item with its text have in common. ``organisation_id`` is None for a body we do not know."""

    id: EntityId
    title: str
    organisation: str
    organisation_id: str | None
    kind: Kind
    kind_at_source: str
    date: Moment | None


def search_page(answer: Answer, addresses: Addresses, *, offset: int = 0) -> SearchPage:
    """The page in ``answer``. ``offset`` is what was asked: an envelope without ``hasMore`` is measured by it."""
    body = body_of(answer, "results")
    rows = body["results"]
    if not isinstance(rows, list):
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "results")
    hits = [hit for row in rows if (hit := _hit(row, addresses, answer.fetched_at)) is not None]
    if rows and not hits:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "results[]")
    total = _total(body)
    more = body.get("hasMore")
    return SearchPage(
        hits=tuple(hits),
        rows=len(rows),
        skipped=len(rows) - len(hits),
        total=total,
        # An empty page is the end, whatever it says itself: following it went on for ever (field report 2).
        has_more=bool(rows) and (more if isinstance(more, bool) else offset + len(rows) < (total.value or 0)),
        fetched_at=answer.fetched_at,
    )


def item(row: object) -> Item | None:
    """The common fields of a result or an item; None when it has no readable id, type or title."""
    if not isinstance(row, dict):
        return None
    identifier = entity_id(row.get("entityId"))
    title = row.get("title")
    if identifier is None or not isinstance(title, str) or row.get("entityType") != identifier.type.value:
        return None
    title = line(title) or UNTITLED
    body = organisation(identifier.body_type, identifier.key, line(row.get("organization")))
    return Item(
        id=identifier,
        title=title,
        organisation=body.name if body else line(row.get("organization")) or identifier.key,
        organisation_id=body.id if body else None,
        kind=kind_of(identifier.type, title, _motion_type(row)),
        kind_at_source=line(row.get("entityTypeLabel")) or identifier.type.value,
        date=None if row.get("date") == UNKNOWN else moment(row.get("sortDate"), MEANINGS[identifier.type]),
    )


def _hit(row: object, addresses: Addresses, fetched_at: datetime) -> Hit | None:
    found = item(row)
    if found is None or not isinstance(row, dict):
        return None
    page = count(row.get("matchedPage")) or None
    upstream_id = _opened_as(found.id, row)
    return Hit(
        platform=KEY,
        upstream_id=upstream_id,
        title=found.title,
        organisation=found.organisation,
        organisation_id=found.organisation_id,
        kind=found.kind,
        kind_at_source=found.kind_at_source,
        date=found.date,
        snippet=snippet(row.get("summaryHtml"), row.get("summary")),
        address=page_address(addresses, upstream_id, page),
        original=web_address(row.get("downloadUrl")),
        fetched_at=fetched_at,
        page=page,
        pages_searched=count(row.get("pageCount")),
        pages_in_all=count(row.get("sourcePageCount")),
        same_as=same_as(found, row),
    )


def same_as(found: Item, row: dict[str, Any]) -> tuple[str, ...]:
    """The keys of an item at other platforms. The file of a motion is a paper of its own, so it is no key of the motion."""
    one = found.id
    if one.type is EntityType.RECORDING:
        return ()
    number = supplier_key(one.supplier, one.type.value.lower(), found.organisation_id or one.key, one.native)
    file = row.get("downloadUrl") if one.type is EntityType.DOCUMENT else None
    return tuple(dict.fromkeys((number, *address_keys(web_address(file), found.organisation_id))))


def _opened_as(identifier: EntityId, row: dict[str, Any]) -> str:
    """The id under which a hit opens: a recording opens with its meeting, when the row names it."""
    meeting = entity_id(row.get("meetingId"))
    if identifier.type is EntityType.RECORDING and meeting and meeting.type is EntityType.MEETING:
        return meeting.text
    return identifier.text


def _total(body: dict[str, Any]) -> Total:
    value = count(body.get("totalCount"))
    if value is None:
        return UNKNOWN_TOTAL
    # Absent in the oldest generation, which could not tell; an exact total must have been called exact (field report 4).
    exact = body.get("totalIsApproximate") is False
    return Total(value, Certainty.EXACT if exact else Certainty.ESTIMATE)


def _motion_type(row: dict[str, Any]) -> str:
    return line(mapping(row.get("motion")).get("motion_type"))
