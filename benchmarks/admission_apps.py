"""What the edge stands before in a benchmark: an origin that answers at once, or never.

``python -m benchmarks.admission_apps edge|bare FD`` serves it, with the edge or without, on a socket that was handed down.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

import django
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

django.setup(set_prefix=False)

from django.conf import settings

from admission.books import Books
from admission.doorkeeper import STATE, Doorkeeper
from admission.proofs.tokens import Issuer
from admission.signing import Signing
from besluitbron.admission import make_gatehouse
from besluitbron.composition import Reach
from besluitbron.edge import at_the_edge, public_lane
from besluitbron.tuning import tune
from throttling.store import Store, wall

STORE: Final = "BENCHMARK_STORE"
"""The environment variable with the address of the store."""
ORIGIN: Final = "http://meting.example"
HANGS: Final = "/api/v1/platforms/rechtspraak"
READS: Final = "/api/v1/platforms"
_SECRET: Final = b"a secret of benchmarks, of no use elsewhere"
_ANSWER: Final = b'{"ok":true}'


def issuer() -> Issuer:
    """Who signs the tokens of these agents."""
    return Signing(_SECRET, ORIGIN, wall).issuer


async def origin(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers at once; at ``HANGS`` never."""
    del receive
    if scope["path"] == HANGS:
        await asyncio.Event().wait()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(_ANSWER))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": _ANSWER})


class Shell:
    """The lifespan around an application; its state is in each request's."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or live."""
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return
        await receive()
        async with opened() as keeper:
            scope["state"][STATE] = keeper
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


@asynccontextmanager
async def opened() -> AsyncIterator[Doorkeeper]:
    """A doorkeeper at the store of the benchmark."""
    unused: Any = None
    books = Books()
    async with Store(os.environ[STORE]) as store:
        house = make_gatehouse(Reach(store, unused, unused), books, _nothing)
        async with Doorkeeper(house) as keeper:
            yield keeper
    books.close()


async def _nothing(url: str, most: int) -> bytes:
    """No document of anybody is fetched."""
    del most
    raise OSError(url)


def main() -> None:
    """As the environment says."""
    settings.SITE_ADDRESS = ORIGIN
    settings.ADMISSION_KEY = urlsafe_b64encode(_SECRET).decode()
    app: ASGIApp = at_the_edge(public_lane(origin)) if sys.argv[1] == "edge" else origin
    tune()
    config = uvicorn.Config(Shell(app), access_log=False, log_config=None, lifespan="on")
    uvicorn.Server(config).run([socket.socket(fileno=int(sys.argv[2]))])


if __name__ == "__main__":
    main()
