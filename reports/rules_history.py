"""Changes of the rules as an operator reads them: of each who made it and when, and field by field what it was and became."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from reports.models import LoadChange
from reports.operating import NAMES
from reports.rules import from_data
from reports.rules_form import RulesForm
from throttling.load_rules import BadLoadRulesError, LoadRules, Signal

LAST: Final = 20
"""So many changes are shown."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the form that was changed, in words."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Changed:
    """One change."""

    at: datetime
    by: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """What setting the newest change back comes to: ``rules`` hold then. ``newest`` says which change that is."""

    newest: int
    by: str
    at: datetime
    rules: LoadRules
    fields: tuple[Field, ...]


def history() -> list[Changed]:
    """The last changes, newest first. Asks the database."""
    kept = list(LoadChange.objects.all()[: LAST + 1])
    rules = [*map(_rules, kept), LoadRules()]
    return [
        Changed(one.at, one.by, _differences(before, after))
        for one, (after, before) in zip(kept[:LAST], pairwise(rules), strict=False)
    ]


def undo() -> Undo | None:
    """One step back: to the rules before the newest change. None where nothing was changed. Asks the database."""
    newest, *before = LoadChange.objects.all()[:2] or [None]
    if newest is None:
        return None
    rules = _rules(before[0] if before else None)
    return Undo(newest.pk, newest.by, newest.at, rules, _differences(_rules(newest), rules))


def _rules(one: LoadChange | None) -> LoadRules:
    """Those of a change; as they were delivered before the first, and where they cannot be read."""
    if one is None:
        return LoadRules()
    try:
        return from_data(one.rules)
    except BadLoadRulesError:
        return LoadRules()


def _differences(before: LoadRules, after: LoadRules) -> tuple[Field, ...]:
    was: Mapping[str, Any] = RulesForm.filled(before).initial
    is_now: Mapping[str, Any] = RulesForm.filled(after).initial
    return tuple(
        Field(str(field.label), _said(was[name]), _said(is_now[name]))
        for name, field in RulesForm.base_fields.items()
        if was[name] != is_now[name]
    )


def _said(value: object) -> str:
    if not isinstance(value, list):
        return str(value)
    return ", ".join(NAMES[Signal(one)].partition(" (")[0].lower() for one in value) or "niets"
