"""The kept lists, over real HTTP to stand-ins and in a real database: filled, refreshed, and kept when that fails."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
import time_machine
from pytest_django import Settings
from starlette.responses import Response

import besluitbron
from besluitbron.composition import (
    UpkeepHouse,
    addresses,
    current_register,
)
from besluitbron.running.layout import Layout
from besluitbron.standins import make_application
from connectors import refreshing, tasks, upkeep
from connectors.addresses import PlatformMode
from connectors.buffer import Found
from connectors.calls import Answer, Call
from connectors.lists import LOAD_STATUS, ORGANISATIONS, Row, Source, Trouble
from connectors.models import ListRow, LoadRow, PlatformList, Writing
from connectors.moments import now
from connectors.platforms import OPEN_ARCHIVARIS
from connectors.registry import default_registry
from connectors.upkeep import Verdict, check_one
from tests.product.conftest import Product
from tests.support.asking import as_is
from tests.support.pages import main_text
from tests.support.scripted import KeepingBuffer, call_to, client_of, scripted_platform
from tests.support.serving import served
from throttling.callers import Caller, house
from throttling.outgoing import Outgoing, OutgoingTurn
from throttling.turns import OnWait, Wanted

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
ORI = "open-raadsinformatie"
SMALL = "tests.support.upkeep.SmallHouse"
in_thread = asyncio.to_thread


@dataclass(frozen=True, slots=True)
class StandIns:
    """The stand-ins and their control address."""

    control: httpx.AsyncClient

    async def put(self, state: str) -> None:
        await self.control.post(f"/_stand/{ORI}", json={"staat": state})

    async def calls(self) -> int:
        return int((await self.control.get(f"/_stand/{ORI}")).json()["aanroepen"])


@pytest.fixture
async def stand_ins(settings: Settings, tmp_path: Path) -> AsyncIterator[StandIns]:
    settings.LAYOUT = Layout(tmp_path)
    settings.UPKEEP_FACTORY = SMALL
    async with served(make_application("http://localhost:8000")) as root:
        settings.STAND_INS_ADDRESS = root
        async with httpx.AsyncClient(base_url=root) as control:
            yield StandIns(control)


def kept(kind: str = ORGANISATIONS, platform: str = ORI) -> PlatformList:
    return PlatformList.objects.get(platform=platform, kind=kind)


def names(kind: str = ORGANISATIONS) -> list[str]:
    return list(ListRow.objects.filter(list__platform=ORI, list__kind=kind).values_list("key", flat=True))


def fill(settings: Settings) -> tuple[str, ...]:
    return refreshing.fill(UpkeepHouse, settings.VERSION)


def no_house() -> NoReturn:
    pytest.fail("there was nothing to fill")


async def test_a_first_start_has_the_shipped_organisations_of_every_source_and_a_second_fills_nothing(
    settings: Settings,
) -> None:
    filled = await in_thread(fill, settings)
    shipped = {one.platform.key: len(one.organisations()) for one in default_registry(addresses())}
    assert set(filled) == set(shipped)

    def counted() -> dict[str, int]:
        return {one.platform: one.rows.count() for one in PlatformList.objects.filter(source=Source.SHIPPED)}

    assert await in_thread(counted) == shipped
    before = await in_thread(kept)
    assert await in_thread(fill, settings) == ()
    assert (await in_thread(kept)).fetched_at == before.fetched_at


async def test_a_start_with_nothing_to_fill_makes_no_connector(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    await in_thread(fill, settings)
    monkeypatch.setattr(refreshing, "PLATFORMS", [one.platform for one in default_registry(addresses())])
    assert await in_thread(refreshing.fill, no_house, settings.VERSION) == ()


async def test_a_refresh_writes_down_what_the_platform_has_now(stand_ins: StandIns, settings: Settings) -> None:
    await in_thread(fill, settings)
    await in_thread(tasks.refresh_lists, ORI)
    one = await in_thread(kept)
    version = settings.VERSION
    assert (one.source, one.version, one.tried_version, one.last_failure) == ("bron", version, version, "")
    assert one.number == len(await in_thread(names)) > 300
    for kind in ("commissies", "fracties"):
        assert await in_thread(names, kind)


@pytest.mark.parametrize(
    ("state", "trouble"),
    [
        ("dood", Trouble.UNREACHABLE),
        ("onzin", Trouble.NOT_AN_ANSWER),
        ("vol", Trouble.OVER_LIMIT),
    ],
)
async def test_a_refresh_that_fails_keeps_the_old_list_and_says_so(
    stand_ins: StandIns, state: str, trouble: Trouble
) -> None:
    """Field report 34."""
    await in_thread(tasks.refresh_lists, ORI)
    before, rows = await in_thread(kept), await in_thread(names)
    await stand_ins.put(state)
    await in_thread(tasks.refresh_lists, ORI)
    after = await in_thread(kept)
    assert after.last_failure == trouble
    assert after.fetched_at == before.fetched_at
    assert after.last_try
    assert before.last_try
    assert after.last_try > before.last_try
    assert await in_thread(names) == rows
    assert (await in_thread(kept, "commissies")).last_failure == trouble
    await stand_ins.put("goed")
    await in_thread(tasks.refresh_lists, ORI)
    assert (await in_thread(kept)).last_failure == ""


async def test_the_load_status_is_kept_for_each_body_and_survives_a_failure(stand_ins: StandIns) -> None:
    def states() -> dict[str, str]:
        return dict(LoadRow.objects.filter(list__platform=ORI).values_list("key", "state"))

    await in_thread(tasks.refresh_every_load_status)
    found = await in_thread(states)
    assert found["ori_ede"].startswith("geladen")
    one = await in_thread(kept, LOAD_STATUS)
    assert one.generated_at
    assert one.number == len(found)
    assert not await in_thread(PlatformList.objects.filter(platform="tweede-kamer").exists)
    await stand_ins.put("dood")
    await in_thread(tasks.refresh_load_status, ORI)
    after = await in_thread(kept, LOAD_STATUS)
    assert (after.last_failure, after.fetched_at) == (Trouble.UNREACHABLE, one.fetched_at)
    assert await in_thread(states) == found


async def test_a_platform_that_never_answered_has_its_failure_and_no_list(stand_ins: StandIns) -> None:
    await stand_ins.put("dood")
    await in_thread(tasks.refresh_lists, ORI)
    one = await in_thread(kept)
    assert (one.number, one.fetched_at, one.age) == (0, None, "nog niet opgehaald")
    assert one.failure_words == "De bron was niet bereikbaar."


async def test_an_upgrade_asks_again_and_a_restart_does_not(stand_ins: StandIns, settings: Settings) -> None:
    async def start() -> int:
        before = await stand_ins.calls()
        await in_thread(fill, settings)
        await in_thread(tasks.refresh_outdated)
        return await stand_ins.calls() - before

    assert await start() > 0
    assert await start() == 0
    settings.VERSION = "9.9.9"
    assert await start() > 0
    versions = {(await in_thread(kept, kind)).version for kind in (ORGANISATIONS, "commissies", LOAD_STATUS)}
    assert versions == {"9.9.9"}
    assert await start() == 0


async def test_what_failed_is_tried_again_at_the_next_start(stand_ins: StandIns) -> None:
    await stand_ins.put("dood")
    await in_thread(tasks.refresh_lists, ORI)
    await stand_ins.put("goed")
    await in_thread(tasks.refresh_outdated)
    assert (await in_thread(kept)).source == Source.PLATFORM


async def test_an_upgrade_brings_its_own_shipped_list_and_leaves_that_of_the_platform(
    stand_ins: StandIns, settings: Settings
) -> None:
    await in_thread(fill, settings)
    await in_thread(tasks.refresh_lists, ORI)
    settings.VERSION = "9.9.9"
    filled = await in_thread(fill, settings)
    assert ORI not in filled
    assert "rechtspraak" in filled
    one = await in_thread(kept)
    assert (one.source, one.version) == ("bron", besluitbron.__version__)


@pytest.mark.parametrize(("by_hand", "expected"), [(False, (5, Trouble.SHRUNK)), (True, (2, ""))])
async def test_a_much_shorter_list_is_taken_over_only_when_an_operator_asks(
    by_hand: bool, expected: tuple[int, str]
) -> None:
    def write(count: int, *, by_hand: bool = False) -> None:
        rows = [Row(f"k{number}", "x") for number in range(count)]
        PlatformList.objects.replace(ORI, "fracties", rows, Writing("1", now(), by_hand=by_hand))

    await in_thread(write, 5)
    await in_thread(lambda: write(2, by_hand=by_hand))
    one = await in_thread(kept, "fracties")
    assert (one.number, one.last_failure) == expected
    await in_thread(lambda: write(0, by_hand=True))
    assert (await in_thread(kept, "fracties")).last_failure == Trouble.EMPTY


async def test_a_list_that_the_platform_stopped_giving_is_forgotten(stand_ins: StandIns) -> None:
    await in_thread(PlatformList.objects.replace, ORI, "wijken", [Row("a", "b")], Writing("1", now()))
    await in_thread(tasks.refresh_lists, ORI)
    assert not await in_thread(PlatformList.objects.filter(platform=ORI, kind="wijken").exists)


async def test_a_platform_without_an_address_is_off_and_not_failed(settings: Settings, tmp_path: Path) -> None:
    settings.LAYOUT, settings.PLATFORM_MODE = Layout(tmp_path), PlatformMode.LIVE
    settings.UPKEEP_FACTORY = "tests.support.upkeep.HouseWithoutAddress"
    await in_thread(tasks.refresh_lists, OPEN_ARCHIVARIS.key)
    assert not await in_thread(PlatformList.objects.exists)


async def test_a_fault_of_ours_is_noted_like_any_other(settings: Settings, tmp_path: Path) -> None:
    settings.LAYOUT = Layout(tmp_path)
    settings.UPKEEP_FACTORY = "tests.support.upkeep.HouseOfFaults"
    await in_thread(tasks.refresh_lists, OPEN_ARCHIVARIS.key)
    assert (await in_thread(kept, ORGANISATIONS, OPEN_ARCHIVARIS.key)).last_failure == Trouble.BROKEN


async def test_a_platform_that_gives_no_lists_has_the_shipped_one_and_no_failure(
    settings: Settings, tmp_path: Path
) -> None:
    settings.LAYOUT = Layout(tmp_path)
    settings.UPKEEP_FACTORY = "tests.support.upkeep.HouseWithoutLists"
    await in_thread(tasks.refresh_lists, OPEN_ARCHIVARIS.key)
    one = await in_thread(kept, ORGANISATIONS, OPEN_ARCHIVARIS.key)
    assert (one.source, one.number, one.last_failure) == (Source.SHIPPED, 1, "")


async def test_a_task_for_a_platform_that_is_no_more_does_nothing(stand_ins: StandIns) -> None:
    await in_thread(tasks.refresh_lists, "bestaat-niet")
    assert not await in_thread(PlatformList.objects.exists)


async def test_the_same_work_twice_at_once_is_done_once(stand_ins: StandIns, monkeypatch: pytest.MonkeyPatch) -> None:
    began, go_on, runs = threading.Event(), threading.Event(), []

    def slow(*arguments: Any, **options: Any) -> None:
        runs.append(arguments)
        began.set()
        assert go_on.wait(10)

    monkeypatch.setattr(refreshing, "refresh_lists", slow)
    first = asyncio.create_task(in_thread(tasks.refresh_lists, ORI))
    assert await in_thread(began.wait, 10)
    await in_thread(tasks.refresh_lists, ORI)
    go_on.set()
    await first
    assert len(runs) == 1


async def test_refreshes_and_checks_ask_as_the_house_without_a_visitor_one_call_at_a_time(
    stand_ins: StandIns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule R10."""
    callers: list[Caller] = []
    turn = Outgoing.turn

    def watched(
        self: Outgoing, wanted: Wanted, caller: Caller, on_wait: OnWait
    ) -> AbstractAsyncContextManager[OutgoingTurn]:
        callers.append(caller)
        return turn(self, wanted, caller, on_wait)

    monkeypatch.setattr(Outgoing, "turn", watched)
    await in_thread(tasks.refresh_lists, ORI)
    asked_for_lists = len(callers)
    await check_one(UpkeepHouse(), next(one for one in UpkeepHouse().connectors if one.platform.key == ORI))
    assert 0 < asked_for_lists < len(callers)
    assert set(callers) == {Caller("huis", visitor="", one_at_a_time=True)}


