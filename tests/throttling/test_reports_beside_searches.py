"""Reports at a platform, all of them one session, beside somebody who searches there (rules L2 and R13)."""

from __future__ import annotations

import pytest

from reports.reading import REPORTS
from tests.support.valkey import Valkey
from tests.throttling.queues import fresh_service, outgoing
from tests.throttling.test_outgoing import Asker, first_with_a_turn, waits
from throttling.callers import house
from throttling.turns import Wanted

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("at_once", [1, 2])
async def test_with_as_many_reports_as_calls_at_once_a_search_waits_for_one_call_and_goes_before_the_next_report(
    valkey: Valkey, at_once: int
) -> None:
    """What is under way is never taken back; what comes free goes to the search, whose session used nothing."""
    service = fresh_service()
    async with outgoing(valkey.address, service, limit=None, in_flight=at_once) as turns:
        under_way = [Asker(turns, Wanted(service=service), REPORTS) for _ in range(at_once)]
        for one in under_way:
            await one.granted()
        more = [Asker(turns, Wanted(service=service), REPORTS) for _ in range(3)]
        await waits(more[0])
        search = Asker(turns, Wanted(service=service), house("bezoeker"))
        await waits(search)
        assert not search.has_turn.is_set()
        await under_way[0].end()
        assert await first_with_a_turn([search, *more]) is search
        for one in (*under_way[1:], search, *more):
            await one.granted()
            await one.end()
