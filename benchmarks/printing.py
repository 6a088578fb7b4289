"""What every benchmark's command has: its option, how it prints, and how busy the machine was meanwhile."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine, Mapping
from typing import Any


def command(name: str) -> argparse.ArgumentParser:
    """The options of ``python -m benchmarks.<name>``."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}")
    parser.add_argument("--json", action="store_true", help="een regel JSON in plaats van een lijst")
    return parser


def printed(found: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the figures."""
    sys.stdout.write(json.dumps(found, indent=None if as_json else 2) + "\n")


def measure(name: str, figures: Callable[[], Coroutine[Any, Any, Mapping[str, Any]]]) -> None:
    """Measure, and print, as the options of the command say."""
    options = command(name).parse_args()
    printed(asyncio.run(figures()), as_json=options.json)


def load() -> float:
    """How many processes wanted to run on each core in the last minute."""
    return round(os.getloadavg()[0] / (os.cpu_count() or 1), 2)