async def test_maintenance_asks_the_platform_whatever_the_buffer_holds() -> None:
    class Full(KeepingBuffer):
        async def read(self, call: Call, document: str = "") -> Found | None:
            return Found(Answer(status=200, body=b"oud", fetched_at=now(), buffered=True))

    async def handler(request: object) -> Response:
        return Response("nieuw")

    platform, buffer = scripted_platform(), Full()
    async with client_of({platform: handler}, buffer=buffer) as client:
        assert (await client.bind(platform, house())(call_to(platform), as_is)).value.body == b"oud"
        assert (await client.bind(platform, house(), past_buffer=True)(call_to(platform), as_is)).value.body == b"nieuw"
    assert [answer.body for _, answer in buffer.kept] == [b"nieuw"]


NEW_TOWN = Row("gemeente-nieuwstad", "Gemeente Nieuwstad", details={"kind": "gemeente", "keys": [[ORI, "ori_ede"]]})


def write_new_town(version: str) -> None:
    PlatformList.objects.replace(ORI, ORGANISATIONS, [NEW_TOWN], Writing(version, now()))


@pytest.fixture
def new_town(transactional_db: None, settings: Settings) -> None:
    write_new_town(settings.VERSION)


async def test_a_question_finds_an_organisation_that_only_the_kept_list_has(new_town: None, product: Product) -> None:
    answer = await product.site.get("/zoeken", params={"vraag": "energie", "organisatie": "nieuwstad", "platform": ORI})
    assert answer.status_code == 200
    assert "Nieuwstad" in main_text(answer.text)
    assert (await product.site.get("/zoeken", params={"vraag": "a", "organisatie": "barneveld"})).status_code == 200


