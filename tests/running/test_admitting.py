"""Where the operator says whom it trusts: a file that is there, told alike to every part of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from besluitbron.running.faults import OptionsError
from besluitbron.running.options import read_options


def test_nobody_is_trusted_unless_the_operator_says_so() -> None:
    options = read_options({})
    assert options.admitting.path == ""
    assert "BESLUITBRON_TOELATING" not in options.environment()


def test_every_part_reads_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "toelating.json"
    file.write_text("{}")
    options = read_options({"BESLUITBRON_TOELATING": f" {file} "})
    assert options.admitting.path == str(file)
    assert read_options(options.environment()).admitting == options.admitting


@pytest.mark.parametrize("path", ["/bestaat/niet.json", "/"])
def test_a_file_that_is_not_there_is_said_before_anything_starts(path: str) -> None:
    with pytest.raises(OptionsError, match="BESLUITBRON_TOELATING"):
        read_options({"BESLUITBRON_TOELATING": path})
