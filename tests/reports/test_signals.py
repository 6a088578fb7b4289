"""What a process counts of itself: our own time for a page without the waits for platforms, in classes, by the minute."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.core import CollectorRegistry
from prometheus_client.exposition import generate_latest

from besluitbron import page_times
from besluitbron.load_metrics import LoadFigures
from besluitbron.page_times import PageTimer, Searches, SearchTimer
from besluitbron.work import WORK
from reports.connections import Held
from reports.exports.pressing import Press
from reports.signals import BOUNDS, SEARCH_BOUNDS, Latest, Seen, quantile, state_of
from search.progress import Progress
from throttling import own_time
from throttling.load import AskState, Overview, Standing, Waited
from throttling.load import Reason as AtGate
from throttling.load_rules import LoadRules, Signal
from throttling.own_time import CURRENT, OwnTime
from throttling.people import People
from throttling.turns import Expected


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(own_time, "monotonic", made)
    monkeypatch.setattr(page_times, "monotonic", made)
    return made


@contextmanager
def a_page() -> Iterator[OwnTime]:
    """A page that is measured, set where the test runs: a coroutine need not see what a fixture set."""
    one = OwnTime()
    token = CURRENT.set(one)
    yield one
    CURRENT.reset(token)


@pytest.mark.anyio
async def test_waits_for_several_platforms_at_once_count_once_and_are_no_time_of_ours(clock: Clock) -> None:
    """Rule L3, signal d."""
    with a_page() as page:
        one, other = Progress(), Progress()
        clock.now += 0.2
        one.waiting(Expected(5.0, 1))
        other.sent(waited=False)
        clock.now += 3
        one.sent(waited=True)
        clock.now += 3
        other.answered()
        clock.now += 1
        one.answered()
        clock.now += 0.1
        assert page.seconds() == pytest.approx(0.3)


@pytest.mark.anyio
async def test_a_call_that_was_spared_and_one_that_still_waits_leave_our_own_time_alone(clock: Clock) -> None:
    with a_page() as page:
        spared, left = Progress(), Progress()
        spared.waiting(Expected(1.0, 1))
        clock.now += 2
        spared.spared(waited=True)
        clock.now += 0.5
        left.waiting(Expected(1.0, 1))
        clock.now += 60
        assert page.seconds() == pytest.approx(0.5)


@pytest.mark.anyio
async def test_a_reader_with_a_slow_line_and_a_press_that_is_busy_are_no_time_of_ours(clock: Clock) -> None:
    """Rule L3, signal d."""
    seen = Seen()

    async def slow(message: object) -> None:
        clock.now += 30

    class Slow(Press):
        async def _run(self, given: bytes) -> bytes:
            clock.now += 8
            return given

    async def app(scope: object, receive: object, send: object) -> None:
        clock.now += 0.25
        await Slow().set(b"een rapport")
        await send({"type": "http.response.start", "status": 200, "headers": []})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": b"x"})  # type: ignore[operator]

    await PageTimer(app, seen, People())({"type": "http", "path": "/zoeken"}, None, slow)  # type: ignore[arg-type]
    assert seen.seconds == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("path", "kind", "pages"),
    [
        ("/zoeken", b"text/html", 1),
        ("/zoeken/stroom", b"text/event-stream; charset=utf-8", 0),
        ("/beheer/", b"text/html", 0),
        ("/metrics", b"text/plain", 0),
    ],
)
@pytest.mark.anyio
async def test_what_a_reader_waits_for_is_measured_and_a_stream_that_lasts_is_not(
    path: str, kind: bytes, pages: int
) -> None:
    seen = Seen()

    async def app(scope: object, receive: object, send: object) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"Content-Type", kind)]})  # type: ignore[operator]

    async def nothing(*_: object) -> None:
        return None

    await PageTimer(app, seen, People())({"type": "http", "path": path}, nothing, nothing)  # type: ignore[arg-type]
    assert sum(seen.classes) == pages


@pytest.mark.parametrize(
    ("asked", "body", "status", "counted"),
    [
        (("GET", "/zoeken", b"vraag=zon"), b"", 200, 1),
        (("GET", "/en/zoeken", b"vraag=zon"), b"", 200, 1),
        (("GET", "/zoeken.csv", b"vraag=zon"), b"", 200, 1),
        (("GET", "/api/v1/_zoek", b"vraag=zon"), b"", 200, 1),
        (("POST", "/mcp/unified/v1", b""), b'{"method":"tools/call","params":{"name": "zoek"}}', 200, 1),
        (("POST", "/mcp/unified/v1", b""), b'{"method":"tools/call","params":{"name":"lees","x":"zoek"}}', 200, 0),
        (("POST", "/mcp/unified/v1", b""), b'{"method":"tools/list"}', 200, 0),
        (("GET", "/zoeken", b""), b"", 200, 0),
        (("GET", "/zoeken", b"vraag=zon"), b"", 400, 0),
        (("GET", "/zoeken", b"vraag=12345"), b"", 302, 0),
        (("GET", "/zoeken/stroom", b"vraag=zon"), b"", 200, 0),
        (("GET", "/document/opentk/1", b""), b"", 200, 0),
        (("HEAD", "/zoeken", b"vraag=zon"), b"", 200, 0),
    ],
)
@pytest.mark.anyio
async def test_a_search_is_measured_until_its_last_word_by_whatever_door_and_nothing_else_is(
    clock: Clock, asked: tuple[str, str, bytes], body: bytes, status: int, counted: int
) -> None:
    """The design page: search latency beside the waiting time of reports. A reader with a slow line is not in it."""
    seen = Seen()

    async def app(scope: object, receive: object, send: object) -> None:
        await receive()  # type: ignore[operator]
        clock.now += 0.1
        await send({"type": "http.response.start", "status": status, "headers": []})  # type: ignore[operator]
        clock.now += 4.0
        await send({"type": "http.response.body", "body": b"x"})  # type: ignore[operator]

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body}

    async def slow(message: object) -> None:
        clock.now += 30

    method, path, query = asked
    scope = {"type": "http", "method": method, "path": path, "query_string": query}
    await SearchTimer(app, seen, Searches(WORK))(scope, receive, slow)
    assert sum(seen.search_classes) == counted
    assert seen.search_seconds == pytest.approx(4.1 * counted)
    assert seen.classes == Seen().classes, "signal d has its own measure"


def test_a_minute_is_taken_once_and_totals_go_on() -> None:
    seen = Seen()
    seen.page(0.03)
    seen.search(2.5)
    seen.count("refused:uur")
    first = seen.take_minute()
    assert (first["counts"], sum(first["pages"])) == ({"refused:uur": 1}, 1)
    assert sum(first["searches"]) == 1
    nothing = {
        "counts": {},
        "pages": [0] * (len(BOUNDS) + 1),
        "searches": [0] * (len(SEARCH_BOUNDS) + 1),
        "ways": [0, 0],
    }
    assert seen.take_minute() == nothing
    assert (seen.totals["refused:uur"], sum(seen.classes)) == (1, 1)


@given(st.lists(st.floats(0, 20), min_size=1), st.floats(0.01, 1))
def test_a_quantile_is_never_less_than_what_that_share_of_pages_took(times: list[float], share: float) -> None:
    seen = Seen()
    for seconds in times:
        seen.page(seconds)
    found = quantile(seen.classes, share)
    assert found is not None
    within = sorted(times)[max(int(share * len(times)) - 1, 0)]
    assert found >= min(within, BOUNDS[-1])


def test_without_pages_there_is_no_quantile() -> None:
    assert quantile(Seen().classes, 0.95) is None


def test_a_minute_keeps_the_age_of_the_oldest_that_waits() -> None:
    def ask(state: AskState, at: float) -> Standing:
        return Standing(
            id="a", run="r", state=state, place=0, start_in=None, done=0, size=1, requester="adres:a",
            asked_at=at, told=None, started_at=None, deaths=0, now=1000.0,
        )  # fmt: skip

    seen = Overview(
        now=1000.0,
        running=1,
        most=4,
        asks=(ask(AskState.WAITS, 400.0), ask(AskState.WAITS, 900.0), ask(AskState.RUNS, 1.0)),
        signals={Signal.PROCESSOR: (0.5, False)},
        used={},
        told=(),
        pace=1.0,
    )
    assert state_of(Latest(seen, LoadRules())) == {
        "running": 1,
        "waiting": 2,
        "oldest": 600.0,
        "signals": {"plaatsen": 0.2, "processor": 0.5},
    }


def test_metrics_have_the_figures_of_the_operators_page_and_name_nobody() -> None:
    seen = Seen()
    begins = datetime(2026, 11, 30, 12, tzinfo=UTC)
    seen.past.extend((begins + timedelta(minutes=n), {"waiting": n}) for n in range(10))
    seen.page(0.03)
    seen.search(2.5)
    seen.count("refused:vol")
    seen.count("asked:waits")
    registry = CollectorRegistry()
    registry.register(LoadFigures(seen))
    assert "besluitbron_load_share" not in generate_latest(registry).decode()
    asks = (
        Standing(
            id="geheim", run="r", state=AskState.WAITS, place=1, start_in=None, done=0, size=1, requester="adres:a",
            asked_at=400.0, told=None, started_at=None, deaths=0, now=1000.0,
        ),
    )  # fmt: skip
    overview = Overview(
        now=1000.0, running=4, most=4, asks=asks, signals={Signal.PROCESSOR: (0.85, True)}, used={"adres:a": 3.0},
        told=((0.0, 300.0, 320.0), (0.0, 300.0, 900.0)), pace=1.0, late={AtGate.WAIT: 2},
        late_ever={AtGate.WAIT: 4, AtGate.UNKNOWN: 1},
        waited=(Waited("mcp", 0.0, 30.0), Waited("mcp", 0.0, 50.0), Waited("adres", 0.0, None)),
    )  # fmt: skip
    seen.latest = Latest(overview, LoadRules(), Held(reports=1, most=3, reserved=94, free=90))
    lines = generate_latest(registry).decode().splitlines()
    for line in (
        'besluitbron_reports_refused_total{reason="vol"} 1.0',
        'besluitbron_reports_asked_total{answer="waits"} 1.0',
        'besluitbron_page_own_seconds_bucket{le="0.05"} 1.0',
        'besluitbron_search_seconds_bucket{le="3.0"} 1.0',
        'besluitbron_load_share{signal="plaatsen"} 0.8',
        'besluitbron_load_shut{signal="processor"} 1.0',
        'besluitbron_load_threshold{edge="shut",signal="processor"} 0.8',
        "besluitbron_reports_waiting 1.0",
        "besluitbron_reports_oldest_seconds 600.0",
        'besluitbron_reports_foretold{which="near"} 1.0',
        "besluitbron_reports_foretold_error_seconds 310.0",
        'besluitbron_reports_refused_late_total{reason="wacht"} 4.0',
        'besluitbron_reports_refused_late_total{reason="geen-werker"} 0.0',
        'besluitbron_reports_refused_late_total{reason="onbekend"} 1.0',
        "besluitbron_reports_without_worker 0.0",
        'besluitbron_reports_waited{group="lezers"} 1.0',
        'besluitbron_reports_waited_seconds{group="lezers"} 600.0',
        'besluitbron_reports_waited_seconds{group="sessies van assistenten"} 40.0',
        'besluitbron_load_alarm{alarm="rij-groeit"} 1.0',
        'besluitbron_load_alarm{alarm="oudste-wacht-lang"} 0.0',
        'besluitbron_load_connections{which="reserved_free"} 90.0',
    ):
        assert line in lines
    assert not [line for line in lines if "adres" in line or "geheim" in line]
