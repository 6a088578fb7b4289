"""MCP endpoints in our shell with the session layer and the limits, around any server of the SDK, over a real store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from mcp.server.lowlevel.server import Server
from starlette.responses import PlainTextResponse
from starlette.routing import Router
from starlette.types import ASGIApp

from assistants.endpoint import Endpoint, Site
from assistants.endpoints import Endpoints
from assistants.places import connector, path
from assistants.prompts import PROMPTS
from assistants.resources import RESOURCES
from assistants.servers import Described, Offered, server
from assistants.sessions import Sessions
from assistants.stopping import Stopping
from assistants.tool import Arguments, Outcome, Tell, Tool, ToolFailedError, Visit
from besluitbron.mcp_doors import is_ours
from besluitbron.security import Security
from search.federation import Federation
from tests.support.serving import BOUND
from throttling.callers import Caller, Callers
from throttling.daily_key import DayKey
from throttling.incoming import Incoming
from throttling.incoming_rules import DoorRules, IncomingRules, Rate
from throttling.middleware import Door, IncomingLimits, rpc_refusal
from throttling.store import Store

ENDPOINT = "/mcp/unified/v1"
MARK = "geheimevraag"
"""Stands in what tests send and must never come back in an error, nor stand in a log."""
BOTH = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
PLENTY = Rate(100_000)
UNLIMITED = IncomingRules(
    process=PLENTY, mcp=DoorRules(PLENTY, PLENTY), page=DoorRules(PLENTY, PLENTY), opening=Rate(10_000)
)
_WORD = {
    "type": "object",
    "properties": {"woord": {"type": "string"}},
    "required": ["woord"],
    "additionalProperties": False,
}
_NO_ANSWER = ("De bron antwoordt niet.", "We weten dus niets.", "Vraag het straks weer.")
_META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


@dataclass(slots=True)
class Demo:
    """Tools of the tests' own, and what became of their calls: who called, and which calls began, ended or were given up."""

    callers: list[Caller] = field(default_factory=list)
    began: asyncio.Event = field(default_factory=asyncio.Event)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)
    given_up: asyncio.Event = field(default_factory=asyncio.Event)

    def reset(self) -> None:
        """As if nobody called yet."""
        self.callers.clear()
        for event in (self.began, self.may_end, self.given_up):
            event.clear()

    def tools(self) -> tuple[Tool, ...]:
        """They say a word back, wait until they may end, fail as ours do, and break."""
        return (
            demo_tool("zeg", self._say),
            demo_tool("wacht", self._wait),
            demo_tool("mislukt", self._fail),
            demo_tool("stuk", self._break),
        )

    async def _say(self, arguments: Arguments, visit: Visit) -> Outcome:
        self.callers.append(visit.caller)
        return Outcome(data={"woord": arguments["woord"]}, text=f"U zei: {arguments['woord']}")

    async def _wait(self, arguments: Arguments, visit: Visit) -> Outcome:
        self.began.set()
        await visit.tell("Er gaan 2 vragers voor.")
        await visit.tell("Er gaat 1 vrager voor.")
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.given_up.set()
            raise
        return Outcome(data={"woord": arguments["woord"]}, text="Klaar.")

    async def _fail(self, arguments: Arguments, visit: Visit) -> Outcome:
        raise ToolFailedError(*_NO_ANSWER, retry_after=30)

    async def _break(self, arguments: Arguments, visit: Visit) -> Outcome:
        raise RuntimeError(arguments["woord"])


def demo_tool(name: str, run: Any) -> Tool:
    """A tool that takes one word."""
    return Tool(
        name=name, title=name.title(), description="Voor tests.", input_schema=_WORD, output_schema=_WORD, run=run
    )


def demo_server(tools: tuple[Tool, ...]) -> Server[Any]:
    """A server with these tools, whose visits reach no source."""

    def visiting(state: Mapping[str, Any], caller: Caller, tell: Tell) -> Visit:
        nobody = Federation.__new__(Federation)
        return Visit(federation=nobody, platforms=("tweede-kamer",), caller=caller, tell=tell)

    described = Described(name="proef", title="Proef", version="1", instructions="Voor tests.")
    return server(described, Offered(tools=tools, prompts=PROMPTS, resources=RESOURCES), visiting)


