"""Resources: documents by id, and the lists that an assistant may want to have at hand, each with how long it stays good.

A resource has an address: ``besluitbron://document/rechtspraak:ECLI:NL:HR:2024:1`` or ``besluitbron://bronnen``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from assistants.arguments import meant
from assistants.tool import ToolFailedError, Visit
from assistants.tools.lists import show_lists
from assistants.tools.loading import show_loading
from assistants.tools.reading import read as read_part
from connectors.platforms import PLATFORMS
from connectors.records import Certainty, Kind
from search.answers import State

JSON: Final = "application/json"
TEXT: Final = "text/plain"
_SCHEME: Final = "besluitbron://"
_HOUR: Final = 3600
_DOCUMENT: Final = re.compile(r"besluitbron://document/(?P<id>[^/?#]+)(?:/(?P<part>[1-9][0-9]{0,4}))?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A list. ``good_for`` is how many seconds a client may keep it; everybody gets the same."""

    uri: str
    name: str
    title: str
    description: str
    media_type: str
    good_for: int
    read: Callable[[Visit], Awaitable[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A way to write down the address of a resource (RFC 6570)."""

    uri_template: str
    name: str
    title: str
    description: str
    media_type: str
    good_for: int


@dataclass(frozen=True, slots=True)
class Content:
    """What stands at an address, and how many seconds a client may keep it."""

    uri: str
    text: str
    media_type: str
    good_for: int


async def _platforms(visit: Visit) -> str:
    connectors = [visit.federation.connector(key) for key in visit.platforms]
    return _json(
        [
            {
                "platform": connector.platform.key,
                "naam": connector.platform.name,
                "over": connector.platform.about,
                "website": connector.platform.home,
                "staatUit": connector.platform.key in visit.federation.off,
                "soortenOrganisaties": sorted(connector.capabilities.bodies),
                "soortenStukken": sorted(connector.capabilities.kinds),
                "kiestZelfOp": sorted(connector.capabilities.filters),
                "kiezenWijOp": sorted(connector.capabilities.own_filters),
                "volgordes": sorted(connector.capabilities.sorts),
                "zoektInDeTekst": connector.capabilities.full_text,
                "woordgroepen": connector.capabilities.phrases,
                "laadstatus": connector.capabilities.load_status,
            }
            for connector in connectors
            if connector is not None
        ]
    )


async def _words(visit: Visit) -> str:
    del visit
    return _json(
        {
            "soorten": [kind.value for kind in Kind],
            "staten": [state.value for state in State],
            "zekerheid van een aantal": [certainty.value for certainty in Certainty],
        }
    )


async def _bodies(visit: Visit) -> str:
    there = [body for body in visit.federation.register.everybody() if any(map(body.key_at, visit.platforms))]
    return _json(
        [
            {
                "id": body.id,
                "naam": body.name,
                "soort": body.kind.value,
                "opgehevenOp": body.ended.isoformat() if body.ended else None,
                "bronnen": [key for key in visit.platforms if body.key_at(key)],
            }
            for body in sorted(there, key=lambda body: body.id)
        ]
    )


async def _lists(visit: Visit) -> str:
    return _json((await show_lists({}, visit)).data["lijsten"])


async def _loading(visit: Visit) -> str:
    return _json((await show_loading({}, visit)).data)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


RESOURCES: Final = (
    Resource(
        uri=f"{_SCHEME}bronnen",
        name="bronnen",
        title="De bronnen en wat zij kunnen",
        description="Per bron: welke organisaties en soorten stukken zij heeft, waarop te kiezen is, of zij in de tekst zoekt.",
        media_type=JSON,
        good_for=24 * _HOUR,
        read=_platforms,
    ),
    Resource(
        uri=f"{_SCHEME}woorden",
        name="woorden",
        title="Soorten en staten",
        description="De gesloten lijsten van soorten stukken, staten van een bron en zekerheid van een aantal.",
        media_type=JSON,
        good_for=24 * _HOUR,
        read=_words,
    ),
    Resource(
        uri=f"{_SCHEME}organisaties",
        name="organisaties",
        title="Alle organisaties",
        description="Id, naam en soort van elke organisatie, en welke bronnen haar kennen. Groot: zoek liever.",
        media_type=JSON,
        good_for=_HOUR,
        read=_bodies,
    ),
    Resource(
        uri=f"{_SCHEME}waardelijsten",
        name="waardelijsten",
        title="Welke waardelijsten er zijn",
        description="De bewaarde lijsten van elke bron, met aantal en leeftijd. De regels geeft `waardelijsten`.",
        media_type=JSON,
        good_for=_HOUR,
        read=_lists,
    ),
    Resource(
        uri=f"{_SCHEME}laadstatus",
        name="laadstatus",
        title="Laadstatus van de bronnen",
        description="Hoe actueel elke bron is, met de organisaties die het langst niet zijn bijgewerkt.",
        media_type=JSON,
        good_for=600,
        read=_loading,
    ),
)
TEMPLATES: Final = (
    Template(
        uri_template=f"{_SCHEME}document/{{id}}",
        name="document",
        title="Een stuk",
        description="Het eerste deel van een stuk, met verwijzing en adres. Het id is dat uit `zoek`.",
        media_type=TEXT,
        good_for=600,
    ),
    Template(
        uri_template=f"{_SCHEME}document/{{id}}/{{deel}}",
        name="document-deel",
        title="Een deel van een stuk",
        description="Een volgend deel van een stuk; delen tellen vanaf 1.",
        media_type=TEXT,
        good_for=600,
    ),
)


def resources_for(platforms: Sequence[str]) -> tuple[Resource, ...]:
    """The lists of an endpoint that speaks for these platforms: the same everywhere, narrowed when they are read."""
    assert set(platforms) <= {platform.key for platform in PLATFORMS}
    return RESOURCES


async def read_resource(uri: str, visit: Visit) -> Content:
    """What stands at an address. Raises ``ToolFailedError``."""
    found = next((resource for resource in RESOURCES if resource.uri == uri.rstrip("/")), None)
    if found is not None:
        return Content(uri, await found.read(visit), found.media_type, found.good_for)
    document = _DOCUMENT.fullmatch(uri)
    if document is None:
        raise _nothing(uri)
    given = {"id": unquote(document["id"]), "deel": int(document["part"] or 1)}
    return Content(uri, (await read_part(given, visit)).text, TEXT, TEMPLATES[0].good_for)


def _nothing(uri: str) -> ToolFailedError:
    hint = meant(uri, [resource.uri for resource in RESOURCES]) if uri.startswith(_SCHEME) else ""
    return ToolFailedError(
        "Op dit adres staat niets.",
        hint,
        f"Een stuk staat op `{TEMPLATES[0].uri_template}`; de lijsten ziet u in de opsomming.",
    )
