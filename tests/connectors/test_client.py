"""The client over real HTTP: what becomes of an answer, and of a call that nobody waits for any more."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Awaitable, Callable
from datetime import timedelta
from email.utils import format_datetime

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

from connectors.bodies import MOST_PIECES, json_body, retry_after, xml_root
from connectors.calls import Answer
from connectors.exceptions import (
    Defect,
    NotAnAnswerError,
    OverLimitError,
    TooSlowError,
    UnreachableError,
)
from connectors.http import MAX_BODY_BYTES
from connectors.moments import now
from tests.support.asking import as_is
from tests.support.first_come import FirstComeTurns
from tests.support.scripted import Gate, KeepingBuffer, call_to, client_of, scripted_platform
from tests.support.serving import BOUND, until
from tests.support.turns import InstantTurns
from throttling.callers import house

pytestmark = pytest.mark.anyio
PLATFORM = scripted_platform()


def answering(response: Callable[[], Response]) -> Callable[[Request], Awaitable[Response]]:
    async def handler(request: Request) -> Response:
        del request
        return response()

    return handler


async def test_an_answer_comes_back_whole_with_its_headers_in_lower_case() -> None:
    async with client_of({PLATFORM: answering(lambda: JSONResponse({"a": 1}, 203, {"X-Iets": "ja"}))}) as client:
        answer = (await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)).value
    assert (answer.status, answer.body, answer.headers["x-iets"], answer.media_type) == (
        203,
        b'{"a":1}',
        "ja",
        "application/json",
    )


async def test_a_call_arrives_as_it_was_built_and_says_who_we_are() -> None:
    seen: list[tuple[str, str, bytes, str]] = []

    async def handler(request: Request) -> Response:
        seen.append((request.method, str(request.url.query), await request.body(), request.headers["user-agent"]))
        return Response("x")

    async with client_of({PLATFORM: handler}) as client:
        call = call_to(PLATFORM, method="POST", params=(("vraag", "a b&c#d"), ("x", "é")), body=b"{}")
        await client.bind(PLATFORM, house())(call, as_is)
    assert seen == [("POST", "vraag=a+b%26c%23d&x=%C3%A9", b"{}", "BesluitBron/0 (+https://example.org)")]


@pytest.mark.parametrize(("status", "header", "seconds"), [(429, "3", 3), (429, "", 1), (503, "1.2", 2), (429, "x", 1)])
async def test_a_platform_that_says_too_much_is_over_limit_with_its_time(
    status: int, header: str, seconds: int
) -> None:
    headers = {"Retry-After": header} if header else {}
    async with client_of(
        {PLATFORM: answering(lambda: Response("druk", status, headers))}, turns=InstantTurns()
    ) as client:
        with pytest.raises(OverLimitError) as caught:
            await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)
    assert caught.value.retry_after == seconds


@pytest.mark.parametrize(
    ("body", "media_type", "where"),
    [
        (b"[" + b"{}," * MOST_PIECES + b"{}]", "application/json", "json"),
        (b"[" + b"[[]]," * MOST_PIECES + b"{}]", "application/json", "json"),
        (b"<a>" + b"<a/>" * MOST_PIECES + b"</a>", "application/xml", "xml"),
    ],
)
async def test_a_body_of_more_pieces_than_fit_in_memory_is_refused_before_it_is_read(
    body: bytes, media_type: str, where: str
) -> None:
    """A few kB over the wire, and 700 MB as elements or as values."""
    packed = gzip.compress(body)
    respond = answering(lambda: Response(packed, headers={"Content-Encoding": "gzip"}, media_type=media_type))

    def parsed(answer: Answer) -> object:
        return xml_root("p", answer.body).tag if where == "xml" else json_body("p", answer)

    async with client_of({PLATFORM: respond}) as client:
        with pytest.raises(NotAnAnswerError) as caught:
            await client.bind(PLATFORM, house())(call_to(PLATFORM), parsed)
    assert len(packed) < 50_000
    assert (caught.value.defect, caught.value.where) == (Defect.TOO_LARGE, where)


@pytest.mark.parametrize(("ahead", "least", "most"), [(90, 85, 91), (-90, 1, 1), (366 * 24 * 3600, 3600, 3600)])
async def test_a_rest_until_a_date_is_as_long_as_it_says(ahead: int, least: int, most: int) -> None:
    """Issue 4: "wait what it says", and a year or a past day is bounded."""

    def until() -> Response:
        return Response("druk", 429, {"Retry-After": format_datetime(now() + timedelta(seconds=ahead), usegmt=True)})

    async with client_of({PLATFORM: answering(until)}, turns=InstantTurns()) as client:
        with pytest.raises(OverLimitError) as caught:
            await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)
    assert least <= caught.value.retry_after <= most


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ("Tue, 01 Dec 2026 12:01:30 GMT", 90),
        ("Tue, 01 Dec 2026 13:01:30 +0100", 90),
        ("Tue, 01 Dec 2026 12:01:30 -0000", 90),
        ("Tuesday, 01-Dec-26 12:01:30 GMT", 90),
        ("Tue, 01 Dec 99999999 12:00:00 GMT", 7),
        ("Tue, 99 Dec 2026 99:00:00 GMT", 7),
        ("-5", 1),
        ("31536000", 3600),
        ("1e400", 7),
        ("nan", 7),
    ],
)
def test_a_rest_counts_from_the_date_of_the_answer_and_an_absurd_one_is_bounded(told: str, seconds: int) -> None:
    headers = {"retry-after": told, "date": "Tue, 01 Dec 2026 12:00:00 GMT"}
    assert retry_after(Answer(status=429, headers=headers, body=b"", fetched_at=now()), default=7) == seconds


async def test_a_call_is_never_repeated_by_itself() -> None:
    calls = 0

    async def handler(request: Request) -> Response:
        nonlocal calls
        del request
        calls += 1
        return Response("stuk", 500)

    async with client_of({PLATFORM: handler}) as client:
        answer = (await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)).value
    assert (answer.status, calls) == (500, 1)


async def test_a_redirect_within_the_service_is_followed_once_with_a_turn_of_its_own() -> None:
    paths: list[str] = []

    async def handler(request: Request) -> Response:
        paths.append(request.url.path)
        if request.url.path.endswith("/zoek"):
            return RedirectResponse("nieuw?a=1", 301)
        return Response(str(request.url.query))

    async with client_of({PLATFORM: handler}) as client:
        answer = (await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)).value
    assert answer.body == b"a=1"
    assert paths == ["/gemaakt/api/zoek", "/gemaakt/api/nieuw"]


@pytest.mark.parametrize(
    "target", ["https://mededeling.example.org/404", "//elders.example/x", "/buiten/de/dienst", "zoek"]
)
async def test_a_redirect_elsewhere_or_in_a_circle_is_no_answer(target: str) -> None:
    async with client_of({PLATFORM: answering(lambda: RedirectResponse(target, 302))}) as client:
        with pytest.raises(NotAnAnswerError) as caught:
            await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)
    assert caught.value.defect is Defect.REDIRECTED


async def test_a_body_over_the_cap_is_refused_also_when_it_was_small_on_the_wire() -> None:
    packed = gzip.compress(b"0" * (MAX_BODY_BYTES + 1))
    respond = answering(lambda: Response(packed, headers={"Content-Encoding": "gzip"}))
    async with client_of({PLATFORM: respond}) as client:
        with pytest.raises(NotAnAnswerError) as caught:
            await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)
    assert caught.value.defect is Defect.TOO_LARGE


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "zstd", "x"])
async def test_a_body_packed_twice_or_in_a_way_we_did_not_ask_for_is_no_answer(encoding: str) -> None:
    packed = gzip.compress(gzip.compress(b"0" * 100))
    respond = answering(lambda: Response(packed, headers={"Content-Encoding": encoding}))
    async with client_of({PLATFORM: respond}) as client:
        with pytest.raises(NotAnAnswerError) as caught:
            await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)
    assert caught.value.defect is Defect.WRONG_TYPE


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
async def test_a_packed_body_is_unpacked(pack: Callable[[bytes], bytes]) -> None:
    text = bytes(range(256)) * 5000
    encoding = "gzip" if pack is gzip.compress else "deflate"
    respond = answering(lambda: Response(pack(text), headers={"Content-Encoding": encoding}))
    async with client_of({PLATFORM: respond}) as client:
        answer = (await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)).value
    assert answer.body == text


async def test_a_packed_body_that_ends_too_early_is_no_answer() -> None:
    respond = answering(lambda: Response(gzip.compress(b"heel" * 1000)[:-9], headers={"Content-Encoding": "gzip"}))
    async with client_of({PLATFORM: respond}) as client:
        with pytest.raises(NotAnAnswerError) as caught:
            await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)
    assert caught.value.defect is Defect.CUT_OFF


async def test_a_cookie_of_a_platform_is_never_sent_back() -> None:
    seen: list[str | None] = []

    async def handler(request: Request) -> Response:
        seen.append(request.headers.get("cookie"))
        return Response("x", headers={"Set-Cookie": "wie=u; Path=/"})

    async with client_of({PLATFORM: handler}) as client:
        ask = client.bind(PLATFORM, house())
        await ask(call_to(PLATFORM), as_is)
        await ask(call_to(PLATFORM), as_is)
    assert seen == [None, None]


async def test_a_body_whose_packing_is_damaged_is_no_answer() -> None:
    respond = answering(lambda: Response(b"geen gzip", headers={"Content-Encoding": "gzip"}))
    async with client_of({PLATFORM: respond}) as client:
        with pytest.raises(NotAnAnswerError) as caught:
            await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)
    assert caught.value.defect is Defect.CUT_OFF


async def test_a_connection_that_breaks_off_is_unreachable_and_tells_nothing_of_the_question() -> None:
    async def half() -> object:
        yield b"half"
        raise ConnectionResetError

    respond = answering(lambda: StreamingResponse(half(), headers={"Content-Length": "100"}))  # type: ignore[arg-type]
    async with client_of({PLATFORM: respond}) as client:
        with pytest.raises(UnreachableError) as caught:
            await client.bind(PLATFORM, house())(call_to(PLATFORM, params=(("q", "kanarie"),)), as_is)
    chain = [
        caught.value,
        caught.value.__cause__,
        caught.value.__context__ if not caught.value.__suppress_context__ else None,
    ]
    assert not any("kanarie" in repr(error) for error in chain)


async def test_an_answer_that_takes_longer_than_the_deadline_is_too_slow() -> None:
    platform = scripted_platform("traag", deadline=0.05)
    gate = Gate()

    async def handler(request: Request) -> Response:
        del request
        await gate.pass_through()
        return Response("laat")

    async with client_of({platform: handler}) as client:
        with pytest.raises(TooSlowError) as caught:
            await client.bind(platform, house())(call_to(platform), as_is)
        gate.opened.set()
    assert caught.value.deadline == 0.05


async def test_a_call_that_was_sent_is_read_to_its_end_and_kept_when_its_asker_has_gone() -> None:
    gate, buffer = Gate(), KeepingBuffer()

    async def handler(request: Request) -> Response:
        del request
        await gate.pass_through()
        return JSONResponse({"hits": 1})

    async with client_of({PLATFORM: handler}, buffer=buffer) as client:
        asker = asyncio.get_running_loop().create_task(_ask(client.bind(PLATFORM, house())))
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        asker.cancel()
        await asyncio.gather(asker, return_exceptions=True)
        gate.opened.set()
        await asyncio.wait_for(buffer.changed.wait(), BOUND)
    assert buffer.kept[0][1].body == b'{"hits":1}'


async def test_a_call_that_still_waited_is_never_sent_when_its_asker_has_gone() -> None:
    gate, arrived = Gate(), []

    async def handler(request: Request) -> Response:
        arrived.append(request.url.path)
        await gate.pass_through()
        return Response("x")

    turns = FirstComeTurns()
    async with client_of({PLATFORM: handler}, turns=turns) as client:
        ask = client.bind(PLATFORM, house())
        first = asyncio.get_running_loop().create_task(_ask(ask))
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        waits = asyncio.get_running_loop().create_task(_ask(ask))
        await asyncio.sleep(0)
        waits.cancel()
        await asyncio.gather(waits, return_exceptions=True)
        gate.opened.set()
        await first
        await _ask(ask)
    assert len(arrived) == 2


async def test_a_bad_answer_is_not_kept() -> None:
    buffer = KeepingBuffer()
    async with client_of({PLATFORM: answering(lambda: Response("weg", 404))}, buffer=buffer) as client:
        await client.bind(PLATFORM, house())(call_to(PLATFORM), as_is)
    assert buffer.kept == []


async def test_a_client_that_closes_ends_the_calls_that_nobody_waits_for() -> None:
    gate = Gate()

    async def handler(request: Request) -> Response:
        del request
        await gate.pass_through()
        return Response("x")

    async with client_of({PLATFORM: handler}) as client:
        asker = asyncio.get_running_loop().create_task(_ask(client.bind(PLATFORM, house())))
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        await client.aclose()
        await until(asker.done)
        gate.opened.set()
    assert asker.cancelled()


async def _ask(ask: object) -> None:
    await ask(call_to(PLATFORM), as_is)  # type: ignore[operator]
