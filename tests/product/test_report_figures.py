"""The benchmark of reports, tiny: it runs, nothing gets lost, and what needs no clock is held to what was promised."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from benchmarks.measured import NothingMeasuredError
from benchmarks.private_postgres import is_installed
from benchmarks.report_asking import LOST, Reporter
from benchmarks.report_reserve import watching
from benchmarks.report_writing import written
from benchmarks.reports import Size, fared, figures
from throttling.load_simulation import FORETOLD

_TABLE: Final = """
CREATE TABLE throttling_platformstate (id integer PRIMARY KEY, queue text UNIQUE, may_send_until real, off text,
changed_by text, refusals integer, epoch_seen text, given_seen integer, refusals_seen integer)
"""


@pytest.mark.anyio
@pytest.mark.lang
async def test_no_report_is_lost_or_made_twice_and_every_figure_is_measured() -> None:
    found = await figures(Size(pairs=1, seconds=4.0, reports=3, however_busy=True))
    assert found.keys() >= {"search_p95_ratio", "search_p95_ms_buffered", "urgent_write_ms_max"}
    assert (found["lost"], found["duplicate_runs"]) == (0, 0)
    assert (found["reports_asked"], found["reports_made"], found["reports_refused"]) == (4, 4, 0)
    assert found["urgent_writes"] == 40
    assert found["estimate_within"] >= 0.9
    assert found["starts_foretold"] >= FORETOLD
    if is_installed():
        assert found["reserved_taken"] == 0
        assert found["reports_made_on_postgresql"] > 0
        assert 1 <= found["report_connections_most"] <= found["report_connections"]
        assert found["reserved_looks"] > found["reserved_tries"] > 0
    else:
        assert "reserved_taken" not in found


def test_too_few_reports_are_no_figures_and_one_that_is_lost_is_told() -> None:
    reporter = Reporter(0)
    reporter.refused = 2
    with pytest.raises(NothingMeasuredError) as failed:
        fared(Counter({"klaar": 1, "mislukt": 1}), reporter)
    assert (failed.value.times, failed.value.least) == (1, 2)
    reporter.lost["503"] = 1
    told = fared(Counter({"klaar": 7, "mislukt": 1, LOST: 1, "geannuleerd": 1, "geweigerd": 1}), reporter)
    assert told == {"reports_asked": 14, "reports_made": 7, "reports_refused": 3, "lost": 4}


def test_an_urgent_write_changes_a_row_that_others_read_and_one_that_is_not_kept_is_no_figure(tmp_path: Path) -> None:
    path = tmp_path / "staat.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute(_TABLE)
        times = written(path, 3)
        assert (len(times), min(times) > 0) == (3, True)
        assert database.execute("SELECT may_send_until FROM throttling_platformstate").fetchall() == [(3.0,)]
        database.execute("CREATE TRIGGER weg BEFORE UPDATE ON throttling_platformstate BEGIN SELECT raise(IGNORE); END")
        with pytest.raises(NothingMeasuredError):
            written(path, 1)


def test_what_befalls_whoever_looks_at_the_connections_is_raised() -> None:
    def away() -> psycopg.Connection[Any]:
        raise psycopg.OperationalError

    with pytest.raises(psycopg.OperationalError), watching(away, "") as seen:
        assert seen.looks == 0
