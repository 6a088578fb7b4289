"""The printable form, set by a child process: bounded in time, memory and size, one at a time in each process of ours."""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

import structlog

from throttling.own_time import not_ours

log = structlog.get_logger(__name__)
_T = TypeVar("_T")
_HERE: Final = Path(__file__).parent
_FOLDER: Final = _HERE / "typesetting"
SECONDS: Final = 60.0
"""How long a turn is waited for, and how long setting may take after that; the largest report takes some seconds."""
_PROCESSOR_SHARE: Final = 2 / 3
"""So much of its time the processor may be busy with it."""
_MEMORY: Final = 2 * 1024**3
_MOST_BYTES: Final = 64 * 1024**2
_MOST_WAITING: Final = 4


class NotPrintedError(Exception):
    """There is no printable form now. ``busy``: others are being set; else it cannot be set at all."""

    def __init__(self, *, busy: bool) -> None:
        super().__init__(busy)
        self.busy = busy


class Press:
    """Sets one report at a time; a few may wait."""

    def __init__(self, seconds: float = SECONDS, folder: Path = _FOLDER) -> None:
        self._seconds = seconds
        self._folder = folder
        self._turn = asyncio.Semaphore(1)
        self._waiting = 0

    async def set(self, given: bytes) -> bytes:
        """The PDF of what ``printable.as_input`` gave. Raises ``NotPrintedError``."""
        if self._waiting >= _MOST_WAITING:
            raise NotPrintedError(busy=True)
        self._waiting += 1
        try:
            with not_ours():  # another process sets it, at its leisure
                return await self._in_turn(given)
        finally:
            self._waiting -= 1

    async def _in_turn(self, given: bytes) -> bytes:
        await self._within(self._turn.acquire(), busy=True)
        try:
            return await self._within(self._run(given), busy=False)
        finally:
            self._turn.release()

    async def _within(self, work: Awaitable[_T], *, busy: bool) -> _T:
        try:
            async with asyncio.timeout(self._seconds):
                return await work
        except TimeoutError as error:
            log.warning("report_not_printed_in_time", waited=busy)
            raise NotPrintedError(busy=busy) from error

    async def _run(self, given: bytes) -> bytes:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", str(_HERE / "press.py"), str(self._folder)),
            *(str(math.ceil(self._seconds * _PROCESSOR_SHARE)), str(_MEMORY)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # it may quote what somebody asked
            env={},
        )
        try:
            made, _ = await process.communicate(given)
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if process.returncode or not made or len(made) > _MOST_BYTES:
            log.error("report_not_printed", code=process.returncode, bytes=len(made))
            raise NotPrintedError(busy=False)
        return made
