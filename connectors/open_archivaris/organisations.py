"""The bodies of this platform. Which codes it has for them is not known (platform page, question 5).

We ask by the code of Statistics Netherlands, as in the proposed shape, and by our own id where a body has none; a field map can
name other codes. What an answer says of a body is looked up by its code, else made from its name and kind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from connectors.names import display_name, listed_body, register_id
from connectors.open_archivaris.field_map import FieldMap
from connectors.platforms import OPEN_ARCHIVARIS
from connectors.records import BodyKind, Organisation

KEY: Final = OPEN_ARCHIVARIS.key
UNKNOWN: Final = "organisatie onbekend"
_LIST: Final = Path(__file__).parent / "lists" / "organisations.json"


class Bodies:
    """The bodies of the shipped list under the codes of a field map."""

    def __init__(self, fields: FieldMap) -> None:
        self._fields = fields
        self.shipped: Final = tuple(_keyed(body, fields.codes) for body in _listed())
        self._by_code: Final = MappingProxyType({body.key_at(KEY): body for body in self.shipped})
        self._by_id: Final = MappingProxyType({body.id: body for body in self.shipped})

    def body(self, code: str, label: str, kind: str) -> Organisation | None:
        """The body that an answer names in these words, any of which may be empty; None when they say too little."""
        known = self._by_code.get(code) if code else None
        return known or self._named(code, label, self._kind(label, kind))

    def _kind(self, label: str, kind: str) -> BodyKind | None:
        """The kind by the platform's word for it, else by the first word of the name ("gemeente Ede")."""
        if kind in self._fields.body_kinds:
            return self._fields.body_kinds[kind]
        first = label.partition(" ")[0].lower()
        return next((one for one in BodyKind if one.value == first), None)

    def _named(self, code: str, label: str, kind: BodyKind | None) -> Organisation | None:
        identifier = register_id(kind, label) if kind and label else None
        if kind is None or identifier is None:
            return None
        known = self._by_id.get(identifier)
        return known or Organisation(identifier, display_name(kind, label), kind, ((KEY, code or identifier),))


@cache
def _listed() -> tuple[Organisation, ...]:
    rows: list[dict[str, Any]] = json.loads(_LIST.read_text(encoding="utf-8"))
    return tuple(body for row in rows if (body := _body(row)))


def _body(row: dict[str, Any]) -> Organisation | None:
    """The body of a row: under its code, else under the id of the register."""
    kind, name = BodyKind(row["kind"]), row["name"]
    key = row.get("code") or register_id(kind, name) or ""
    return listed_body(kind, name, (KEY, key), row, row.get("names", ()))


def _keyed(body: Organisation, codes: Mapping[str, str]) -> Organisation:
    return replace(body, keys=((KEY, codes[body.id]),)) if body.id in codes else body
