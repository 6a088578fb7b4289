"""Seats over all processes: the script against the plainest model there is, and what leases are for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.valkey import Valkey, private_valkey
from throttling.seats import Seats
from throttling.store import Store, StoreLostError

pytestmark = pytest.mark.anyio
LONG = 600.0
HOLDERS = ("a", "b", "c", "d", "e")


@pytest.fixture(scope="module")
def server() -> Iterator[Valkey]:
    with private_valkey() as one:
        yield one


@pytest.fixture
async def store(server: Valkey) -> AsyncIterator[Store]:
    server.flush()
    async with Store(server.address) as one:
        yield one


steps = st.lists(
    st.tuples(st.sampled_from(["take", "keep", "leave"]), st.sampled_from(HOLDERS), st.integers(1, 4)), max_size=30
)


@given(history=steps)
def test_a_seat_is_given_exactly_while_fewer_are_taken_than_there_are(
    server: Valkey, history: list[tuple[str, str, int]]
) -> None:
    """Rule L2: also when the number of seats changes in between."""
    server.flush()
    asyncio.run(_like_the_model(server.address, history))


async def _like_the_model(address: str, history: list[tuple[str, str, int]]) -> None:
    taken: set[str] = set()
    async with Store(address) as store:
        seats = Seats(store, "proef", LONG)
        for act, holder, most in history:
            if act == "take" and holder not in taken:
                free = len(taken) < most
                assert await seats.take(holder, most) is free
                taken |= {holder} if free else set()
            elif act == "keep":
                assert await seats.keep([holder]) == (holder in taken)
            elif act == "leave":
                await seats.leave(holder)
                taken.discard(holder)
            assert await seats.taken() == len(taken)


async def test_many_who_ask_at_once_get_no_more_seats_than_there_are(store: Store) -> None:
    seats = Seats(store, "proef", LONG)
    got = await asyncio.gather(*(seats.take(str(number), 3) for number in range(50)))
    assert sum(got) == 3


async def test_a_seat_whose_holder_died_comes_free_and_one_that_is_kept_does_not(store: Store) -> None:
    alive, dying = Seats(store, "proef", LONG), Seats(store, "proef", 0.2)
    assert await alive.take("leeft", 2)
    assert await dying.take("dood", 2)
    async with asyncio.timeout(30):
        while not await alive.take("nieuw", 2):
            await asyncio.sleep(0.02)
    assert await alive.keep(["leeft", "nieuw", "dood"]) == 2


async def test_seats_of_another_name_are_other_seats(store: Store) -> None:
    one, other = Seats(store, "een", LONG), Seats(store, "twee", LONG)
    assert await one.take("a", 1)
    assert await other.take("a", 1)
    assert not await one.take("b", 1)


async def test_without_the_store_nobody_gets_a_seat() -> None:
    async with Store("unix:///nergens/s.sock") as lost:
        with pytest.raises(StoreLostError):
            await Seats(lost, "proef").take("a", 1)
