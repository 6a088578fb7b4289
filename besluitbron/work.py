"""Every kind of work of the product, with its load class and what it does: those of all rooms, and our own."""

from __future__ import annotations

from typing import Final

from admission.work import WORK as ADMISSION
from assistants.work import WORK as ASSISTANTS
from connectors.work import WORK as CONNECTORS
from reports.work import WORK as REPORTS
from search.work import WORK as SEARCH
from throttling.work import Access, Door, Load, works

ADMIN: Final = "beheer/"
"""The operators' site is one kind of work, whatever routes it has."""
WORK: Final = (
    *SEARCH,
    *CONNECTORS,
    *ASSISTANTS,
    *REPORTS,
    *ADMISSION,
    *works(
        Door.ROUTE,
        "privacy",
        "toegankelijkheid",
        "fout-melden",
        "probleem",
        "vragenbank",
        "security-txt",
        "robots",
        load=Load.URGENT,
    ),
    *works(Door.ROUTE, "leeft", "klaar", "metrics", "beheer", load=Load.URGENT),
    *works(Door.ROUTE, ADMIN, load=Load.URGENT, access=Access.WRITE),
    *works(Door.TASK, "besluitbron.tasks.heartbeat", load=Load.URGENT, access=Access.WRITE),
)
