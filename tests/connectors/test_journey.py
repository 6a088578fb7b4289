"""The way of a call: flights, refusals, late turns, keeping only what could be read."""

from __future__ import annotations

import asyncio

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from structlog.testing import capture_logs

from connectors import journey
from connectors.buffer import Found
from connectors.calls import Answer, Call
from connectors.exceptions import (
    ClosedError,
    ConnectorError,
    GoneError,
    OverLimitError,
    TooSlowError,
    UnreachableError,
    WithdrawnError,
)
from connectors.shared import BROKEN, code_of
from tests.support.asking import as_is
from tests.support.journeys import CALL, PLATFORM, TEXT, Server, Shelf, ask_of, busy, kept
from tests.support.scripted import Gate, client_of, counted
from tests.support.serving import BOUND, until
from tests.support.turns import InstantTurn, InstantTurns
from throttling.turns import Outcome, TurnsClosedError, Wanted

pytestmark = pytest.mark.anyio


async def test_what_could_be_read_is_kept_before_the_others_hear_of_it() -> None:
    turns, shelf, order = InstantTurns(), Shelf(), list[str]()
    share = InstantTurn.share

    async def sharing(turn: InstantTurn, outcome: Outcome) -> None:
        order.append(f"shared, {len(shelf.kept)} kept")
        await share(turn, outcome)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(InstantTurn, "share", sharing)
        async with client_of({PLATFORM: Server(JSONResponse({"hits": 3}))}, turns=turns, buffer=shelf) as client:
            reply = await ask_of(client)(CALL, counted, PLATFORM.key)
    assert (reply.value, reply.buffered) == (3, False)
    assert turns.given[0].wanted == Wanted(service="gemaakt/api", flight=".flight /zoek")
    assert turns.given[0].shared == [Outcome()]
    assert order == ["shared, 1 kept"]


@pytest.mark.parametrize(
    ("response", "code"),
    [
        (Response("<html>storing</html>"), '["not_an_answer","html",""]'),
        (Response("stuk", 500), '["refused",500,""]'),
        (Response("x" * 40_000), '["not_an_answer","cut_off",""]'),
    ],
)
async def test_what_cannot_be_read_is_not_kept_and_its_failure_is_shared(response: Response, code: str) -> None:
    turns, shelf = InstantTurns(), Shelf()
    async with client_of({PLATFORM: Server(response)}, turns=turns, buffer=shelf) as client:
        with pytest.raises(ConnectorError):
            await ask_of(client)(CALL, counted, PLATFORM.key)
    assert shelf.kept == []
    assert turns.given[0].shared == [Outcome(code)]


async def test_a_kept_answer_that_cannot_be_read_is_dropped_and_the_platform_asked_again() -> None:
    shelf = Shelf()
    shelf.there["/zoek"] = kept(b"<html>")
    async with client_of({PLATFORM: Server(JSONResponse({"hits": 1}))}, turns=InstantTurns(), buffer=shelf) as client:
        with capture_logs() as logs:
            reply = await ask_of(client)(CALL, counted, PLATFORM.key)
    assert (reply.value, reply.buffered, shelf.dropped) == (1, False, ["/zoek"])
    assert [entry["event"] for entry in logs] == ["buffer_item_unreadable"]


async def test_a_kept_answer_costs_no_turn_and_says_from_when_it_is() -> None:
    turns, shelf = InstantTurns(), Shelf()
    shelf.there["/zoek"] = kept(b'{"hits": 2}')
    async with client_of({PLATFORM: Server(Response("mag niet"))}, turns=turns, buffer=shelf) as client:
        reply = await ask_of(client)(CALL, counted, PLATFORM.key)
    assert (reply.value, reply.buffered, reply.fetched_at) == (2, True, shelf.there["/zoek"].answer.fetched_at)
    assert turns.given == []


async def test_maintenance_skips_the_buffer_and_shares_nothing_but_its_answer_is_kept() -> None:
    turns, shelf = InstantTurns(), Shelf()
    shelf.there["/zoek"] = kept(b'{"hits": 2}')
    async with client_of({PLATFORM: Server(JSONResponse({"hits": 7}))}, turns=turns, buffer=shelf) as client:
        reply = await ask_of(client, past_buffer=True)(CALL, counted, PLATFORM.key)
    assert (reply.value, shelf.reads, len(shelf.kept)) == (7, 0, 1)
    assert turns.given[0].wanted.flight == ""
    assert turns.given[0].shared == []