def shell(
    made: Server[Any], store_address: str, folder: Path, *, rules: IncomingRules = UNLIMITED, opened: Any = None
) -> ASGIApp:
    """The application as ``besluitbron.asgi`` makes it, with ``made`` at two endpoints. ``opened`` gets the state."""
    sessions = Sessions("geheim van de test", Callers(DayKey(folder / "dagsleutel")))
    refusal = rpc_refusal("http://localhost:8000")
    site = Site(sessions, is_ours, refusal)
    names = ("unified", "tweede-kamer")
    apps = {path(name): Endpoint(made, connector(name), site) for name in names}
    doors = [
        Door(
            prefix=f"{path(name)}/",
            connector=connector(name),
            asker=sessions.asker,
            refusal=refusal,
            reads_body=True,
        )
        for name in names
    ]

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[dict[str, Any]]:
        async with AsyncExitStack() as stack:
            store = await stack.enter_async_context(Store(store_address))
            incoming = await stack.enter_async_context(Incoming(store, rules))
            stopping = await stack.enter_async_context(Stopping(store))
            async with asyncio.timeout(BOUND):
                await stopping.listening.wait()
            state = {"store": store, "incoming": incoming, "stopping": stopping}
            if opened is not None:
                opened.update(state)
            yield state

    inside = Router([], default=Endpoints(apps), lifespan=lifespan)
    limited = IncomingLimits(inside, doors, ())
    elsewhere = PlainTextResponse("Dit is een andere site.", 400)
    return Security(limited, hosts=("localhost", "127.0.0.1"), refusal=lambda _: elsewhere)


def modern(
    method: str, params: Mapping[str, Any] | None = None, *, about: Any = 1, meta: Any = None
) -> tuple[dict[str, str], dict[str, Any]]:
    """Headers and body of a request of 2026-07-28."""
    params = dict(params or {})
    headers = {**BOTH, "mcp-protocol-version": "2026-07-28", "mcp-method": method}
    name = params.get("name", params.get("uri"))
    if name is not None:
        headers["mcp-name"] = name
    params["_meta"] = {**_META, **(meta or {})}
    return headers, {"jsonrpc": "2.0", "id": about, "method": method, "params": params}


def older(method: str, params: Mapping[str, Any] | None = None, *, about: Any = 1) -> dict[str, Any]:
    """The body of a request of an older revision."""
    return {"jsonrpc": "2.0", "id": about, "method": method, "params": dict(params or {})}


def hello(version: str = "2025-11-25") -> dict[str, Any]:
    """The body of ``initialize``."""
    me = {"name": "test", "version": "1"}
    return older("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": me}, about=0)


@dataclass(frozen=True, slots=True)
class Mouth:
    """Sends messages to one endpoint."""

    browser: httpx.AsyncClient
    endpoint: str = ENDPOINT

    async def open(self, version: str = "2025-11-25") -> dict[str, str]:
        """Begin a session; gives the headers of what comes after."""
        answer = await self.browser.post(self.endpoint, json=hello(version), headers=BOTH)
        assert answer.status_code == 200, answer.text
        session = {"mcp-session-id": answer.headers["mcp-session-id"]}
        return {**BOTH, **session} | ({} if version == "2025-03-26" else {"mcp-protocol-version": version})

    async def older(self, headers: Mapping[str, str], body: Any) -> httpx.Response:
        """Send a message of an older revision."""
        return await self.browser.post(self.endpoint, json=body, headers=headers)

    async def modern(self, method: str, params: Mapping[str, Any] | None = None, **more: Any) -> httpx.Response:
        """Send a request of 2026-07-28."""
        headers, body = modern(method, params, **more)
        return await self.browser.post(self.endpoint, json=body, headers=headers)

    async def call(self, headers: Mapping[str, str], tool: str, word: str, about: Any = 1) -> Any:
        """The result of a call of a demo tool, in an older revision."""
        body = older("tools/call", {"name": tool, "arguments": {"woord": word}}, about=about)
        answer = await self.older(headers, body)
        assert answer.status_code == 200, answer.text
        return answer.json()["result"]


def events(text: str) -> list[Any]:
    """The messages of a stream of events."""
    return [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]
