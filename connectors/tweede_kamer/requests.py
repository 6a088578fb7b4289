"""The calls of this platform, built from what is asked (sections 3, 6, 7 and 8). Nothing here sends anything.

Words of a question stand in parameters only. Rows that are deleted are left out by the filter, in what is expanded as well.
"""

from __future__ import annotations

from typing import Final

from connectors.calls import Call, CallKind
from connectors.tweede_kamer.answers import KEY
from connectors.tweede_kamer.filters import NOT_DELETED, all_of, equals
from connectors.tweede_kamer.ids import Entity, Key
from connectors.tweede_kamer.plan import Stream
from connectors.tweede_kamer.versions import Version

SERVICE: Final = "odata"
_LIVE_ONLY: Final = f"$filter={NOT_DELETED.text}"
_VERSION_FILES: Final = "HuidigeDocumentVersie($expand=DocumentPublicatie)"
_DECISIONS: Final = f"Besluit({_LIVE_ONLY};$expand=Stemming({_LIVE_ONLY}))"
_EXPANDED: Final = {
    Entity.DOCUMENT: (
        f"Zaak({_LIVE_ONLY};$expand={_DECISIONS},Document({_LIVE_ONLY}))",
        f"Kamerstukdossier({_LIVE_ONLY})",
        f"DocumentActor({_LIVE_ONLY})",
        f"BijlageDocument({_LIVE_ONLY})",
        f"BronDocument({_LIVE_ONLY})",
        _VERSION_FILES,
    ),
    Entity.CASE: (
        f"ZaakActor({_LIVE_ONLY})",
        f"Kamerstukdossier({_LIVE_ONLY})",
        _DECISIONS,
        f"Document({_LIVE_ONLY};$expand={_VERSION_FILES})",
    ),
    Entity.ACTIVITY: (
        f"Agendapunt({_LIVE_ONLY};$orderby=Volgorde)",
        f"Document({_LIVE_ONLY})",
        f"Zaak({_LIVE_ONLY})",
        f"Toezegging({_LIVE_ONLY})",
    ),
    Entity.COMMITMENT: (f"Activiteit({_LIVE_ONLY})",),
    Entity.MEETING: (f"Verslag({_LIVE_ONLY})",),
}


def search_call(version: Version, stream: Stream) -> Call:
    """One page of a stream. The count costs little beside the order, which is what makes a search slow (section 12)."""
    return _call(
        version,
        f"/{stream.entity}",
        CallKind.SEARCH,
        ("$filter", stream.condition.text),
        ("$orderby", stream.order),
        ("$top", str(stream.size)),
        ("$skip", str(stream.skip)),
        ("$count", "true"),
    )


def item_call(version: Version, key: Key) -> Call:
    """One row with what hangs on it, by its number or its GUID."""
    expand = ("$expand", ",".join(_EXPANDED[key.entity]))
    if key.guid:
        return _call(version, f"/{key.entity}({key.guid})", CallKind.DOCUMENT, expand)
    field = version.document_number if key.entity is Entity.DOCUMENT else "Nummer"
    condition = all_of(equals(field, key.number), NOT_DELETED)
    return _call(version, f"/{key.entity}", CallKind.DOCUMENT, ("$filter", condition.text), ("$top", "1"), expand)


def resource_call(version: Version, entity: str, guid: str) -> Call:
    """The file of a Document, a DocumentPublicatie or a Verslag."""
    return _call(version, f"/{entity}({guid})/resource", CallKind.DOCUMENT)


def list_call(version: Version, entity: str, skip: int = 0) -> Call:
    """A page of an entity set of which we keep the whole list."""
    return _call(
        version,
        f"/{entity}",
        CallKind.LIST,
        ("$filter", NOT_DELETED.text),
        ("$orderby", "Id"),
        ("$top", str(version.most_rows)),
        ("$skip", str(skip)),
    )


def members_call(version: Version, skip: int = 0) -> Call:
    """A page of the seats that are held now, with who sits on them and for which fractie (section 8)."""
    return _call(
        version,
        "/FractieZetelPersoon",
        CallKind.LIST,
        ("$filter", f"TotEnMet eq null and {NOT_DELETED.text}"),
        ("$orderby", "Id"),
        ("$top", str(version.most_rows)),
        ("$skip", str(skip)),
        ("$expand", "Persoon,FractieZetel($expand=Fractie)"),
    )


def metadata_call(version: Version) -> Call:
    """The description of the service."""
    return _call(version, "/$metadata", CallKind.STATUS)


def _call(version: Version, path: str, kind: CallKind, *params: tuple[str, str]) -> Call:
    return Call(platform=KEY, service=SERVICE, path=f"{version.path}{path}", kind=kind, params=params)
