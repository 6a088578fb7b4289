"""The MCP endpoints put together with what only this room knows: settings, hosts, and what the lifespan opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from assistants.endpoint import Site
from assistants.endpoints import Endpoints, endpoints
from assistants.places import connector, path, speaks_for
from assistants.sessions import Sessions
from assistants.tool import Tell, Visit
from assistants.visiting import Visiting
from throttling.callers import Caller
from throttling.middleware import Door, rpc_refusal


def make_sessions() -> Sessions:
    """Sessions of this installation."""
    return Sessions(settings.SECRET_KEY, settings.CALLERS)


def make_endpoints(sessions: Sessions) -> Endpoints:
    """All endpoints of this installation."""
    site = Site(sessions, is_ours, rpc_refusal(settings.SITE_ADDRESS))
    return endpoints(settings.VERSION, site, _visiting)


def make_doors(sessions: Sessions) -> tuple[Door, ...]:
    """The doors of all endpoints, for the incoming limits."""
    return tuple(
        Door(
            prefix=f"{path(name)}/",
            connector=connector(name),
            asker=sessions.asker,
            refusal=rpc_refusal(settings.SITE_ADDRESS),
            reads_body=True,
        )
        for name in speaks_for()
    )


def is_ours(host: str) -> bool:
    """Whether a host, with or without its port, is one of this site's."""
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def _visiting(platforms: tuple[str, ...]) -> Visiting:
    def visit(state: Mapping[str, Any], caller: Caller, tell: Tell) -> Visit:
        return Visit(
            federation=state["federation"],
            platforms=platforms,
            caller=caller,
            tell=tell,
            kept=state["kept"],
            pages=settings.SITE_ADDRESS,
        )

    return visit
