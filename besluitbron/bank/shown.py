"""``/vragenbank``: the last outcome of the question bank that was put on record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from besluitbron.bank.questions import Door, UserGroup
from besluitbron.bank.record import GROUP_NAMES
from connectors.language import Language, later, say, spoken
from search import texts

RECORD: Final = Path(__file__).parents[2] / "docs" / "vragenbank.json"
DOOR_NAMES: Final[Mapping[Door, str]] = MappingProxyType(
    {Door.PAGE: later("zoekpagina"), Door.API: later("API"), Door.MCP: later("MCP")}
)


@cache
def on_record() -> Mapping[str, Any]:
    """The outcome as it stands in its file."""
    return MappingProxyType(json.loads(RECORD.read_text(encoding="utf-8")))


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The scores, every loss with its explanation, and all questions."""
    found = on_record()
    rows = [_row(one) for one in found["vragen"]]
    context = {
        "versie_van_toen": found["versie"],
        "dag": texts.day(date.fromisoformat(found["datum"])),
        "over": say(found["over"]),
        "in_het_nederlands": spoken() is Language.DUTCH,
        "deuren": [say(name) for name in DOOR_NAMES.values()],
        "scores": [_score(one) for one in found["score"]],
        "anderen": _score(found["anderen"]) if "anderen" in found else None,
        "verloren_van_anderen": [
            {
                "id": identifier,
                "question": one["vraag"],
                "lost": [
                    {"door": say(DOOR_NAMES[Door(door)]), "step": say(what["stap"]), "why": say(what["uitleg"])}
                    for door, what in one["verloren"].items()
                ],
            }
            for identifier, one in found.get("anderen", {}).get("verloren", {}).items()
        ],
        "verloren": [row for row in rows if row["lost"]],
        "groepen": [
            {"sleutel": group.value, "naam": say(GROUP_NAMES[group]), "vragen": part}
            for group in UserGroup
            if (part := [row for row in rows if row["group"] == group])
        ],
    }
    return render(request, "pagina/vragenbank.html", context)


def _score(one: Mapping[str, Any]) -> dict[str, Any]:
    counts = [f"{one['goed'][door.value]}" for door in Door]
    return {
        "naam": say(one["groep"]),
        "vragen": one["vragen"],
        "goed": counts,
        "procent": f"{one['procent']}".replace(".", "," if spoken() is Language.DUTCH else "."),
    }


def _row(one: Mapping[str, Any]) -> dict[str, Any]:
    lost = [
        {
            "door": say(DOOR_NAMES[Door(door)]),
            "step": say(what["stap"]),
            "detail": what["bijzonderheid"],
            "why": say(what["uitleg"]),
        }
        for door, what in one["verloren"].items()
    ]
    return {
        "id": one["id"],
        "group": one["groep"],
        "question": one["vraag"],
        "filters": _written(one["filters"]),
        "program": _written(one["programma"]),
        "trap": one["val"],
        "right": _right(one),
        "lost": lost,
        "outcome": _outcome([what["door"] for what in lost]),
    }


def _written(chosen: Mapping[str, list[str]]) -> str:
    """What was chosen, in the names of an address."""
    return ", ".join(f"{name}: {texts.listed(values)}" for name, values in chosen.items())


def _right(one: Mapping[str, Any]) -> str:
    """What a right answer has to show or say."""
    shown: Iterable[str] = one["waarde"] or one["reden"][:1]
    return ", ".join(shown)


def _outcome(doors: list[str]) -> str:
    if not doors:
        return say("goed bij alle drie")
    return say("verloren bij {names}", names=texts.listed(doors))
