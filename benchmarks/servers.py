"""What a benchmark runs against: a platform on loopback that counts its calls."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

ANSWER_SECONDS: Final = 0.1
_START_SECONDS: Final = 10.0


@asynccontextmanager
async def platform(bodies: Sequence[bytes], prefix: str) -> AsyncIterator[str]:
    """The root address of a server: ``<prefix>/body/N``, ``<prefix>/shared`` (slow, counted) and ``<prefix>/calls``."""
    calls = 0

    async def body(request: Request) -> Response:
        return Response(bodies[request.path_params["number"]], media_type="text/xml", headers=_FRESH)

    async def shared(request: Request) -> Response:
        nonlocal calls
        del request
        calls += 1
        await asyncio.sleep(ANSWER_SECONDS)
        return Response(bodies[0], media_type="text/xml", headers=_FRESH)

    async def counted(request: Request) -> Response:
        nonlocal calls
        del request
        seen, calls = calls, 0
        return JSONResponse(seen)

    routes = [
        Route(f"{prefix}/body/{{number:int}}", body),
        Route(f"{prefix}/shared", shared),
        Route(f"{prefix}/calls", counted),
    ]
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_config=None, lifespan="off"))
        task = asyncio.get_running_loop().create_task(server.serve(sockets=[listener]))
        async with asyncio.timeout(_START_SECONDS):
            while not server.started:  # noqa: ASYNC110 - uvicorn gives no event
                await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task


_FRESH: Final = {"Cache-Control": "max-age=3600"}
