"""Whether the platform still answers as we expect, for an operator: the version, a search, and what it found as a document."""

from __future__ import annotations

from typing import Final

from connectors.bodies import require_success, xml_root
from connectors.calls import Answer
from connectors.records import Kind, Query, SearchText, Term
from connectors.tweede_kamer.answers import KEY
from connectors.tweede_kamer.versions import Version

CANARY: Final = Query(text=SearchText((Term(("motie",)),)), kinds=frozenset({Kind.MOTIE}))
"""A question that always has an answer: one that finds nothing is a fault (field report 31)."""


def missing_fields(answer: Answer, version: Version) -> tuple[str, ...]:
    """The fields of our settings that the description of the service does not have (field report 35)."""
    require_success(KEY, answer)
    root = xml_root(KEY, answer.body)
    wanted = {
        "Document": {version.document_number, version.document_subnumber, "Onderwerp", "Titel", "Datum", "Verwijderd"},
        "Activiteit": {version.lead_committee, "Nummer", "Onderwerp", "Datum"},
        "Toezegging": {"Nummer", "Tekst", "Aanmaakdatum"},
        "Stemming": {"Soort", "FractieGrootte", "ActorNaam", "ActorFractie", "Vergissing"},
    }
    held = {
        str(entity.get("Name")): {str(field.get("Name")) for field in entity.iterfind("{*}Property")}
        for entity in root.iter("{*}EntityType")
    }
    return tuple(
        f"{entity}.{field}" for entity, fields in wanted.items() for field in sorted(fields - held.get(entity, set()))
    )
