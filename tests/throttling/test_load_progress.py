"""How far a run is: what it says never goes back but for more to do, and one slow source is no reason to think all will be."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from throttling.load_progress import FIRST_SIZE, LATELY, Progress, foreseen_size


def test_a_size_is_foreseen_by_the_last_runs_and_one_huge_one_changes_nothing() -> None:
    assert foreseen_size([]) == FIRST_SIZE
    assert foreseen_size([100, 120, 1500, 110, 90]) == 110
    assert foreseen_size([40] * LATELY + [900] * 100) == 40


def test_while_it_collects_a_run_is_no_smaller_than_was_foreseen_and_then_as_large_as_it_is() -> None:
    at = Progress(60)
    assert (at.done, at.size, at.left) == (0, 60, None)
    for _ in range(7):
        at.passed()
        at.expect(4)
    assert (at.done, at.size) == (7, 60)
    at.expect(150)
    assert (at.done, at.size) == (7, 157)
    at.settle({"a": 5, "b": 2})
    assert (at.done, at.size) == (7, 15)


def test_a_slow_source_while_it_collects_says_nothing_of_how_long_it_reads() -> None:
    at = Progress(60)
    at.passed("", 300.0)
    at.settle({"snel": 100, "traag": 10})
    for _ in range(10):
        at.passed("snel", 1.0)
    assert at.left == 90.0
    for _ in range(2):
        at.passed("traag", 20.0)
    assert at.left == 160.0
    for _ in range(8):
        at.passed("traag", 20.0)
    assert at.left == 90.0


def test_what_comes_after_the_lanes_takes_what_was_foreseen_and_once_longer_as_long_again_as_it_is_over() -> None:
    at, went_by = Progress(10), iter((0.0, 30.0, 40.0, 100.0, 400.0))
    at.settle({"bron": 5})
    at.foresee_last(40.0)
    for _ in range(5):
        at.passed("bron", 2.0)
    assert at.left == 40.0
    at.begin_last(lambda: next(went_by))
    assert [at.left for _ in range(5)] == [40.0, 10.0, 0.0, 60.0, 360.0]
    assert at.done < at.size


def test_only_recent_parts_say_how_long_still() -> None:
    at = Progress(200)
    at.settle({"bron": 200})
    for _ in range(50):
        at.passed("bron", 10.0)
    for _ in range(20):
        at.passed("bron", 1.0)
    assert at.left == 130.0


def test_who_goes_on_keeps_what_was_done_and_its_size_and_reckons_with_parts_of_its_own_alone() -> None:
    at = Progress(207, 50)
    assert (at.done, at.size) == (50, 207)
    at.begin(51)
    for _ in range(20):
        at.passed()
        at.expect(10)
    assert (at.done, at.size) == (51, 207)
    at.settle({"bron": 186})
    for _ in range(31):
        at.passed("bron")
    assert (at.done, at.size, at.left) == (51, 207, None)
    for _ in range(5):
        at.passed("bron", 2.0)
    assert (at.done, at.size, at.left) == (56, 207, 300.0)


def test_where_nothing_of_another_version_counts_it_begins_anew() -> None:
    at = Progress(207, 50)
    at.begin(0)
    assert (at.done, at.size) == (0, 207)


@pytest.mark.parametrize("kept", [0, 5, 40])
@given(
    foreseen=st.integers(1, 300),
    rounds=st.lists(st.tuples(st.integers(1, 7), st.integers(0, 300)), max_size=6),
    lanes=st.dictionaries(st.sampled_from("abc"), st.integers(1, 60)),
)
def test_a_bar_never_goes_back_but_for_more_to_do_and_is_never_full_before_the_end(
    kept: int, foreseen: int, rounds: list[tuple[int, int]], lanes: dict[str, int]
) -> None:
    at = Progress(foreseen, kept)
    seen = [(at.done, at.size)]
    for parts, more in rounds:
        for _ in range(parts):
            at.passed()
            at.expect(more + 1)
            seen.append((at.done, at.size))
    assert all(size >= foreseen for _, size in seen)
    at.settle(lanes)
    seen.append((at.done, at.size))
    for lane, number in lanes.items():
        for _ in range(number):
            at.passed(lane, 1.0)
            seen.append((at.done, at.size))
    assert all(done < size for done, size in seen)
    for (was, of), (now, size) in pairwise(seen):
        assert now >= was
        assert size > of or Fraction(now, size) >= Fraction(was, of)
    at.passed()
    assert at.done == max(kept, sum(parts for parts, _ in rounds) + sum(lanes.values()) + 1)
