"""A text that was kept for a week is only asked whether it is still the same."""

from __future__ import annotations

from datetime import timedelta

import pytest
from starlette.responses import Response

from connectors.calls import Answer
from connectors.exceptions import (
    Defect,
    GoneError,
    NotAnAnswerError,
)
from connectors.moments import now
from tests.support.asking import as_is
from tests.support.journeys import PLATFORM, TEXT, Server, Shelf, ask_of, busy, kept
from tests.support.scripted import client_of
from tests.support.turns import InstantTurns
from throttling.turns import Outcome

pytestmark = pytest.mark.anyio


async def test_a_text_a_week_old_is_only_asked_whether_it_is_still_the_same_with_a_turn_of_its_own() -> None:
    turns, shelf, server = InstantTurns(), Shelf(), Server(Response(status_code=304, headers={"ETag": '"2"'}))
    shelf.there["/stuk"] = kept(b"tekst", due=True, etag='"1"', **{"last-modified": "Thu, 01 Jan 2026 00:00:00 GMT"})
    async with client_of({PLATFORM: server}, turns=turns, buffer=shelf) as client:
        reply = await ask_of(client, document="7")(TEXT, as_is)
    assert (reply.value.body, reply.buffered) == (b"tekst", False)
    assert server.requests[0]["if-none-match"] == '"1"'
    assert server.requests[0]["if-modified-since"] == "Thu, 01 Jan 2026 00:00:00 GMT"
    again = shelf.kept[0][1]
    assert (again.body, again.headers["etag"], again.status) == (b"tekst", '"2"', 200)
    assert now() - again.fetched_at < timedelta(minutes=1)
    assert (len(turns.given), turns.given[0].shared) == (1, [Outcome()])


async def test_a_text_that_changed_takes_the_place_of_the_old_one() -> None:
    shelf, server = Shelf(), Server(Response("nieuw"))
    shelf.there["/stuk"] = kept(b"oud", due=True, etag='"1"')
    async with client_of({PLATFORM: server}, turns=InstantTurns(), buffer=shelf) as client:
        assert (await ask_of(client, document="7")(TEXT, as_is)).value.body == b"nieuw"
    assert shelf.kept[0][1].body == b"nieuw"


def readable(answer: Answer) -> bytes:
    match answer.status:
        case 404:
            raise GoneError(PLATFORM.key, "7")
        case 200 if b"<html>" not in answer.body:
            return answer.body
        case _:
            raise NotAnAnswerError(PLATFORM.key, Defect.HTML)


@pytest.mark.parametrize("response", [Response("<html>storing</html>"), busy(seconds="40"), Response("stuk", 500)])
async def test_a_text_stands_when_the_platform_cannot_say_now_whether_it_is_the_same(response: Response) -> None:
    shelf = Shelf()
    shelf.there["/stuk"] = kept(b"oud", due=True, etag='"1"')
    async with client_of({PLATFORM: Server(response)}, turns=InstantTurns(), buffer=shelf) as client:
        reply = await ask_of(client, document="7")(TEXT, readable)
    assert (reply.value, reply.buffered, shelf.kept) == (b"oud", True, [])


async def test_a_text_that_turns_out_to_be_gone_is_not_served_from_the_buffer() -> None:
    """Field report 19."""
    shelf = Shelf()
    shelf.there["/stuk"] = kept(b"oud", due=True, etag='"1"')
    async with client_of({PLATFORM: Server(Response("weg", 404))}, turns=InstantTurns(), buffer=shelf) as client:
        with pytest.raises(GoneError):
            await ask_of(client, document="7")(TEXT, readable)
