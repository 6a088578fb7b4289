"""The Laadstatus of a platform: how up to date it holds each organisation. Frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from connectors.coverage import Coverage


@dataclass(frozen=True, slots=True)
class LoadState:
    """How up to date a platform holds one organisation. ``state`` is the platform's own word.

    ``coverage``: how much it has of what there is, where the platform counts that.
    """

    key: str
    label: str
    state: str
    last_success: datetime | None = None
    last_content: datetime | None = None
    documents: int | None = None
    coverage: Coverage | None = None


@dataclass(frozen=True, slots=True)
class LoadStatus:
    """The Laadstatus of a platform: when it was made, and the state of each organisation."""

    generated_at: datetime
    organisations: tuple[LoadState, ...]
    suppliers: tuple[LoadState, ...] = ()
