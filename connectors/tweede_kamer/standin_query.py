"""One request to the stand-in's OData: options read, rows found, ordered, cut and written out with what is expanded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from connectors.kamer_corpus.rows import Row, Store
from connectors.kamer_corpus.schema import EntityType
from connectors.tweede_kamer.standin_filter import comparable, filter_test, no_such_field, refuse

_OPTIONS: Final = frozenset(
    {"$filter", "$select", "$expand", "$orderby", "$top", "$skip", "$count", "$format", "$skiptoken"}
)
_DEEPEST: Final = 5
_PAGE: Final = 250


@dataclass(frozen=True, slots=True)
class Service:
    """One version of the service: what it holds and how much it gives at once."""

    held: Store
    schema: dict[str, EntityType]
    most_rows: int

    def rows(self, entity: str) -> list[Row]:
        """All rows of an entity set."""
        return list(self.held.tables.get(entity, {}).values())

    def reached(self, entity: str, guid: str, navigation: str) -> list[Row]:
        """The rows to which a navigation leads from one row."""
        target = self.schema[entity].navigations[navigation].target
        table = self.held.tables.get(target, {})
        return [table[other] for other in self.held.links.get((entity, guid, navigation), ()) if other in table]


def collection(service: Service, entity: str, rows: list[Row], options: Mapping[str, str]) -> dict[str, Any]:
    """The envelope with the rows that are asked for. Options that the service does not know are ignored by it (ODD.md)."""
    described = service.schema[entity]
    found = _filtered(service, described, rows, options)
    count = len(found)
    found = _ordered(described, found, options.get("$orderby", ""))
    top = _whole(options, "$top")
    if top is not None and top > service.most_rows:
        refuse(
            f"The limit of '{service.most_rows}' for Top query has been exceeded. "
            f"The value from the incoming request is '{top}'."
        )
    start = _whole(options, "$skip") or 0
    if token := options.get("$skiptoken", ""):
        found = [row for row in sorted(found, key=_id) if _id(row) > token.removeprefix("Id-")]
    page = found[start : start + (_PAGE if top is None else top)]
    body: dict[str, Any] = {}
    if options.get("$count", "").lower() == "true":
        body["@odata.count"] = count
    body["value"] = [written(service, described, row, options) for row in page]
    if top is None and len(found) > start + _PAGE and page:
        body["@odata.nextLink"] = f"$skiptoken=Id-{_id(page[-1])}"
    return body


def written(
    service: Service, described: EntityType, row: Row, options: Mapping[str, str], depth: int = 0
) -> dict[str, Any]:
    """A row with the chosen fields and what is expanded."""
    chosen = [name.strip() for name in options.get("$select", "").split(",") if name.strip()]
    for name in chosen:
        if name not in described.fields and name not in described.navigations and name != "*":
            no_such_field(name, described)
    body = {name: value for name, value in row.items() if not chosen or "*" in chosen or name in chosen}
    for name, inner in _expansions(options.get("$expand", "")):
        navigation = described.navigations.get(name)
        if navigation is None:
            no_such_field(name, described)
        if depth >= _DEEPEST:
            refuse(f"The request includes a $expand path which is too deep. The maximum depth allowed is {_DEEPEST}.")
        target = service.schema[navigation.target]
        found = service.reached(described.name, _id(row), name)
        if not navigation.is_collection:
            body[name] = written(service, target, found[0], inner, depth + 1) if found else None
            continue
        found = _ordered(target, _filtered(service, target, found, inner), inner.get("$orderby", ""))
        body[name] = [written(service, target, one, inner, depth + 1) for one in found]
    return body


def options_of(items: list[tuple[str, str]]) -> dict[str, str]:
    """The options of a request. An unknown name with a dollar is refused; any other is ignored."""
    options = dict(items)
    for name in options:
        if name.startswith("$") and name not in _OPTIONS:
            refuse(f"The query parameter '{name}' is not supported.")
    return options


def _filtered(service: Service, described: EntityType, rows: list[Row], options: Mapping[str, str]) -> list[Row]:
    text = options.get("$filter", "")
    if not text:
        return list(rows)

    def related(entity: EntityType, name: str) -> tuple[EntityType, Callable[[Row], list[Row]]] | None:
        navigation = entity.navigations.get(name)
        if navigation is None or not navigation.is_collection:
            return None
        return service.schema[navigation.target], lambda row: service.reached(entity.name, _id(row), name)

    test = filter_test(text, described, related)
    return [row for row in rows if test(row) is True]


def _ordered(described: EntityType, rows: list[Row], text: str) -> list[Row]:
    """Rows in the asked order, the last key first; nulls come first going up, as in the database below."""
    for part in reversed([part.split() for part in text.split(",") if part.strip()]):
        name, *direction = part
        if name not in described.fields:
            no_such_field(name, described)
        if direction not in ([], ["asc"], ["desc"]):
            refuse("Syntax error in $orderby.")
        field_type = described.fields[name]
        rows = sorted(rows, key=lambda row: _sortable(row.get(name), field_type), reverse=direction == ["desc"])
    return rows


def _sortable(value: Any, field_type: str) -> tuple[bool, Any]:
    return (value is not None, comparable(value, field_type) if value is not None else 0)


def _expansions(text: str) -> list[tuple[str, dict[str, str]]]:
    """``A($filter=…;$expand=B),C`` as names with their options."""
    found = []
    for part in _split(text, ","):
        name, bracket, inside = part.partition("(")
        if bracket and not inside.endswith(")"):
            refuse("Syntax error in $expand.")
        pairs = (option.partition("=") for option in _split(inside[:-1], ";"))
        found.append((name.strip(), {key.strip(): value for key, _, value in pairs}))
    return found


def _split(text: str, mark: str) -> list[str]:
    """``text`` split at ``mark`` where that stands outside brackets and quotes."""
    parts, depth, quoted, start = [], 0, False, 0
    for at, letter in enumerate(text):
        if letter == "'":
            quoted = not quoted
        elif not quoted and letter in "()":
            depth += 1 if letter == "(" else -1
        elif letter == mark and not quoted and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    if depth or quoted:
        refuse("Syntax error: a bracket or a quote is not closed.")
    return [part for part in (*parts, text[start:]) if part.strip()]


def _whole(options: Mapping[str, str], name: str) -> int | None:
    text = options.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):  # noqa: PLR2004 - what fits in 32 bits
        refuse(f"Invalid value '{text[:20]}' for {name} query option found.")
    return int(text)


def _id(row: Row) -> str:
    return str(row["Id"])
