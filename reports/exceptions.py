"""Why nobody gets a report, at the desk. Failures carry data, not prose.

NoReportError
├── WishRefusedError    it is not taken on: what is asked cannot be made, or not now
└── DeskClosedError     the store or the database cannot be reached
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from reports.records import Reason

COME_BACK: Final = 30
"""Whole seconds after which it makes sense to ask a desk again that was closed."""


class NoReportError(Exception):
    """The root of what goes wrong at the desk."""


class WishRefusedError(NoReportError):
    """Not taken on; there is no address. ``come_back_at``: from when on it may be, None when asking the same never helps."""

    def __init__(self, reason: Reason, come_back_at: datetime | None = None) -> None:
        super().__init__(reason, come_back_at)
        self.reason = reason
        self.come_back_at = come_back_at


class DeskClosedError(NoReportError):
    """The desk cannot answer now; ask again after ``retry_after`` whole seconds (503).

    ``unsure``: what was asked of it may have been done all the same, and only its answer was lost; else nothing was.
    """

    def __init__(self, retry_after: int = COME_BACK, *, unsure: bool = False) -> None:
        super().__init__(retry_after, unsure)
        self.retry_after = retry_after
        self.unsure = unsure
