"""What operators see is right and bounded: words, the hour, large queues, and a store that hangs."""

from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.valkey import Valkey
from tests.throttling.queues import fresh_service
from throttling.callers import HOUSE_SESSION
from throttling.decisions import Decisions, Entry
from throttling.limits import Limit, SlidingWindow, TokenBucket
from throttling.operating import words
from throttling.operating.chart import HEIGHT, WIDTH, Minute, hour
from throttling.operating.overview import MOST_ROWS, Condition, QueueView, view
from throttling.operating.queues import Queue
from throttling.operating.reading import NoStoreError, Reader, Seen
from throttling.rules import QueueRules
from throttling.snapshot import read_snapshot
from throttling.store import Store

AT = datetime(2026, 3, 12, 13, 7, 42, tzinfo=UTC)
MINUTE = AT.replace(second=0)
WINDOW = SlidingWindow(units=60, seconds=60)


def queue(limit: Limit | None = WINDOW, in_flight: int = 4) -> Queue:
    platform, _, service = fresh_service().partition("/")
    rules = QueueRules(limit=limit, in_flight=in_flight, lease=1000, most_of_session=0, most=0)
    return Queue(platform=platform, platform_name="Bron", service=service, rules=rules)


async def seen(valkey: Valkey, one: Queue, sessions: list[str], closed_for: float = 0.0) -> Seen:
    """The queue after one call of each session."""
    async with Store(valkey.address) as store:
        decisions = Decisions(store, one.name, one.rules)
        await decisions.open("e", closed_for, [])
        await decisions.permit(3000)
        for number, session in enumerate(sessions):
            await decisions.enter(Entry(id=f"p.{number}", process="p", session=session))
        return Seen(read_snapshot(await decisions.look()), None)


async def looked_at(valkey: Valkey, one: Queue, sessions: list[str], closed_for: float = 0.0) -> QueueView:
    return view(one, await seen(valkey, one, sessions, closed_for), AT, closely=True)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 s"),
        (-3, "0 s"),
        (0.2, "1 s"),
        (59, "59 s"),
        (60, "1 min"),
        (125, "2 min 5 s"),
        (3600, "1 uur"),
        (3780, "1 uur 3 min"),
    ],
)
def test_a_duration_is_said_as_people_do(seconds: float, said: str) -> None:
    assert words.seconds(seconds) == said


@pytest.mark.parametrize(("value", "said"), [(12, "12"), (0.5, "0,5"), (0.333333, "0,33"), (1200, "1200"), (0, "0")])
def test_a_number_has_a_comma_and_no_more_digits_than_say_something(value: float, said: str) -> None:
    assert words.number(value) == said


def test_a_session_is_a_kind_and_a_digest_and_only_names_that_we_gave_are_whole() -> None:
    assert words.short_key(HOUSE_SESSION) == "het huis"
    assert words.short_key("aanbieder:voorbeeld") == "aanbieder voorbeeld"
    assert words.short_key("overspoel:1a2b-3") == "overspoel 1a2b-3"
    for session in ("adres:203.0.113.9", "mcp:203.0.113.9", "contract:203.0.113.9", "203.0.113.9", "ander:203.0.113.9"):
        kind, _, digest = words.short_key(session).rpartition(" ")
        assert kind in {"adres", "mcp", "contract", ""}
        assert len(digest) == 8
        assert "203" not in kind


def test_the_hour_has_a_bar_for_each_minute_in_which_something_happened_and_stays_inside_its_drawing() -> None:
    minutes = [Minute(at=MINUTE - timedelta(minutes=back), granted=back, waiting=1000) for back in (0, 1, 30, 59)]
    of_all = hour(minutes, AT, queue())
    granted, waiting = of_all.charts
    assert (len(granted.bars), len(waiting.bars)) == (3, 4)
    for bar in (*granted.bars, *waiting.bars):
        assert 0 <= bar.x < bar.x + bar.width <= WIDTH
        assert 0 <= bar.y < bar.y + bar.height == HEIGHT
    assert granted.line == 0
    assert granted.note == "Samen 90. De streep is de grens: 60 per minuut."
    assert [row.waiting for row in of_all.rows] == [1000, 0, 0, 0, 0, 1000, 0, 0, 0, 0, 0, 1000]


def test_what_is_older_than_the_hour_is_not_shown_and_a_quiet_hour_is_said() -> None:
    assert hour([Minute(at=MINUTE - timedelta(minutes=60), granted=5)], AT, queue()).quiet
    assert not hour([Minute(at=MINUTE, refused=1)], AT, queue()).quiet


def test_a_service_without_a_limit_has_no_line() -> None:
    assert hour([Minute(at=MINUTE, granted=5)], AT, queue(None)).charts[0].line is None


@pytest.mark.anyio
async def test_a_window_says_what_is_used_and_when_the_next_turn_comes(valkey: Valkey) -> None:
    shown = await looked_at(valkey, queue(in_flight=2), ["a", "b", "c", "c"])
    assert shown.room == "2 van 60 eenheden gebruikt"
    assert (shown.waiting, shown.under_way, shown.condition) == (2, 2, Condition.QUEUED)
    assert (shown.rows[0].key, shown.rows[0].waiting) == (words.short_key("c"), 2)
    spread = await looked_at(valkey, queue(SlidingWindow(units=1, seconds=60)), ["a", "b"])
    assert spread.next_slot in {"1 min", *(f"{seconds} s" for seconds in range(60))}


@pytest.mark.anyio
async def test_a_closed_queue_says_until_when(valkey: Valkey) -> None:
    shown = await looked_at(valkey, queue(), [], closed_for=90)
    assert shown.condition is Condition.CLOSED
    assert shown.until is not None
    assert AT + timedelta(seconds=80) < shown.until <= AT + timedelta(seconds=90)


@pytest.mark.anyio
async def test_a_very_long_queue_shows_its_eldest_and_takes_no_time_to_foretell(valkey: Valkey) -> None:
    names = [f"s{number}" for number in range(MOST_ROWS + 60)]
    shown = await looked_at(valkey, queue(TokenBucket(capacity=1, per_second=0.001), in_flight=1), names)
    assert (len(shown.rows), shown.more, shown.waiting) == (MOST_ROWS, 60, MOST_ROWS + 59)
    assert shown.rows[0].key == words.short_key("s1")
    assert {row.first for row in shown.rows} == {""}


@pytest.mark.anyio
async def test_a_start_that_is_further_away_than_anybody_waits_is_said_as_that(valkey: Valkey) -> None:
    shown = await looked_at(valkey, queue(TokenBucket(capacity=1, per_second=0.001), in_flight=1), ["a", "b"])
    assert [row.first for row in shown.rows if row.waiting] == ["later dan 10 min"]


def test_a_store_that_takes_a_question_and_says_nothing_is_no_store(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "s.sock"))
        silent.listen()
        with pytest.raises(NoStoreError):
            Reader(f"unix://{tmp_path / 's.sock'}").look([queue()])
