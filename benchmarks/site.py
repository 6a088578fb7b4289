"""The product as ``./start`` runs it, for a benchmark: stores, stand-ins, website and bookkeeper, each a process of its own.

The commands are those of ``./start``. The workers stay away: what they do now and then would be measured with the rest.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from besluitbron.running.launcher import ALIVE
from besluitbron.running.layout import PROJECT
from besluitbron.running.options import Options, read_options
from besluitbron.running.parts import BOOKKEEPER, BUFFER, STAND_INS, STATE, WEB, Part
from besluitbron.running.probes import answers_http, answers_ping, free_port

LOOPBACK: Final = "127.0.0.1"
_STAND_IN: Final = "/_stand/rechtspraak"
_START_SECONDS: Final = 60.0
_AGAIN_SECONDS: Final = 0.05
_LOG_CHARACTERS: Final = 2000
_PREPARE: Final = (
    "import os; from besluitbron.running.options import read_options; "
    "from besluitbron.running.preparation import prepare; prepare(read_options(os.environ))"
)


@dataclass(frozen=True, slots=True)
class Site:
    """A running product: the environment of its parts, and where they answer."""

    options: Options
    environment: Mapping[str, str]

    @property
    def port(self) -> int:
        """Of the website."""
        return self.options.port

    @property
    def stand_ins(self) -> str:
        """The root address of the stand-ins, with their control address."""
        return f"http://{LOOPBACK}:{self.options.stand_ins_port}"


@asynccontextmanager
async def running_site(**settings: str) -> AsyncIterator[Site]:
    """The product with these settings in its environment, in a folder that goes away. Raises ``TimeoutError``."""
    with tempfile.TemporaryDirectory(prefix="besluitbron-") as folder:
        given = {name: value for name, value in os.environ.items() if not name.startswith("BESLUITBRON_")}
        wanted = given | {"BESLUITBRON_DATA": folder, "PORT": str(free_port())} | settings
        options = read_options(wanted)
        site = Site(options, given | options.environment())
        await asyncio.to_thread(options.layout.make_folders)
        async with AsyncExitStack() as parts:
            await parts.enter_async_context(started(site, STATE, lambda: answers_ping(options.layout.state_socket)))
            await parts.enter_async_context(started(site, BUFFER, lambda: answers_ping(options.layout.buffer_socket)))
            prepared = await asyncio.create_subprocess_exec(
                sys.executable, "-c", _PREPARE, env=site.environment, cwd=PROJECT
            )
            assert await prepared.wait() == 0
            for part, port, path in ((STAND_INS, options.stand_ins_port, _STAND_IN), (WEB, options.port, ALIVE)):
                await parts.enter_async_context(started(site, part, partial(answers_http, port, path)))
            await parts.enter_async_context(started(site, BOOKKEEPER, lambda: True))
            yield site


@asynccontextmanager
async def started(site: Site, part: Part, answers: Callable[[], bool]) -> AsyncIterator[None]:
    """One part of ``site``, from when it answers. Raises ``TimeoutError``."""
    log = site.options.layout.logs / f"{part.name}.log"
    async with process(part.command(site.options), site.environment, log):
        await until(answers, log)
        yield


@asynccontextmanager
async def process(command: list[str], environment: Mapping[str, str], log: Path) -> AsyncIterator[None]:
    """A program of ours, ended when the context is left."""
    with log.open("ab") as said:
        running = await asyncio.create_subprocess_exec(*command, env=environment, cwd=PROJECT, stdout=said, stderr=said)
        try:
            yield
        finally:
            if running.returncode is None:
                running.terminate()
            await running.wait()


async def until(answers: Callable[[], bool], log: Path) -> None:
    """Wait until a program answers. Raises ``TimeoutError``, after telling the end of what it logged."""
    try:
        async with asyncio.timeout(_START_SECONDS):
            while not await asyncio.to_thread(answers):  # noqa: ASYNC110 - another process gives no event
                await asyncio.sleep(_AGAIN_SECONDS)
    except TimeoutError:
        said = await asyncio.to_thread(log.read_text, "utf-8", errors="replace")
        sys.stderr.write(said[-_LOG_CHARACTERS:])
        raise
