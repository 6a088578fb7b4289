"""Revisions with a handshake: sessions that any process recognises, and what HTTP is answered."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.assistants import BOTH, ENDPOINT, Demo, Mouth, hello, older

pytestmark = pytest.mark.anyio
REVISIONS = ("2025-03-26", "2025-06-18", "2025-11-25")


@pytest.mark.parametrize("version", REVISIONS)
async def test_each_revision_is_spoken_when_it_is_asked_for(mouth: Mouth, version: str) -> None:
    answer = await mouth.browser.post(ENDPOINT, json=hello(version), headers=BOTH)
    result = answer.json()["result"]
    assert result["protocolVersion"] == version
    assert result["instructions"] == "Voor tests."
    headers = await mouth.open(version)
    assert (await mouth.call(headers, "zeg", "hallo"))["content"][0]["text"] == "U zei: hallo"


@pytest.mark.parametrize("version", ["2024-11-05", "1999-01-01", "2026-07-28", None, 7])
async def test_who_asks_for_another_revision_gets_the_newest_with_a_handshake(mouth: Mouth, version: Any) -> None:
    answer = await mouth.browser.post(ENDPOINT, json=hello(version), headers=BOTH)
    assert answer.json()["result"]["protocolVersion"] == "2025-11-25"


async def test_a_session_is_one_caller_and_begins_with_the_use_of_its_address(mouth: Mouth, demo: Demo) -> None:
    first, second = await mouth.open(), await mouth.open()
    for headers in (first, first, second, BOTH):
        await mouth.call(headers, "zeg", "hallo")
    one, again, other, alone = demo.callers
    assert one == again
    assert one.session.startswith("mcp:")
    assert one.session != other.session
    assert one.heir_of == other.heir_of == alone.session
    assert alone.session.startswith("adres:")


def _forged(given: str) -> list[str]:
    name, note, seal = given.split(".")
    other = "A" if seal[0] != "A" else "B"
    return ["", "x", given[:-1], f"{given}x", f"{name}.{note}.{other}{seal[1:]}", f"{name}.unified-2025-06-18.{seal}"]


async def _keys(opened: dict[str, Any]) -> set[bytes]:
    return {key async for key in opened["store"]._open().scan_iter("*")}


async def test_a_forged_session_is_not_there_and_is_counted_as_its_address(
    mouth: Mouth, opened: dict[str, Any]
) -> None:
    headers = await mouth.open()
    await mouth.older(BOTH, older("ping"))
    before = await _keys(opened)
    for forged in _forged(headers["mcp-session-id"]):
        answer = await mouth.older({**headers, "mcp-session-id": forged}, older("ping"))
        assert answer.status_code == 404, forged
        assert answer.json()["error"]["message"].startswith("Deze sessie is er niet")
    assert await _keys(opened) == before


async def test_a_session_holds_at_the_endpoint_that_gave_it(mouth: Mouth) -> None:
    headers = await mouth.open()
    elsewhere = Mouth(mouth.browser, "/mcp/tweede-kamer/v1")
    assert (await elsewhere.older(headers, older("ping"))).status_code == 404
    assert (await elsewhere.older(await elsewhere.open(), older("ping"))).status_code == 200


async def test_a_session_that_was_not_used_for_long_is_gone(mouth: Mouth, opened: dict[str, Any]) -> None:
    headers = await mouth.open()
    assert (await mouth.older(headers, older("ping"))).status_code == 200
    await _forget_sessions(opened)
    answer = await mouth.older(headers, older("ping"))
    assert answer.status_code == 404
    assert (await mouth.older(await mouth.open(), older("ping"))).status_code == 200


async def _forget_sessions(opened: dict[str, Any]) -> None:
    """As the store does by itself after half an hour without use."""
    redis = opened["store"]._open()
    sessions = [key async for key in redis.scan_iter("*") if b":l:" in key or b"sessie" in key or b"mcp:" in key]
    assert sessions
    await redis.delete(*sessions)


async def test_each_request_lets_a_session_live_for_half_an_hour_from_then(
    mouth: Mouth, opened: dict[str, Any]
) -> None:
    headers = await mouth.open()
    redis = opened["store"]._open()
    lives = [
        key async for key in redis.scan_iter("*") if 0 < await redis.ttl(key) <= 1800 and await redis.ttl(key) > 1700
    ]
    assert len(lives) == 1
    await redis.expire(lives[0], 60)
    await mouth.older(headers, older("ping"))
    assert await redis.ttl(lives[0]) > 1700


async def test_a_session_that_its_client_ended_is_gone(mouth: Mouth) -> None:
    headers = await mouth.open()
    assert (await mouth.browser.delete(ENDPOINT, headers=headers)).status_code == 204
    assert (await mouth.older(headers, older("ping"))).status_code == 404
    assert (await mouth.browser.delete(ENDPOINT, headers=headers)).status_code == 404


async def test_who_shows_no_session_has_none_to_end(mouth: Mouth) -> None:
    assert (await mouth.browser.delete(ENDPOINT)).status_code == 400
    assert (await mouth.browser.delete(ENDPOINT, headers={"mcp-session-id": "x"})).status_code == 404


async def test_what_a_session_agreed_on_is_how_its_requests_are_read(mouth: Mouth) -> None:
    """A client of 2025-03-26 sends no version; another that sends none is still in its own revision."""
    headers = await mouth.open("2025-03-26")
    assert isinstance((await mouth.older(headers, [older("ping")])).json(), list)
    newer = await mouth.open("2025-11-25")
    del newer["mcp-protocol-version"]
    assert (await mouth.older(newer, [older("ping")])).status_code == 400


async def test_both_spellings_of_the_address_work_and_no_other(mouth: Mouth) -> None:
    for path in (ENDPOINT, f"{ENDPOINT}/"):
        assert (await mouth.browser.post(path, json=hello(), headers=BOTH)).status_code == 200
    for path in ("/mcp/", "/mcp/unified", "/mcp/unified/v2", f"{ENDPOINT}/x", f"{ENDPOINT}//", "/mcp/ecli/v1"):
        assert (await mouth.browser.post(path, json=hello(), headers=BOTH)).status_code == 404


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "OPTIONS"])
async def test_other_methods_are_told_which_there_are(mouth: Mouth, method: str) -> None:
    for version in (None, "2025-11-25", "2026-07-28"):
        headers = {"accept": "text/event-stream"} | ({"mcp-protocol-version": version} if version else {})
        answer = await mouth.browser.request(method, ENDPOINT, headers=headers)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST, DELETE")


async def test_a_page_of_another_site_may_not_ask(mouth: Mouth) -> None:
    for origin in ("http://evil.example", "null", "http://localhost.evil.example", "", "//", "http://[::1"):
        answer = await mouth.browser.post(ENDPOINT, json=hello(), headers={**BOTH, "origin": origin})
        assert answer.status_code == 403, origin
    for origin in ("http://localhost:6274", "http://127.0.0.1:8000"):
        answer = await mouth.browser.post(ENDPOINT, json=hello(), headers={**BOTH, "origin": origin})
        assert answer.status_code == 200, origin


async def test_another_host_is_refused(mouth: Mouth) -> None:
    answer = await mouth.browser.post(ENDPOINT, json=hello(), headers={**BOTH, "host": "evil.example"})
    assert answer.status_code == 400


async def test_what_http_asks_of_a_message_is_said(mouth: Mouth) -> None:
    async def status(headers: dict[str, str], body: bytes = b"{}") -> int:
        answer = await mouth.browser.post(ENDPOINT, content=body, headers=headers)
        assert answer.json()["error"]["message"]
        return answer.status_code

    assert await status({"accept": BOTH["accept"], "content-type": "text/plain"}) == 415
    assert await status({**BOTH, "accept": "text/html"}) == 406
    assert await status(BOTH, b"x" * (1024 * 1024 + 1)) == 413
    assert await status(BOTH, b"{") == 400


async def test_a_notification_and_an_answer_are_taken(mouth: Mouth) -> None:
    headers = await mouth.open()
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answered = {"jsonrpc": "2.0", "id": 1, "result": {}}
    for body in (told, answered):
        answer = await mouth.older(headers, body)
        assert (answer.status_code, answer.content) == (202, b"")


async def test_a_client_that_reads_no_streams_gets_its_answer_all_the_same(mouth: Mouth, demo: Demo) -> None:
    demo.may_end.set()
    headers = {**await mouth.open(), "accept": "application/json"}
    body = older("tools/call", {"name": "wacht", "arguments": {"woord": "a"}, "_meta": {"progressToken": 1}})
    answer = await mouth.older(headers, body)
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["result"]["content"][0]["text"] == "Klaar."


async def _batch(mouth: Mouth, raw: list[Any]) -> httpx.Response:
    return await mouth.older(await mouth.open("2025-03-26"), raw)


async def test_a_batch_is_answered_together_in_the_one_revision_that_has_it(mouth: Mouth) -> None:
    call = older("tools/call", {"name": "zeg", "arguments": {"woord": "a"}}, about="b")
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answer = await _batch(mouth, [older("ping", about=7), told, call, 5, hello()])
    ping, said, bad, no_hello = answer.json()
    assert (ping["id"], ping["result"]) == (7, {})
    assert (said["id"], said["result"]["content"][0]["text"]) == ("b", "U zei: a")
    assert (bad["id"], bad["error"]["code"]) == (None, -32600)
    assert (no_hello["id"], no_hello["error"]["code"]) == (0, -32600)
    assert (await _batch(mouth, [told])).status_code == 202
    for raw in ([], [older("ping")] * 21):
        assert (await _batch(mouth, raw)).status_code == 400
    assert (await mouth.older(await mouth.open("2025-06-18"), [older("ping")])).status_code == 400
