"""The kinds of work in the background that keep lists and Laadstatus up to date. They wait for platforms, not for load."""

from __future__ import annotations

from typing import Final

from throttling.work import Access, Door, Load, works

WORK: Final = works(
    Door.TASK,
    "connectors.tasks.refresh_lists",
    "connectors.tasks.refresh_load_status",
    "connectors.tasks.refresh_every_load_status",
    "connectors.tasks.refresh_outdated",
    "connectors.tasks.ask_canary",
    "connectors.tasks.ask_missed_canaries",
    load=Load.URGENT,
    access=Access.WRITE,
)
