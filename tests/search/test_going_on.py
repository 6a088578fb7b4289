"""What becomes of a call whose asker no longer waits: it keeps its place for a while, and only a disconnect gives it up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from connectors.buffer import Gone
from connectors.calls import Ask, CallKind
from connectors.client import Client
from connectors.exceptions import GoneError, ReplacedError, TakenDownError
from connectors.platforms import Platform
from connectors.records import Document, Note, NoteCode, Query, Related, SearchResult, TextState
from connectors.takedowns import CurrentTakedowns, Known
from search.answers import State
from search.federation import Federation, Patience, StillWaitingError
from search.organisations import Register
from tests.support.asking import as_is
from tests.support.scripted import (
    Gate,
    KeepingBuffer,
    ScriptedConnector,
    call_to,
    client_of,
    hit,
    scripted_platform,
)
from tests.support.serving import BOUND, until
from tests.support.turns import InstantTurn
from throttling.callers import Caller, house
from throttling.turns import Expected, OnWait, Wanted

pytestmark = pytest.mark.anyio
ONE, TWO = scripted_platform("een"), scripted_platform("twee")


class WaitingTurns:
    """Turns that come when the test says so; remembers who waits and who gave up."""

    def __init__(self, estimate: float) -> None:
        self.estimate = estimate
        self.come = asyncio.Event()
        self.waiting = 0
        self.given_up = 0

    @asynccontextmanager
    async def turn(self, wanted: Wanted, caller: Caller, on_wait: OnWait) -> AsyncIterator[InstantTurn]:
        on_wait(Expected(self.estimate))
        self.waiting += 1
        try:
            await self.come.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        finally:
            self.waiting -= 1
        yield InstantTurn(wanted, left=True)


async def two_hits(request: Request) -> Response:
    del request
    return JSONResponse({"hits": 2})


def federation(client: Client, patience: Patience, *platforms: Platform) -> Federation:
    connectors = tuple(ScriptedConnector(platform) for platform in platforms or (ONE,))
    return Federation(connectors=connectors, client=client, register=Register.of(()), patience=patience)


async def test_a_call_that_waits_past_the_pages_time_keeps_its_place_and_its_answer_is_kept() -> None:
    turns, buffer = WaitingTurns(estimate=BOUND), KeepingBuffer()
    async with client_of({ONE: two_hits}, turns=turns, buffer=buffer) as client:
        asking = federation(client, Patience(page=0.1)).ask(Query(), (), house())
        assert [answer.state async for answer in asking] == [State.PLANNED]
        assert turns.waiting == 1
        turns.come.set()
        await asyncio.wait_for(buffer.changed.wait(), BOUND)
    assert buffer.kept[0][1].body == b'{"hits":2}'
    assert turns.given_up == 0


async def test_a_place_that_is_kept_is_given_up_after_its_estimate_and_some() -> None:
    turns = WaitingTurns(estimate=0.05)
    async with client_of({ONE: two_hits}, turns=turns) as client:
        asking = federation(client, Patience(page=0.1, kept=0.05)).ask(Query(), (), house())
        assert [answer.state async for answer in asking] == [State.PLANNED]
        await until(lambda: turns.given_up == 1)


async def test_an_asker_who_leaves_before_the_page_is_whole_gives_up_every_place_also_one_that_is_kept() -> None:
    gate = Gate()

    async def held(request: Request) -> Response:
        await gate.pass_through()
        return await two_hits(request)

    mixed = WaitingTurns(estimate=BOUND)
    async with client_of({ONE: two_hits}, turns=mixed) as first, client_of({TWO: held}) as second:
        together = federation(first, Patience(page=0.2), ONE, TWO)
        bind = first.bind

        def by_platform(platform: object, *args: object, **kwargs: object) -> Ask:
            maker = second.bind if platform is TWO else bind
            return maker(platform, *args, **kwargs)  # type: ignore[arg-type]

        first.bind = by_platform  # type: ignore[method-assign]
        asking = together.ask(Query(), (), house())
        assert (await asyncio.wait_for(anext(asking), BOUND)).state is State.PLANNED
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        await asking.aclose()
        await until(lambda: mixed.given_up == 1)
        gate.opened.set()


# ── Gone, and taken down ─────────────────────────────────────────────────────────────────────────────────────────────


class Remembering(KeepingBuffer):
    """A buffer that knows which documents are gone."""

    def __init__(self) -> None:
        super().__init__()
        self.graves: dict[str, Gone] = {}

    async def gone(self, platform: str, document: str) -> Gone | None:
        return self.graves.get(document)

    async def bury(self, platform: str, document: str, successor: str = "", *, withdrawn: bool = False) -> None:
        self.graves[document] = Gone(successor, withdrawn)


class Library(ScriptedConnector):
    """A connector whose documents are one call each; one that answers 404 is gone, 301 replaced."""

    __slots__ = ()

    async def document(self, upstream_id: str, ask: Ask) -> Document:
        answer = (await ask(call_to(self.platform, f"/stuk/{upstream_id}", kind=CallKind.DOCUMENT), as_is)).value
        match answer.status:
            case 404:
                raise GoneError(self.platform.key, upstream_id)
            case 410:
                raise ReplacedError(self.platform.key, upstream_id, "9")
            case _:
                return document(upstream_id)


def document(upstream_id: str) -> Document:
    one = hit(ONE)
    return Document(
        platform=ONE.key,
        upstream_id=upstream_id,
        title="Stuk",
        organisation=one.organisation,
        organisation_id=one.organisation_id,
        kind=one.kind,
        kind_at_source=one.kind_at_source,
        dates=(),
        passages=(),
        text_state=TextState.NONE,
        address=one.address,
        original=None,
        fetched_at=one.fetched_at,
        related=(Related("bijlage", "Bijlage", upstream_id="1"), Related("elders", "Elders", address="https://x")),
    )


def taken_down(*numbers: str) -> CurrentTakedowns:
    async def read() -> Known:
        return frozenset((ONE.key, number) for number in numbers)

    return CurrentTakedowns(read)


@pytest.mark.parametrize(("status", "failure"), [(404, GoneError), (410, ReplacedError)])
async def test_a_document_that_its_platform_says_is_gone_is_buried_and_not_asked_for_again(
    status: int, failure: type[GoneError]
) -> None:
    calls: list[str] = []

    async def handler(request: Request) -> Response:
        calls.append(request.url.path)
        return Response("weg", status)

    buffer = Remembering()
    async with client_of({ONE: handler}, buffer=buffer) as client:
        together = Federation(connectors=(Library(ONE),), client=client, register=Register.of(()))
        for _ in range(2):
            with pytest.raises(failure) as caught:
                await together.document(Library(ONE), "7", house())
            assert getattr(caught.value, "successor", "9") == "9"
    assert calls == ["/een/api/stuk/7"]


async def test_a_document_that_still_waits_at_the_end_says_when_it_will_start_and_keeps_its_place() -> None:
    turns = WaitingTurns(estimate=300.0)
    async with client_of({ONE: two_hits}, turns=turns) as client:
        together = federation(client, Patience(page=0.1))
        with pytest.raises(StillWaitingError) as caught:
            await together.document(Library(ONE), "7", house())
        assert 0 < caught.value.seconds <= 300
        assert turns.waiting == 1


async def test_a_document_that_was_taken_down_is_not_asked_for_and_not_shown_in_hits_or_links() -> None:
    calls: list[str] = []

    async def handler(request: Request) -> Response:
        calls.append(request.url.path)
        return await two_hits(request)

    async with client_of({ONE: handler}) as client:
        together = Federation(
            connectors=(Library(ONE),), client=client, register=Register.of(()), takedowns=taken_down("1")
        )
        with pytest.raises(TakenDownError):
            await together.document(Library(ONE), "1", house())
        assert calls == []
        (answer,) = [answer async for answer in together.ask(Query(), (), house())]
        assert answer.result is not None
        assert [one.upstream_id for one in answer.result.hits] == ["0"]
        assert [(note.code, note.values) for note in answer.result.notes] == [(NoteCode.TAKEN_DOWN_LEFT_OUT, ("1",))]
        other = await together.document(Library(ONE), "2", house())
        assert [one.title for one in other.related] == ["Elders"]


async def test_what_a_search_says_was_withdrawn_is_thrown_away() -> None:
    """Field report 19: the full text goes as soon as the platform says so, in whatever answer."""

    class Withdrawing(ScriptedConnector):
        __slots__ = ()

        async def search(self, query: Query, ask: Ask) -> SearchResult:
            found = await super().search(query, ask)
            return replace(found, notes=(Note(NoteCode.WITHDRAWN_LEFT_OUT, ("2", "5", "6")),))

    buffer = Remembering()
    async with client_of({ONE: two_hits}, buffer=buffer) as client:
        together = Federation(connectors=(Withdrawing(ONE),), client=client, register=Register.of(()))
        assert [answer.state async for answer in together.ask(Query(), (), house())] == [State.READY]
        await until(lambda: buffer.graves.keys() == {"5", "6"})


async def test_what_was_taken_down_stands_when_it_cannot_be_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectors.takedowns.MAX_AGE", 0.0)
    answers: list[Known | None] = [frozenset({("een", "1")}), None, frozenset()]

    async def read() -> Known | None:
        return answers.pop(0)

    current = CurrentTakedowns(read)
    assert [await current.known() for _ in range(3)] == [{("een", "1")}, {("een", "1")}, frozenset()]
