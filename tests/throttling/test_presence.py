"""Signs of life of whoever does work that may wait, in a real store."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator

import pytest

from tests.support.valkey import PATIENCE, Valkey
from throttling.presence import PREFIX, Presence
from throttling.store import Store, StoreLostError

pytestmark = pytest.mark.anyio
_NUMBERS = itertools.count()


class AgedStore(Store):
    """A store in which a test sets when something was last there."""

    async def set_back(self, name: str, seconds: float) -> None:
        """The last sign under ``name`` was so long ago, or is still to come."""
        at, _ = await self._open().time()
        await self._open().set(f"{PREFIX}{name}", repr(at - seconds))


@pytest.fixture
async def store(valkey: Valkey) -> AsyncIterator[AgedStore]:
    async with AgedStore(valkey.address, PATIENCE) as opened:
        yield opened


async def test_silence_counts_from_the_last_sign_and_where_there_never_was_one_from_the_first_look(
    store: AgedStore,
) -> None:
    name = f"proef{next(_NUMBERS)}"
    presence = Presence(store, name)
    assert await presence.silent() == 0
    await store.set_back(name, 600)
    assert 599 <= await presence.silent() < 600 + PATIENCE
    await presence.sign()
    assert await presence.silent() < PATIENCE


async def test_a_clock_that_is_set_back_makes_nobody_missing(store: AgedStore) -> None:
    name = f"proef{next(_NUMBERS)}"
    await store.set_back(name, -5000)
    assert await Presence(store, name).silent() == 0


async def test_an_answer_that_is_not_one_of_ours_is_a_lost_store(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nonsense(*_: object) -> bytes:
        return b"OK"

    monkeypatch.setattr(store, "run", nonsense)
    with pytest.raises(StoreLostError):
        await Presence(store).silent()
