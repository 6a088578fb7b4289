"""All platforms side by side: order of arrival, states, patience, and who leaves. Proven with events, never with a clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from connectors.calls import Ask
from connectors.platforms import Platform
from connectors.records import Query, SearchResult
from search.answers import PlatformAnswer, State
from search.federation import Federation, Patience
from search.organisations import Register
from tests.support.first_come import FirstComeTurns
from tests.support.scripted import Gate, Handler, ScriptedConnector, client_of, scripted_platform
from tests.support.serving import BOUND
from tests.support.turns import InstantTurn, InstantTurns
from throttling.callers import Caller, house
from throttling.turns import Expected, OnWait, Turns, Wanted

pytestmark = pytest.mark.anyio
ONE, TWO = scripted_platform("een"), scripted_platform("twee")


async def two_hits(request: Request) -> Response:
    del request
    return JSONResponse({"hits": 2})


async def nothing(request: Request) -> Response:
    del request
    return JSONResponse({"hits": 0})


def gated(gate: Gate) -> Handler:
    async def handler(request: Request) -> Response:
        await gate.pass_through()
        return await two_hits(request)

    return handler


class _Silent(InstantTurns):
    """Turns of a call that somebody else is making already: who follows is told nothing until it ends."""

    @asynccontextmanager
    async def turn(self, wanted: Wanted, caller: Caller, on_wait: OnWait) -> AsyncIterator[InstantTurn]:
        await asyncio.Event().wait()
        async with super().turn(wanted, caller, on_wait) as turn:
            yield turn


class _TellsAgain(InstantTurns):
    """Turns that come when a test opens them; meanwhile it says what who waits is told."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = asyncio.Event()
        self.tell: OnWait = lambda _: None

    @asynccontextmanager
    async def turn(self, wanted: Wanted, caller: Caller, on_wait: OnWait) -> AsyncIterator[InstantTurn]:
        self.tell = on_wait
        on_wait(Expected(5.0))
        await self.opened.wait()
        async with super().turn(wanted, caller, on_wait) as turn:
            yield turn


@asynccontextmanager
async def federation_of(
    handlers: dict[Platform, Handler], *, patience: Patience | None = None, turns: Turns | None = None
) -> AsyncIterator[Federation]:
    async with client_of(handlers, turns=turns) as client:
        yield Federation(
            connectors=tuple(ScriptedConnector(platform) for platform in handlers),
            client=client,
            register=Register.of([]),
            patience=patience or Patience(),
        )


async def states(federation: Federation) -> list[tuple[str, State]]:
    return [(a.platform.key, a.state) async for a in federation.ask(Query(), (), house())]


async def test_an_answer_comes_while_another_platform_is_still_silent() -> None:
    gate = Gate()
    async with federation_of({ONE: gated(gate), TWO: two_hits}) as federation:
        answers = federation.ask(Query(), (), house())
        first = await asyncio.wait_for(anext(answers), BOUND)
        assert (first.platform.key, first.state) == ("twee", State.READY)
        gate.opened.set()
        rest = [answer async for answer in answers]
    assert [(answer.platform.key, answer.state) for answer in rest] == [("een", State.READY)]


async def test_no_hits_is_empty_and_hits_are_ready_with_their_total() -> None:
    async with federation_of({ONE: nothing, TWO: two_hits}) as federation:
        answers = {a.platform.key: a async for a in federation.ask(Query(), (), house())}
        alone = [a async for a in federation.ask(Query(), ("een",), house())]
    assert [a.is_alone for a in (*alone, *answers.values())] == [True, False, False]
    assert answers["een"].state is State.EMPTY
    assert (answers["twee"].state, answers["twee"].total.value) == (State.READY, 2)


@pytest.mark.parametrize(
    ("respond", "state"),
    [
        (lambda: HTMLResponse("<html>onderhoud</html>"), State.FAILED),
        (lambda: Response(b""), State.FAILED),
        (lambda: Response(b'{"hits": 2', media_type="application/json"), State.FAILED),
        (lambda: Response("weg", 500), State.FAILED),
        (lambda: Response("druk", 429), State.REFUSED),
        (lambda: Response("druk", 503, {"Retry-After": "5"}), State.REFUSED),
        (lambda: JSONResponse({"iets": "anders"}), State.FAILED),
    ],
)
async def test_a_body_that_is_no_answer_is_a_failure_and_never_no_results(respond: object, state: State) -> None:
    async def handler(request: Request) -> Response:
        del request
        return respond()  # type: ignore[operator, no-any-return]

    async with federation_of({ONE: handler, TWO: two_hits}, turns=InstantTurns()) as federation:
        found = dict(await states(federation))
    assert found == {"een": state, "twee": State.READY}


async def test_a_platform_past_the_patience_is_too_late_and_its_call_goes_on() -> None:
    gate = Gate()
    async with federation_of({ONE: gated(gate)}, patience=Patience(after_sent=0.05, page=5)) as federation:
        found = await states(federation)
        assert found == [("een", State.TOO_LATE)]
        assert gate.reached.is_set()
        gate.opened.set()


async def test_while_a_call_waits_for_its_turn_the_source_is_planned_and_the_patience_stands_still() -> None:
    gate = Gate()
    turns = FirstComeTurns()
    patience = Patience(after_sent=0.5, page=BOUND)
    async with federation_of({ONE: gated(gate)}, turns=turns, patience=patience) as federation:
        first = federation.ask(Query(), (), house())
        head = asyncio.get_running_loop().create_task(_collect(first))
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        second = federation.ask(Query(), (), house())
        planned = await asyncio.wait_for(anext(second), BOUND)
        assert planned.state is State.PLANNED
        assert planned.starts_at is not None
        gate.opened.set()
        assert [answer.state for answer in await head] in ([State.READY], [State.TOO_LATE])
        assert [answer.state async for answer in second] == [State.READY]


