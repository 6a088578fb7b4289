"""Making one report, from its turn at the gate to its end: part by part, so that another worker goes on where one stopped.

A part is a page of hits of one platform, or the text of one thing; the last is to put it all together. What is kept of one is
the same whoever makes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

import structlog

from connectors.records import Hit
from reports.apart import StorageLostError
from reports.codec import HitsPart, Made, UnreadableError, report_of, unpack
from reports.collecting import Lane, still_to_come, sum_up, taken, to_ask, to_read
from reports.exports.forms import heavy
from reports.foreseeing import LAST, LAST_PARTS
from reports.lease import Lease, LeaseLostError, NotWantedError
from reports.models import RunState
from reports.page import subject
from reports.reading import Asking, Pause
from reports.records import Reading, Reason, Report
from reports.workshop import Office, Workshop
from search.exceptions import InvalidQuestionError
from search.federation import Federation
from search.parameters import Asked
from search.same import SameItem
from throttling.load import AskState
from throttling.load_progress import Progress
from throttling.store import StoreLostError, monotonic

log = structlog.get_logger(__name__)
OpenShop = Callable[[], AbstractAsyncContextManager[Workshop]]
_TRIES: Final = 5
_APART: Final = 1.0
_T = TypeVar("_T")


class NoReportError(Exception):
    """This run comes to nothing."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class Run:
    """One run in the hands of one worker. ``pause`` waits so many seconds: a test's does not."""

    def __init__(
        self, office: Office, open_shop: OpenShop, run: str, worker: str, pause: Pause = asyncio.sleep
    ) -> None:
        self._office = office
        self._open_shop = open_shop
        self._run = run
        self._worker = worker
        self._pause = pause
        self._parts: Mapping[str, bytes] = {}
        self._take = 0
        self._read_at = 0.0
        self._why = ""
        self.progress = Progress(1)

    async def go(self) -> None:
        """Begin, make it, and end. Nothing is raised: what goes wrong is a reason, or the lease ends by itself."""
        office = self._office
        try:
            taken_up, events = await office.gate.take(self._run, self._worker)
            await office.passing.on(events)
            if taken_up is None:
                return
            self.progress = Progress(taken_up.size, taken_up.done)
            outcome = await self._under_lease()
            _, events = await office.gate.done(self._run, self._worker, outcome, self._why)
            await office.passing.on(events)
        except StoreLostError:
            log.warning("report_left", why="store")
        except LeaseLostError:
            log.warning("report_left", why="lease")

    async def give_back(self) -> None:
        """This worker must end: another may go on at once. Where the gate does not hear of it, the lease ends by itself."""
        with suppress(StoreLostError):
            _, events = await self._office.gate.give_back(self._run, self._worker)
            await self._office.passing.on(events)

    async def _under_lease(self) -> AskState:
        """How it ended. Raises ``LeaseLostError`` when that is not ours to say."""
        office = self._office
        lease = Lease(office, self._run, self._worker, self.progress)
        try:
            return await lease.hold(self._make())
        except NotWantedError:
            await self._forget()
            return AskState.STOPPED
        except NoReportError as failure:
            await self._fail(failure.reason)
        except (LeaseLostError, StoreLostError):
            raise
        except Exception:
            log.exception("report_broken")
            await self._fail(Reason.BROKEN)
        return AskState.FAILED

    async def _make(self) -> AskState:
        storage = self._office.storage
        begun = await self._tried(lambda: storage.begin(self._run))
        if begun is None:
            raise NoReportError(Reason.BROKEN)
        if begun.state is not RunState.OPEN:
            return AskState.READY if begun.state is RunState.READY else AskState.FAILED
        self._parts, self._take = begun.parts, begun.take
        self.progress.begin(len(begun.parts))
        async with self._open_shop() as shop:
            made = await self._made(shop, begun.target)
            at = self._office.clock()
            report = report_of(made, begun.target, self._office.making.version, at)
            await self._file(shop, report)
        if not await self._tried(lambda: storage.finish(self._run, made, self.progress.done + 1, at)):
            return AskState.FAILED  # it was stopped, and the gate does not know of it
        self.progress.passed()
        LAST_PARTS.took(report.overview.number + len(report.cuts), monotonic() - self._read_at)
        return AskState.READY

    async def _made(self, shop: Workshop, target: str) -> Made:
        """Its contents. Raises ``NoReportError``."""
        making = self._office.making
        try:
            asked = shop.read(target)
        except InvalidQuestionError as failure:
            raise NoReportError(Reason.NOTHING) from failure
        asking = Asking(shop.federation, asked.query.text.terms, self._pause)
        lanes = await self._collect(asked, shop.federation, asking)
        if not any(lane.pages and not lane.pages[0].failed for lane in lanes):
            raise NoReportError(Reason.NO_SOURCE)
        hits = taken(lanes, making.most_hits)
        self.progress.foresee_last(LAST_PARTS.foreseen(sum(map(len, hits.values()))))
        readings = await self._read(to_read(hits, making.most_texts), asking)
        self._read_at = monotonic()
        self.progress.begin_last(lambda: monotonic() - self._read_at)
        return await asyncio.to_thread(
            sum_up, lanes, readings, most_hits=making.most_hits, most_texts=making.most_texts
        )

    async def _file(self, shop: Workshop, report: Report) -> None:
        """Write the files of a report with very many rows, so that nobody has to wait for them later (rule L1)."""
        about = subject(report.wish, shop.federation.register)
        async with aclosing(heavy(report, about, shop.site, shop.press)) as files:
            async for form, content in files:
                await self._tried(partial(self._office.files.keep, self._run, form, content))

    async def _collect(self, asked: Asked, federation: Federation, asking: Asking) -> list[Lane]:
        """Page after page of all platforms, those that need one side by side."""
        making = self._office.making
        query = asked.broad(federation.register)
        lanes = [Lane(connector.platform.key) for connector in federation.chosen(asked.platforms)]

        async def next_page(lane: Lane) -> None:
            number = len(lane.pages) + 1
            page = await self._part(
                f"treffers:{lane.platform}:{number}",
                HitsPart,
                lambda: asking.page(lane.platform, replace(query, page=number)),
            )
            lane.pages.append(page)
            self.progress.expect(still_to_come(lanes, making.most_hits, making.most_texts) + LAST)

        while asks := to_ask(lanes, making.most_hits):
            await _all(next_page(lane) for lane in asks)
        return lanes

    async def _read(self, items: list[SameItem[Hit]], asking: Asking) -> dict[str, Reading]:
        """The texts of these things, those of one platform one after another."""
        readings: dict[str, Reading] = {}

        async def of_platform(own: list[SameItem[Hit]]) -> None:
            for item in own:
                reading = await self._part(
                    f"tekst:{self._office.storage.seal.mark(item.first.id)[:40]}",
                    Reading,
                    lambda item=item: asking.reading(item),  # type: ignore[misc]  # a default, so that each has its own
                    item.first.platform,
                )
                readings[reading.hit] = reading

        lanes: dict[str, list[SameItem[Hit]]] = {}
        for item in items:
            lanes.setdefault(item.first.platform, []).append(item)
        self.progress.settle({platform: len(own) for platform, own in lanes.items()}, LAST)
        await _all(of_platform(own) for own in lanes.values())
        return readings

    async def _part(self, key: str, kind: type[_T], make: Callable[[], Awaitable[_T]], lane: str = "") -> _T:
        """A part as it was kept, or made now and kept; ``lane``: of which platform it is a text."""
        kept = self._parts.get(key)
        if kept is not None:
            try:
                value = unpack(kind, kept)
            except UnreadableError:
                log.warning("report_part_unreadable")
            else:
                self.progress.passed(lane)
                return value
        began = monotonic()
        value = await make()
        await self._tried(lambda: self._office.storage.keep_part(self._run, key, value))
        self.progress.passed(lane, monotonic() - began)
        return value

    async def _tried(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """What the database gives, tried a few times. Raises ``NoReportError`` when it does not come back."""
        for attempt in range(1, _TRIES):
            try:
                return await work()
            except StorageLostError:
                await self._pause(_APART * attempt)
        try:
            return await work()
        except StorageLostError as failure:
            raise NoReportError(Reason.DISK) from failure

    async def _fail(self, reason: Reason) -> None:
        """Write down that it came to nothing; where that cannot be, the gate hears why, and upkeep writes it down later."""
        self._why = reason.value
        log.warning("report_failed", reason=reason.value)
        try:
            done, size = self.progress.done, self.progress.size
            await self._office.storage.fail(self._run, reason, done, size, self._office.clock(), take=self._take)
        except StorageLostError:
            log.warning("report_failure_not_written")

    async def _forget(self) -> None:
        try:
            await self._office.storage.throw_away([self._run])
        except StorageLostError:
            log.warning("report_parts_left")


async def _all(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """All of these side by side; when one fails, the others end."""
    tasks = [asyncio.get_running_loop().create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
