"""A copy that a platform keeps of a paper whose original stands elsewhere, or stood there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class ArchivedCopy:
    """Where a kept copy is, the day in Amsterdam on which it was made (None when unknown), and whether the original is gone."""

    address: str | None
    made_on: date | None
    original_gone: bool = False
