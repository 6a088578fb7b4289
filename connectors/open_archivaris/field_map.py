"""Where each field of ours stands in the answers of this platform: a value in TOML, so that no code changes with the API.

The API is not public; ``velden.toml`` holds the shape that the platform page proposes (section 5). An operator who knows the
real one writes a file of the same form. It is read strictly: a misspelt name is refused, never skipped.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NoReturn

from connectors.open_archivaris.paths import Path as At
from connectors.open_archivaris.paths import path
from connectors.records import BodyKind, Sort

PROPOSED_FILE: Final = Path(__file__).parent / "velden.toml"
ITEM_FIELDS: Final = frozenset(
    {
        "id",
        "title",
        "author",
        "body_code",
        "body_label",
        "body_kind",
        "created_on",
        "archived_on",
        "pages",
        "pages_searched",
        "page",
        "original_url",
        "original_gone",
        "archive_url",
        "mime",
        "sha256",
        "snippet",
    }
)
"""Our fields of an item; ``page`` is where the words were found, which the proposal does not have."""
NEEDED: Final = frozenset({"id", "title", "original_url"})
"""Without these an item cannot be opened, named or cited."""
_PARAMETERS: Final = frozenset(
    {
        "words",
        "bodies",
        "body_kinds",
        "created_from",
        "created_to",
        "min_pages",
        "max_pages",
        "page",
        "start",
        "page_size",
        "order",
    }
)
_LARGEST_PAGE: Final = 1000
_MOST_BODIES: Final = 50  # more in one address would be longer than servers commonly take
_PLACE: Final = "{id}"
_LEADS_AWAY: Final = re.compile(r"//|/\.{1,2}(?:/|$)")  # such a path would leave the address that it stands below


class FieldMapError(ValueError):
    """A field map that cannot be used: ``where`` in the file, and ``why`` (Dutch, for the operator who wrote it)."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(where, why)
        self.where = where
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMap:
    """How a search is asked and answered.

    ``matches_any``: one of the words is enough over there. ``most_bodies``: so many can one call name.
    """

    path: str
    page_size: int
    largest_page: int
    most_bodies: int
    matches_any: bool
    phrases: bool
    parameters: Mapping[str, str]
    orders: Mapping[Sort, str]
    answer: Mapping[str, At]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentMap:
    """How one document is asked and answered. ``fields`` are those of its item, ``answer`` where item and text stand."""

    path: str
    answer: Mapping[str, At]
    fields: Mapping[str, At]


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthMap:
    """How the state of the platform is asked and answered; ``path`` is empty where it gives none."""

    path: str
    answer: Mapping[str, At]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldMap:
    """The whole map. ``absent`` may be missing from an answer, ``unused`` may be there without a place in the map."""

    id_pattern: re.Pattern[str]
    search: SearchMap
    item: Mapping[str, At]
    document: DocumentMap
    health: HealthMap
    body_kinds: Mapping[str, BodyKind]
    codes: Mapping[str, str]
    absent: frozenset[str]
    unused: frozenset[str]

    @property
    def has_pages(self) -> bool:
        """Whether anything beyond the first page can be asked."""
        return bool({"page", "start"} & self.search.parameters.keys())


@cache
def proposed() -> FieldMap:
    """The map of the shape that the platform page proposes."""
    return read_field_map(PROPOSED_FILE.read_text(encoding="utf-8"))


def read_field_map(text: str) -> FieldMap:
    """The map in a TOML text. Raises ``FieldMapError`` for anything that it should not hold or lacks."""
    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        _refuse("bestand", f"is geen TOML: {error}")
    root = _Table("", found, {"ids", "search", "item", "document", "health", "body_kinds", "codes", "allowed"})
    allowed = root.table("allowed", {"absent", "unused"})
    return FieldMap(
        id_pattern=_pattern(root.table("ids", {"pattern"}).text("pattern")),
        search=_search(root),
        item=_item(root),
        document=_document(root),
        health=_health(root),
        body_kinds=_body_kinds(root.texts("body_kinds")),
        codes=MappingProxyType(root.texts("codes")),
        absent=allowed.names("absent"),
        unused=allowed.names("unused"),
    )


def _refuse(where: str, why: str) -> NoReturn:
    raise FieldMapError(where, why) from None


