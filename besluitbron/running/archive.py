"""What the environment says of Open Archivaris, whose API is not public: its address and its field map.

Without an address the source is off in live mode.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from besluitbron.running.faults import OptionsError
from besluitbron.running.https import https_address
from connectors.open_archivaris.field_map import FieldMapError, read_field_map

_ADDRESS: Final = "BESLUITBRON_OPEN_ARCHIVARIS_ADRES"
_FIELDS: Final = "BESLUITBRON_OPEN_ARCHIVARIS_VELDEN"


@dataclass(frozen=True, slots=True)
class ArchiveOptions:
    """``address``: the live one (empty: off). ``fields``: the path of a file with a field map (empty: the proposed one)."""

    address: str = ""
    fields: str = ""

    @property
    def given(self) -> dict[str, str]:
        """The same in the environment of every part."""
        return {_ADDRESS: self.address, _FIELDS: self.fields}


def read_archive_options(environment: Mapping[str, str]) -> ArchiveOptions:
    """The options in ``environment``. Raises ``OptionsError``, also for a field map that cannot be used."""
    address, fields = (environment.get(name, "").strip() for name in (_ADDRESS, _FIELDS))
    return ArchiveOptions(https_address(_ADDRESS, address, "Laat het leeg om deze bron uit te laten."), _fields(fields))


def _fields(text: str) -> str:
    """The whole path of a field map that can be read."""
    if not text:
        return ""
    try:
        path = Path(text).expanduser().resolve()
        read_field_map(path.read_text(encoding="utf-8"))
    except FieldMapError as error:
        message = f"{_FIELDS} klopt niet: {error.where} {error.why}."
        raise OptionsError(message) from None
    except (OSError, RuntimeError, ValueError):
        message = f"{_FIELDS} is geen bestand dat te lezen is. Geef het hele pad."
        raise OptionsError(message) from None
    return str(path)
