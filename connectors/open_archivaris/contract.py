"""Whether an answer is built as the map says: which fields are missing, and which are there that the map does not know.

The parsers read what they can; this looks at everything, for the contract test and for ``check()``, and is loud about both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from connectors.open_archivaris.field_map import FieldMap
from connectors.open_archivaris.paths import ABSENT, FIRST, Path, at, written

_MOST_NAMED: Final = 12
_MOST_DEPTH: Final = 12


@dataclass(frozen=True, slots=True)
class Deviations:
    """Places by name, as the map writes them. Never holds a value of an answer."""

    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.unknown)

    @property
    def words(self) -> str:
        """What an operator reads."""
        parts = (("ontbreekt", self.missing), ("onbekend", self.unknown))
        return "; ".join(f"{word}: {', '.join(names[:_MOST_NAMED])}" for word, names in parts if names)


def of_search(fields: FieldMap, body: Any) -> Deviations:
    """The deviations of a search answer and of every item in it."""
    answer = fields.search.answer
    items = at(body, answer["items"])
    seen = [_compared(fields, body, answer.values())]
    seen += (_compared(fields, item, fields.item.values()) for item in (items if isinstance(items, list) else ()))
    return _together(seen)


def of_document(fields: FieldMap, body: Any) -> Deviations:
    """The deviations of an answer with one document: its item and its pages."""
    answer = fields.document.answer
    item = answer.get("item", ())
    inside = [(*item, *place) for place in fields.document.fields.values()]
    pages = at(body, answer["text"]) if "text" in answer else ()
    seen = [_compared(fields, body, [*inside, *(answer[name] for name in ("text",) if name in answer)])]
    places = [answer[name] for name in ("page_number", "page_text") if name in answer]
    rows = pages if isinstance(pages, list) else ()
    seen += (_compared(fields, page, places) for page in rows if isinstance(page, dict))
    return _together(seen)


def of_health(fields: FieldMap, body: Any) -> Deviations:
    """The deviations of an answer on the state of the platform, and of every body in it."""
    answer = fields.health.answer
    around = [answer[name] for name in ("made_at", "bodies") if name in answer]
    rows = at(body, answer["bodies"])
    places = [place for name, place in answer.items() if name not in {"made_at", "bodies"}]
    seen = [_compared(fields, body, around)]
    seen += (_compared(fields, row, places) for row in (rows if isinstance(rows, list) else ()))
    return _together(seen)


def _together(seen: list[Deviations]) -> Deviations:
    """All of them as one. In one go: joined one by one, an answer with very many odd names would take minutes."""
    return Deviations(_once(*(one.missing for one in seen)), _once(*(one.unknown for one in seen)))


def _compared(fields: FieldMap, value: Any, places: Iterable[Path]) -> Deviations:
    mapped = list(places)
    missing = [written(place) for place in mapped if at(value, place) is ABSENT]
    unknown = (written(place) for place in _leaves(value, mapped, ()) if not _is_mapped(place, mapped))
    return Deviations(
        _once(name for name in missing if name not in fields.absent),
        _once(name for name in unknown if name not in fields.unused),
    )


def _leaves(value: Any, mapped: list[Path], place: Path) -> Iterator[Path]:
    """The places in ``value``, no deeper than the map looks."""
    if not isinstance(value, dict) or len(place) > _MOST_DEPTH:
        return
    for name, inside in value.items():
        here = (*place, str(name))
        if any(len(other) > len(here) and _covers(other[: len(here)], here) for other in mapped):
            nested = inside[0] if isinstance(inside, list) and inside else inside
            if isinstance(nested, dict):
                yield from _leaves(nested, mapped, (*here, FIRST) if isinstance(inside, list) else here)
                continue
        yield here


def _is_mapped(place: Path, mapped: list[Path]) -> bool:
    return any(_covers(other[: len(place)], place) for other in mapped if len(other) >= len(place))


def _covers(mapped: Path, place: Path) -> bool:
    return len(mapped) == len(place) and all(a in (b, FIRST) for a, b in zip(mapped, place, strict=True))


def _once(*names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for some in names for name in some))
