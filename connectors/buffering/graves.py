"""That a document is gone, as it is remembered for a day: by which version this was noted, and what replaced it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from connectors.buffering.frames import Damage, DamagedItemError


@dataclass(frozen=True, slots=True)
class Grave:
    """``successor`` is the document that replaced it, empty when none is known; ``withdrawn``: it says so itself."""

    version: str
    successor: str = ""
    withdrawn: bool = False


def pack_grave(grave: Grave) -> bytes:
    """The bytes of ``grave``."""
    return json.dumps({"version": grave.version, "successor": grave.successor, "withdrawn": grave.withdrawn}).encode()


def unpack_grave(packed: object) -> Grave:
    """The grave in ``packed``; raises ``DamagedItemError`` for whatever else it is."""
    if not isinstance(packed, bytes):
        raise DamagedItemError(Damage.TYPE)
    try:
        found = json.loads(packed)
    except (ValueError, RecursionError):
        raise DamagedItemError(Damage.HEADER) from None
    version, successor = (found.get("version"), found.get("successor")) if isinstance(found, dict) else (None, None)
    if not isinstance(version, str) or not isinstance(successor, str):
        raise DamagedItemError(Damage.SHAPE)
    return Grave(version, successor, found.get("withdrawn") is True)
