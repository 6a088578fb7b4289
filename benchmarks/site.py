"""The product for a benchmark, started as ``besluitbron.running.alone`` does, and further programs beside it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from besluitbron.running.alone import NotStartedError, alone
from besluitbron.running.layout import PROJECT
from besluitbron.running.options import Options

LOOPBACK: Final = "127.0.0.1"
_START_SECONDS: Final = 60.0
_AGAIN_SECONDS: Final = 0.05
_LOG_CHARACTERS: Final = 2000


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
    """The product with these settings in its environment, in a folder that goes away. Raises ``NotStartedError``."""
    with alone(settings) as product:
        try:
            await asyncio.to_thread(product.start)
        except NotStartedError as failure:
            sys.stderr.write(failure.log)
            raise
        yield Site(product.options, product.environment)


@asynccontextmanager
async def process(
    command: list[str], environment: Mapping[str, str], log: Path, *, alone: bool = False
) -> AsyncIterator[None]:
    """A program of ours, ended when the context is left. ``alone``: in a session of its own, as ``./start`` runs each part."""
    with log.open("ab") as said:
        running = await asyncio.create_subprocess_exec(
            *command, env=environment, cwd=PROJECT, stdout=said, stderr=said, start_new_session=alone
        )
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
