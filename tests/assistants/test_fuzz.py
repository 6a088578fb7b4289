"""Whatever is sent: an answer below 500, in JSON, that repeats nothing of it; and nothing of it in a log."""

from __future__ import annotations

import asyncio
import json
import logging
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistants.endpoint import Endpoint, Site
from assistants.sessions import Sessions
from assistants.stopping import Stopping
from besluitbron.mcp_doors import is_ours
from tests.support.assistants import ENDPOINT, MARK, Demo, demo_server
from throttling.callers import Caller, Callers
from throttling.daily_key import DayKey
from throttling.incoming import Asker, Opening, Verdict
from throttling.middleware import rpc_refusal

VERSIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "2024-11-05", "2027-01-01", MARK, ""]
METHODS = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "prompts/get",
    "resources/read",
    "server/discover",
    "notifications/cancelled",
    "x",
    MARK,
]
PREFIX = "io.modelcontextprotocol/"
TEXTS = st.sampled_from([MARK, "", "2026-07-28", "\x00", "é" * 40, MARK * 40]) | st.text(max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
METAS = st.fixed_dictionaries(
    {},
    optional={
        f"{PREFIX}protocolVersion": st.sampled_from(VERSIONS) | VALUES,
        f"{PREFIX}clientCapabilities": st.just({}) | VALUES,
        f"{PREFIX}clientInfo": st.just({"name": MARK, "version": MARK}) | VALUES,
        "besluitbron/gesprek": VALUES,
        "progressToken": st.integers() | st.lists(st.just(MARK)),
    },
)
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "_meta": METAS | VALUES,
        "name": st.sampled_from(["mislukt", "stuk", "zeg", "wat_is_besloten", MARK]) | VALUES,
        "arguments": st.just({"woord": MARK, MARK: MARK, "woordd": MARK}) | VALUES,
        "uri": st.sampled_from(["besluitbron://woorden", f"besluitbron://document/{MARK}", MARK]) | VALUES,
        "cursor": VALUES,
        "protocolVersion": st.sampled_from(VERSIONS) | VALUES,
        "capabilities": st.just({}) | VALUES,
        "clientInfo": st.just({"name": MARK, "version": MARK}) | VALUES,
        "requestId": VALUES,
    },
)
IDS = (
    st.integers() | st.none() | st.booleans() | st.floats(allow_nan=False) | st.just({MARK: MARK}) | st.just("a" * 300)
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | VALUES,
        "id": IDS,
        "method": st.sampled_from(METHODS) | VALUES,
        "params": PARAMS | VALUES,
        "result": VALUES,
    },
)
WHOLE = MESSAGES.map(lambda message: {"jsonrpc": "2.0", "id": 1, "method": "tools/call", **message})
BODIES = (
    (MESSAGES | WHOLE | VALUES | st.lists(WHOLE, max_size=3)).map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=40).map(lambda raw: MARK.encode() + raw)
    | st.sampled_from([b"", b"[" * 100_000, b"1" * 5000, b'{"id":' + b"9" * 5000 + b"}", b'"\\ud800"', b"NaN"])
)
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "mcp-protocol-version": st.sampled_from(VERSIONS),
        "mcp-method": st.sampled_from(METHODS),
        "mcp-name": st.sampled_from(["mislukt", MARK, "=?base64?!?="]),
        "mcp-session-id": st.sampled_from([MARK, "", "a.b.c", "é"]),
        "accept": st.sampled_from(["*/*", "application/json", "text/event-stream", MARK]),
        "content-type": st.sampled_from(["application/json", "application/json; charset=x", MARK]),
        "origin": st.sampled_from(["http://localhost:1", MARK, "http://[::1"]),
    },
)


class _Open:
    """Limits that let everything in."""

    def enter(self, connector: str) -> None:
        """Always."""

    async def admit(self, connector: str, asker: Asker) -> Verdict:
        return Verdict(b"", b"")

    async def open_session(self, key: str, seconds: int, caller: Caller) -> Opening:
        return Opening(opened=True)

    async def end_session(self, key: str) -> None:
        """Nothing was kept."""


class _Silent:
    """A store on which nothing is said."""

    async def publish(self, channel: str, message: str) -> None:
        assert MARK not in message

    async def listen(self, channel: str) -> AsyncIterator[str]:
        yield ""


@pytest.fixture(scope="module")
def endpoint() -> Endpoint:
    tools = tuple(tool for tool in Demo().tools() if tool.name in {"mislukt", "stuk"})
    sessions = Sessions("geheim", Callers(DayKey(Path(tempfile.mkdtemp()) / "sleutel")))
    return Endpoint(demo_server(tools), "mcp:unified", Site(sessions, is_ours, rpc_refusal("http://localhost:8000")))


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text += f"{self.format(record)} {record.__dict__}\n"


@contextmanager
def _logs() -> Iterator[_Kept]:
    kept, root = _Kept(), logging.getLogger()
    level = root.level
    root.addHandler(kept)
    root.setLevel(logging.DEBUG)
    try:
        yield kept
    finally:
        root.removeHandler(kept)
        root.setLevel(level)


async def _asked(endpoint: Endpoint, method: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
    sent: list[Any] = []
    waiting = [{"type": "http.request", "body": body, "more_body": False}]
    forever = asyncio.Event()

    async def receive() -> Any:
        if waiting:
            return waiting.pop()
        await forever.wait()
        return None

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Any = {
        "type": "http",
        "method": method,
        "path": ENDPOINT,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "state": {"incoming": _Open(), "stopping": Stopping(_Silent())},
    }
    async with asyncio.timeout(10):
        await endpoint(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def _held(endpoint: Endpoint, method: str, headers: dict[str, str], body: bytes) -> None:
    with _logs() as logs:
        status, said = asyncio.run(_asked(endpoint, method, headers, body))
    assert 200 <= status < 500
    assert MARK.encode() not in said
    assert MARK not in logs.text
    if said and not said.startswith(b"event:"):
        json.loads(said)


@given(headers=HEADERS, body=BODIES)
def test_anything_at_all_gets_an_answer_that_repeats_nothing(
    endpoint: Endpoint, headers: dict[str, str], body: bytes
) -> None:
    _held(endpoint, "POST", headers, body)


@given(body=WHOLE, version=st.sampled_from(VERSIONS))
def test_what_is_nearly_a_request_gets_an_answer_that_repeats_nothing(
    endpoint: Endpoint, body: dict[str, Any], version: str
) -> None:
    headers = {"content-type": "application/json", "mcp-protocol-version": version}
    if isinstance(body["method"], str) and body["method"].isascii() and body["method"].isprintable():
        headers["mcp-method"] = body["method"]
    _held(endpoint, "POST", headers, json.dumps(body).encode())


@given(method=st.sampled_from(["GET", "DELETE", "HEAD", "PUT", MARK]), headers=HEADERS)
def test_any_other_method_gets_an_answer_that_repeats_nothing(
    endpoint: Endpoint, method: str, headers: dict[str, str]
) -> None:
    _held(endpoint, method, headers, b"")
