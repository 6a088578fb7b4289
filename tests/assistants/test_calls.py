"""Calls of tools, in both generations: what comes back, what is told on the way, and how they are given up."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from assistants import exchange
from assistants.servers import RETRY_KEY
from tests.support.assistants import BOTH, ENDPOINT, MARK, Demo, Mouth, demo_server, events, modern, older, shell
from tests.support.serving import BOUND, served
from tests.support.valkey import Valkey

pytestmark = pytest.mark.anyio
GENERATIONS = pytest.mark.parametrize("generation", ["older", "modern"])


async def _request(mouth: Mouth, generation: str, tool: str, arguments: Any, token: Any = None) -> Any:
    """Headers and body of a call."""
    params = {"name": tool, "arguments": arguments}
    meta = {} if token is None else {"progressToken": token}
    if generation == "modern":
        return modern("tools/call", params, meta=meta)
    headers = await mouth.open()
    return headers, older("tools/call", params | ({"_meta": meta} if meta else {}))


async def _call(mouth: Mouth, generation: str, tool: str, arguments: Any, token: Any = None) -> httpx.Response:
    headers, body = await _request(mouth, generation, tool, arguments, token)
    return await mouth.browser.post(ENDPOINT, json=body, headers=headers)


@GENERATIONS
async def test_what_a_tool_found_comes_as_text_and_as_data(mouth: Mouth, generation: str) -> None:
    result = (await _call(mouth, generation, "zeg", {"woord": "hé ⟦x⟧ 😀"})).json()["result"]
    assert result["content"] == [{"type": "text", "text": "U zei: hé ⟦x⟧ 😀"}]
    assert result["structuredContent"] == {"woord": "hé ⟦x⟧ 😀"}
    assert result["isError"] is False


@GENERATIONS
async def test_a_failure_is_a_result_that_says_what_to_do(mouth: Mouth, generation: str) -> None:
    answer = await _call(mouth, generation, "mislukt", {"woord": MARK})
    result = answer.json()["result"]
    assert result["isError"] is True
    assert result["content"][0]["text"] == "De bron antwoordt niet. We weten dus niets. Vraag het straks weer."
    assert result["_meta"][RETRY_KEY] == 30
    assert MARK not in answer.text


@GENERATIONS
async def test_what_breaks_is_said_without_what_was_asked(
    mouth: Mouth, generation: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        answer = await _call(mouth, generation, "stuk", {"woord": MARK})
    result = answer.json()["result"]
    assert result["isError"] is True
    assert "Er ging bij BesluitBron iets mis." in result["content"][0]["text"]
    assert MARK not in answer.text
    assert any("mcp_tool_failed" in str(record.msg) for record in caplog.records)


@GENERATIONS
async def test_an_argument_that_is_not_there_is_refused_with_the_one_that_was_meant(
    mouth: Mouth, generation: str
) -> None:
    """Field report 43: unknown arguments passed silently."""
    answer = await _call(mouth, generation, "zeg", {"woord": "a", "woordd": MARK, MARK: 1})
    result = answer.json()["result"]
    assert result["isError"] is True
    assert "Bedoelt u `woord`?" in result["content"][0]["text"]
    assert MARK not in answer.text


@GENERATIONS
async def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(mouth: Mouth, generation: str) -> None:
    for tool, said in (("zegg", "Bedoelt u `zeg`?"), (MARK, "")):
        answer = await _call(mouth, generation, tool, {})
        error = answer.json()["error"]
        assert error["code"] == -32602
        assert error["message"] == f"Dit gereedschap is er niet. {said}".strip()
        assert answer.status_code == (400 if generation == "modern" else 200)


@GENERATIONS
@pytest.mark.parametrize("token", [0, 7, "t", ""])
async def test_who_asks_for_progress_hears_how_a_call_waits(
    mouth: Mouth, demo: Demo, generation: str, token: Any
) -> None:
    demo.may_end.set()
    answer = await _call(mouth, generation, "wacht", {"woord": "a"}, token)
    assert answer.headers["content-type"] == "text/event-stream"
    first, second, last = events(answer.text)
    assert first["method"] == "notifications/progress"
    assert first["params"] == {"progressToken": token, "progress": 1, "message": "Er gaan 2 vragers voor."}
    assert second["params"]["progress"] == 2
    assert last["result"]["content"][0]["text"] == "Klaar."


@GENERATIONS
@pytest.mark.parametrize("token", [None, True, {"a": 1}, 1.5, "x" * 300])
async def test_who_does_not_ask_for_progress_gets_one_answer(
    mouth: Mouth, demo: Demo, generation: str, token: Any
) -> None:
    demo.may_end.set()
    answer = await _call(mouth, generation, "wacht", {"woord": "a"}, token)
    assert answer.headers["content-type"] == "application/json"
    if token is None:
        assert answer.json()["result"]["content"][0]["text"] == "Klaar."


@GENERATIONS
async def test_a_long_silence_keeps_the_stream_open(
    mouth: Mouth, demo: Demo, generation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "PING_SECONDS", 0.01)
    headers, body = await _request(mouth, generation, "wacht", {"woord": "a"})
    async with mouth.browser.stream("POST", ENDPOINT, json=body, headers=headers) as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        text = ""
        async for part in answer.aiter_text():
            text += part
            if text.count(": ping") > 1:
                demo.may_end.set()
    assert events(text)[-1]["result"]["content"][0]["text"] == "Klaar."


@GENERATIONS
@pytest.mark.parametrize("token", [1, None])
async def test_who_closes_the_stream_gives_the_place_up(
    mouth: Mouth, demo: Demo, generation: str, token: int | None
) -> None:
    headers, body = await _request(mouth, generation, "wacht", {"woord": "a"}, token)
    posting = asyncio.get_running_loop().create_task(mouth.browser.post(ENDPOINT, json=body, headers=headers))
    async with asyncio.timeout(BOUND):
        await demo.began.wait()
        posting.cancel()
        await demo.given_up.wait()


def _cancelled(about: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": about, "reason": MARK}}


@asynccontextmanager
async def _neighbour(valkey: Valkey, folder: Path) -> AsyncIterator[Mouth]:
    """A second installation of the same site, on the same store."""
    app = shell(demo_server(Demo().tools()), valkey.address, folder)
    async with (
        served(app, lifespan="on") as address,
        httpx.AsyncClient(base_url=address, timeout=30, verify=False) as browser,
    ):
        yield Mouth(browser)


async def test_a_call_is_stopped_by_whoever_gets_the_notification(
    mouth: Mouth, demo: Demo, valkey: Valkey, tmp_path: Path
) -> None:
    headers = await mouth.open()
    body = older("tools/call", {"name": "wacht", "arguments": {"woord": "a"}, "_meta": {"progressToken": 1}}, about="c")
    async with _neighbour(valkey, tmp_path) as neighbour:
        for stopper in (mouth, neighbour):
            demo.reset()
            posting = asyncio.get_running_loop().create_task(mouth.older(headers, body))
            async with asyncio.timeout(BOUND):
                await demo.began.wait()
                assert (await stopper.older(headers, _cancelled("c"))).status_code == 202
                await demo.given_up.wait()
                answer = await posting
            assert events(answer.text)[-1] == {
                "jsonrpc": "2.0",
                "id": "c",
                "error": {"code": -32800, "message": "Deze aanroep is gestopt omdat u dat vroeg."},
            }


async def test_nobody_stops_what_is_not_theirs(mouth: Mouth, demo: Demo) -> None:
    headers = await mouth.open()
    body = older("tools/call", {"name": "wacht", "arguments": {"woord": "a"}}, about=1)
    posting = asyncio.get_running_loop().create_task(mouth.older(headers, body))
    async with asyncio.timeout(BOUND):
        await demo.began.wait()
        for others in (await mouth.open(), BOTH):
            assert (await mouth.older(others, _cancelled(1))).status_code == 202
        others_ids: list[Any] = ["1", 2, None, {}, True]
        for about in others_ids:
            assert (await mouth.older(headers, _cancelled(about))).status_code == 202
        assert not demo.given_up.is_set()
        demo.may_end.set()
        assert (await posting).json()["result"]["content"][0]["text"] == "Klaar."


async def test_one_message_of_a_batch_can_be_stopped(mouth: Mouth, demo: Demo) -> None:
    headers = await mouth.open("2025-03-26")
    wait, say = (
        older("tools/call", {"name": name, "arguments": {"woord": "a"}}, about=name) for name in ("wacht", "zeg")
    )
    posting = asyncio.get_running_loop().create_task(mouth.older(headers, [wait, say]))
    async with asyncio.timeout(BOUND):
        await demo.began.wait()
        await mouth.older(headers, _cancelled("wacht"))
        stopped, said = (await posting).json()
    assert stopped["error"]["code"] == -32800
    assert said["result"]["content"][0]["text"] == "U zei: a"


async def test_who_leaves_gives_a_whole_batch_up(mouth: Mouth, demo: Demo) -> None:
    headers = await mouth.open("2025-03-26")
    wait = older("tools/call", {"name": "wacht", "arguments": {"woord": "a"}})
    posting = asyncio.get_running_loop().create_task(mouth.older(headers, [wait, older("ping", about=2)]))
    async with asyncio.timeout(BOUND):
        await demo.began.wait()
        posting.cancel()
        await demo.given_up.wait()


async def test_the_text_of_a_question_stands_in_no_log(mouth: Mouth, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for generation in ("older", "modern"):
            for tool in ("zeg", "mislukt", "stuk", MARK):
                await _call(mouth, generation, tool, {"woord": MARK, MARK: MARK})
    ours = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore", "asyncio"))]
    said = json.dumps([[record.getMessage(), str(record.__dict__.get("_record", ""))] for record in ours])
    assert MARK not in said
