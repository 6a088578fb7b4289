"""The kinds of work that assistants ask for: every tool reads, and somebody waits for what it gives."""

from __future__ import annotations

from typing import Final

from throttling.work import Door, works

WORK: Final = (
    *works(
        Door.TOOL,
        *("zoek", "lees", "zoek_in_document", "controleer_citaat", "herleid"),
        *("organisaties", "waardelijsten", "laadstatus"),
    ),
    *works(Door.ROUTE, "aansluiten"),
)
