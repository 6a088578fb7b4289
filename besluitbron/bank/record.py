"""The outcome of a run as it stands on record, and as the page and the terminal show it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from besluitbron.bank.questions import BankQuestion, Door, UserGroup
from besluitbron.bank.scoring import Outcome
from connectors.language import later

STAND_INS: Final = later("over de nagebouwde bronnen")
ELSEWHERE: Final = later("over de bronnen van het gevraagde adres")
GROUPS_TOGETHER: Final = later("Samen")
GROUP_NAMES: Final[Mapping[UserGroup, str]] = {
    UserGroup.CITIZEN: later("Burgers"),
    UserGroup.JOURNALIST: later("Journalisten"),
    UserGroup.CLERK: later("Griffies en raadsleden"),
    UserGroup.LAWYER: later("Juristen"),
    UserGroup.ASSISTANT: later("Assistenten en programma’s"),
    UserGroup.OTHERS: later("Door anderen gesteld"),
}


def record(
    questions: Sequence[BankQuestion], outcomes: Iterable[Outcome], *, version: str, day: str, over: str
) -> dict[str, Any]:
    """Everything about a run. The order is that of the bank; but for ``day`` two runs with the same outcome are the same."""
    by_question: dict[str, list[Outcome]] = {}
    for one in outcomes:
        by_question.setdefault(one.id, []).append(one)
    rows = [_row(question, by_question.get(question.id, [])) for question in questions]
    own = [row for row in rows if row["groep"] != UserGroup.OTHERS]
    others = [row for row in rows if row["groep"] == UserGroup.OTHERS]
    told = {"over": over, "versie": version, "datum": day, "score": scores(own or others), "vragen": own or others}
    return told | ({"anderen": _of_others(others)} if own and others else {})


def _of_others(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The score of the questions of others and, of each that was lost, what was asked, at which doors and steps, and why."""
    lost = {
        row["id"]: {
            "vraag": row["vraag"],
            "verloren": {door: {"stap": one["stap"], "uitleg": one["uitleg"]} for door, one in row["verloren"].items()},
        }
        for row in rows
        if row["verloren"]
    }
    return _score(GROUP_NAMES[UserGroup.OTHERS], rows) | {"verloren": lost}


def _row(question: BankQuestion, outcomes: Iterable[Outcome]) -> dict[str, Any]:
    lost = {
        one.door.value: {
            "stap": one.lost.value,
            "bijzonderheid": one.detail,
            "uitleg": question.losses.get(one.door, ""),
        }
        for one in outcomes
        if one.lost is not None
    }
    return {
        "id": question.id,
        "groep": question.group.value,
        "vraag": question.question,
        "filters": {name: list(values) for name, values in question.filters.items()},
        "programma": {name: list(values) for name, values in (question.program or {}).items()},
        "val": question.trap,
        "waarde": list(question.expected.values),
        "reden": list(question.expected.reasons),
        "verloren": lost,
    }


def scores(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """By group how many questions there are, and at each door how many are right; the last row is of all groups."""
    given = list(rows)
    found = [
        _score(GROUP_NAMES[group], part) for group in UserGroup if (part := [r for r in given if r["groep"] == group])
    ]
    return [*found, _score(GROUPS_TOGETHER, given)]


def _score(name: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    goed = {door.value: sum(door.value not in row["verloren"] for row in rows) for door in Door}
    return {"groep": name, "vragen": len(rows), "goed": goed, "procent": percent(sum(goed.values()), len(rows) * 3)}


def percent(part: int, whole: int) -> float:
    """In tenths, rounded down: 94,99 is not 95."""
    return part * 1000 // whole / 10 if whole else 0.0


def lines(found: Mapping[str, Any]) -> Iterable[str]:
    """A record as words on a terminal: the table, and each loss with the step at which it was lost."""
    yield f"Vragenbank {found['over']}, versie {found['versie']}, {found['datum']}"
    yield f"{'groep':<28}{'vragen':>7}" + "".join(f"{door.value:>8}" for door in Door) + f"{'%':>8}"
    for score in found["score"]:
        counts = "".join(f"{score['goed'][door.value]:>8}" for door in Door)
        yield f"{score['groep']:<28}{score['vragen']:>7}{counts}{score['procent']:>8}"
    if others := found.get("anderen"):
        counts = "".join(f"{others['goed'][door.value]:>8}" for door in Door)
        yield f"{others['groep']:<28}{others['vragen']:>7}{counts}{others['procent']:>8}"
    for row in found["vragen"]:
        for door, lost in row["verloren"].items():
            yield f"{row['id']} bij {door}: {lost['stap']} ({lost['bijzonderheid']}). {lost['uitleg']}".rstrip()
            yield f"    {row['vraag']}"
