"""``/status``: how the platforms fare now, what each bears, and how up to date each holds its bodies.

It asks no platform and has no limits of its own, so that it can be read when everything is full: what it says is made once in
some seconds, whoever asks.
"""

from __future__ import annotations

import asyncio
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from connectors.language import Language, spoken
from connectors.moments import now
from connectors.platforms import PLATFORMS
from search.board import Board, BoardNow
from search.carried import federation_of, opened
from search.federation import Federation
from search.status_view import StatusView, status_view

_SECONDS: Final = 5.0
_KEYS: Final = tuple(platform.key for platform in PLATFORMS)


class StatusPage:
    """What was last seen, and the page of it in each language that somebody asked for, for some seconds."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._made: dict[Language, str] = {}
        self._until = 0.0
        self._seen = BoardNow(services=(), load=None)
        self._at = now()
        self._making = asyncio.Lock()

    async def html(self, request: HttpRequest, federation: Federation) -> str:
        """The page in the language that is spoken; nothing else in it is of one request."""
        async with self._making:
            await self._look()
            if spoken() not in self._made:
                context = {"stand": self._view(federation), "vaste_link": f"{settings.SITE_ADDRESS}{request.path}"}
                self._made[spoken()] = await asyncio.to_thread(render_to_string, "search/status.html", context, request)
            return self._made[spoken()]

    async def view(self, federation: Federation) -> StatusView:
        """What the page shows, in the language that is spoken."""
        async with self._making:
            await self._look()
            return self._view(federation)

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() >= self._until:
            self._seen, self._at = await self._board.look(_KEYS), now()
            self._made, self._until = {}, loop.time() + _SECONDS

    def _view(self, federation: Federation) -> StatusView:
        gives = frozenset(one.platform.key for one in federation.connectors if one.capabilities.load_status)
        return status_view(self._seen, tuple(federation.register.everybody()), gives, self._at)


@require_safe
async def status(request: HttpRequest) -> HttpResponse:
    """The page."""
    page = opened(request, "status", StatusPage)
    return HttpResponse(
        await page.html(request, federation_of(request)), headers={"Cache-Control": f"max-age={int(_SECONDS)}"}
    )
