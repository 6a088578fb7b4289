"""The kinds of work that assistants ask for: somebody waits for what a tool gives, also where it changes something."""

from __future__ import annotations

from typing import Final

from throttling.work import Access, Cost, Door, works

WORK: Final = (
    *works(Door.TOOL, "zoek", operation="zoeken", cost=Cost.PLATFORMS),
    *works(Door.TOOL, "lees", "zoek_in_document", "controleer_citaat", "herleid", operation="lezen"),
    *works(Door.TOOL, "organisaties", "waardelijsten", operation="lijsten", cost=Cost.YEARS),
    *works(Door.TOOL, "laadstatus", operation="bronnen"),
    *works(Door.TOOL, "rapport_stand", operation="rapport-lezen"),
    *works(Door.TOOL, "rapport_aanvragen", access=Access.WRITE, operation="rapport-aanvragen", cost=Cost.PARTS),
    *works(Door.TOOL, "rapport_annuleren", access=Access.WRITE, operation="rapport-annuleren"),
    *works(Door.TOOL, "meld_fout", access=Access.WRITE, operation="meld-fout"),
    *works(Door.ROUTE, "aansluiten"),
)
