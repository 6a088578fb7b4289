"""The scripts decide as the plain model does, whatever happens in whatever order."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.histories import Step, both, histories, limits
from throttling.limits import Limit
from throttling.store import Store

pytestmark = pytest.mark.anyio


@given(kind=limits, history=histories)
async def test_the_scripts_grant_the_same_calls_at_the_same_moments_as_the_model(
    valkey: Valkey, kind: tuple[Limit | None, int | None], history: list[Step]
) -> None:
    async with Store(valkey.address, PATIENCE) as store:
        pair = await both(store, *kind)
        await pair.play(history)
        await pair.until(pair.now + 200)
        assert [call for call, _ in pair.granted] == [call for call, _ in pair.model.grants]
        assert [at for _, at in pair.granted] == pytest.approx([at for _, at in pair.model.grants])
