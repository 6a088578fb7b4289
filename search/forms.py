"""What the search form shows: everything that was asked or typed comes back in it, so that nothing has to be typed twice.

The form has one field for an organisation and one for a kind; further ones stand in hidden fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from connectors.records import Sort
from search.parameters import Asked, read_day

_FIELDS = ("organisatie", "soort")


@dataclass(frozen=True, slots=True)
class FormValues:
    """The values of the fields, as text. ``hidden`` holds further values as (name, value). None of it shows in a log."""

    vraag: str = field(default="", repr=False)
    organisatie: str = ""
    soort: str = ""
    van: str = ""
    tot: str = ""
    sorteer: str = ""
    platforms: tuple[str, ...] = ()
    hidden: tuple[tuple[str, str], ...] = ()

    @property
    def has_choices(self) -> bool:
        """Whether more than words was asked: then the part of the form with the choices stands open."""
        ordered = self.sorteer not in {"", Sort.RELEVANCE.value}
        return ordered or any((self.organisatie, self.soort, self.van, self.tot, self.platforms))


EMPTY_FORM = FormValues()


def as_asked(asked: Asked) -> FormValues:
    """The form of a question that could be read."""
    query = asked.query
    return _values(
        {
            "vraag": [asked.question.typed],
            "organisatie": [organisation.name for organisation in query.organisations],
            "soort": [kind.value for kind in sorted(query.kinds)],
            "van": [query.date_from.isoformat() if query.date_from else ""],
            "tot": [query.date_until.isoformat() if query.date_until else ""],
            "sorteer": [query.sort.value],
            "platform": asked.platforms,
        }
    )


def as_typed(values: Mapping[str, Sequence[str]]) -> FormValues:
    """The form of a question that could not be read: as it was typed, days that exist in the form of a date field."""
    shown = dict(values)
    for name in ("van", "tot"):
        day = read_day(_last(values, name))
        if day is not None:
            shown[name] = [day.isoformat()]
    return _values(shown)


def _values(values: Mapping[str, Sequence[str]]) -> FormValues:
    lists = {name: [value for value in values.get(name) or () if value] for name in _FIELDS}
    return FormValues(
        vraag=_last(values, "vraag"),
        organisatie=next(iter(lists["organisatie"]), ""),
        soort=next(iter(lists["soort"]), ""),
        van=_last(values, "van"),
        tot=_last(values, "tot"),
        sorteer=_last(values, "sorteer"),
        platforms=tuple(values.get("platform") or ()),
        hidden=tuple((name, value) for name in _FIELDS for value in lists[name][1:]),
    )


def _last(values: Mapping[str, Sequence[str]], name: str) -> str:
    given = values.get(name) or ("",)
    return given[-1]
