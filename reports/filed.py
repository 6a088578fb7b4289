"""The files of reports with very many rows, as the worker wrote them: sealed, and in pieces that each are a short write.

A piece is small because SQLite has one writer, and urgent work waits for it (rule L2).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from reports.apart import Apart
from reports.models import AskState, ReportAsk, ReportFile, ReportRun, RunState
from reports.sealing import Seal, UnsealableError, digest_of

PIECE: Final = 512 * 1024
"""Bytes of a file in one row."""


@dataclass(frozen=True, slots=True)
class Filed:
    """A file with the moment at which its report was ready."""

    content: bytes
    made_at: datetime


class Files:
    """Keeps files. Every method raises ``StorageLostError``."""

    def __init__(self, seal: Seal, apart: Apart) -> None:
        self._seal = seal
        self._apart = apart

    async def keep(self, run: str, form: str, content: bytes) -> None:
        """Keep a file of a run, in the place of one that was there. Nobody sees it before the run is ready."""
        cut = [content[at : at + PIECE] for at in range(0, len(content), PIECE)] or [b""]
        await self._apart.write(_forget, run, form)
        for place, piece in enumerate(cut):
            await self._apart.write(self._keep, run, form, place, len(cut), piece)

    async def fetch(self, token: str, form: str, now: datetime) -> Filed | None:
        """The file of a ready report, for whoever has its token; None when there is no such file."""
        return await self._apart(self._fetch, digest_of(token), form, now)

    async def lacking(self, run: str, forms: Collection[str]) -> frozenset[str]:
        """Those of these forms of which no whole file of a run is kept."""
        return await self._apart(_lacking, run, forms)

    def _keep(self, run: str, form: str, place: int, pieces: int, piece: bytes) -> None:
        kept = ReportFile(run=run, form=form, place=place, pieces=pieces, body=self._seal.close(piece))
        ReportFile.objects.bulk_create([kept], ignore_conflicts=True)

    def _fetch(self, digest: str, form: str, now: datetime) -> Filed | None:
        asks = ReportAsk.objects.filter(digest=digest, kept_until__gt=now, state=AskState.OPEN)
        run = ReportRun.objects.filter(run__in=asks.values("run"), state=RunState.READY).defer("body", "wish").first()
        if run is None or run.ended_at is None:
            return None
        kept = list(ReportFile.objects.filter(run=run.run, form=form).order_by("place"))
        if not kept or len(kept) != kept[0].pieces:
            return None
        content = self._opened(kept)
        return None if content is None else Filed(content, run.ended_at)

    def _opened(self, kept: Sequence[ReportFile]) -> bytes | None:
        try:
            return b"".join(self._seal.open(one.body) for one in kept)
        except UnsealableError:
            return None


def _forget(run: str, form: str) -> None:
    ReportFile.objects.filter(run=run, form=form).delete()


def _lacking(run: str, forms: Collection[str]) -> frozenset[str]:
    kept, wanted = defaultdict[str, int](int), dict[str, int]()
    for form, pieces in ReportFile.objects.filter(run=run).values_list("form", "pieces"):
        kept[form] += 1
        wanted[form] = pieces
    return frozenset(form for form in forms if form not in kept or kept[form] != wanted[form])
