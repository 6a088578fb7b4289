"""What the database keeps of reports: asks, runs, and parts of runs that are not done. What they are of is sealed.

Whatever is done twice gives the same: a worker that comes back from the dead, or two at once, break nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F

from reports.apart import Apart
from reports.codec import Made, UnreadableError, pack, unpack
from reports.models import (
    KEPT_FOR,
    MINUTES_FOR,
    AskState,
    LoadMinute,
    ReportAsk,
    ReportFile,
    ReportPart,
    ReportRun,
    RunState,
)
from reports.records import Reason
from reports.sealing import Seal, UnsealableError, digest_of
from throttling.load_progress import LATELY

_BEGUN: Final = timedelta(minutes=2)
_STOPS: Final = (Reason.STOPPED, Reason.DURATION)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAsk:
    """An ask with its run, as the database has them."""

    ask: str
    token: str = field(repr=False)
    target: str = field(repr=False)
    run: str
    asked_at: datetime
    kept_until: datetime
    state: AskState
    reason: str
    come_back_at: datetime | None
    ended_at: datetime | None
    run_state: RunState
    run_reason: str
    run_ended_at: datetime | None
    version: str
    done: int
    size: int


@dataclass(frozen=True, slots=True)
class OpenAsk:
    """An ask of which the database knows no end, and its run."""

    ask: str
    run: str


@dataclass(frozen=True, slots=True)
class Begun:
    """A run as its worker finds it: of what it is, and its parts as they were packed. ``state``: what became of it before.

    ``take``: how often a worker began with it, this time included.
    """

    target: str = field(repr=False)
    state: RunState
    parts: Mapping[str, bytes] = field(repr=False)
    take: int


class Storage:
    """The database of reports, for ``version``. Every method raises ``StorageLostError``."""

    def __init__(self, seal: Seal, version: str, apart: Apart) -> None:
        self.seal = seal
        self._version = version
        self._apart = apart

    async def take_on(self, token: str, run: str, target: str, size: int, at: datetime) -> None:
        """Write down an ask and a run for it, before anybody decides on it."""
        await self._apart(self._take_on, token, run, target, size, at)

    async def drop(self, ask: str, run: str) -> None:
        """It was not taken on after all."""
        await self._apart.write(_drop, ask, run)

    async def join(self, ask: str, own: str, run: str) -> bool:
        """Another run answers this ask, and its own is not needed. False, and nothing is changed: that one comes to nothing."""
        return await self._apart.write(_join, ask, own, run)

    async def asked(self, ask: str, now: datetime) -> KeptAsk | None:
        """The ask with this digest; None when there is none (any more)."""
        return await self._apart(self._asked, ask, now)

    async def end_ask(
        self, ask: str, state: AskState, reason: Reason | None, back: datetime | None, at: datetime
    ) -> None:
        """An open ask came to an end of its own."""
        told = {"state": state, "reason": reason or "", "come_back_at": back, "ended_at": at}
        await self._apart.write(_end_ask, ask, told)

    async def begin(self, run: str) -> Begun | None:
        """A worker begins: parts that another version made are thrown away, this one makes it now. None: no such run."""
        return await self._apart(self._begin, run)

    async def keep_part(self, run: str, key: str, value: object) -> None:
        """Keep a part; one that is there already stays."""
        await self._apart(self._keep_part, run, key, value)

    async def finish(self, run: str, made: Made, size: int, at: datetime) -> bool:
        """The run is ready: in one step with its parts, which are not needed any more. False: it had ended otherwise."""
        return await self._apart(self._finish, run, made, size, at)

    async def fail(  # noqa: PLR0913 - what is written down of it, and by whom
        self, run: str, reason: Reason, done: int, size: int, at: datetime, *, take: int = 0
    ) -> None:
        """The run comes to nothing; what is ready stays so. ``take``: of a worker, which ends nothing that another has."""
        told = {"state": RunState.FAILED, "reason": reason, "done": done, "size": size, "ended_at": at}
        await self._apart.write(_fail, run, told, take)

    async def stop(self, run: str, reason: Reason, done: int, size: int, at: datetime) -> bool:
        """The run is ended by us (``reports.stopping``). False: it had ended by itself."""
        return await self._apart.write(stop, run, reason, done, size, at)

    async def stopped(self, runs: Collection[str]) -> tuple[str, ...]:
        """Those of these runs that were ended by us."""
        return await self._apart(_stopped, runs)

    async def throw_away(self, runs: Iterable[str]) -> None:
        """Forget the parts of runs that nobody waits for."""
        await self._apart.write(_throw_away, tuple(runs))

    async def made(self, run: str) -> tuple[Made, datetime] | None:
        """What a ready run made, and when; None when it is not there or cannot be read."""
        return await self._apart(self._made, run)

    async def last_sizes(self) -> list[int]:
        """How many parts the last runs had that were made, the newest first."""
        return await self._apart(_last_sizes)

    async def open_asks(self, before: datetime) -> tuple[OpenAsk, ...]:
        """The asks from before a moment that did not end, as far as is written down."""
        return await self._apart(_open_asks, before)

    async def remove_old(self, now: datetime) -> None:
        """Remove what is not kept any more, with its question, and what nobody has an address of."""
        await self._apart.write(_remove_old, now)

    def _take_on(self, token: str, run: str, target: str, size: int, at: datetime) -> None:
        ask = ReportAsk(
            digest=digest_of(token),
            token=self.seal.close(token.encode()),
            run=run,
            asked_at=at,
            kept_until=at + KEPT_FOR,
        )
        one = ReportRun(run=run, wish=self.seal.close(target.encode()), version=self._version, size=size, asked_at=at)
        with self._apart.writing():
            ask.save(force_insert=True)
            one.save(force_insert=True)

    def _asked(self, digest: str, now: datetime) -> KeptAsk | None:
        ask = ReportAsk.objects.filter(digest=digest, kept_until__gt=now).first()
        if ask is None:
            return None
        run = ReportRun.objects.filter(run=ask.run).defer("body").first()
        if run is None:
            return None
        try:
            token, target = (self.seal.open(sealed).decode() for sealed in (ask.token, run.wish))
        except UnsealableError:
            return None
        return KeptAsk(
            ask=ask.digest,
            token=token,
            target=target,
            run=run.run,
            asked_at=ask.asked_at,
            kept_until=ask.kept_until,
            state=AskState(ask.state),
            reason=ask.reason,
            come_back_at=ask.come_back_at,
            ended_at=ask.ended_at,
            run_state=RunState(run.state),
            run_reason=run.reason,
            run_ended_at=run.ended_at,
            version=run.version,
            done=run.done,
            size=run.size,
        )

    def _begin(self, run: str) -> Begun | None:
        with self._apart.writing():
            one = ReportRun.objects.select_for_update().filter(run=run).defer("body").first()
            if one is None:
                return None
            if one.state == RunState.OPEN:
                if ReportPart.objects.filter(run=run).exclude(version=self._version).exists():
                    ReportPart.objects.filter(run=run).delete()
                ReportRun.objects.filter(pk=one.pk).update(version=self._version, takes=F("takes") + 1)
        try:
            parts = {part.key: self.seal.open(part.body) for part in ReportPart.objects.filter(run=run)}
            return Begun(self.seal.open(one.wish).decode(), RunState(one.state), parts, one.takes + 1)
        except UnsealableError:
            return None

    def _keep_part(self, run: str, key: str, value: object) -> None:
        body = self.seal.close(pack(value))
        part = ReportPart(run=run, key=key, version=self._version, body=body)
        with self._apart.writing():
            ReportPart.objects.bulk_create([part], ignore_conflicts=True)

    def _finish(self, run: str, made: Made, size: int, at: datetime) -> bool:
        body = self.seal.close(pack(made))
        ready = {"state": RunState.READY, "body": body, "done": size, "size": size, "ended_at": at}
        with self._apart.writing():
            ReportRun.objects.filter(run=run, state=RunState.OPEN).update(version=self._version, **ready)
            ReportPart.objects.filter(run=run).delete()
            return ReportRun.objects.filter(run=run, state=RunState.READY).exists()

    def _made(self, run: str) -> tuple[Made, datetime] | None:
        one = ReportRun.objects.filter(run=run, state=RunState.READY).first()
        if one is None or one.body is None or one.ended_at is None:
            return None
        try:
            return unpack(Made, self.seal.open(one.body)), one.ended_at
        except (UnsealableError, UnreadableError):
            return None


def _drop(ask: str, run: str) -> None:
    """Whoever joined the run in the meantime keeps it."""
    ReportAsk.objects.filter(digest=ask).delete()
    _hold(run)
    others = ReportAsk.objects.values("run")
    ReportRun.objects.filter(run=run, state=RunState.OPEN).exclude(run__in=others).delete()


def _join(ask: str, own: str, run: str) -> bool:
    if _hold(run) in {None, RunState.FAILED}:
        return False
    ReportAsk.objects.filter(digest=ask).update(run=run)
    ReportRun.objects.filter(run=own, state=RunState.OPEN).delete()
    return True


def _hold(run: str) -> str | None:
    """The state of a run that is there, and stays so until the transaction ends: where many write at once, others wait for it.

    What they read next, they read anew: who drops a run sees who joined it, and who joins it sees that it was dropped.
    """
    return ReportRun.objects.select_for_update().filter(run=run).values_list("state", flat=True).first()


def _end_ask(ask: str, told: Mapping[str, object]) -> None:
    ReportAsk.objects.filter(digest=ask, state=AskState.OPEN).update(**told)


def _fail(run: str, told: Mapping[str, object], take: int) -> None:
    if take and ReportRun.objects.filter(run=run, takes__gt=take).exists():
        return
    ReportRun.objects.filter(run=run, state=RunState.OPEN).update(**told)
    ReportPart.objects.filter(run=run).delete()


def stop(run: str, reason: Reason, done: int, size: int, at: datetime) -> bool:
    """As ``Storage.stop``, in the transaction of who calls: an operator's page has a connection of its own."""
    told = {"state": RunState.FAILED, "reason": reason, "done": done, "size": size, "ended_at": at}
    was_open = ReportRun.objects.filter(run=run, state=RunState.OPEN).update(**told)
    if was_open:
        ReportPart.objects.filter(run=run).delete()
    return bool(was_open)


