"""How the making of reports is put together, by the settings: for the website, and for the workers."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Final

from django.conf import settings

from besluitbron.background import in_the_background
from besluitbron.composition import Reach, open_federation, open_reach
from besluitbron.postgres.places import PLACES, counted
from besluitbron.shared_measuring import SharedMeasuring
from connectors.moments import now
from reports import page
from reports.apart import Apart
from reports.desk import Desk
from reports.exports.pressing import Press
from reports.filed import Files
from reports.foreseeing import foreseer
from reports.passing import Passing
from reports.rules import Following
from reports.sealing import Seal
from reports.signals import SEEN, Noting
from reports.storage import Storage
from reports.work import BUILDING
from reports.workshop import Making, Office, Workshop
from search.federation import Federation, Patience
from search.organisations import Bodies
from search.parameters import Asked
from throttling.load import LoadGate
from throttling.load_rules import MEASURED, LoadRules, Signal
from throttling.load_signals import Measuring, processor_share

_WORKER: Final = frozenset({Signal.PROCESSOR, Signal.DATABASE})
APART: Final = Apart()
"""The database for all reports of this process: a worker that makes twenty at once has no more connections than one."""
PATIENCE: Final = Patience(after_sent=60.0, page=900.0, kept=0.0)
"""How long a report waits for one call: nobody looks."""
PRESS_SECONDS: Final = 600.0
"""How long setting a paper with very many rows may take in a worker. Two thousand take five seconds of a processor; on a full
machine a child that steps back for everybody else may need ten times as long."""


def making() -> Making:
    """How reports are made here."""
    options = settings.OPTIONS.reporting
    return Making(version=settings.VERSION, most_hits=options.most_hits, most_texts=options.most_texts)


def _reader(register: Bodies) -> Callable[[str], Asked]:
    """Reads the question in a target. Raises ``InvalidQuestionError``."""
    return partial(page.read, register=register)


def _storage() -> Storage:
    return Storage(Seal(settings.REPORT_KEY), settings.VERSION, APART)


def _passing(storage: Storage) -> Passing:
    return Passing(storage, in_the_background, now)


@asynccontextmanager
async def open_office(reach: Reach, looks: frozenset[Signal] = frozenset(MEASURED)) -> AsyncIterator[Office]:
    """The gate with the rules that hold, and what is kept, open for as long as the context lasts.

    ``looks``: which signals this process measures meanwhile. Who measures pages also notes each minute for operators.
    """
    gate, process = LoadGate(reach.store, LoadRules(), work=BUILDING), uuid.uuid4().hex[:12]
    PLACES.follow(lambda: gate.rules)
    storage = _storage()
    passing = _passing(storage)
    gauges = {Signal.PROCESSOR: processor_share, Signal.DATABASE: APART.share, Signal.PAGE: SEEN.pages.share}
    measuring = Measuring(gate, process, {one: gauges[one] for one in MEASURED if one in looks}, passing.on)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(Following(gate, APART))
        if looks:
            await stack.enter_async_context(measuring)
        if Signal.PAGE in looks:
            await stack.enter_async_context(Noting(SEEN, gate, APART, passing.on, now))
        yield Office(
            store=reach.store,
            gate=gate,
            storage=storage,
            files=Files(storage.seal, APART),
            passing=passing,
            making=making(),
            seen=SEEN,
            clock=now,
        )


@asynccontextmanager
async def _measured() -> AsyncIterator[None]:
    """What a worker measures, with a connection of its own."""
    with counted():
        async with open_reach() as reach, open_office(reach, _WORKER):
            yield


MEASURING: Final = SharedMeasuring(_measured)
"""Of this process, while it makes reports."""


def make_desk(office: Office, federation: Federation) -> Desk:
    """The desk of this process."""
    return Desk(office, _reader(federation.register), foreseer(federation, office.making))


class ReportHouse:
    """What the workers work with (``reports.workshop.House``)."""

    _reach: Reach

    @asynccontextmanager
    async def office(self) -> AsyncIterator[Office]:
        """For upkeep, and for taking a run. Nothing is measured: neither is work.

        Whatever is done within holds a seat for each connection with PostgreSQL, also for turns, lists and what was taken down.
        """
        with counted():
            async with open_reach() as self._reach, open_office(self._reach, frozenset()) as office:
                yield office

    def passing(self) -> Passing:
        """For whoever only looks at the gate."""
        return _passing(_storage())

    @asynccontextmanager
    async def workshop(self) -> AsyncIterator[Workshop]:
        """For making one report."""
        async with MEASURING.under_way(), open_federation(self._reach) as federation:
            patient = replace(federation, patience=PATIENCE)
            yield Workshop(
                federation=patient,
                read=_reader(federation.register),
                site=settings.SITE_ADDRESS,
                press=Press(PRESS_SECONDS),
            )
