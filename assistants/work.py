"""The kinds of work that assistants ask for: somebody waits for what a tool gives, also where it changes something."""

from __future__ import annotations

from typing import Final

from throttling.work import Access, Cost, Door, Load, works

WORK: Final = (
    *works(Door.TOOL, "zoek", load=Load.URGENT, operation="zoeken", cost=Cost.PLATFORMS),
    *works(Door.TOOL, "lees", "zoek_in_document", "controleer_citaat", "herleid", load=Load.URGENT, operation="lezen"),
    *works(Door.TOOL, "organisaties", "waardelijsten", load=Load.URGENT, operation="lijsten", cost=Cost.YEARS),
    *works(Door.TOOL, "laadstatus", load=Load.URGENT, operation="bronnen"),
    *works(Door.TOOL, "rapport_stand", load=Load.URGENT, operation="rapport-lezen"),
    *works(
        Door.TOOL,
        "rapport_aanvragen",
        load=Load.URGENT,
        access=Access.WRITE,
        operation="rapport-aanvragen",
        cost=Cost.PARTS,
    ),
    *works(Door.TOOL, "rapport_annuleren", load=Load.URGENT, access=Access.WRITE, operation="rapport-annuleren"),
    *works(Door.TOOL, "meld_fout", load=Load.URGENT, access=Access.WRITE, operation="meld-fout"),
    *works(Door.ROUTE, "aansluiten", load=Load.URGENT),
)
