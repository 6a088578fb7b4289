"""All endpoints: one that speaks for every platform, and one for each. With and without a slash at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

from mcp_types import INVALID_REQUEST
from starlette.types import ASGIApp, Receive, Scope, Send

from assistants.endpoint import Endpoint, Site
from assistants.exchange import Finished, write
from assistants.messages import error_body
from assistants.places import connector, path, speaks_for
from assistants.prompts import prompts_for
from assistants.resources import resources_for
from assistants.servers import Described, Offered, server
from assistants.tools import tools_for
from assistants.visiting import Visiting
from connectors.platforms import PLATFORMS

_ALL: Final = (
    "BesluitBron stelt één vraag aan zeven openbare bronnen van besluiten in Nederland: gemeenteraden, provincies en "
    "waterschappen, Tweede en Eerste Kamer, bekendmakingen en rechtspraak. Zoek met `zoek`, lees een stuk met `lees`, en noem "
    "bij elk antwoord de verwijzing die erbij staat. Een leeg antwoord zegt waarom het leeg is; neem dat over. Elke vraag kost "
    "de bronnen iets: vraag gericht, en blader alleen als het nodig is."
)
_ONE: Final = (
    "BesluitBron vraagt hier alleen {name}. Zoek met `zoek`, lees een stuk met `lees`, en noem bij elk antwoord de verwijzing "
    "die erbij staat. Een leeg antwoord zegt waarom het leeg is; neem dat over. Alle bronnen tegelijk vragen kan op "
    "`/mcp/unified/v1`."
)
_NOTHING: Final = Finished(
    error_body(None, INVALID_REQUEST, "Hier is geen MCP-adres. Begin bij `/mcp/unified/v1`."), HTTPStatus.NOT_FOUND
)


class Endpoints:
    """ASGI application of everything below ``places.PREFIX``."""

    def __init__(self, apps: Mapping[str, ASGIApp]) -> None:
        self._apps = apps

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        app = self._apps.get(scope["path"].removesuffix("/"))
        if app is None:
            await write(send, _NOTHING)
        else:
            await app(scope, receive, send)


def endpoints(
    version: str,
    site: Site,
    visiting: Callable[[tuple[str, ...]], Visiting],
    extensions: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> Endpoints:
    """All endpoints. ``visiting`` makes what makes visits, for the keys of an endpoint's platforms.

    ``extensions`` are told by each.
    """
    names = {platform.key: platform.name for platform in PLATFORMS}

    def made(name: str, keys: tuple[str, ...]) -> Endpoint:
        described = Described(
            name=f"besluitbron-{name}",
            title=f"BesluitBron: {names[name]}" if name in names else "BesluitBron",
            version=version,
            extensions=extensions,
            instructions=_ONE.format(name=names[name]) if name in names else _ALL,
        )
        offered = Offered(tools=tools_for(keys), prompts=prompts_for(keys), resources=resources_for(keys))
        return Endpoint(server(described, offered, visiting(keys)), connector(name), site)

    return Endpoints({path(name): made(name, keys) for name, keys in speaks_for().items()})
