"""The ASGI shell: it owns the lifespan, serves static files and MCP, and hands everything else to Django.

Django refuses the lifespan protocol, and the applications that stand beside it (MCP, the edge) need one as well.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

import django
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, reset_queries
from django.utils.module_loading import import_string

django.setup(set_prefix=False)  # before anything that needs Django's apps to be ready

from django.conf import settings
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Router
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from admission.doorkeeper import STATE as EDGE
from admission.doorkeeper import Doorkeeper
from admission.gatehouse import STATE as ADMISSION
from admission.pacing import Pacing
from assistants.places import PREFIX as MCP
from assistants.stopping import Stopping
from besluitbron.admission import admission_door, contract_link
from besluitbron.api import ApiAnswers, api_door, make_desk
from besluitbron.beheer import PREFIX
from besluitbron.board import LiveBoard
from besluitbron.composition import open_federation, open_incoming, open_reach
from besluitbron.compression import Compression
from besluitbron.doors import FREE, page_doors
from besluitbron.edge import at_the_edge, public_lane
from besluitbron.errors import host_refusal
from besluitbron.faults import DatabaseFaults
from besluitbron.kept import DatabaseKept
from besluitbron.language import Languages
from besluitbron.later import Later
from besluitbron.mcp_doors import make_doors, make_sessions
from besluitbron.overload import STATE as LATENESS
from besluitbron.overload import Lateness, Overload
from besluitbron.page_times import PageTimer, Searches, SearchTimer
from besluitbron.security import Security
from besluitbron.tuning import tune
from besluitbron.unnamed_proxies import ProxyWatch
from besluitbron.work import WORK
from reports.doors import STATE as RECEPTION
from reports.signals import SEEN
from reports.views import below_answers
from search.group_names import GroupNames
from search.status_page import StatusPage
from search.statuses import Statuses
from search.streams import Streams
from throttling.middleware import IncomingLimits
from throttling.people import People

_MCP_AFTER: Final = 2.0
"""Seconds after the start that MCP is loaded when nobody has asked for it: the first page goes before."""


class Pages(ASGIHandler):
    """Django's handler, without a hop to a thread for what only a database needs, outside ``/beheer/``.

    Django looks after its connections at the start and end of each request, in a thread that it keeps for as long as
    the response lasts; our answers last as long as the slowest platform, and public pages use no database.
    """

    def __init__(self) -> None:
        super().__init__()
        for signal in (request_started, request_finished):
            signal.disconnect(close_old_connections)
        request_started.disconnect(reset_queries)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if not scope["path"].startswith(PREFIX):
            await self.handle(scope, receive, send)
            return
        async with ThreadSensitiveContext():
            await sync_to_async(close_old_connections)()
            try:
                await self.handle(scope, receive, send)
            finally:
                await sync_to_async(close_old_connections)()


class Static:
    """Static files, kept for an hour; what is not there is said in Dutch."""

    def __init__(self) -> None:
        files = StaticFiles(directory=settings.STATICFILES_DIRS[0], packages=[("django.contrib.admin", "static")])
        self._files: ASGIApp = files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one file."""

        async def keeping(message: Any) -> None:
            if message["type"] == "http.response.start" and message["status"] < HTTPStatus.BAD_REQUEST:
                message["headers"] = [*message["headers"], (b"cache-control", b"public, max-age=3600")]
            await send(message)

        try:
            await self._files(scope, receive, keeping)
        except HTTPException as error:
            missing = error.status_code == HTTPStatus.NOT_FOUND
            text = "Dit bestand bestaat niet.\n" if missing else "Dit kan hier niet.\n"
            await PlainTextResponse(text, error.status_code, error.headers)(scope, receive, send)


@asynccontextmanager
async def lifespan(mcp: Later, people: People) -> AsyncIterator[dict[str, Any]]:
    """Open the store and the HTTP clients; requests find them in ``scope["state"]``. ``mcp`` is loaded meanwhile."""
    async with (
        mcp,
        open_reach() as reach,
        open_federation(reach) as federation,
        Stopping(reach.store) as stopping,
        open_incoming(reach) as incoming,
        Lateness() as lateness,
        import_string(settings.RECEPTION_FACTORY)(reach, federation) as reception,
        import_string(settings.ADMISSION_FACTORY)(reach) as admission,
        Doorkeeper(admission, pacing=Pacing(people)) as edge,
    ):
        kept = DatabaseKept()
        yield {
            "store": reach.store,
            "federation": federation,
            "statuses": Statuses(DatabaseKept()),
            "groups": GroupNames(kept),
            "streams": Streams(settings.STREAMS_PER_PROCESS, settings.STREAMS_PER_CLIENT),
            "kept": kept,
            "faults": DatabaseFaults(),
            "status": StatusPage(LiveBoard(reach, kept)),
            "api": make_desk(reach, kept),
            "incoming": incoming,
            "stopping": stopping,
            LATENESS: lateness,
            RECEPTION: reception,
            ADMISSION: admission,
            EDGE: edge,
            "further": below_answers(reception),
        }


def make_application() -> ASGIApp:
    """The application that uvicorn serves."""
    people = People()
    pages: ASGIApp = PageTimer(Pages(), SEEN, people)
    sessions = make_sessions()
    mcp = Later(lambda: import_string("besluitbron.mcp_endpoints.make_endpoints")(sessions), _MCP_AFTER)
    beside = [Mount("/static", app=Static()), Mount(MCP, app=mcp)]
    shell = Router(beside, default=pages, lifespan=lambda _: lifespan(mcp, people), redirect_slashes=False)
    timed = SearchTimer(shell, SEEN, Searches(WORK))
    watched = ProxyWatch(timed, SEEN, lambda: settings.CALLERS.proxies, FREE)
    doors = (*make_doors(sessions), api_door(), admission_door(), *page_doors())
    limited = IncomingLimits(public_lane(watched), doors, FREE, contract_link())
    urgent = Overload(at_the_edge(limited), FREE, settings.SITE_ADDRESS)
    answering = ApiAnswers(Security(urgent, hosts=settings.ALLOWED_HOSTS, refusal=host_refusal))
    return Languages(Compression(answering, plain=(PREFIX,)))


application = make_application()
tune()
