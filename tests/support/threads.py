"""Work with the database in a thread, as operators' pages do it, by a connection that nobody had before and nobody gets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.db import connections

_T = TypeVar("_T")
_P = ParamSpec("_P")


async def in_thread(work: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
    """What ``work`` gives. A connection left in a thread would still be one to the database of an earlier test."""

    def alone() -> _T:
        connections.close_all()
        try:
            return work(*arguments, **named)
        finally:
            connections.close_all()

    return await asyncio.to_thread(alone)
