"""What ``./start`` says of itself, before it makes or starts anything."""

from __future__ import annotations

import subprocess

import pytest

from besluitbron.running.layout import PROJECT


def started(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = [str(PROJECT / "start"), *arguments]
    return subprocess.run(program, check=False, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("asked", ["--help", "-h"])
def test_who_asks_for_help_reads_how_settings_are_given_and_where_they_stand(asked: str) -> None:
    done = started(asked)
    assert done.returncode == 0
    assert "PORT=8080 ./start" in done.stdout
    assert (PROJECT / "docs" / "naslag" / "instellingen.md").exists()


def test_an_option_that_is_not_there_is_refused_by_its_name_and_nothing_is_started() -> None:
    done = started("--poort=9")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--poort=9" in done.stderr
