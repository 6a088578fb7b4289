"""2026-07-28: every request stands alone. The conformance suite does not know this revision yet, so this is ours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assistants.sessions import HANDLE_KEY
from tests.support.assistants import BOTH, ENDPOINT, MARK, Demo, Mouth, modern

pytestmark = pytest.mark.anyio
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
SAY = {"name": "zeg", "arguments": {"woord": "hallo"}}


async def test_discover_says_who_we_are_and_how_long_that_holds(mouth: Mouth) -> None:
    answer = await mouth.modern("server/discover")
    result = answer.json()["result"]
    assert result["supportedVersions"] == ["2026-07-28"]
    assert result["instructions"] == "Voor tests."
    assert result["capabilities"]["tools"] == {"listChanged": False}
    assert (result["ttlMs"], result["cacheScope"], result["resultType"]) == (3_600_000, "public", "complete")
    assert result["_meta"][SERVER_INFO]["name"] == "proef"
    assert "mcp-session-id" not in answer.headers


async def test_the_list_of_tools_is_the_same_for_everybody_and_may_be_kept(mouth: Mouth) -> None:
    one, two = [(await mouth.modern("tools/list", about=about)).json() for about in (1, "twee")]
    assert (one["id"], two["id"]) == (1, "twee")
    assert one["result"] == two["result"]
    assert (one["result"]["ttlMs"], one["result"]["cacheScope"]) == (3_600_000, "public")
    assert HANDLE_KEY not in one["result"]["_meta"]
    (say, *_) = one["result"]["tools"]
    assert say["annotations"] == {
        "readOnlyHint": True,
        "idempotentHint": True,
        "destructiveHint": False,
        "openWorldHint": True,
    }
    assert say["inputSchema"]["additionalProperties"] is False


async def test_a_list_has_one_page(mouth: Mouth) -> None:
    for cursor in ("", MARK):
        answer = await mouth.modern("tools/list", {"cursor": cursor})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)
        assert MARK not in answer.text


async def test_a_conversation_goes_on_by_its_handle(mouth: Mouth, demo: Demo) -> None:
    first = (await mouth.modern("tools/call", SAY)).json()["result"]["_meta"][HANDLE_KEY]
    second = await mouth.modern("tools/call", SAY, meta={HANDLE_KEY: first})
    renewed = second.json()["result"]["_meta"][HANDLE_KEY]
    await mouth.modern("tools/call", SAY, meta={HANDLE_KEY: renewed})
    alone, one, same = demo.callers
    assert alone.session.startswith("adres:")
    assert one.session.startswith("mcp:")
    assert one == same
    assert one.heir_of == alone.session


@pytest.mark.parametrize("kind", ["text", "number", "nothing", "forged", "session", "escaped"])
async def test_only_a_handle_of_ours_makes_a_conversation(mouth: Mouth, demo: Demo, kind: str) -> None:
    real = (await mouth.modern("tools/call", SAY)).json()["result"]["_meta"][HANDLE_KEY]
    session = (await mouth.open())["mcp-session-id"]
    shown: Any = {"text": MARK, "number": 1, "nothing": None, "forged": f"{real}x", "session": session}.get(kind, real)
    headers, body = modern("tools/call", SAY, meta={HANDLE_KEY: shown})
    if kind == "escaped":  # as other languages print a slash
        text = json.dumps(body).replace("besluitbron/", "besluitbron\\/")
        answer = await mouth.browser.post(ENDPOINT, content=text, headers=headers)
    else:
        answer = await mouth.browser.post(ENDPOINT, json=body, headers=headers)
    assert answer.status_code == 200
    assert demo.callers[-1].session.startswith("mcp:" if kind == "escaped" else "adres:")


async def test_a_session_id_of_older_revisions_means_nothing_here(mouth: Mouth, demo: Demo) -> None:
    headers, body = modern("tools/call", SAY)
    answer = await mouth.browser.post(ENDPOINT, json=body, headers={**headers, "mcp-session-id": "x"})
    assert answer.status_code == 200
    assert demo.callers[-1].session.startswith("adres:")


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"mcp-method": "tools/call"}, -32020),
        ({"mcp-method": MARK}, -32020),
        ({"mcp-protocol-version": "2027-01-01"}, -32020),
        ({"mcp-protocol-version": MARK}, -32020),
    ],
)
async def test_headers_that_say_something_else_than_the_body_are_refused(
    mouth: Mouth, changed: dict[str, str], code: int
) -> None:
    headers, body = modern("tools/list")
    answer = await mouth.browser.post(ENDPOINT, json=body, headers={**headers, **changed})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert MARK not in answer.text


async def test_a_name_in_the_header_must_be_the_one_in_the_body(mouth: Mouth) -> None:
    headers, body = modern("tools/call", SAY)
    for name in ("wacht", MARK, ""):
        answer = await mouth.browser.post(ENDPOINT, json=body, headers={**headers, "mcp-name": name})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)
        assert MARK not in answer.text


async def test_a_header_that_stands_there_twice_is_refused(mouth: Mouth) -> None:
    headers, body = modern("tools/list")
    twice = [*headers.items(), ("mcp-method", "tools/call")]
    answer = await mouth.browser.post(ENDPOINT, json=body, headers=twice)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


@pytest.mark.parametrize(("version", "said"), [("2027-01-01", "2027-01-01"), (MARK, "onbekend"), ("2024-11-05", None)])
async def test_a_version_that_is_not_spoken_is_told_which_are(mouth: Mouth, version: str, said: str | None) -> None:
    headers, body = modern("tools/list", meta={"io.modelcontextprotocol/protocolVersion": version})
    answer = await mouth.browser.post(ENDPOINT, json=body, headers={**headers, "mcp-protocol-version": version})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, -32022)
    assert error["data"] == {"supported": ["2026-07-28"], "requested": said or version}


@pytest.mark.parametrize("missing", ["protocolVersion", "clientCapabilities"])
async def test_what_a_request_must_say_of_itself_is_named(mouth: Mouth, missing: str) -> None:
    headers, body = modern("tools/list")
    del body["params"]["_meta"][f"io.modelcontextprotocol/{missing}"]
    answer = await mouth.browser.post(ENDPOINT, json=body, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)
    assert missing in answer.json()["error"]["message"]


async def test_a_method_that_is_not_there_is_not_found(mouth: Mouth) -> None:
    for method in ("resources/subscribe", "initialize", "ping", MARK):
        answer = await mouth.modern(method, {"uri": "x"} if "resources" in method else {})
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, -32601), method
        assert MARK not in answer.text


async def test_several_messages_or_an_answer_are_no_request(mouth: Mouth) -> None:
    headers, body = modern("tools/list")
    for raw in ([body], [], {"jsonrpc": "2.0", "id": 1, "result": {}}, "x", 1, None):
        answer = await mouth.browser.post(ENDPOINT, content=json.dumps(raw), headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32600)


async def test_a_notification_is_taken_and_dropped(mouth: Mouth, demo: Demo) -> None:
    body = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    for version, status in (("2026-07-28", 202), ("2027-01-01", 400)):
        answer = await mouth.browser.post(ENDPOINT, json=body, headers={**BOTH, "mcp-protocol-version": version})
        assert answer.status_code == status


async def test_there_is_no_session_to_end(mouth: Mouth) -> None:
    answer = await mouth.browser.delete(ENDPOINT, headers={"mcp-protocol-version": "2026-07-28"})
    assert answer.status_code == 400
