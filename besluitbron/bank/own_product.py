"""Products of the bank's own: with all that the stand-ins hold, limits that are soon free again, and room for much."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from types import MappingProxyType
from typing import Final

from besluitbron.running.alone import alone
from besluitbron.running.layout import PROJECT
from besluitbron.running.options import Options

_PLENTY: Final = 10_000
_ASSUMED: Final = ("officiele-bekendmakingen", "rechtspraak", "open-archivaris")
"""Platforms whose limits are our own guess: those may be larger here, the one that is published may not."""
_DOOR: Final = f"connector={_PLENTY},session={_PLENTY}"
_SETTINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "BESLUITBRON_PLATFORMS": "stand-ins",
        "BESLUITBRON_LIMIET_SPREIDEN": "nee",
        "BESLUITBRON_LIMIET_EENHEDEN": ",".join(f"{key}={_PLENTY}/60" for key in _ASSUMED),
        "BESLUITBRON_MCP_RATE_LIMIT": f"process={_PLENTY},{_DOOR}",
        "BESLUITBRON_PAGINA_RATE_LIMIT": _DOOR,
        "BESLUITBRON_API_RATE_LIMIT": _DOOR,
    }
)
_MIGRATE: Final = (sys.executable, str(PROJECT / "manage.py"), "migrate", "--no-input", "--verbosity", "0")


@contextmanager
def own_products(count: int) -> Iterator[tuple[str, ...]]:
    """Start so many, side by side, and end them with the context; gives their addresses. Raises ``NotStartedError``.

    More than one, because each keeps to the limits of the platforms, as any product does, and together they need not wait.
    """
    with ExitStack() as ending, ThreadPoolExecutor(count) as starting:
        products = [ending.enter_context(alone(_SETTINGS, _stand_ins, _MIGRATE)) for _ in range(count)]
        for one in [starting.submit(product.start) for product in products]:
            one.result()
        yield tuple(product.options.address for product in products)


def _stand_ins(options: Options) -> Sequence[str]:
    """The stand-ins as ``besluitbron.bank.standins`` makes them."""
    where = ("--host", "127.0.0.1", "--port", str(options.stand_ins_port))
    return (sys.executable, "-m", "uvicorn", "besluitbron.bank.standins:application", "--no-access-log", *where)
