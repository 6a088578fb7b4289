"""The time that statements take and writers wait, counted while it passes."""

from __future__ import annotations

import pytest
from django.db import OperationalError, connections

from reports.database_use import USE, DatabaseUse


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_statement_that_hangs_counts_in_every_look_and_each_second_once(clock: Clock) -> None:
    use = DatabaseUse(clock)
    with use.call(of_reports=True):
        clock.now = 2.0
        first = use.take()
        clock.now = 3.0
    second = use.take()
    assert (first.reports, first.over, first.answers) == (2.0, 2.0, None)
    assert (second.reports, second.over, second.answers) == (1.0, 1.0, True)


def test_time_is_shared_out_over_the_connections_that_each_kind_may_have(clock: Clock) -> None:
    use = DatabaseUse(clock)
    with use.call(of_reports=True), use.call(of_reports=False):
        clock.now = 3.0
    used = use.take()
    assert used.busy(2, 30) == pytest.approx(0.5)
    assert used.busy(20, 2) == pytest.approx(0.5)
    assert use.take().busy(1, 1) == 0.0


def test_a_writer_that_still_waits_counts_for_as_long_as_it_has(clock: Clock) -> None:
    use = DatabaseUse(clock)
    with use.call(of_reports=False, waits=True):
        clock.now = 1.0
        assert use.take().waiting(2.0) == pytest.approx(0.5)
        clock.now = 4.0
    assert use.take().waiting(2.0) == pytest.approx(2.0)


def test_nothing_asked_says_nothing_and_reading_says_nothing_of_writers(clock: Clock) -> None:
    use = DatabaseUse(clock)
    assert use.take().waiting(1.0) is None
    with use.call(of_reports=False):
        pass
    assert use.take().waiting(1.0) is None


def test_a_failure_is_full_until_the_next_that_succeeds(clock: Clock) -> None:
    use = DatabaseUse(clock)
    with pytest.raises(OperationalError), use.call(of_reports=False, waits=True):
        raise OperationalError
    assert use.take().waiting(1.0) == 1.0
    assert use.take().waiting(1.0) is None
    use.failed()
    with use.call(of_reports=False, waits=True):
        pass
    assert use.take().waiting(1.0) == 0.0


@pytest.mark.django_db(transaction=True)
def test_every_connection_of_a_process_is_measured() -> None:
    connection = connections.create_connection("default")
    connection.ensure_connection()
    connection.close()
    connection.ensure_connection()
    assert connection.execute_wrappers.count(USE) == 1
    connection.close()
