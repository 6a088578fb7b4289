"""What the environment says of the Tweede Kamer: which version of its service is asked, and where.

The service changed in 2026: v5 is the present one, and v4 may answer for a while (docs/naslag/bronnen.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from besluitbron.running.faults import OptionsError
from besluitbron.running.https import https_address
from connectors.tweede_kamer.versions import V5, VERSIONS, Version

_VERSION: Final = "BESLUITBRON_TWEEDE_KAMER_VERSIE"
_ADDRESS: Final = "BESLUITBRON_TWEEDE_KAMER_ADRES"
_NAMES: Final = {version.setting: version for version in VERSIONS}


@dataclass(frozen=True, slots=True)
class KamerOptions:
    """``version``: its paths and the names of its fields. ``address``: the live one (empty: the one that we know)."""

    version: Version = V5
    address: str = ""

    @property
    def given(self) -> dict[str, str]:
        """The same in the environment of every part."""
        return {_VERSION: self.version.setting, _ADDRESS: self.address}


def read_kamer_options(environment: Mapping[str, str]) -> KamerOptions:
    """The options in ``environment``. Raises ``OptionsError``."""
    name, address = (environment.get(variable, "").strip() for variable in (_VERSION, _ADDRESS))
    version = _NAMES.get(name or V5.setting)
    if version is None:
        message = f"{_VERSION} is {name!r}, maar moet {' of '.join(_NAMES)} zijn."
        raise OptionsError(message)
    return KamerOptions(version, https_address(_ADDRESS, address, "Laat het leeg voor het adres dat wij kennen."))
