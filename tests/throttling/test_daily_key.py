"""The key of today: shared by all processes, for its owner alone, gone tomorrow."""

from __future__ import annotations

import stat
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from throttling.daily_key import CHANGES_AT, DayKey

DAY = 86_400
NOON = 20_000 * DAY + DAY / 2


def at(moment: float) -> Callable[[], float]:
    return lambda: moment


def test_all_who_share_the_file_share_the_key(tmp_path: Path) -> None:
    one, other = (DayKey(tmp_path / "day-key", at(NOON)) for _ in range(2))
    assert one.digest("192.0.2.1") == one.digest("192.0.2.1") == other.digest("192.0.2.1")
    assert one.digest("192.0.2.1") != one.digest("192.0.2.2")


def test_another_installation_has_another_key(tmp_path: Path) -> None:
    assert DayKey(tmp_path / "a", at(NOON)).digest("x") != DayKey(tmp_path / "b", at(NOON)).digest("x")


def digest(path: Path) -> str:
    return DayKey(path, at(NOON)).digest("x")


def test_processes_that_make_the_key_at_the_same_moment_make_one(tmp_path: Path) -> None:
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as processes:
        assert len(set(processes.map(digest, [tmp_path / "day-key"] * 16))) == 1


def test_the_key_changes_at_three_and_nothing_of_the_old_one_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "day-key"
    moment = 20_000 * DAY + CHANGES_AT - 1
    key = DayKey(path, lambda: moment)
    before = key.digest("x")
    old = path.read_bytes().split()[1]
    assert before == key.digest("x")
    moment += 1
    after = key.digest("x")
    assert after != before
    assert old not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert key.digest("x") == after == DayKey(path, at(moment)).digest("x")


def test_a_process_whose_clock_lags_a_little_takes_the_new_key_and_a_clock_that_was_far_ahead_leaves_none(
    tmp_path: Path,
) -> None:
    path = tmp_path / "day-key"
    change = 20_000 * DAY + CHANGES_AT
    new = DayKey(path, at(change)).digest("x")
    assert DayKey(path, at(change - 1)).digest("x") == new
    assert DayKey(path, at(change - DAY - 1)).digest("x") != new


def test_only_its_owner_can_read_the_key(tmp_path: Path) -> None:
    path = tmp_path / "day-key"
    path.touch(0o644)
    DayKey(path, at(NOON)).digest("x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", [b"", b"20000", b"20000 00ff\n", b"20000 " + b"g" * 64 + b"\n", b"\xff" * 200])
def test_a_damaged_file_is_replaced(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "day-key"
    path.write_bytes(text)
    assert DayKey(path, at(NOON)).digest("x") == DayKey(path, at(NOON)).digest("x")


def test_without_a_file_a_process_still_tells_people_apart(tmp_path: Path) -> None:
    """Also when the file is a link that somebody laid out for us."""
    (tmp_path / "link").symlink_to(tmp_path / "elders")
    for path in (tmp_path / "nergens" / "day-key", tmp_path / "link"):
        key = DayKey(path, at(NOON))
        assert key.digest("x") == key.digest("x") != key.digest("y")
    assert list(tmp_path.iterdir()) == [tmp_path / "link"]
