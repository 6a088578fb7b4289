"""The bodies that publish here: the list that the project ships, how one is asked for, and whose a record is.

A record names its maker in ``dcterms:creator`` and what kind of body that is in ``organisatietype``, or in the scheme of the
name: both are needed, because Utrecht is a municipality and a province (platform page, section 2). What is of no kind that we
know keeps its own name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from connectors.names import display_name, listed_body, own_name, register_id
from connectors.officiele_bekendmakingen.elements import KEY
from connectors.officiele_bekendmakingen.requests import any_of, quoted
from connectors.records import BodyKind, Organisation

_LIST: Final = Path(__file__).parent / "lists" / "organisations.json"
BODY_KINDS: Final[Mapping[str, BodyKind]] = MappingProxyType(
    {
        "gemeente": BodyKind.GEMEENTE,
        "provincie": BodyKind.PROVINCIE,
        "waterschap": BodyKind.WATERSCHAP,
        "ministerie": BodyKind.MINISTERIE,
        "staten generaal": BodyKind.PARLEMENT,
        "rechterlijke macht": BodyKind.GERECHT,
        "zelfstandig bestuursorgaan": BodyKind.OVERIG,
        "regionaal samenwerkingsorgaan": BodyKind.OVERIG,
        "dienst en agentschap": BodyKind.OVERIG,
        "adviescollege": BodyKind.OVERIG,
        "hoog college van staat": BodyKind.OVERIG,
    }
)
_TYPES: Final[Mapping[BodyKind, str]] = {
    kind: word for word, kind in BODY_KINDS.items() if kind not in {BodyKind.OVERIG, BodyKind.GERECHT}
}
"""What ``organisatietype`` says of a kind, where it says one thing."""
_WORD_STARTS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CONTAINED: Final = frozenset({BodyKind.WATERSCHAP, BodyKind.OVERIG, BodyKind.GERECHT})


@cache
def shipped() -> tuple[Organisation, ...]:
    """The bodies of the shipped list, also those that ended."""
    return tuple(made for row in _rows() if (made := _organisation(row)))


def clause_for(body: Organisation) -> str | None:
    """The CQL that finds the publications of a body, or None when this platform does not know it.

    By the exact spellings of its name, where those were seen. How water boards, agencies and courts are spelled as makers was
    not: by containment of the whole name, in any case, or by exactly the own name. The own name alone would not do: the
    service finds plurals, and Rijnland is not De Stichtse Rijnlanden.
    """
    whole = body.key_at(KEY)
    if whole is None:
        return None
    if body.kind in _CONTAINED:
        makers = dict.fromkeys((f"dt.creator={quoted(whole)}", f"dt.creator=={quoted(own_name(body.kind, whole))}"))
    else:
        makers = dict.fromkeys(f"dt.creator=={quoted(spelling)}" for spelling in _spellings().get(body.id, (whole,)))
    made_by = any_of(makers)
    word = _TYPES.get(body.kind)
    return f"({made_by} AND w.organisatietype=={quoted(word)})" if word else made_by


def maker_of(creator: str, organisation_type: str) -> tuple[str, str | None]:
    """The name to show and the id in the register of the body that made a record; its own words where we know no better."""
    kind = BODY_KINDS.get(organisation_type.casefold())
    if kind is None or not creator:
        return creator, None
    known = _by_creator().get((kind, creator.casefold())) or _of_any_kind().get(creator.casefold())
    if known is not None:
        return known.name, known.id
    name = display_name(kind, creator)
    identifier = register_id(kind, name)
    found = next((body for body in shipped() if body.id == identifier), None)
    return (found.name if found else name), identifier


def type_of(organisation_type: str, scheme: str) -> str:
    """What kind of body made a record: as the record says, else as the list says that its name comes from.

    The second is for answers in JSON without ``organisatietype``: ``OVERHEID.StatenGeneraal`` is "staten generaal".
    """
    return organisation_type or _WORD_STARTS.sub(" ", scheme.replace(":", ".").rpartition(".")[2]).lower()


def _organisation(row: dict[str, Any]) -> Organisation | None:
    creators = row.get("creators", [row["name"]])
    return listed_body(BodyKind(row["kind"]), row["name"], (KEY, creators[0]), row, creators)


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
def _of_any_kind() -> Mapping[str, Organisation]:
    """Bodies whose whole name says which they are, whatever kind a record gives them: the Raad van State is a court here."""
    alone = (body for body in shipped() if body.kind in {BodyKind.GERECHT, BodyKind.OVERIG})
    return MappingProxyType({creator.casefold(): body for body in alone for creator in _spellings()[body.id]})


@cache
def _rows() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(_LIST.read_text(encoding="utf-8")))
