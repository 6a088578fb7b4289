"""What the environment says of contracts: where the file is in which the operator says whom it trusts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from besluitbron.running.faults import OptionsError

_TRUST: Final = "BESLUITBRON_TOELATING"


@dataclass(frozen=True, slots=True)
class AdmittingOptions:
    """``path`` of the file, empty where nobody is trusted: then there are ad hoc contracts alone."""

    path: str = ""

    def environment(self) -> dict[str, str]:
        """What every part of a run finds in its environment."""
        return {_TRUST: self.path} if self.path else {}


def read_admitting_options(environment: Mapping[str, str]) -> AdmittingOptions:
    """The options in ``environment``. Raises ``OptionsError`` for a file that is not there."""
    path = environment.get(_TRUST, "").strip()
    if not path or Path(path).expanduser().is_file():
        return AdmittingOptions(str(Path(path).expanduser().resolve()) if path else "")
    message = f"{_TRUST} noemt {path!r}, maar daar is geen bestand."
    raise OptionsError(message)
