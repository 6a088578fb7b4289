"""What the search form shows: everything that was asked or typed comes back in it, so that nothing has to be typed twice.

Organisations and kinds that were chosen are boxes with a tick, to be let go; the field for an organisation adds one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from connectors.records import Group, Sort
from search.organisations import Bodies
from search.parameters import NO, YES, Asked, read_day


@dataclass(frozen=True, slots=True)
class FormValues:
    """The values of the fields, as text; none of it shows in a log.

    ``organisaties``: those chosen, as (value, name). ``hidden``: what has no field of its own, as (name, value).
    """

    vraag: str = field(default="", repr=False)
    organisatie: str = ""
    organisaties: tuple[tuple[str, str], ...] = ()
    soorten: tuple[str, ...] = ()
    fractie: str = ""
    commissie: str = ""
    periode: str = ""
    van: str = ""
    tot: str = ""
    sorteer: str = ""
    platforms: tuple[str, ...] = ()
    hidden: tuple[tuple[str, str], ...] = ()

    @property
    def has_choices(self) -> bool:
        """Whether more than words was asked: then the part of the form with the choices stands open."""
        ordered = self.sorteer not in {"", Sort.RELEVANCE.value}
        bodies = (self.organisatie, self.organisaties, self.fractie, self.commissie, self.platforms)
        return ordered or any((*bodies, self.soorten, self.periode, self.van, self.tot))


EMPTY_FORM = FormValues()


def as_asked(asked: Asked) -> FormValues:
    """The form of a question that could be read. That words are to be taken literally counts for that question alone."""
    query, groups = asked.query, dict(asked.query.groups)
    return FormValues(
        vraag=asked.question.typed,
        organisaties=tuple((body.id, body.name) for body in query.organisations),
        soorten=tuple(kind.value for kind in sorted(query.kinds)),
        fractie=groups.get(Group.PARTY, ""),
        commissie=groups.get(Group.COMMITTEE, ""),
        van=query.date_from.isoformat() if query.date_from else "",
        tot=query.date_until.isoformat() if query.date_until else "",
        sorteer=query.sort.value,
        platforms=asked.platforms,
        hidden=() if asked.predecessors else (("voorgangers", NO),),
    )


def as_typed(values: Mapping[str, Sequence[str]], register: Bodies) -> FormValues:
    """The form of a question that could not be read: as it was typed, days that exist in the form of a date field."""
    chosen, open_names = [], []
    for text in (value.strip() for value in values.get("organisatie") or () if value.strip()):
        found = register.find(text)
        if len(found) == 1:
            chosen.append((text, found[0].name))
        else:
            open_names.append(text)
    days = {name: read_day(_last(values, name)) for name in ("van", "tot")}
    shown = {name: day.isoformat() if day else _last(values, name) for name, day in days.items()}
    return FormValues(
        vraag=_last(values, "vraag"),
        organisatie=next(iter(open_names), ""),
        organisaties=tuple(chosen),
        soorten=tuple(value.strip().lower() for value in values.get("soort") or () if value.strip()),
        fractie=_last(values, "fractie"),
        commissie=_last(values, "commissie"),
        periode=_last(values, "periode"),
        van=shown["van"],
        tot=shown["tot"],
        sorteer=_last(values, "sorteer"),
        platforms=tuple(values.get("platform") or ()),
        hidden=(
            *(("organisatie", text) for text in open_names[1:]),
            *((name, word) for name, word in (("voorgangers", NO), ("letterlijk", YES)) if _last(values, name) == word),
        ),
    )


def _last(values: Mapping[str, Sequence[str]], name: str) -> str:
    given = values.get(name) or ("",)
    return given[-1]