async def test_a_source_that_waits_longer_than_was_said_says_so_again() -> None:
    turns = _TellsAgain()
    async with federation_of({ONE: two_hits}, turns=turns, patience=Patience(page=BOUND)) as federation:
        answers = federation.ask(Query(), (), house())
        first = await asyncio.wait_for(anext(answers), BOUND)
        turns.tell(Expected(300.0, 7))
        second = await asyncio.wait_for(anext(answers), BOUND)
        turns.opened.set()
        assert [answer.state async for answer in answers] == [State.READY]
    assert first.state is second.state is State.PLANNED
    assert first.starts_at is not None
    assert second.starts_at is not None
    assert (second.starts_at - first.starts_at).total_seconds() > 200
    assert (first.place, second.place) == (1, 7)


async def test_who_follows_the_call_of_another_is_as_patient_as_who_makes_it() -> None:
    patience = Patience(after_sent=0.05, page=3600)
    async with federation_of({ONE: two_hits}, turns=_Silent(), patience=patience) as federation:
        assert await asyncio.wait_for(states(federation), BOUND) == [("een", State.TOO_LATE)]


async def test_a_start_that_hardly_moves_is_not_said_again() -> None:
    turns = _TellsAgain()
    async with federation_of({ONE: two_hits}, turns=turns, patience=Patience(page=BOUND)) as federation:
        answers = federation.ask(Query(), (), house())
        assert (await asyncio.wait_for(anext(answers), BOUND)).state is State.PLANNED
        turns.tell(Expected(9.0))
        for _ in range(10):  # so that whoever would say it has said it
            await asyncio.sleep(0)
        turns.opened.set()
        assert [answer.state async for answer in answers] == [State.READY]


async def test_a_call_that_waits_behind_another_of_the_same_question_is_not_called_planned() -> None:
    gate = Gate()
    turns = FirstComeTurns()
    async with federation_of({ONE: gated(gate)}, turns=turns) as federation:
        object.__setattr__(federation, "connectors", (_Twice(ONE),))
        answers = asyncio.get_running_loop().create_task(_collect(federation.ask(Query(), (), house())))
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        gate.opened.set()
        assert [answer.state for answer in await answers] == [State.READY]


async def test_a_call_that_waits_past_the_pages_time_stays_planned() -> None:
    turns = FirstComeTurns(budget=1, again_in=300)
    async with federation_of({ONE: two_hits}, turns=turns, patience=Patience(page=0.2)) as federation:
        assert await states(federation) == [("een", State.READY)]
        assert await states(federation) == [("een", State.PLANNED)]


async def test_a_source_whose_turn_came_at_the_very_end_is_not_called_too_slow() -> None:
    gate = Gate()
    turns = FirstComeTurns()
    patience = Patience(after_sent=BOUND * 2, page=0.3)
    async with federation_of({ONE: gated(gate)}, turns=turns, patience=patience) as federation:
        head = asyncio.get_running_loop().create_task(_collect(federation.ask(Query(), (), house())))
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        behind = asyncio.get_running_loop().create_task(_collect(federation.ask(Query(), (), house())))
        assert [answer.state for answer in await head] == [State.TOO_LATE]
        assert [answer.state for answer in await behind] == [State.PLANNED]
        gate.opened.set()


async def test_a_queue_that_is_too_long_is_refused_with_a_time() -> None:
    turns = FirstComeTurns(budget=1, again_in=900)
    async with federation_of({ONE: two_hits}, turns=turns) as federation:
        await states(federation)
        answers = [answer async for answer in federation.ask(Query(), (), house())]
    assert [answer.state for answer in answers] == [State.REFUSED]
    assert answers[0].retry_at is not None


async def test_who_leaves_gives_up_the_places_of_calls_that_wait() -> None:
    gate = Gate()
    turns = FirstComeTurns()
    async with federation_of({ONE: gated(gate)}, turns=turns) as federation:
        head = asyncio.get_running_loop().create_task(_collect(federation.ask(Query(), (), house())))
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        leaving = federation.ask(Query(), (), house())
        assert (await asyncio.wait_for(anext(leaving), BOUND)).state is State.PLANNED
        await leaving.aclose()
        last = federation.ask(Query(), (), house())
        assert (await asyncio.wait_for(anext(last), BOUND)).state is State.PLANNED
        gate.opened.set()
        assert [answer.state for answer in await head] == [State.READY]
        assert [answer.state async for answer in last] == [State.READY]


async def test_a_fault_of_ours_in_one_connector_leaves_the_others_their_answers() -> None:
    async with federation_of({ONE: two_hits, TWO: two_hits}) as federation:
        broken = federation.connectors[0]

        async def breaks(query: object, ask: object) -> object:
            raise ZeroDivisionError

        object.__setattr__(federation, "connectors", (_Broken(broken.platform, breaks), federation.connectors[1]))
        found = dict(await states(federation))
    assert found == {"een": State.FAILED, "twee": State.READY}


class _Broken(ScriptedConnector):
    __slots__ = ("_search",)

    def __init__(self, platform: Platform, search: object) -> None:
        super().__init__(platform)
        self._search = search

    async def search(self, query: Query, ask: object) -> object:  # type: ignore[override]
        return await self._search(query, ask)  # type: ignore[operator]


class _Twice(ScriptedConnector):
    """Asks twice at the same time."""

    __slots__ = ()

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        one, _ = await asyncio.gather(super().search(query, ask), super().search(query, ask))
        return one


async def _collect(answers: AsyncIterator[PlatformAnswer]) -> list[PlatformAnswer]:
    return [answer async for answer in answers]
