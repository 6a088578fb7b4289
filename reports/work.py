"""The kinds of work of this room: making a report is what may wait (rule L1); looking at one, and upkeep, may not."""

from __future__ import annotations

from typing import Final

from throttling.work import Access, Cost, Door, Load, Work, works

BUILDING: Final = Work(Door.TASK, "reports.tasks.build", load=Load.DEFERRABLE, access=Access.WRITE)
EXPORTS: Final = works(
    Door.ROUTE,
    *("rapport-csv", "rapport-json", "rapport-ris", "rapport-pdf"),
    load=Load.URGENT,
    operation="rapport-lezen",
    prefixes=("/rapporten/",),
    rows=500,
)
"""Files of a report. One of more rows is made by the worker, with the report."""
WORK: Final = (
    BUILDING,
    *EXPORTS,
    *works(Door.TASK, "reports.tasks.look_after", load=Load.URGENT, access=Access.WRITE),
    # Forms for people, each with a proof of its own that it is of this site; no contract opens them (decision record 0022).
    *works(Door.ROUTE, "rapporten", load=Load.URGENT, methods=("GET", "HEAD")),
    *works(Door.ROUTE, "rapporten", load=Load.URGENT, access=Access.WRITE, methods=("POST",)),
    *works(Door.ROUTE, "rapport-annuleren", load=Load.URGENT, access=Access.WRITE, methods=("POST",)),
    *works(Door.ROUTE, "geen-rapport", load=Load.URGENT),
    *works(Door.ROUTE, "rapport", load=Load.URGENT, operation="rapport-lezen", prefixes=("/rapporten/",)),
    *works(
        Door.ROUTE,
        "api-report",
        load=Load.URGENT,
        operation="rapport-lezen",
        prefixes=("/api/v1/rapporten/",),
        methods=("GET", "HEAD"),
    ),
    *works(
        Door.ROUTE, "api-report_items", load=Load.URGENT, operation="rapport-lezen", prefixes=("/api/v1/rapporten/",)
    ),
    *works(
        Door.ROUTE,
        "api-ask_report",
        load=Load.URGENT,
        access=Access.WRITE,
        operation="rapport-aanvragen",
        cost=Cost.PARTS,
        prefixes=("/api/v1/rapporten",),
        methods=("POST",),
    ),
    *works(
        Door.ROUTE,
        "api-report",
        load=Load.URGENT,
        access=Access.WRITE,
        operation="rapport-annuleren",
        prefixes=("/api/v1/rapporten/",),
        methods=("DELETE",),
    ),
)