class _Table:
    """One table of the file: names that it may hold, and values of the right type. Raises ``FieldMapError``."""

    def __init__(self, name: str, rows: Any, may: set[str] | frozenset[str] | None = None) -> None:
        if not isinstance(rows, dict):
            _refuse(name, "moet een tabel zijn")
        self.name, self.rows = name, rows
        for key in rows:
            if may is not None and key not in may:
                _refuse(self.at(key), "kennen we niet")

    def at(self, key: str) -> str:
        return f"{self.name}.{key}" if self.name else key

    def table(self, key: str, may: set[str] | frozenset[str]) -> _Table:
        return _Table(self.at(key), self.rows.get(key, {}), may)

    def text(self, key: str, default: str | None = None) -> str:
        value = self.rows.get(key, default)
        if not isinstance(value, str):
            _refuse(self.at(key), "ontbreekt of is geen tekst")
        return value

    def number(self, key: str, default: int) -> int:
        value = self.rows.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _LARGEST_PAGE:
            _refuse(self.at(key), f"moet een getal zijn van 1 tot en met {_LARGEST_PAGE}")
        return value

    def flag(self, key: str) -> bool:
        value = self.rows.get(key, False)
        if not isinstance(value, bool):
            _refuse(self.at(key), "moet true of false zijn")
        return value

    def names(self, key: str) -> frozenset[str]:
        value = self.rows.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            _refuse(self.at(key), "moet een lijst van teksten zijn")
        return frozenset(value)

    def texts(self, key: str) -> dict[str, str]:
        inner = _Table(self.at(key), self.rows.get(key, {}))
        return {name: inner.text(name) for name in inner.rows}

    def paths(self, may: set[str] | frozenset[str]) -> dict[str, At]:
        """The places of the fields ``may`` that the table names."""
        return {key: self._path(key) for key in self.rows if key in may}

    def _path(self, key: str) -> At:
        try:
            return path(self.text(key))
        except ValueError:
            _refuse(self.at(key), "is geen plaats in een antwoord")


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.ASCII)
    except re.error:
        _refuse("ids.pattern", "is geen patroon")


def _address(table: _Table, *, place: bool = False) -> str:
    text = table.text("path")
    plain = text.replace(_PLACE, "x")
    if (
        not text.startswith("/")
        or (place and text.count(_PLACE) != 1)
        or not re.fullmatch(r"[\w./~-]+", plain, re.ASCII)
        or _LEADS_AWAY.search(text)
    ):
        _refuse(table.at("path"), f"moet een pad zijn dat met / begint{' en {id} bevat' if place else ''}")
    return text


def _search(root: _Table) -> SearchMap:
    names = {"path", "page_size", "largest_page", "most_bodies", "match", "phrases", "parameters", "orders", "answer"}
    table = root.table("search", names)
    parameters = _Table("search.parameters", table.rows.get("parameters", {}), _PARAMETERS)
    answer = table.table("answer", {"items", "total", "total_is_exact", "next_page"})
    match = table.text("match")
    if match not in {"any", "all"}:
        _refuse("search.match", 'moet "any" of "all" zijn')
    if "words" not in parameters.rows or {"page", "start"} <= parameters.rows.keys():
        _refuse("search.parameters", "heeft words nodig, en niet page en start allebei")
    if "items" not in answer.rows:
        _refuse("search.answer.items", "ontbreekt")
    size = table.number("page_size", 25)
    orders = table.texts("orders")
    if not orders.keys() <= set(Sort):
        _refuse("search.orders", f"kent alleen {', '.join(Sort)}")
    return SearchMap(
        path=_address(table),
        page_size=size,
        largest_page=table.number("largest_page", size),
        most_bodies=table.number("most_bodies", _MOST_BODIES),
        matches_any=match == "any",
        phrases=table.flag("phrases"),
        parameters=MappingProxyType({key: parameters.text(key) for key in parameters.rows}),
        orders=MappingProxyType({Sort(key): value for key, value in orders.items()}),
        answer=MappingProxyType(answer.paths(set(answer.rows))),
    )


def _item(root: _Table) -> Mapping[str, At]:
    found = root.table("item", ITEM_FIELDS).paths(ITEM_FIELDS)
    for key in sorted(NEEDED - found.keys()):
        _refuse(f"item.{key}", "ontbreekt")
    return MappingProxyType(found)


def _document(root: _Table) -> DocumentMap:
    places = {"item", "text", "page_number", "page_text"}
    table = root.table("document", {"path", "fields", *places})
    own = table.table("fields", ITEM_FIELDS).paths(ITEM_FIELDS)
    return DocumentMap(
        path=_address(table, place=True),
        answer=MappingProxyType(table.paths(places)),
        fields=MappingProxyType({**_item(root), **own}),
    )


def _health(root: _Table) -> HealthMap:
    places = {"made_at", "bodies", "code", "label", "kind", "last_success", "documents"}
    table = root.table("health", {"path", *places})
    if not table.rows:
        return HealthMap(path="", answer=MappingProxyType({}))
    found = table.paths(places)
    for key in sorted({"bodies", "label", "last_success"} - found.keys()):
        _refuse(f"health.{key}", "ontbreekt")
    return HealthMap(path=_address(table), answer=MappingProxyType(found))


def _body_kinds(rows: Mapping[str, str]) -> Mapping[str, BodyKind]:
    try:
        return MappingProxyType({word: BodyKind(kind) for word, kind in rows.items()})
    except ValueError:
        _refuse("body_kinds", f"kent alleen {', '.join(BodyKind)}")
