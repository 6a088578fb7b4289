"""The bookkeeper: what outlives the store is written within a round, counted once, and forgotten in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from redis import Redis

from tests.support.serving import until
from tests.support.valkey import Valkey, private_valkey
from tests.throttling.queues import fresh_service
from throttling.bookkeeping import Bookkeeper, Page, UnwritableError
from throttling.callers import Caller, house
from throttling.database import DatabaseBooks, DatabaseMemory
from throttling.decisions import Decisions, Entry
from throttling.foretold import Foretold
from throttling.limits import SlidingWindow
from throttling.models import PlatformState, QueueMinute, SessionUsage
from throttling.outgoing import Outgoing
from throttling.rules import QueueRules
from throttling.store import Store
from throttling.turns import Expected, Wanted

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
RULES = QueueRules(limit=SlidingWindow(units=60, seconds=60), in_flight=100)
FOREVER = 1e9
SESSION = "adres:0123456789abcdef"


class Desk:
    """One queue in invented time, with its bookkeeper."""

    def __init__(self, store: Store, name: str, books: Any = None) -> None:
        self.name = name
        self.at = 0.0
        self.queue = Decisions(store, name, RULES)
        self.keeper = Bookkeeper(store, {name: RULES}, books or DatabaseBooks(), self.wall)
        self.move(0.0)

    def wall(self) -> float:
        return NOON.timestamp() + self.at

    def move(self, seconds: float) -> None:
        self.at += seconds
        self.queue.frozen = self.keeper.queues[0].frozen = self.at

    async def begin(self, epoch: str = "een") -> None:
        await self.queue.open(epoch, 0.0, ())
        await self.queue.permit(FOREVER)

    async def call(self, name: str, session: str = SESSION, cost: float = 1.0) -> None:
        await self.queue.enter(Entry(id=name, process="p", session=session, cost=cost))
        await self.queue.done(name)


async def uses() -> list[tuple[str, Decimal, datetime]]:
    return [(row.session, row.units, row.last_call) async for row in SessionUsage.objects.order_by("session")]


async def the_minutes() -> list[tuple[datetime, Decimal, int, int]]:
    return [(m.minute, m.granted, m.waiting, m.refused) async for m in QueueMinute.objects.order_by("minute")]


async def test_a_round_writes_what_each_session_used_and_what_the_minute_saw(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        desk = Desk(store, fresh_service())
        await desk.begin()
        await desk.call("a", cost=2.5)
        await desk.call("b", "sessie:b")
        await desk.call("c", "huis")
        desk.move(10)
        await desk.keeper.round()
    assert await uses() == [(SESSION, Decimal("2.5"), NOON), ("sessie:b", Decimal(1), NOON)]
    assert await the_minutes() == [(NOON, Decimal("4.5"), 0, 0)]


async def test_a_session_that_waits_is_not_idle(valkey: Valkey) -> None:
    """Rule R9: a call still waiting counts as a call."""
    async with Store(valkey.address) as store:
        desk = Desk(store, fresh_service())
        await desk.begin()
        await desk.call("a", cost=60)
        await desk.queue.enter(Entry(id="b", process="p", session=SESSION))
        desk.move(9)
        await desk.keeper.round()
        await desk.queue.leave("b")
    assert await uses() == [(SESSION, Decimal(60), NOON + timedelta(seconds=9))]
    assert await the_minutes() == [(NOON, Decimal(60), 1, 0)]


async def test_nothing_is_counted_twice_also_not_by_two_bookkeepers(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        desk = Desk(store, fresh_service())
        other = Desk(store, desk.name)
        await desk.begin()
        await desk.call("a")
        await desk.queue.enter(Entry(id="b", process="p", session=SESSION))
        await desk.queue.refused("b", 0.0)
        for _ in range(2):
            await desk.keeper.round()
            await other.keeper.round()
    state = await PlatformState.objects.aget(queue=desk.name)
    assert state.refusals == 1
    assert sum(refused for _, _, _, refused in await the_minutes()) == 1
    snapshot_given = Decimal(state.given_seen) / 1000
    assert sum(granted for _, granted, _, _ in await the_minutes()) == snapshot_given > 1


async def test_a_queue_that_began_again_is_counted_on(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        name = fresh_service()
        desk = Desk(store, name)
        await desk.begin()
        for call in "abc":
            await desk.call(call)
        await desk.keeper.round()
        Redis.from_url(valkey.address).delete(f"beurt:{{{name}}}:staat")
        await desk.begin("twee")
        await desk.call("d")
        await desk.keeper.round()
    assert [granted for _, granted, _, _ in await the_minutes()] == [Decimal(4)]


async def test_half_an_hour_after_its_last_call_nothing_about_a_session_remains_anywhere() -> None:
    """Rule R9: not in the store, not in any table."""
    with private_valkey() as server:
        async with Store(server.address) as store:
            desk = Desk(store, fresh_service())
            await desk.begin()
            await desk.call("a")
            await desk.keeper.round()
            assert SESSION in await in_every_table()
            assert SESSION in in_the_whole_store(server)
            desk.move(30 * 60 + 1)
            await desk.keeper.round()
        assert SESSION not in in_the_whole_store(server)
    assert SESSION not in await in_every_table()
    assert await PlatformState.objects.acount() == 1


async def test_also_while_the_store_is_lost_the_books_forget() -> None:
    """Rule R9."""
    with private_valkey() as server:
        async with Store(server.address) as store:
            desk = Desk(store, fresh_service())
            await desk.begin()
            await desk.call("a")
            await desk.keeper.round()
            server.kill()
            desk.move(29 * 60)
            await desk.keeper.round()
            assert SESSION in await in_every_table()
            desk.move(61)
            await desk.keeper.round()
    assert SESSION not in await in_every_table()


async def test_the_minutes_of_a_queue_are_kept_for_an_hour(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        desk = Desk(store, fresh_service())
        await desk.begin()
        await desk.call("a")
        await desk.keeper.round()
        desk.move(3600)
        await desk.keeper.round()
        assert len(await the_minutes()) == 1
        desk.move(60)
        await desk.keeper.round()
    assert await the_minutes() == []


async def test_use_is_brought_back_when_the_store_was_lost() -> None:
    with private_valkey() as server:
        name = fresh_service()
        async with Store(server.address) as store:
            keeper = Bookkeeper(store, {name: RULES}, DatabaseBooks())
            async with Outgoing(store, {name: RULES}, DatabaseMemory()) as turns:
                for _ in range(3):
                    async with turns.turn(Wanted(service=name), Caller(session=SESSION), lambda _: None):
                        pass
                await keeper.round()
        server.kill()
        server.start()
        async with Store(server.address) as store:
            queue = Decisions(store, name, RULES)
            memory = DatabaseMemory()
            used = [(u.session, u.units, u.idle) for u in await memory.used(name)]
            await queue.open("twee", 0.0, used)
            async with Outgoing(store, {name: RULES}, memory) as turns:
                async with turns.turn(Wanted(service=name), Caller(session=SESSION), lambda _: None):
                    pass
                (session,) = (await turns.snapshot(name)).sessions
    assert session.used == 4000


async def test_after_a_loss_the_database_alone_keeps_a_queue_closed_and_knows_its_use() -> None:
    """Rule R12, with the product's own memory."""
    with private_valkey() as server:
        name = fresh_service()
        async with Store(server.address) as store, Outgoing(store, {name: RULES}, DatabaseMemory()) as turns:
            async with turns.turn(Wanted(service=name), Caller(session=SESSION), lambda _: None):
                pass
            await Bookkeeper(store, {name: RULES}, DatabaseBooks()).round()
            Redis(unix_socket_path=str(server.path)).flushall()
            with pytest.raises(Exception, match=name):
                async with turns.turn(Wanted(service=name), house("v"), lambda _: None):
                    pass
            snapshot = await turns.snapshot(name)
    assert snapshot.closed > snapshot.now
    assert [(session.name, session.used) for session in snapshot.sessions] == [(SESSION, 1000)]


