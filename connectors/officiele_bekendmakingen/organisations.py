"""The bodies that publish here: the list that the project ships, how one is asked for, and whose a record is.

A record names its maker in ``dcterms:creator`` and what kind of body that is in ``organisatietype``: both are needed, because
Utrecht is a municipality and a province (platform page, section 2). Ministries and courts of other kinds keep their own name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from connectors.names import display_name, own_name, register_id
from connectors.officiele_bekendmakingen.elements import KEY
from connectors.officiele_bekendmakingen.requests import any_of, quoted
from connectors.records import BodyKind, Organisation

_LIST: Final = Path(__file__).parent / "lists" / "organisations.json"
BODY_KINDS: Final[Mapping[str, BodyKind]] = MappingProxyType(
    {"gemeente": BodyKind.GEMEENTE, "provincie": BodyKind.PROVINCIE, "waterschap": BodyKind.WATERSCHAP}
)


@cache
def shipped() -> tuple[Organisation, ...]:
    """The municipalities, provinces and water boards of the shipped list, also those that ended."""
    return tuple(made for row in _rows() if (made := _organisation(row)))


def clause_for(body: Organisation) -> str | None:
    """The CQL that finds the publications of a body, or None when this platform does not know it.

    Municipalities and provinces by the exact spellings of their name. How the makers of water boards are spelled was not seen:
    by containment of the whole name, in any case, or by exactly the own name. The own name alone would not do: the service
    finds plurals, and Rijnland is not De Stichtse Rijnlanden.
    """
    if body.key_at(KEY) is None or body.kind.value not in BODY_KINDS:
        return None
    if body.kind is BodyKind.WATERSCHAP:
        whole = body.key_at(KEY) or body.name
        maker = f"(dt.creator={quoted(whole)} OR dt.creator=={quoted(own_name(body.kind, whole))})"
    else:
        spellings = _spellings().get(body.id, (body.key_at(KEY) or "",))
        maker = any_of(f"dt.creator=={quoted(spelling)}" for spelling in spellings)
    return f"({maker} AND w.organisatietype=={quoted(body.kind.value)})"


def maker_of(creator: str, organisation_type: str) -> tuple[str, str | None]:
    """The name to show and the id in the register of the body that made a record; its own words where we know no better."""
    kind = BODY_KINDS.get(organisation_type.casefold())
    if kind is None or not creator:
        return creator, None
    known = _by_creator().get((kind, creator.casefold()))
    if known is not None:
        return known.name, known.id
    name = display_name(kind, creator)
    identifier = register_id(kind, name)
    found = next((body for body in shipped() if body.id == identifier), None)
    return (found.name if found else name), identifier


def _organisation(row: dict[str, Any]) -> Organisation | None:
    kind = BodyKind(row["kind"])
    identifier = register_id(kind, row["name"])
    if identifier is None:
        return None
    shown = display_name(kind, row["name"])
    creators = row.get("creators", [row["name"]])
    others = dict.fromkeys((own_name(kind, row["name"]), *creators))
    return Organisation(
        id=identifier,
        name=shown,
        kind=kind,
        keys=((KEY, creators[0]),),
        names=tuple(name for name in others if name != shown),
        code=row.get("code"),
        ended=date.fromisoformat(row["ended"]) if "ended" in row else None,
        successor=row.get("successor"),
    )


@cache
def _spellings() -> Mapping[str, tuple[str, ...]]:
    found = ((_organisation(row), tuple(row.get("creators", [row["name"]]))) for row in _rows())
    return MappingProxyType({body.id: creators for body, creators in found if body})


@cache
def _by_creator() -> Mapping[tuple[BodyKind, str], Organisation]:
    return MappingProxyType(
        {(body.kind, creator.casefold()): body for body in shipped() for creator in _spellings()[body.id]}
    )


@cache
def _rows() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(_LIST.read_text(encoding="utf-8")))