async def test_the_register_takes_a_new_list_over_without_a_restart_and_leaves_that_of_another_version(
    settings: Settings,
) -> None:
    async with current_register({ORI: ()}) as register:
        assert register.find("nieuwstad") == ()
        await in_thread(write_new_town, "0.0.1")
        await register.look()
        assert register.find("nieuwstad") == ()
        await in_thread(write_new_town, settings.VERSION)
        await register.look()
        assert [one.name for one in register.find("nieuwstad")] == ["Gemeente Nieuwstad"]
        assert register.suggestions("nieuwstat")


async def test_checks_that_never_end_are_given_up_and_said(
    stand_ins: StandIns, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = UpkeepHouse()
    connector = next(one for one in small.connectors if one.platform.key == ORI)

    async def endless(ask: object) -> NoReturn:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(connector, "check", endless)
    monkeypatch.setattr(upkeep, "_CHECK_SECONDS", 0.01)
    monkeypatch.setattr(type(connector), "platform", scripted_platform(ORI, deadline=0.01))
    checked = await check_one(small, connector)
    assert checked.verdict is Verdict.BAD
    assert "niet klaar binnen 0.01 seconden" in checked.results[0].seen


async def test_the_age_is_that_of_the_list_and_not_of_the_last_try(stand_ins: StandIns) -> None:
    await in_thread(tasks.refresh_lists, ORI)
    with time_machine.travel(now() + timedelta(days=3, minutes=1), tick=False):
        await in_thread(PlatformList.objects.note_trouble, ORI, Trouble.UNREACHABLE, Writing("1", now()))
        assert (await in_thread(kept)).age == "3 dagen oud"