def _stopped(runs: Collection[str]) -> tuple[str, ...]:
    ended = ReportRun.objects.filter(run__in=runs, state=RunState.FAILED, reason__in=_STOPS)
    return tuple(ended.values_list("run", flat=True))


def _throw_away(runs: tuple[str, ...]) -> None:
    ReportPart.objects.filter(run__in=runs).delete()


def _open_asks(before: datetime) -> tuple[OpenAsk, ...]:
    runs = ReportRun.objects.filter(state=RunState.OPEN).values("run")
    asks = ReportAsk.objects.filter(state=AskState.OPEN, asked_at__lt=before, run__in=runs)
    return tuple(OpenAsk(*row) for row in asks.values_list("digest", "run"))


def _remove_old(now: datetime) -> None:
    """Runs that nobody has an address of go as well, and parts of which no run is still to be made."""
    ReportAsk.objects.filter(kept_until__lte=now).delete()
    ReportRun.objects.filter(asked_at__lt=now - _BEGUN).exclude(run__in=ReportAsk.objects.values("run")).delete()
    wanted = ReportAsk.objects.filter(state=AskState.OPEN).values("run")
    making = ReportRun.objects.filter(state=RunState.OPEN, run__in=wanted).values("run")
    ReportPart.objects.exclude(run__in=making).delete()
    ready = ReportRun.objects.filter(state=RunState.READY).values("run")
    ReportFile.objects.exclude(run__in=making).exclude(run__in=ready).delete()
    LoadMinute.objects.filter(minute__lt=now - MINUTES_FOR).delete()


def _last_sizes() -> list[int]:
    ready = ReportRun.objects.filter(state=RunState.READY).order_by("-ended_at")
    return list(ready.values_list("size", flat=True)[:LATELY])
