"""The desk: where reports are asked for, looked at and cancelled. The gate decides, the database keeps.

An ask is written down before the gate decides on it, so that whoever hears of it from the gate finds it; it is gone again
when the gate refuses. Nothing that is not written down has an address.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from reports.apart import StorageLostError
from reports.codec import report_of
from reports.exceptions import DeskClosedError, WishRefusedError
from reports.exports.forms import FORMS, is_heavy
from reports.filed import Filed
from reports.foreseeing import Foresee
from reports.lease import STOPS
from reports.models import AskState as KeptState
from reports.models import RunState
from reports.records import Reason, Report, ReportStatus, Standing, Wish
from reports.sealing import digest_of, new_token
from reports.stopping import why_failed
from reports.storage import KeptAsk
from reports.workshop import Office
from search.exceptions import Fault, InvalidQuestionError
from search.parameters import Asked
from throttling import load
from throttling.load import Answer, AskState
from throttling.load_progress import foreseen_size
from throttling.store import StoreLostError

BUSY_AGAIN: Final = timedelta(minutes=1)
"""When to come back when the machine is busy without reports: nobody knows, and this is soon."""
SIGN_DUE: Final = 4.0
"""Seconds after which a sign of life is overdue: a worker gives one every second, and a busy machine lets one come late."""
_TRIES: Final = 4
"""Of one ask at the gate: its own of before, the run of others and what comes after may each turn out to be gone."""


@dataclass(frozen=True, slots=True)
class _New:
    """What is asked of the gate, as ``LoadGate.ask`` has it."""

    ask: str
    requester: str
    digest: str
    run: str
    size: int
    kind: str


class Desk:
    """See ``reports.doors.ReportDesk``. ``read`` reads a target; it raises ``InvalidQuestionError``. ``foresee``: its parts."""

    def __init__(self, office: Office, read: Callable[[str], Asked], foresee: Foresee) -> None:
        self._store = office.store
        self._gate = office.gate
        self._storage = office.storage
        self._files = office.files
        self._passing = office.passing
        self._making = office.making
        self._seen = office.seen
        self._clock = office.clock
        self._read = read
        self._foresee = foresee

    async def ask(self, wish: Wish, requester: str) -> Standing:
        """Ask for a report; the same one where ``requester`` has asked for it already. Raises ``NoReportError``.

        Where the answer of the gate was lost, or the database just after it, whoever asks the same again gets the same report.
        """
        question = self._question(wish)
        target = question.address(pagina=None)
        token, run, at = new_token(), uuid.uuid4().hex, self._clock()
        ask = digest_of(token)
        making = self._making
        digest = self._storage.seal.mark(
            making.version, str(making.most_hits), str(making.most_texts), _in_any_order(target)
        )
        try:
            foreseen = await self._foresee(question)
            size = foreseen_size(await self._storage.last_sizes(), foreseen.parts)
            await self._storage.take_on(token, run, target, size, at)
        except (StoreLostError, StorageLostError) as failure:
            raise DeskClosedError from failure
        try:
            return await self._decide(_New(ask, requester, digest, run, size, foreseen.kind))
        except (StoreLostError, StorageLostError) as failure:
            raise DeskClosedError(unsure=True) from failure

    async def standing(self, token: str) -> Standing | None:
        """How it stands; None when no report has this token (any more). Raises ``DeskClosedError``."""
        try:
            return await self._standing(digest_of(token))
        except (StoreLostError, StorageLostError) as failure:
            raise DeskClosedError from failure

    async def report(self, token: str) -> Report | None:
        """What it says; None unless it is ready. Raises ``DeskClosedError``."""
        try:
            kept = await self._storage.asked(digest_of(token), self._clock())
            if kept is None or kept.state is not KeptState.OPEN:
                return None
            found = await self._storage.made(kept.run)
            if found is None:
                return None
            made, at = found
            report = report_of(made, kept.target, kept.version, at, kept.asked_at)
            if not is_heavy(report):
                return report
            return replace(report, lacks=await self._files.lacking(kept.run, tuple(FORMS)))
        except StorageLostError as failure:
            raise DeskClosedError from failure

    async def file(self, token: str, form: str) -> Filed | None:
        """A file of it that the worker wrote; None where there is none. Raises ``DeskClosedError``."""
        try:
            return await self._files.fetch(token, form, self._clock())
        except StorageLostError as failure:
            raise DeskClosedError from failure

    async def cancel(self, token: str) -> Standing | None:
        """Nobody wants it any more. Cancelled again, or already done: how it stands. Raises ``DeskClosedError``."""
        ask, at = digest_of(token), self._clock()
        try:
            kept = await self._storage.asked(ask, at)
        except StorageLostError as failure:
            raise DeskClosedError from failure
        if kept is None:
            return None
        try:
            if kept.state is KeptState.OPEN and kept.run_state is RunState.OPEN:
                state, events = await self._gate.cancel(ask)
                await self._passing.on(events)
                if state is AskState.CANCELLED:
                    await self._store.publish(STOPS, kept.run)
                    await self._storage.end_ask(ask, KeptState.CANCELLED, None, None, at)
            return await self._standing(ask)
        except (StoreLostError, StorageLostError) as failure:
            raise DeskClosedError(unsure=True) from failure

    def _question(self, wish: Wish) -> Asked:
        """The question that is asked. Raises ``WishRefusedError``."""
        try:
            asked = self._read(wish.target)
        except InvalidQuestionError as failure:
            too_long = any(fault.fault is Fault.TOO_LONG for fault in failure.faults)
            raise WishRefusedError(Reason.TOO_LONG if too_long else Reason.NOTHING) from failure
        if asked.is_empty:
            raise WishRefusedError(Reason.NOTHING)
        return asked

    async def _decide(self, new: _New) -> Standing:
        """What the gate says of an ask that is written down."""
        asked = await self._asked(new)
        self._seen.count(f"refused:{asked.reason.value}" if asked.reason else f"asked:{asked.answer.value}")
        if asked.answer in {Answer.REFUSED, Answer.SAME}:
            with suppress(StorageLostError):  # upkeep ends what stays
                await self._storage.drop(new.ask, new.run)
        if asked.answer is Answer.REFUSED:
            raise self._refusal(asked)
        standing = await self._standing(asked.ask)
        if standing is None:
            raise DeskClosedError(unsure=True)  # removed at this very moment
        return standing

    async def _asked(self, new: _New) -> load.Asked:
        """What the gate says, where that is written down; else the gate forgets what is not, and is asked again."""
        for _ in range(_TRIES):
            try:
                asked = await self._gate.ask(new.ask, new.requester, new.digest, new.run, new.size, new.kind)
            except StoreLostError as failure:
                if await self._took_back(new.ask, new.run):
                    raise DeskClosedError from failure
                raise
            await self._passing.on(asked.events)
            try:
                if await self._is_written(asked, new.ask, new.run):
                    return asked
            except StorageLostError as failure:
                if asked.answer is Answer.SAME:
                    raise
                await self._passing.on(await self._gate.forget(new.ask))
                raise DeskClosedError from failure
            unknown = self._gate.forget(asked.ask) if asked.answer is Answer.SAME else self._gate.forget(run=asked.run)
            await self._passing.on(await unknown)
        raise DeskClosedError

    async def _took_back(self, ask: str, run: str) -> bool:
        """The gate may have decided though its answer was lost: what it may still hold keeps its row, for upkeep to end."""
        try:
            await self._passing.on(await self._gate.forget(ask))
        except StoreLostError:
            return False
        with suppress(StorageLostError):
            await self._storage.drop(ask, run)
        return True

    async def _is_written(self, asked: load.Asked, ask: str, run: str) -> bool:
        """Whether the database has what the gate answers with; where that is another run, it answers this ask from now on.

        What failed there is nothing to answer with, also where the gate was not told so; nor is what was made and cannot be
        read any more.
        """
        if asked.answer is Answer.SAME:
            kept = await self._storage.asked(asked.ask, self._clock())
            if kept is None or kept.run_state is RunState.FAILED:
                return False
            return kept.run_state is not RunState.READY or await self._storage.made(kept.run) is not None
        if asked.answer is Answer.REFUSED or asked.run == run:
            return True
        if asked.answer is Answer.READY and await self._storage.made(asked.run) is None:
            return False
        return await self._storage.join(ask, run, asked.run)

    def _refusal(self, asked: load.Asked) -> WishRefusedError:
        reason = Reason.read(asked.reason.value) if asked.reason else Reason.BROKEN
        wait = BUSY_AGAIN if reason is Reason.FULL else timedelta(seconds=asked.come_back)
        return WishRefusedError(reason, self._clock() + wait)

    async def _standing(self, ask: str) -> Standing | None:
        kept = await self._storage.asked(ask, self._clock())
        if kept is None:
            return None
        if kept.state is not KeptState.OPEN or kept.run_state is not RunState.OPEN:
            return self._ended(kept)
        seen, events = await self._gate.see(ask)
        await self._passing.on(events)
        if seen is None or seen.state not in {
            AskState.WAITS,
            AskState.RUNS,
        }:  # what just ended may be written down by now
            kept = await self._storage.asked(ask, self._clock()) or kept
            if kept.state is not KeptState.OPEN or kept.run_state is not RunState.OPEN:
                return self._ended(kept)
        return self._open(kept, seen)

    def _ended(self, kept: KeptAsk) -> Standing:
        """As the database says it ended."""
        if kept.state is not KeptState.OPEN:
            status = ReportStatus(kept.state.value)
            return self._made(kept, status, reason=kept.reason, ended_at=kept.ended_at)
        return self._made(kept, ReportStatus(kept.run_state.value), reason=kept.run_reason, ended_at=kept.run_ended_at)

    def _open(self, kept: KeptAsk, seen: load.Standing | None) -> Standing:
        """As the gate says it stands; where that is an end, the database does not know of it yet."""
        if seen is None:
            return self._made(kept, ReportStatus.FAILED, reason=Reason.STORE)
        match seen.state:
            case AskState.WAITS | AskState.RUNS | AskState.READY:
                return self._made(kept, _under_way(seen), seen=seen)
            case AskState.REFUSED:
                return self._made(kept, ReportStatus.REFUSED, reason=(seen.reason or load.Reason.WAIT).value)
            case AskState.FAILED:
                why = why_failed(seen, self._gate.rules.deaths)
                return self._made(kept, ReportStatus.FAILED, reason=why.value)
            case _:
                return self._made(kept, ReportStatus.CANCELLED)

    def _made(
        self,
        kept: KeptAsk,
        status: ReportStatus,
        *,
        reason: str = "",
        ended_at: datetime | None = None,
        seen: load.Standing | None = None,
    ) -> Standing:
        now = self._clock()
        start_in = seen.start_in if seen is not None and status is ReportStatus.WAITS else None
        return Standing(
            token=kept.token,
            wish=Wish(kept.target),
            status=status,
            place=seen.place if seen is not None else 0,
            start_in=start_in,
            start_at=None if start_in is None else now + timedelta(seconds=start_in),
            done=kept.done if seen is None else seen.done,
            size=kept.size if seen is None else seen.size,
            reason=Reason.read(reason) if reason else None,
            come_back_at=kept.come_back_at,
            asked_at=kept.asked_at,
            finished_at=ended_at,
            kept_until=kept.kept_until,
            version=kept.version,
            now=now,
            longest_wait=self._gate.rules.longest_minutes,
            last_sign=_last_sign(seen, now) if status is ReportStatus.BUSY else None,
        )


def _under_way(seen: load.Standing) -> ReportStatus:
    """How it stands with what the gate has not ended, or has just now. What a worker took is being made from then on."""
    if seen.state is AskState.READY:
        return ReportStatus.BUSY
    if seen.unmanned:
        return ReportStatus.UNMANNED
    if seen.state is AskState.WAITS:
        return ReportStatus.WAITS
    return ReportStatus.REQUESTED if seen.left_at is not None and not seen.done else ReportStatus.BUSY


def _last_sign(seen: load.Standing | None, now: datetime) -> datetime | None:
    """When its worker last gave a sign of life, where that is longer ago than one gives them."""
    if seen is None or seen.heard_at is None or seen.now - seen.heard_at <= SIGN_DUE:
        return None
    return now - timedelta(seconds=seen.now - seen.heard_at)


def _in_any_order(target: str) -> str:
    """The same for the same choices, in whatever order somebody made them (rule L7)."""
    return "&".join(sorted(target.split("&")))
