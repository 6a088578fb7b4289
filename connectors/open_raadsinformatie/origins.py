"""What a record is at the supplier it came from, as far as the platform says: the keys that it has at other platforms.

The platform notes where it read a record (``was_generated_by.same_as``: source, supplier, collection, number; platform page,
section 3). Its own numbers change, those of the supplier do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from connectors.json_values import mapping
from connectors.open_raadsinformatie.values import first_line
from connectors.records import Kind, Organisation
from connectors.sameness import address_keys, supplier_key

_ORIGIN: Final = re.compile(
    r"https?://[^/]+/voc/mapping/[^/]+/(?P<supplier>[a-z]{3,40})/(?P<collection>[a-z_]{3,40})/(?P<native>[\w~-][\w.:~-]{0,99})",
    re.ASCII,
)
_COLLECTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "meeting": "meeting",
        "attachment": "document",
        "document": "document",
        "media_object": "document",
        "report": "document",
    }
)
_MOTIONS: Final = frozenset({Kind.MOTIE, Kind.AMENDEMENT})


def same_as(record: dict[str, Any], kind: Kind, file: str | None, body: Organisation | None) -> tuple[str, ...]:
    """The keys of a record. ``file`` is the address of its file, None for what is no file.

    An entry of a register is a motion elsewhere when its kind says so, else a paper. Agenda items stand nowhere else alone.
    """
    if body is None:
        return ()
    found = _ORIGIN.fullmatch(first_line(mapping(record.get("was_generated_by")).get("same_as")))
    collection = _COLLECTIONS.get(found["collection"]) if found else None
    if found and found["collection"] == "report" and kind in _MOTIONS:
        collection = "motion"
    numbered = (supplier_key(found["supplier"], collection, body.id, found["native"]),) if found and collection else ()
    return tuple(dict.fromkeys((*numbered, *address_keys(file, body.id))))
