"""What rarely changes, and the Laadstatus: this platform gives none, so it is derived (platform page, sections 2 and 8).

Organisations are the aliases that exist now, named by our own list. Committees, councils and parties are records; so are
persons and what they are there, at a third of the organisations (section 3). Registers are the words under which entries
stand. How up to date an organisation is, is told by its newest content up to now and by how much there is; the time stamp of
an index is when it was last read as a whole, which is not when it was last updated.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.json_values import count, mapping, objects
from connectors.lists import REGISTERS
from connectors.load_status import LoadState, LoadStatus
from connectors.moments import AMSTERDAM
from connectors.open_raadsinformatie.answers import KEY, envelope, object_of
from connectors.open_raadsinformatie.ids import index_alias, index_stamp, record_number
from connectors.open_raadsinformatie.organisations import organisation, sources
from connectors.open_raadsinformatie.text import name
from connectors.open_raadsinformatie.values import first_line, lines
from connectors.plaintext import line
from connectors.records import ListItem, Organisation

LOADED: Final = "geladen"
MISSING: Final = "niet aanwezig"
_GROUP_LISTS: Final = (
    ("commissies", frozenset({"Committee", "Subcommittee", "Council"})),
    ("fracties", frozenset({"Party"})),
)
_YEARS: Final = range(1901, 2200)

Values = tuple[tuple[str, tuple[ListItem, ...]], ...]


@dataclass(frozen=True, slots=True)
class Aliases:
    """The organisations that the platform has now: alias and the name of the index behind it."""

    indices: tuple[tuple[str, str], ...]

    @property
    def names(self) -> frozenset[str]:
        """The aliases."""
        return frozenset(alias for alias, _ in self.indices)

    def organisations(self) -> tuple[Organisation, ...]:
        """The bodies behind them, in the order of the aliases."""
        return tuple(body for alias in sorted(self.names) if (body := organisation(alias)) is not None)


@dataclass(frozen=True, slots=True)
class People:
    """Persons (identifier, name, alias of the organisation), and roles (identifier of the person, word of the platform)."""

    names: tuple[tuple[str, str, str], ...]
    roles: tuple[tuple[str, str], ...]


def aliases(answer: Answer) -> Aliases:
    """The aliases. An index without one is an old copy and is none of them."""
    found = [
        (alias, index)
        for index, row in object_of(answer).items()
        for alias in mapping(mapping(row).get("aliases"))
        if index_alias(alias) == alias
    ]
    if not found:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "aliases")
    return Aliases(tuple(found))


def groups(answer: Answer) -> Values:
    """The committees and the parties. An identifier is alias and number; ``parent`` the alias of the organisation."""
    found = envelope(answer)
    rows = [made for row in found.hits["hits"] if (made := _group(mapping(row))) is not None]
    return tuple((title, tuple(one for kind, one in rows if kind in kinds)) for title, kinds in _GROUP_LISTS)


def people(answer: Answer) -> People:
    """The persons and the roles in an answer. Their mail addresses, which it holds as well, are not read."""
    names, roles = [], []
    for row in map(mapping, envelope(answer).hits["hits"]):
        source, alias = mapping(row.get("_source")), index_alias(row.get("_index"))
        number, member = record_number(row.get("_id")), record_number(first_line(source.get("member")))
        called, role = name(first_line(source.get("name"))), line(first_line(source.get("role")))
        kinds = lines(source.get("@type"))
        if alias and number and called and "Person" in kinds:
            names.append((f"{alias}:{number}", called, alias))
        if alias and member and role and "Membership" in kinds:
            roles.append((f"{alias}:{member}", role))
    return People(tuple(names), tuple(roles))


def listed_people(persons: People, memberships: People) -> Values:
    """The persons as a list, each with what he or she is there: "Voorbeeld, Anne (Raadslid)"."""
    held: dict[str, dict[str, None]] = {}
    for key, role in memberships.roles:
        held.setdefault(key, {})[role] = None
    shown = (
        ListItem(key, f"{called} ({', '.join(held[key])})" if key in held else called, alias)
        for key, called, alias in persons.names
    )
    return (("personen", tuple(shown)),)


def registers(answer: Answer) -> Values:
    """The words under which registers are kept, most used first."""
    buckets = objects(mapping(envelope(answer).aggregations.get("registers")).get("buckets"))
    words = dict.fromkeys(word for row in buckets if (word := line(row.get("key"))))
    return ((REGISTERS, tuple(ListItem(word, word) for word in words)),)


def load_status(answer: Answer, there: Aliases | None) -> LoadStatus:
    """The state of each organisation of our list and of the answer. ``there`` is None when the aliases could not be had."""
    aggregation = envelope(answer).aggregations.get("per_index")
    if not isinstance(aggregation, dict) or not isinstance(aggregation.get("buckets"), list):
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "aggregations.per_index")
    held = _by_alias(objects(aggregation["buckets"]), there)
    known = {*sources(), *held, *(there.names if there else ())}
    names = held.keys() if there is None else there.names
    behind = {alias: row.get("key") for alias, row in held.items()} | dict(there.indices if there else ())
    states = (
        _state(alias, held.get(alias, {}), _word(behind.get(alias)) if alias in names else MISSING)
        for alias in sorted(known)
    )
    return LoadStatus(answer.fetched_at, tuple(states))


def _group(row: dict[str, Any]) -> tuple[str, ListItem] | None:
    source = mapping(row.get("_source"))
    alias, number = index_alias(row.get("_index")), record_number(row.get("_id"))
    called, kinds = name(first_line(source.get("name"))), lines(source.get("classification"))
    if alias is None or number is None or not called or not kinds:
        return None
    return kinds[0], ListItem(f"{alias}:{number}", called, alias)


def _by_alias(buckets: list[dict[str, Any]], there: Aliases | None) -> dict[str, dict[str, Any]]:
    """The bucket of each organisation: that of the index behind its alias, else of the newest copy."""
    behind = {index for _, index in there.indices} if there else set()
    found: dict[str, dict[str, Any]] = {}
    named = [row for row in buckets if isinstance(row.get("key"), str)]
    for row in sorted(named, key=lambda row: (row.get("key") in behind, index_stamp(row.get("key")))):
        alias = index_alias(row.get("key"))
        if alias is not None and (not behind or row.get("key") in behind):
            found[alias] = row
    return found


def _state(alias: str, bucket: dict[str, Any], state: str) -> LoadState:
    body = organisation(alias)
    newest = mapping(bucket.get("newest")) or mapping(mapping(bucket.get("past")).get("newest"))
    return LoadState(
        key=alias,
        label=body.name if body else alias,
        state=state,
        last_content=_instant(newest.get("value")),
        documents=count(bucket.get("doc_count")),
    )


def _word(index: object) -> str:
    """Loaded, and since when as a whole, where the name of the index says it."""
    try:
        stamp = datetime.strptime(index_stamp(index), "%Y%m%d%H%M%S").replace(tzinfo=AMSTERDAM)
    except ValueError:
        return LOADED
    return f"{LOADED}, geheel ingelezen op {stamp.day}-{stamp.month}-{stamp.year}"


def _instant(value: object) -> datetime | None:
    """A moment in milliseconds since 1970, as aggregations give it."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        at = datetime.fromtimestamp(value / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return at if at.year in _YEARS else None
