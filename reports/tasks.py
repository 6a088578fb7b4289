"""Reports in the background: making one, and looking after all."""

from __future__ import annotations

import asyncio
import threading
import uuid
from contextlib import suppress
from typing import Final

import structlog
from celery import shared_task
from celery.signals import worker_shutting_down

from reports import upkeep
from reports.apart import StorageLostError
from reports.running import Run
from reports.workshop import open_house
from throttling.store import StoreLostError

log = structlog.get_logger(__name__)
_ENDING: Final = threading.Event()
_CLOSING: Final = 1.0
"""Seconds in which a worker that ends stops taking tasks: what it gives back should go to another."""
_UNDER_WAY: set[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = set()


@shared_task(ignore_result=True)
def build(run: str) -> None:
    """Make the report of a run that the gate started; nothing when another worker has it, or this one is ending.

    A start that an ending worker got is said again after a lease.
    """
    asyncio.run(_build(run))


@shared_task(ignore_result=True)
def look_after() -> None:
    """Put right what gate and database do not agree on, and remove what is old."""
    asyncio.run(_look_after())


async def _look_after() -> None:
    async with open_house().office() as office:
        try:
            await upkeep.look_after(office)
        except (StoreLostError, StorageLostError) as failure:
            log.warning("reports_not_looked_after", failure=type(failure).__name__)


async def _build(run: str) -> None:
    house, loop, task = open_house(), asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    under_way = (loop, task)
    _UNDER_WAY.add(under_way)
    try:
        if _ENDING.is_set():
            return
        async with house.office() as office:
            making = Run(office, house.workshop, run, uuid.uuid4().hex[:12])
            try:
                await making.go()
            except asyncio.CancelledError:
                await asyncio.sleep(_CLOSING)
                await making.give_back()
                raise
    except asyncio.CancelledError:
        log.info("report_left", why="worker_ends")
    finally:
        _UNDER_WAY.discard(under_way)


@worker_shutting_down.connect
def let_go(**_: object) -> None:
    """A worker that is asked to end leaves its reports to the next one, which goes on from their last part."""
    _ENDING.set()
    for loop, task in tuple(_UNDER_WAY):
        with suppress(RuntimeError):  # it ended just now
            loop.call_soon_threadsafe(task.cancel)
