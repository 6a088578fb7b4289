"""A data folder as ``./start`` prepares it, and what an application that runs on it may not log.

An application without its database goes on, and tries again each second: it would be measured while it fails.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from besluitbron.running.alone import PREPARE
from besluitbron.running.layout import PROJECT
from besluitbron.running.options import read_options

_FINE: Final = frozenset({"debug", "info"})
_SHOWN: Final = 5


class FailuresLoggedError(Exception):
    """An application told of failures while it was measured; ``lines`` are the first of them, as it wrote them."""

    def __init__(self, name: str, lines: tuple[str, ...]) -> None:
        super().__init__(f"{name} logged failures: {'; '.join(lines[:_SHOWN])}")
        self.name = name
        self.lines = lines


def failures(log: str) -> tuple[str, ...]:
    """The lines of a log that tell of a failure: those of a warning or worse, and all that are not of our own format."""
    return tuple(line for line in log.splitlines() if line.strip() and not _is_fine(line))


def _is_fine(line: str) -> bool:
    try:
        said: Any = json.loads(line)
    except ValueError:
        return False
    return isinstance(said, dict) and said.get("level") in _FINE


@asynccontextmanager
async def prepared(**settings: str) -> AsyncIterator[Mapping[str, str]]:
    """The settings of an application with a database of its own, in a folder that goes away. None of the machine's counts.

    Raises ``CalledProcessError`` when there is no database to be made.
    """
    with tempfile.TemporaryDirectory(prefix="besluitbron-") as folder:
        yield await prepare(Path(folder), **settings)


async def prepare(folder: Path, **settings: str) -> Mapping[str, str]:
    """The same, in a folder of the caller's."""
    options = read_options({"BESLUITBRON_DATA": str(folder), **settings})
    options.layout.make_folders()
    environment = {**options.environment(), **settings}
    process = await asyncio.create_subprocess_exec(*PREPARE, env={**machine(), **environment}, cwd=PROJECT)
    code = await process.wait()
    if code:
        raise subprocess.CalledProcessError(code, PREPARE)
    return environment


def machine() -> dict[str, str]:
    """The environment of this process without any setting of ours."""
    return {name: value for name, value in os.environ.items() if not name.startswith("BESLUITBRON_")}
