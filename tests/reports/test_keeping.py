"""How values of reports are kept: sealed, packed, and by few threads."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import threading

import pytest
from cryptography.fernet import Fernet
from django.db import OperationalError

from connectors.moments import now
from connectors.platforms import OPENBESLUITVORMING
from reports import codec
from reports.apart import CONNECTIONS, Apart, StorageLostError
from reports.codec import HitsPart, Made, UnreadableError, pack, unpack
from reports.collecting import Lane, sum_up
from reports.database_use import DatabaseUse
from reports.sealing import Seal, UnsealableError, digest_of, new_token
from tests.support.scripted import hit
from throttling.load_rules import LoadRules

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def made() -> Made:
    page = HitsPart(hits=tuple(hit(OPENBESLUITVORMING, number) for number in range(3)), fetched_at=now())
    return sum_up([Lane(OPENBESLUITVORMING.key, [page])], {}, most_hits=5, most_texts=1)


def test_a_report_comes_back_as_it_was() -> None:
    one = made()
    assert unpack(Made, pack(one)) == one


def test_a_report_of_a_version_that_knew_more_can_be_read() -> None:
    """A finished report stays readable: what this version does not know is left aside."""
    one = made()
    told = json.loads(zstd.decompress(pack(one)))
    told["later"] = {"iets": 1}
    told["overview"]["later"] = "ook"
    assert unpack(Made, zstd.compress(json.dumps(told).encode())) == one


@pytest.mark.parametrize("odd", [b"", b"x", zstd.compress(b"{}"), zstd.compress(b"[1]"), pack(made())[:-4]])
def test_what_is_no_report_is_refused(odd: bytes) -> None:
    with pytest.raises(UnreadableError):
        unpack(Made, odd)


def test_a_small_item_that_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MOST_BYTES", 1000)
    with pytest.raises(UnreadableError):
        unpack(Made, zstd.compress(b" " * 100_000))


def test_what_is_sealed_opens_under_its_own_key_alone_and_twice_the_same_looks_different() -> None:
    seal, other = Seal(Fernet.generate_key().decode()), Seal(Fernet.generate_key().decode())
    sealed = seal.close(b"vraag=geheim")
    assert b"geheim" not in sealed
    assert sealed != seal.close(b"vraag=geheim")
    assert seal.open(memoryview(sealed)) == b"vraag=geheim"
    for wrong in (other, seal):
        with pytest.raises(UnsealableError):
            wrong.open(sealed if wrong is other else sealed[:-3])


def test_the_same_wish_has_the_same_mark_under_one_key_and_no_border_moves() -> None:
    seal, other = Seal(Fernet.generate_key().decode()), Seal(Fernet.generate_key().decode())
    assert seal.mark("1", "vraag=a") == seal.mark("1", "vraag=a") != other.mark("1", "vraag=a")
    assert seal.mark("ab", "c") != seal.mark("a", "bc")


def test_tokens_are_long_and_their_digests_say_nothing_of_them() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token) == 32 and token not in digest_of(token) for token in tokens)


@pytest.mark.anyio
async def test_reports_never_hold_more_than_their_few_connections() -> None:
    """Rule L2: however many reports there are, what urgent work needs of the database is left."""
    apart, guard, opened, most = Apart(), threading.Lock(), 0, 0
    full = threading.Barrier(CONNECTIONS)

    def work(number: int) -> None:
        nonlocal opened, most
        with guard:
            opened += 1
            most = max(most, opened)
        if number < CONNECTIONS:
            full.wait(10)
        with guard:
            opened -= 1

    await asyncio.gather(*(apart(work, number) for number in range(20)))
    apart.close()
    assert most == CONNECTIONS


@pytest.mark.anyio
async def test_waiting_for_the_writer_counts_against_the_target_that_holds() -> None:
    """Rules L3 and L12."""
    times = itertools.count(0.0, 0.1)
    apart = Apart(use := DatabaseUse(lambda: next(times)))
    shares = []
    for target in (0.05, 0.2):
        with use.call(of_reports=True, waits=True):
            pass
        shares.append(await apart.share(LoadRules(write_target=target)))
    apart.close()
    assert shares == [pytest.approx(2.0), pytest.approx(0.5)]


@pytest.mark.parametrize("failure", [OperationalError("locked"), OSError(28, "full")])
@pytest.mark.anyio
async def test_a_database_that_is_away_is_one_failure_whatever_it_says(failure: Exception) -> None:
    apart = Apart(DatabaseUse())

    def away() -> None:
        raise failure

    with pytest.raises(StorageLostError):
        await apart(away)
    assert await apart.share(LoadRules()) == 1.0, "what does not answer is not idle"
    assert await apart.share(LoadRules()) is None, "and nobody asked it anything since"
    apart.close()
