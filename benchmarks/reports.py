"""``python -m benchmarks.reports --json``: what reports cost those who search, and whether any gets lost.

The product runs with the stand-ins and a real worker. Somebody searches five times a second, always the same stored answers,
while reports are made or are not, by turns. How to read the figures: ``docs/naslag/cijfers.md``. Takes at most eight minutes.
"""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
import statistics
import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.measured import LEAST_MADE, enough
from benchmarks.printing import load, measure
from benchmarks.private_postgres import is_installed
from benchmarks.question import TARGET
from benchmarks.report_asking import Reporter, searched
from benchmarks.report_reserve import however_busy, reserve
from benchmarks.report_storm import foretold
from benchmarks.report_writing import EVERY, written
from benchmarks.site import Site, process, running_site
from besluitbron.running.leftovers import read_note
from besluitbron.running.parts import REPORTS
from connectors.platforms import PLATFORMS

_EVERY: Final = 0.2
_FINISH: Final = 40.0
"""Seconds that reports get after a round to end, so that the next begins without any; the same once more at the end."""
_WORDS: Final = (
    *("zonnepanelen", "windmolens", "woningbouw", "parkeren", "jeugdzorg", "armoede", "fietspad", "riolering", "bomen"),
    *("sporthal", "bibliotheek", "schuldhulp", "afval", "verkeer", "onderwijs", "klimaat", "energie", "water", "zorg"),
)
_SETTINGS: Final = {
    "BESLUITBRON_PAGINA_RATE_LIMIT": "connector=100000, session=100000",
    "BESLUITBRON_API_RATE_LIMIT": "connector=100000, session=100000",
    "BESLUITBRON_MCP_RATE_LIMIT": "process=100000",
    "BESLUITBRON_PROXIES": "127.0.0.1",
    "BESLUITBRON_RAPPORT_TEKSTEN": "20",
    "BESLUITBRON_RAPPORT_TREFFERS": "60",
}


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: pairs of rounds without and with reports, the seconds of each, and reports asked in each.

    ``however_busy``: reports begin also on a machine that is busy with something else; then times say nothing.
    """

    pairs: int = 5
    seconds: float = 15.0
    reports: int = 6
    however_busy: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """One round: how long each search took, and each urgent write, in seconds."""

    searches: tuple[float, ...]
    writes: tuple[float, ...]

    @property
    def p95(self) -> float:
        """The time within which 95 of 100 searches were answered."""
        return statistics.quantiles(self.searches, n=20, method="inclusive")[-1]


async def figures(size: Size) -> dict[str, float]:
    """All figures, by name; ``load`` is how many processes wanted to run on each core in the last minute.

    Raises ``NothingMeasuredError`` where too few reports were made, or looks taken, for figures to say anything.
    """
    before = load()
    async with running_site(**_SETTINGS) as site, _worker(site):
        if size.however_busy:
            await asyncio.to_thread(_allow, site.options.layout.database)
        reporter = Reporter(site.port)
        questions = [
            " ".join(pair) for pair in itertools.islice(itertools.combinations(_WORDS, 2), size.pairs * size.reports)
        ]
        await asyncio.to_thread(reporter.prepare, questions)
        for _ in PLATFORMS:
            await searched(site.port, TARGET)
        off, on = [], []
        for pair in range(size.pairs):
            off.append(await _round(site, size.seconds))
            asking = asyncio.create_task(_ask(reporter, questions[pair * size.reports :][: size.reports], size.seconds))
            on.append(await _round(site, size.seconds))
            await asking
            await asyncio.to_thread(reporter.finish, _FINISH)
        await asyncio.to_thread(reporter.finish, _FINISH)
        ended = await asyncio.to_thread(reporter.ended)
        twice = await asyncio.to_thread(_twice, site.options.layout.database, len(reporter.taken_on))
    return {
        **_searches(off, on),
        **fared(ended, reporter),
        "duplicate_runs": twice,
        **await foretold(),
        **await _reserve(size),
        "load_before": before,
        "load_after": load(),
    }


async def _reserve(size: Size) -> dict[str, float]:
    """What reports take of the connections with PostgreSQL; left out, and said so, where it is not installed."""
    if not is_installed():
        sys.stderr.write("reserved_taken: niet gemeten, want PostgreSQL is niet geïnstalleerd.\n")
        return {}
    return await reserve(_SETTINGS, [f"{word} gemeente" for word in _WORDS[: size.reports]])


def _searches(off: Sequence[Round], on: Sequence[Round]) -> dict[str, float]:
    ratios = [with_reports.p95 / without.p95 for without, with_reports in zip(off, on, strict=True)]
    return {
        "search_p95_ratio": round(statistics.median(ratios), 2),
        "search_p95_ms_buffered": round(statistics.median(one.p95 for one in on) * 1000, 1),
        "search_p95_ms_without_reports": round(statistics.median(one.p95 for one in off) * 1000, 1),
        "urgent_write_ms_max": round(max(write for one in on for write in one.writes) * 1000, 1),
        "urgent_writes": sum(len(one.writes) for one in on),
        "urgent_write_ms_max_without_reports": round(max(write for one in off for write in one.writes) * 1000, 1),
    }


def fared(ended: Counter[str], reporter: Reporter) -> dict[str, float]:
    """How the reports fared; ``lost``: neither done nor refused with a reason of the gate.

    Raises ``NothingMeasuredError`` where few were made.
    """
    fine = ended["klaar"] + ended["geweigerd"]
    found: dict[str, float] = {
        "reports_asked": ended.total() + reporter.refused + reporter.lost.total(),
        "reports_made": ended["klaar"],
        "reports_refused": reporter.refused + ended["geweigerd"],
        "lost": ended.total() - fine + reporter.lost.total(),
    }
    if found["lost"]:
        sys.stderr.write(f"lost: {dict(ended)}, {dict(reporter.lost)}\n")
    enough(f"reports made of {found}", found["reports_made"], found["reports_asked"] * LEAST_MADE)
    return found


async def _round(site: Site, seconds: float) -> Round:
    """Search at a fixed rate, whatever answers, while something urgent is written ten times a second."""
    loop = asyncio.get_running_loop()
    writing = loop.create_task(asyncio.to_thread(written, site.options.layout.database, round(seconds / EVERY)))
    began, tasks = loop.time(), []
    for number in range(round(seconds / _EVERY)):
        await asyncio.sleep(max(began + number * _EVERY - loop.time(), 0))
        tasks.append(loop.create_task(searched(site.port, TARGET)))
    searches = await asyncio.gather(*tasks)
    return Round(tuple(searches), tuple(await writing))


def _allow(database: Path) -> None:
    """As an operator sets the rules: however busy the machine is, reports begin."""
    with closing(sqlite3.connect(database, timeout=10)) as connection, connection:
        connection.execute("INSERT INTO reports_loadchange (at, by, rules) VALUES (?, ?, ?)", however_busy())


async def _ask(reporter: Reporter, questions: Sequence[str], seconds: float) -> None:
    """Ask for these, spread over the first half of a round; each by somebody else, every third by a second one as well."""
    for number, question in enumerate(questions):
        await asyncio.to_thread(reporter.ask, question)
        if number % 3 == 0:
            await asyncio.to_thread(reporter.ask, question)
        await asyncio.sleep(seconds / 2 / len(questions))


def _twice(database: Path, questions: int) -> int:
    """Computations beyond one for each question that was taken on, and each time that a worker began one again: none died."""
    with closing(sqlite3.connect(database)) as connection:
        again = "coalesce(sum(max(takes - 1, 0)), 0)"
        runs, begun_again = connection.execute(f"SELECT count(*), {again} FROM reports_reportrun").fetchone()  # noqa: S608 - ours
    return max(int(runs) - questions, 0) + int(begun_again)


@asynccontextmanager
async def _worker(site: Site) -> AsyncIterator[None]:
    """The worker for reports as ``./start`` runs it, its niceness and all."""
    layout = site.options.layout
    command = [sys.executable, "-m", "besluitbron.running.part", REPORTS.name]
    async with process(command, site.environment, layout.logs / "reports.log", alone=True):
        async with asyncio.timeout(_FINISH):
            while read_note(layout.part_pids / f"{REPORTS.name}.pid") is None:  # noqa: ASYNC110 - another process gives no event
                await asyncio.sleep(_EVERY)
        yield


def main() -> None:
    """Measure, and print."""
    measure("reports", lambda: figures(Size()))


if __name__ == "__main__":
    main()
