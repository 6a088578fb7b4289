"""One platform's cache: its share, who goes first, what is counted, and that no other is touched. On a real server."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import redis

from besluitbron.caches import DATABASES
from connectors.buffering.rules import Kept
from connectors.buffering.shelf import OVERHEAD_BYTES, Entry, Shelf, Wanted
from connectors.platforms import PLATFORMS
from tests.support.buffers import ONE, TWO, Buffers
from tests.support.valkey import Valkey

HOUR = timedelta(hours=1)


def entry(name: str, size: int = 1000, **changes: Any) -> Entry:
    values: dict[str, Any] = {"kind": Kept.SEARCH, "version": "1", "lives": HOUR} | changes
    return Entry(name, b"x" * (size - OVERHEAD_BYTES), **values)


def put(shelf: Shelf, buffers: Buffers, *entries: Entry) -> list[int]:
    """Keep entries one second apart."""
    gone = []
    for one in entries:
        buffers.clock.pass_by(timedelta(seconds=1))
        gone.append(shelf.keep(one, buffers.clock(), {}))
    return gone


def there(shelf: Shelf, buffers: Buffers, names: str) -> str:
    values, _ = shelf.fetch(Wanted(tuple(names)), buffers.clock(), {})
    return "".join(name for name, value in zip(names, values, strict=True) if value is not None)


def test_every_platform_has_a_database_of_its_own() -> None:
    assert set(DATABASES) == {platform.key for platform in PLATFORMS}
    assert sorted(set(DATABASES.values())) == list(range(len(PLATFORMS)))


def test_over_its_share_only_the_least_recently_read_of_its_own_go(buffers: Buffers) -> None:
    one, two = Shelf(ONE, 3000), Shelf(TWO, 3000)
    put(two, buffers, entry("a"), entry("b"), entry("c"))
    put(one, buffers, entry("a"), entry("b"), entry("c"))
    buffers.clock.pass_by(timedelta(seconds=1))
    assert there(one, buffers, "a") == "a"
    assert put(one, buffers, entry("d")) == [1]
    assert there(one, buffers, "abcd") == "acd"
    assert there(two, buffers, "abc") == "abc"
    figures = one.figures(buffers.clock())
    assert (figures.items, figures.bytes, figures.evicted) == (3, 3000, 1)


def test_one_large_item_makes_several_small_ones_go_and_what_exceeds_the_share_is_not_kept(buffers: Buffers) -> None:
    shelf = Shelf(ONE, 5000)
    put(shelf, buffers, *(entry(name) for name in "abcde"))
    assert put(shelf, buffers, entry("f", 3000)) == [3]
    assert there(shelf, buffers, "abcdef") == "def"
    assert put(shelf, buffers, entry("g", 5001)) == [-1]
    assert there(shelf, buffers, "defg") == "def"


def test_the_share_holds_and_the_count_is_right_whatever_is_kept_read_and_forgotten(buffers: Buffers) -> None:
    """A slow and obvious model beside it: a list in order of reading."""
    shelf, dice, model = Shelf(ONE, 10_000), random.Random(4), dict[str, int]()
    for _ in range(400):
        buffers.clock.pass_by(timedelta(seconds=1))
        name, size = dice.choice("abcdefghijklmnop"), dice.randrange(700, 4000)
        match dice.randrange(4):
            case 0:
                if there(shelf, buffers, name):
                    model[name] = model.pop(name)
            case 1:
                shelf.forget([name])
                model.pop(name, None)
            case _:
                shelf.keep(entry(name, size), buffers.clock(), {})
                model.pop(name, None)
                model[name] = size
                while sum(model.values()) > 10_000:
                    model.pop(next(iter(model)))
        figures = shelf.figures(buffers.clock())
        assert (figures.items, figures.bytes) == (len(model), sum(model.values()))
    assert there(shelf, buffers, "abcdefghijklmnop") == "".join(sorted(model))


def test_what_has_ended_counts_no_longer(buffers: Buffers) -> None:
    shelf = Shelf(ONE, 3000)
    put(shelf, buffers, entry("a", lives=timedelta(minutes=1)), entry("b"), entry("c"))
    buffers.clock.pass_by(timedelta(minutes=2))
    assert put(shelf, buffers, entry("d")) == [0]
    assert shelf.figures(buffers.clock()).items == 3


def test_what_the_server_itself_let_go_leaves_no_count_behind(buffers: Buffers) -> None:
    shelf = Shelf(ONE, 3000)
    put(shelf, buffers, entry("a"), entry("b"))
    shelf._server().delete("i:a")
    assert put(shelf, buffers, entry("a"), entry("c")) == [0, 0]
    assert shelf.figures(buffers.clock()).bytes == 3000


def test_the_versions_on_the_shelf_are_counted(buffers: Buffers) -> None:
    shelf = Shelf(ONE, 9000)
    put(shelf, buffers, entry("a", version="1"), entry("b", version="2 beta"), entry("c", version="2 beta"))
    assert shelf.figures(buffers.clock()).versions == {"1": 1, "2 beta": 2}
    put(shelf, buffers, entry("a", version="2 beta"))
    assert shelf.figures(buffers.clock()).versions == {"2 beta": 3}


def test_a_document_that_goes_takes_its_parts_along_and_nothing_is_kept_under_it_any_more(buffers: Buffers) -> None:
    shelf = Shelf(ONE, 9000)
    put(shelf, buffers, entry("a", document="d"), entry("b", document="d", kind=Kept.TEXT), entry("c", document="e"))
    assert shelf.bury("d", b"{}", HOUR) == 2
    assert there(shelf, buffers, "abc") == "c"
    assert put(shelf, buffers, entry("a", document="d")) == [-1]
    shelf.unbury("d")
    assert put(shelf, buffers, entry("a", document="d")) == [0]


def test_a_document_that_is_taken_down_takes_every_search_answer_along_and_no_list(buffers: Buffers) -> None:
    shelf = Shelf(ONE, 9000)
    put(shelf, buffers, entry("a", document="d", kind=Kept.TEXT), entry("b"), entry("c", kind=Kept.LIST))
    put(shelf, buffers, entry("e", document="f", kind=Kept.TEXT))
    assert shelf.remove("d", b"{}", HOUR) == 2
    assert there(shelf, buffers, "abce") == "ce"


def test_clearing_one_platform_leaves_the_other_six_the_turns_and_the_queue_of_celery_untouched(
    buffers: Buffers, valkey: Valkey
) -> None:
    """In the product the turns and the queue are on a server of their own; here even on the same one nothing is lost."""
    for platform in DATABASES:
        put(Shelf(platform, 9000), buffers, entry("a"))
    turns, queue = (redis.Redis.from_url(f"{valkey.address}?db={number}") for number in (14, 15))
    with turns, queue:
        turns.set("{rechtspraak/zoeken}:epoch", "1")
        queue.rpush("upkeep", "taak")
        Shelf(ONE, 9000).clear()
        assert (turns.dbsize(), queue.dbsize()) == (1, 1)
    left = {platform: there(Shelf(platform, 9000), buffers, "a") for platform in DATABASES}
    assert left == dict.fromkeys(DATABASES, "a") | {ONE: ""}
    figures = Shelf(ONE, 9000).figures(buffers.clock())
    assert (figures.items, figures.bytes, figures.hit_share) == (0, 0, None)


def test_what_is_counted_travels_with_the_next_exchange(buffers: Buffers) -> None:
    shelf = Shelf(ONE, 9000)
    shelf.fetch(Wanted(("a",)), buffers.clock(), {"misses": 3})
    shelf.keep(entry("a"), buffers.clock(), {"hits": 1})
    assert shelf.figures(buffers.clock()).hit_share == 0.25
