"""The calls to both services of Rechtspraak. Pure: nothing here sends anything.

``zoeken`` is the back end of the website's search (platform page, section B): words, courts, classes of dates. ``open-data`` is
the official service (section A): filters, text and value lists, and no words at all.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from connectors.calls import Call, CallKind
from connectors.platforms import RECHTSPRAAK

PAGE_SIZE: Final = 24
WINDOW_SIZE: Final = 50
_WEBSITE: Final = "zoeken"
_OPEN_DATA: Final = "open-data"


class WebsiteSort(StrEnum):
    """The orders of the website's search that we ask for."""

    RELEVANCE = "Relevance"
    NEWEST = "UitspraakDatumDesc"
    OLDEST = "UitspraakDatumAsc"


class DateClass(StrEnum):
    """The classes of decision dates that cover a whole year."""

    THIS_YEAR = "DitJaar"
    LAST_YEAR = "VorigJaar"


class OpenDataKind(StrEnum):
    """The values of Open Data's parameter ``type``."""

    RULING = "Uitspraak"
    OPINION = "Conclusie"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebsiteQuestion:
    """One question to the website's search: ``courts`` are identifiers from the list Instanties, any of them may match."""

    term: str
    start: int = 0
    size: int = PAGE_SIZE
    sort: WebsiteSort = WebsiteSort.RELEVANCE
    courts: tuple[str, ...] = ()
    date_class: DateClass | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDataQuestion:
    """One question to Open Data. ``days`` holds no day, one day, or the first and the last of a period."""

    days: tuple[date, ...] = ()
    courts: tuple[str, ...] = ()
    kind: OpenDataKind | None = None
    start: int = 0
    size: int = PAGE_SIZE


def website_search_call(question: WebsiteQuestion) -> Call:
    """``POST /api/zoek`` (section B1). Without ``CorrelationId``, which clients leave out without harm."""
    body = {
        "StartRow": question.start,
        "PageSize": question.size,
        "ShouldReturnHighlights": True,
        "ShouldCountFacets": False,
        "SortOrder": question.sort.value,
        "SearchTerms": [{"Term": question.term, "Field": "AlleVelden"}],
        "Contentsoorten": [],
        "Rechtsgebieden": [],
        "Instanties": [{"NodeType": 1, "Identifier": court, "level": 1} for court in question.courts],
        "DatumPublicatie": [],
        "DatumUitspraak": _date_class(question.date_class),
        "Advanced": {"PublicatieStatus": "AlleenGepubliceerd"},
        "Proceduresoorten": [],
    }
    return Call(
        platform=RECHTSPRAAK.key,
        service=_WEBSITE,
        path="/api/zoek",
        kind=CallKind.SEARCH,
        method="POST",
        body=json.dumps(body, ensure_ascii=False).encode(),
        headers=(("content-type", "application/json"), ("accept", "application/json")),
    )


def _date_class(date_class: DateClass | None) -> list[dict[str, object]]:
    if date_class is None:
        return []
    return [{"NodeType": 4, "Identifier": date_class.value, "level": 0}]


def open_data_search_call(question: OpenDataQuestion) -> Call:
    """``GET /uitspraken/zoeken`` (section A2): only decisions with text, those changed last in front.

    Raises ``ValueError`` for a question without any filter: the whole collection would answer.
    """
    filters = [
        *(("date", day.isoformat()) for day in question.days),
        *(("creator", court) for court in question.courts),
        *((("type", question.kind.value),) if question.kind else ()),
    ]
    if not filters:
        raise ValueError(question)
    paging = [("return", "DOC"), ("max", str(question.size)), ("from", str(question.start)), ("sort", "DESC")]
    return Call(
        platform=RECHTSPRAAK.key,
        service=_OPEN_DATA,
        path="/uitspraken/zoeken",
        kind=CallKind.SEARCH,
        params=(*filters, *paging),
    )


def content_call(ecli: str, *, metadata_only: bool = False) -> Call:
    """``GET /uitspraken/content`` (section A1): one decision, or its metadata alone."""
    return Call(
        platform=RECHTSPRAAK.key,
        service=_OPEN_DATA,
        path="/uitspraken/content",
        kind=CallKind.DOCUMENT,
        params=(("id", ecli), ("return", "META")) if metadata_only else (("id", ecli),),
    )


def value_list_call(name: str) -> Call:
    """``GET /Waardelijst/<name>`` (section A5)."""
    return Call(platform=RECHTSPRAAK.key, service=_OPEN_DATA, path=f"/Waardelijst/{name}", kind=CallKind.LIST)
