"""The entity sets of the stand-ins: fields and navigations, read from the real description of v4/2.0, with the names of v5."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from lxml import etree

CORPUS: Final = Path(__file__).parent / "corpus"
V5_NAMES: Final = {
    "Document": {"DocumentNummer": "Nummer", "Volgnummer": "Ondernummer"},
    "Activiteit": {"Voortouwnaam": "VoortouwCommissieNaam"},
}
"""The renames that were seen (platform page, section 1); the whole list was never found."""


@dataclass(frozen=True, slots=True)
class Navigation:
    """Where a navigation leads, and whether to many rows."""

    target: str
    is_collection: bool


@dataclass(frozen=True, slots=True)
class EntityType:
    """One entity set: its scalar fields with their types, and its navigations."""

    name: str
    fields: dict[str, str]
    navigations: dict[str, Navigation]


@cache
def metadata(version: str) -> bytes:
    """The description of the service. That of v5 is v4's with the names that are known to differ."""
    body = (CORPUS / "metadata-v4.edmx.xml").read_bytes()
    if version == "v4/2.0":
        return body
    root = etree.fromstring(body)
    for entity in root.iter("{*}EntityType"):
        names = V5_NAMES.get(str(entity.get("Name")), {})
        for field in entity.iterfind("{*}Property"):
            field.set("Name", names.get(str(field.get("Name")), str(field.get("Name"))))
    return etree.tostring(root, xml_declaration=True, encoding="utf-8")


@cache
def schema(version: str) -> dict[str, EntityType]:
    """Entity sets by name."""
    root = etree.fromstring(metadata(version))
    sets = {str(one.get("Name")) for one in root.iter("{*}EntitySet")}
    return {str(e.get("Name")): _entity(e) for e in root.iter("{*}EntityType") if str(e.get("Name")) in sets}


def _entity(element: etree._Element) -> EntityType:
    return EntityType(
        name=str(element.get("Name")),
        fields={str(f.get("Name")): str(f.get("Type")) for f in element.iterfind("{*}Property")},
        navigations={
            str(n.get("Name")): _navigation(str(n.get("Type"))) for n in element.iterfind("{*}NavigationProperty")
        },
    )


def _navigation(kind: str) -> Navigation:
    return Navigation(kind.rstrip(")").rpartition(".")[2], kind.startswith("Collection("))
