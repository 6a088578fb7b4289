"""The MCP endpoints put together with what only this room knows: settings, hosts, and what the lifespan opened.

Loading them loads the SDK, which takes longer than all else: ``besluitbron.later``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from admission.discovery import EXTENSION, extension
from assistants.endpoint import Site
from assistants.endpoints import Endpoints, endpoints
from assistants.sessions import Sessions
from assistants.tool import Tell, Visit
from assistants.visiting import Visiting
from besluitbron.language import in_their_language
from besluitbron.mcp_doors import is_ours
from besluitbron.mcp_reports import ReportsOverMcp
from reports.doors import STATE as RECEPTION
from throttling.admitted import admitted
from throttling.callers import Caller
from throttling.middleware import rpc_refusal


def make_endpoints(sessions: Sessions) -> Endpoints:
    """All endpoints of this installation."""
    site = Site(sessions, is_ours, rpc_refusal(settings.SITE_ADDRESS, in_their_language))
    return endpoints(settings.VERSION, site, _visiting, {EXTENSION: extension(settings.SITE_ADDRESS)})


def _visiting(platforms: tuple[str, ...]) -> Visiting:
    def visit(state: Mapping[str, Any], caller: Caller, tell: Tell) -> Visit:
        return Visit(
            federation=state["federation"],
            platforms=platforms,
            caller=caller,
            tell=tell,
            kept=state["kept"],
            pages=settings.SITE_ADDRESS,
            admitted=admitted({"state": state}),
            reports=ReportsOverMcp(state[RECEPTION]),
            faults=state["faults"],
        )

    return visit
