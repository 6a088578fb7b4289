"""The database as contracts ask it: in two threads of their own, with a connection for as long as it is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

import structlog
from django.db import Error, connections, transaction

from throttling.own_threads import OwnThreads

log = structlog.get_logger(__name__)
_T = TypeVar("_T")
_P = ParamSpec("_P")
CONNECTIONS: Final = 2
"""Threads, and so connections, of one process."""


class BooksLostError(Exception):
    """The database cannot be read or written now: it is away, locked for too long, or the disk is full."""


class Books:
    """Does in a thread what the functions of ``admission.storage`` and ``admission.approvals`` do."""

    def __init__(self) -> None:
        self._threads = OwnThreads(CONNECTIONS, "contracten", connections.close_all)

    async def __call__(self, work: Callable[_P, _T], *given: _P.args, **named: _P.kwargs) -> _T:
        """What ``work`` gives, in one transaction. Raises ``BooksLostError``, and whatever ``work`` raises by itself."""

        def alone() -> _T:
            with transaction.atomic():
                return work(*given, **named)

        try:
            return await self._threads(alone)
        except (Error, OSError) as failure:
            log.warning("contracts_database_lost", failure=type(failure).__name__)
            raise BooksLostError from failure

    def close(self) -> None:
        """Wait until the threads are done, and end them."""
        self._threads.close()