async def test_what_a_call_was_told_is_kept_beside_its_real_start(valkey: Valkey) -> None:
    """Eis 6.13."""
    name = fresh_service()
    rules = QueueRules(limit=None, in_flight=1)
    told: list[float] = []
    waits = asyncio.Event()

    def on_wait(expected: Expected) -> None:
        told.append(expected.seconds)
        waits.set()

    async def second(turns: Outgoing) -> None:
        async with turns.turn(Wanted(service=name), house("w"), on_wait):
            pass

    async with Store(valkey.address) as store, Outgoing(store, {name: rules}, DatabaseMemory()) as turns:
        async with turns.turn(Wanted(service=name), house("v"), lambda _: None):
            waiting = asyncio.ensure_future(second(turns))
            async with asyncio.timeout(10):
                await waits.wait()
        await waiting
        keeper = Bookkeeper(store, {name: rules}, DatabaseBooks())
        await asyncio.gather(*(task for desk in turns._desks.values() for task in desk._loose))
        await keeper.round()
        await keeper.round()
    (minute,) = [minute async for minute in QueueMinute.objects.filter(queue=name)]
    assert minute.foretold == 1
    assert minute.predicted_seconds == pytest.approx(told[0], abs=0.001)
    assert minute.real_seconds >= 0


@pytest.mark.parametrize(
    ("predicted", "real", "near"), [(2, 0, True), (2.1, 0, False), (80, 100, True), (74, 100, False), (130, 100, False)]
)
def test_an_estimate_is_near_within_a_quarter_or_two_seconds(predicted: float, real: float, near: bool) -> None:
    """Eis 6.13."""
    assert Foretold(predicted, real).is_near is near
    assert Foretold.read(Foretold(predicted, real).text()) == Foretold(predicted, real)


