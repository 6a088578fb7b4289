"""The connector against the stand-in: what it finds over all its pages is what is there, and exact is what it calls exact."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from itertools import count

import httpx
import pytest

from connectors.calls import Answer, Call
from connectors.openbesluitvorming.connector import OpenBesluitvorming
from connectors.openbesluitvorming.standin import OpenBesluitvormingStandIn
from connectors.records import Certainty, Hit, Kind, SearchResult, Sort
from connectors.standins import StandIns
from tests.connectors.openbesluitvorming.support import FETCHED, STAND_INS, body, query
from tests.support.asking import Asking

pytestmark = pytest.mark.anyio
CONNECTOR = OpenBesluitvorming(STAND_INS)
EIGHT = tuple(
    f"gemeente-{name}"
    for name in ("ede", "utrecht", "amsterdam", "rotterdam", "groningen", "soest", "ermelo", "zeewolde")
)
CALLERS = count(1)
MOTIONS = frozenset({Kind.MOTIE, Kind.AMENDEMENT})


@cache
def _app() -> httpx.ASGITransport:
    return httpx.ASGITransport(StandIns([OpenBesluitvormingStandIn("http://127.0.0.1:8000")]))


class StandIn(Asking):
    """An ``ask`` that the stand-in answers. Each call comes from another address, so that no bucket runs empty."""

    def __init__(self) -> None:
        self.calls = 0

    async def answer(self, call: Call) -> Answer:
        self.calls += 1
        headers = {"x-forwarded-for": f"10.0.0.{next(CALLERS)}"}
        async with httpx.AsyncClient(transport=_app(), base_url="http://127.0.0.1:8001") as client:
            got = await client.get(f"/openbesluitvorming/api{call.path}", params=call.params, headers=headers)
        return Answer(status=got.status_code, headers=dict(got.headers), body=got.content, fetched_at=FETCHED)


async def over_all_pages(word: str, most_calls: int = 6, **asked: object) -> tuple[list[Hit], list[SearchResult]]:
    """All hits of a question from its first page to its last, and the answers."""
    hits: list[Hit] = []
    results: list[SearchResult] = []
    while not results or results[-1].has_more:
        ask = StandIn()
        results.append(await CONNECTOR.search(query(word, number=len(results) + 1, **asked), ask))  # type: ignore[arg-type]  # the fields of a query
        assert ask.calls <= most_calls
        hits += results[-1].hits
    return hits, results


ALL: dict[str, list[Hit]] = {}


async def everything(word: str, organisations: tuple[str, ...] = ()) -> dict[str, Hit]:
    """What the stand-in holds, asked without any filter and sifted here."""
    if word not in ALL:
        ALL[word], _ = await over_all_pages(word)
    return {hit.id: hit for hit in ALL[word] if not organisations or hit.organisation_id in organisations}


@pytest.mark.parametrize("organisations", [(), EIGHT[:1], EIGHT[:2], EIGHT[:6], EIGHT])
@pytest.mark.parametrize("word", ["raad", "begroting", "warmtenet", "het"])
@pytest.mark.parametrize("kinds", [MOTIONS, frozenset({Kind.MOTIE}), frozenset({Kind.VOORSTEL, Kind.AMENDEMENT})])
async def test_a_search_for_kinds_finds_all_of_them_over_its_pages(
    word: str, organisations: tuple[str, ...], kinds: frozenset[Kind]
) -> None:
    there = {found for found, hit in (await everything(word, organisations)).items() if hit.kind in kinds}

    hits, results = await over_all_pages(word, organisations=organisations, kinds=kinds)

    assert {hit.id for hit in hits} == there
    assert len(hits) == len(there)
    for result in results:
        assert result.total.certainty is not Certainty.EXACT or result.total.value == len(there)


async def test_there_are_motions_that_are_papers_so_that_the_comparison_means_something() -> None:
    kinds = [hit.upstream_id.partition(":")[0] for hit in (await everything("raad")).values() if hit.kind in MOTIONS]

    assert kinds.count("document") > 20


@pytest.mark.parametrize("sort", Sort)
@pytest.mark.parametrize("organisations", [(), ("gemeente-rotterdam",), EIGHT[:4], EIGHT])
async def test_a_period_finds_every_hit_that_shows_one_of_its_days(sort: Sort, organisations: tuple[str, ...]) -> None:
    """Field report 10: the meeting of Rotterdam that went on at half past midnight."""
    night = date(2024, 11, 8)
    there = {
        found for found, hit in (await everything("raad", organisations)).items() if hit.date and hit.date.day == night
    }

    hits, _ = await over_all_pages("raad", organisations=organisations, date_from=night, date_until=night, sort=sort)

    assert there
    assert {hit.id for hit in hits} == there


@pytest.mark.parametrize("sort", Sort)
async def test_an_open_period_finds_every_hit_after_its_start_and_none_twice(sort: Sort) -> None:
    first = date(2024, 11, 8)
    there = {found for found, hit in (await everything("raad")).items() if hit.date and hit.date.day >= first}

    hits, results = await over_all_pages("raad", date_from=first, sort=sort)

    assert {hit.id for hit in hits} == there
    assert len(hits) == len(there)
    assert results[0].total.certainty is Certainty.ESTIMATE


async def test_the_evening_of_the_day_before_is_not_in_a_period() -> None:
    hits, _ = await over_all_pages(
        "raad", date_from=date(2024, 11, 8), date_until=date(2024, 11, 8) + timedelta(days=30)
    )

    assert all(hit.date and hit.date.day >= date(2024, 11, 8) for hit in hits)


async def test_land_van_cuijk_can_be_asked_for() -> None:
    """Field report 13."""
    result = await CONNECTOR.search(query(organisations=("gemeente-land-van-cuijk",)), StandIn())

    assert result.hits
    assert {hit.organisation_id for hit in result.hits} == {body("gemeente-land-van-cuijk").id}
