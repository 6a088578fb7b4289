"""The forms in which a report can be kept, and which of them may wait: an export of very many rows is heavy work (rule L1)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from reports.exports import printable
from reports.exports.data import data
from reports.exports.pressing import NotPrintedError, Press
from reports.exports.references import references
from reports.exports.table import table
from reports.page import Subject
from reports.records import Report
from reports.work import EXPORTS

Write = Callable[[Report, Subject, str, Press], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a report: its media type, and what writes it from report, subject, address of the site and press."""

    media: str
    write: Write


async def _as_table(report: Report, about: Subject, site: str, press: Press) -> bytes:
    del press
    return await asyncio.to_thread(table, report, about, site)


async def _as_data(report: Report, about: Subject, site: str, press: Press) -> bytes:
    del press
    return await asyncio.to_thread(data, report, about, site)


async def _as_references(report: Report, about: Subject, site: str, press: Press) -> bytes:
    del site, press
    return await asyncio.to_thread(references, report, about)


async def _as_print(report: Report, about: Subject, site: str, press: Press) -> bytes:
    return await press.set(await asyncio.to_thread(printable.as_input, report, about, site))


FORMS: Final = {
    "csv": Form("text/csv; charset=utf-8; header=present", _as_table),
    "json": Form("application/json; charset=utf-8", _as_data),
    "ris": Form("application/x-research-info-systems; charset=utf-8", _as_references),
    "pdf": Form("application/pdf", _as_print),
}


def is_heavy(report: Report) -> bool:
    """Whether its files have more rows than are written while somebody waits: its things, and what is not there (rule L1)."""
    return are_many(report.overview.number + len(report.cuts))


def are_many(rows: int) -> bool:
    """Whether so many rows are more than are written while somebody waits (rule L1)."""
    return any(export.may_wait(rows) for export in EXPORTS)


async def heavy(report: Report, about: Subject, site: str, press: Press) -> AsyncGenerator[tuple[str, bytes]]:
    """Each file of a report that has very many rows, by its form, one at a time; none of a report that has few.

    A paper that cannot be set is left out: the report has its other forms.
    """
    if not is_heavy(report):
        return
    for name, form in FORMS.items():
        try:
            yield name, await form.write(report, about, site, press)
        except NotPrintedError:
            continue
