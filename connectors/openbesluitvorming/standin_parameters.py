"""The parameters of a search, checked in the platform's order, and its errors (platform page, sections 3.1 and 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from connectors.openbesluitvorming.standin_catalogue import source_by_key
from connectors.openbesluitvorming.standin_query import has_slop

TYPES = ("Meeting", "Document", "Motion", "Recording")
SORTS = ("date_desc", "date_asc", "title_asc", "relevance")
_DEFAULT_LIMIT, _MOST = 24, 100
_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
_BARE_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Code(StrEnum):
    """The codes of a refused search."""

    UNKNOWN_ENTITY_TYPE = "unknown_entity_type"
    UNKNOWN_ORGANIZATION = "unknown_organization"
    SLOP = "unsupported_phrase_slop"
    UNKNOWN_SORT = "unknown_sort"
    INVALID_DATE = "invalid_date"
    INVALID_LIMIT = "invalid_limit"
    INVALID_OFFSET = "invalid_offset"


class BadParameterError(Exception):
    """A parameter that the platform refuses with 400. ``body`` is what it answers."""

    def __init__(self, code: Code, error: str, hint: str = "") -> None:
        super().__init__(code)
        self.body = {"code": code.value, "error": error, **({"hint": hint} if hint else {})}


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a search, checked."""

    query: str
    organization: str
    entity_type: str
    sort: str
    date_from: str
    date_to: str
    offset: int
    limit: int


def parameters(given: Mapping[str, str]) -> Parameters:
    """The checked parameters; unknown names are ignored, as over there.

    Raises ``BadParameterError`` for the first that is wrong, in the platform's order.
    """
    query, entity_type = given.get("query", "").strip(), given.get("entityType", "")
    organization, sort = given.get("organization", ""), given.get("sort", "") or SORTS[0]
    if entity_type and entity_type not in TYPES:
        hint = f"Geldige waarden zijn {', '.join(TYPES)}; let op hoofdletters."
        raise BadParameterError(Code.UNKNOWN_ENTITY_TYPE, f'Onbekend entityType "{entity_type}".', hint)
    if organization and organization not in source_by_key():
        hint = "Zie /api/sources voor geldige keys; deze zijn hoofdlettergevoelig."
        raise BadParameterError(Code.UNKNOWN_ORGANIZATION, f'Onbekende organization "{organization}".', hint)
    if has_slop(query):
        error = "Een afstand achter een woordgroep wordt niet ondersteund."
        raise BadParameterError(Code.SLOP, error, "Laat het teken ~ met het getal weg.")
    if sort not in SORTS:
        raise BadParameterError(Code.UNKNOWN_SORT, f'Onbekende sort "{sort}".')
    return Parameters(
        query=query,
        organization=organization,
        entity_type=entity_type,
        sort=sort,
        date_from=_date(given, "dateFrom"),
        date_to=_date(given, "dateTo"),
        limit=min(_number(given, "limit", _DEFAULT_LIMIT, 1), _MOST),
        offset=_number(given, "offset", 0, 0),
    )


def _date(given: Mapping[str, str], name: str) -> str:
    value = given.get(name, "")
    if value and not (_BARE_DATE.fullmatch(value) and _exists(value)):
        raise BadParameterError(
            Code.INVALID_DATE,
            f'Parameter {name} moet een datum in de vorm JJJJ-MM-DD zijn, kreeg "{value}".',
            "Alleen de kale datum wordt geaccepteerd; een tijd of tijdzone erachter niet.",
        )
    return value


def _exists(value: str) -> bool:
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _number(given: Mapping[str, str], name: str, default: int, least: int) -> int:
    value = given.get(name, "")
    if not value:
        return default
    if not _INTEGER.fullmatch(value):
        raise BadParameterError(
            Code(f"invalid_{name}"), f'Parameter {name} moet een geheel getal zijn, kreeg "{value}".'
        )
    number = int(value)
    if number < least:
        wanted = f"moet minstens {least} zijn" if least else "kan niet negatief zijn"
        raise BadParameterError(Code(f"invalid_{name}"), f"Parameter {name} {wanted}, kreeg {number}.")
    return number