async def test_an_answer_that_came_while_the_call_waited_makes_its_turn_needless() -> None:
    shelf, server = Shelf(), Server(Response("mag niet"))

    def meanwhile() -> None:
        shelf.there["/zoek"] = kept(b'{"hits": 5}')

    turns = InstantTurns(entering=meanwhile)
    async with client_of({PLATFORM: server}, turns=turns, buffer=shelf) as client:
        reply = await ask_of(client)(CALL, counted, PLATFORM.key)
    assert reply.value == 5
    assert turns.given[0].given_back
    assert server.requests == []


async def test_the_answer_of_another_asker_is_read_from_the_buffer() -> None:
    shelf = Shelf()

    def meanwhile() -> None:
        shelf.there["/zoek"] = kept(b'{"hits": 4}')

    turns, server = InstantTurns([Outcome()], meanwhile), Server(Response("mag niet"))
    async with client_of({PLATFORM: server}, turns=turns, buffer=shelf) as client:
        reply = await ask_of(client)(CALL, counted, PLATFORM.key)
    assert (reply.value, len(turns.given), turns.given[0].shared, server.requests) == (4, 1, [], [])


FAILURES: list[ConnectorError] = [
    UnreachableError(PLATFORM.key, "ConnectError"),
    TooSlowError(PLATFORM.key, 20.0),
    OverLimitError(PLATFORM.key, 429, 40),
    GoneError(PLATFORM.key, "7"),
    WithdrawnError(PLATFORM.key, "7"),
]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
async def test_the_failure_of_another_asker_is_ours_too(failure: ConnectorError) -> None:
    turns, server = InstantTurns([Outcome(code_of(failure))]), Server(Response("mag niet"))
    async with client_of({PLATFORM: server}, turns=turns, buffer=Shelf()) as client:
        with pytest.raises(type(failure)) as caught:
            await ask_of(client, document="7")(TEXT, as_is)
    assert type(caught.value) is type(failure)
    assert caught.value.args == failure.args
    assert server.requests == []


@pytest.mark.parametrize("outcome", [Outcome(), Outcome(BROKEN), Outcome("wat is dit")])
async def test_an_outcome_without_an_answer_to_be_found_leads_to_a_call_of_ones_own(outcome: Outcome) -> None:
    turns, server = InstantTurns([outcome]), Server(JSONResponse({"hits": 1}))
    async with client_of({PLATFORM: server}, turns=turns, buffer=Shelf()) as client:
        assert (await ask_of(client)(CALL, counted, PLATFORM.key)).value == 1
    assert [turn.wanted.flight for turn in turns.given] == [".flight /zoek", ""]


async def test_a_refused_call_keeps_its_place_and_asks_again() -> None:
    turns, server = InstantTurns(), Server(busy(), busy(503, "30"), JSONResponse({"hits": 1}))
    async with client_of({PLATFORM: server}, turns=turns, buffer=Shelf()) as client:
        assert (await ask_of(client)(CALL, counted, PLATFORM.key)).value == 1
    first, second, third = turns.given
    assert [turn.rest for turn in turns.given] == [1, 30, None]
    assert (first.wanted.again, second.wanted.again, third.wanted.again) == (None, first, second)
    assert [turn.shared for turn in turns.given] == [[], [], [Outcome()]]


async def test_a_platform_that_refuses_three_times_or_wants_a_long_rest_has_refused() -> None:
    for answers, calls in (([busy()], 3), ([busy(seconds="31")], 1)):
        turns = InstantTurns()
        async with client_of({PLATFORM: Server(*answers)}, turns=turns, buffer=Shelf()) as client:
            with pytest.raises(OverLimitError):
                await ask_of(client)(CALL, counted, PLATFORM.key)
        assert len(turns.given) == calls
        assert all(turn.rest is not None for turn in turns.given)