class Unwritable:
    """Books that cannot be written at first."""

    def __init__(self) -> None:
        self.failures = 1
        self.written: list[Sequence[Page]] = []
        self.happened = asyncio.Event()

    async def write(self, pages: Sequence[Page], at: datetime) -> None:
        del at
        if self.failures:
            self.failures -= 1
            raise UnwritableError
        self.written.append(pages)
        self.happened.set()


async def test_what_cannot_be_written_now_is_written_in_the_next_round(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        books = Unwritable()
        desk = Desk(store, fresh_service(), books)
        await desk.begin()
        await desk.call("a")
        await desk.queue.came_true(Foretold(1.0, 2.0))
        await desk.keeper.round()
        await desk.keeper.round()
        await desk.keeper.round()
    (page,), (later,) = books.written
    assert ([use.session for use in page.uses], page.foretold) == ([SESSION], (Foretold(1.0, 2.0),))
    assert (later.uses, later.foretold) == ((), ())  # only what changed


async def test_a_queue_that_was_never_begun_holds_up_no_other(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        desk = Desk(store, fresh_service())
        await desk.begin()
        await desk.call("a")
        both = {fresh_service(): RULES, desk.name: RULES}
        keeper = Bookkeeper(store, both, DatabaseBooks(), desk.wall)
        for queue in keeper.queues:
            queue.frozen = desk.at
        await keeper.round()
    assert [session for session, _, _ in await uses()] == [SESSION]


async def test_asked_to_end_the_bookkeeper_writes_once_more_and_ends(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        books = Unwritable()
        books.failures = 0
        desk = Desk(store, fresh_service(), books)
        await desk.begin()
        stop = asyncio.Event()
        task = asyncio.ensure_future(desk.keeper.run(stop, every=600))
        await until(books.happened.is_set)
        await desk.call("a")
        stop.set()
        async with asyncio.timeout(10):
            await task
    assert [use.session for use in books.written[-1][0].uses] == [SESSION]


@sync_to_async
def in_every_table() -> str:
    """Everything that stands in the database."""
    with connection.cursor() as cursor:
        texts = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            texts.append(repr(cursor.fetchall()))
    return "\n".join(texts)


def in_the_whole_store(server: Valkey) -> str:
    """Every key of the store with what it holds."""
    client: Any = Redis(unix_socket_path=str(server.path))
    readers: dict[bytes, Callable[[Any], Any]] = {
        b"string": client.get,
        b"hash": client.hgetall,
        b"list": lambda key: client.lrange(key, 0, -1),
        b"set": client.smembers,
        b"zset": lambda key: client.zrange(key, 0, -1),
    }
    return "\n".join(f"{key!r} {readers[client.type(key)](key)!r}" for key in client.keys("*"))
