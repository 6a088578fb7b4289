"""Real servers on loopback inside the test's own event loop, so that events of a test and of a server meet."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn

BOUND = 10.0


async def until(condition: Callable[[], bool]) -> None:
    """Wait until ``condition`` holds, at most ``BOUND`` seconds."""
    async with asyncio.timeout(BOUND):
        while not condition():
            await asyncio.sleep(0.005)


class _Server(uvicorn.Server):
    """As uvicorn's, but it hears at once that it must end: the other looks ten times a second, and a thousand tests wait."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.leave = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """None of its business: a server of a whole session would swallow the Ctrl-C of a test, and raise it when it ends."""
        yield

    async def main_loop(self) -> None:
        await self.on_tick(0)
        await self.leave.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for listening in (*self.servers, *(sockets or ())):
            listening.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        try:
            async with asyncio.timeout(self.config.timeout_graceful_shutdown):
                while self.server_state.connections or self.server_state.tasks:
                    await asyncio.sleep(0.002)
        except TimeoutError:
            for task in self.server_state.tasks:
                task.cancel()
        await self.lifespan.shutdown()


@asynccontextmanager
async def served(app: Any, *, lifespan: Any = "off") -> AsyncIterator[str]:
    """Serve an ASGI app on a free port of loopback; gives its root address."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = _Server(
        uvicorn.Config(app, log_config=None, lifespan=lifespan, timeout_graceful_shutdown=1, access_log=False)
    )
    task = asyncio.get_running_loop().create_task(server.serve(sockets=[listener]))
    try:
        await until(lambda: server.started or task.done())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.leave.set()
        await task
        listener.close()
