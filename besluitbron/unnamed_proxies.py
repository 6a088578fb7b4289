"""Whether requests come by a proxy that nobody named: then everybody behind it is one asker, and nobody sees why.

Only that is counted, of each minute: how many requests there were, and how many said of themselves that they were passed on
(``X-Forwarded-For``, ``Forwarded``) by whoever is not one of the trusted proxies. No address is kept or told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from reports.signals import Seen
from throttling.client_addresses import Network, is_in, read_address
from throttling.middleware import Paths

_PASSED_ON: Final = frozenset({b"x-forwarded-for", b"forwarded"})


class ProxyWatch:
    """ASGI middleware. ``proxies`` are the trusted ones, looked up each time; what is ``free`` is not looked at."""

    def __init__(self, app: ASGIApp, seen: Seen, proxies: Callable[[], Sequence[Network]], free: Sequence[str]) -> None:
        self._app = app
        self._seen = seen
        self._proxies = proxies
        self._free = Paths(free)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at one request, and hand it on."""
        if scope["type"] == "http" and scope["path"] not in self._free:
            self._seen.way(unnamed=self._is_unnamed(scope))
        await self._app(scope, receive, send)

    def _is_unnamed(self, scope: Scope) -> bool:
        """A peer without an address, as over a Unix socket, can be named by nobody."""
        if not any(name.lower() in _PASSED_ON for name, _ in scope["headers"]):
            return False
        peer = read_address(str((scope.get("client") or ("",))[0]).partition("%")[0])
        return peer is None or not is_in(peer, self._proxies())