async def test_a_busy_page_that_only_the_connector_knows_is_a_refusal_too() -> None:
    """Officiële Bekendmakingen says "Dienst tijdelijk niet beschikbaar" without a time, under any status."""

    def parse(answer: Answer) -> bytes:
        if b"niet beschikbaar" in answer.body:
            raise OverLimitError(PLATFORM.key, answer.status, 20)
        return answer.body

    turns, server = InstantTurns(), Server(Response("Dienst tijdelijk niet beschikbaar"), Response("stuk"))
    async with client_of({PLATFORM: server}, turns=turns, buffer=Shelf()) as client:
        assert (await ask_of(client)(CALL, parse)).value == b"stuk"
    assert [turn.rest for turn in turns.given] == [20, None]


async def test_a_turn_that_grew_too_old_is_given_back_and_taken_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    turns, server, shelf = InstantTurns(), Server(JSONResponse({"hits": 1})), Shelf()

    class Slow(Shelf):
        async def read(self, call: Call, document: str = "") -> Found | None:
            if self.reads == 1:
                monkeypatch.setattr(journey, "GRANT_SECONDS", -1.0)
            if self.reads == 2:
                monkeypatch.setattr(journey, "GRANT_SECONDS", 5.0)
            return await super().read(call, document)

    shelf = Slow()
    async with client_of({PLATFORM: server}, turns=turns, buffer=shelf) as client:
        assert (await ask_of(client)(CALL, counted, PLATFORM.key)).value == 1
    assert [turn.given_back for turn in turns.given] == [True, False]
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("header", "units"), [("12", 12.0), ("0", 0.0), ("", None), ("veel", None), ("-1", None), ("nan", None)]
)
async def test_what_the_platform_says_is_left_is_passed_on(header: str, units: float | None) -> None:
    turns = InstantTurns()
    server = Server(JSONResponse({"hits": 1}, headers={"RateLimit-Remaining": header} if header else {}))
    async with client_of({PLATFORM: server}, turns=turns) as client:
        await ask_of(client)(CALL, counted, PLATFORM.key)
    assert turns.given[0].remaining == [units]


async def test_a_call_whose_task_dies_still_tells_the_others() -> None:
    gate, turns = Gate(), InstantTurns()

    async def handler(request: Request) -> Response:
        await gate.pass_through()
        return Response("x")

    async with client_of({PLATFORM: handler}, turns=turns, buffer=Shelf()) as client:
        asker = asyncio.get_running_loop().create_task(ask_of(client)(CALL, as_is))
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        await client.aclose()
        await until(asker.done)
        gate.opened.set()
    assert turns.given[0].shared == [Outcome(BROKEN)]


async def test_a_fault_of_ours_while_reading_is_shared_as_broken() -> None:
    def parse(answer: Answer) -> int:
        return answer.body[99]

    turns = InstantTurns()
    async with client_of({PLATFORM: Server(Response("x"))}, turns=turns, buffer=Shelf()) as client:
        with pytest.raises(IndexError), capture_logs():
            await ask_of(client)(CALL, parse)
    assert turns.given[0].shared == [Outcome(BROKEN)]


async def test_after_its_asker_has_gone_a_refused_call_takes_no_further_turn() -> None:
    gate, turns = Gate(), InstantTurns()

    async def held() -> Response:
        await gate.pass_through()
        return busy()

    async with client_of({PLATFORM: Server(held)}, turns=turns, buffer=Shelf()) as client:
        asker = asyncio.get_running_loop().create_task(ask_of(client)(CALL, as_is))
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        asker.cancel()
        await asyncio.gather(asker, return_exceptions=True)
        gate.opened.set()
        await until(lambda: bool(turns.given[0].shared))
    assert len(turns.given) == 1


async def test_closed_turns_are_a_failure_with_the_words_of_an_operator() -> None:
    def closed() -> None:
        raise TurnsClosedError(CALL.queue, 30.0, "Onderhoud tot morgen.")

    async with client_of({PLATFORM: Server(Response("x"))}, turns=InstantTurns(entering=closed)) as client:
        with pytest.raises(ClosedError) as caught:
            await ask_of(client)(CALL, as_is)
    assert (caught.value.retry_after, caught.value.text) == (30.0, "Onderhoud tot morgen.")
