"""A platform whose server does what a test says, and a connector of one call, to test what stands between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from connectors.addresses import Addresses, PlatformMode
from connectors.bodies import json_object, require_success
from connectors.breaker import Breaker
from connectors.buffer import Buffer, NoBuffer
from connectors.calls import Answer, Ask, Call, CallKind
from connectors.client import Client
from connectors.connector import Capabilities
from connectors.exceptions import NotSupportedError, Unsupported
from connectors.http import Http, user_agent
from connectors.journey import Tools
from connectors.load_status import LoadStatus
from connectors.moments import now
from connectors.platforms import Platform, Service
from connectors.records import (
    Certainty,
    CheckResult,
    Document,
    Hit,
    Kind,
    Lists,
    Organisation,
    Query,
    SearchResult,
    Total,
)
from tests.support.breakers import MemoryBreaker
from tests.support.first_come import FirstComeTurns
from tests.support.serving import served
from throttling.turns import Turns

Handler = Callable[[Request], Awaitable[Response]]


def scripted_platform(key: str = "gemaakt", *, deadline: float = 5.0, in_flight: int = 4) -> Platform:
    service = Service(key="api", live_address="", in_flight=in_flight)
    return Platform(
        key=key, name=key.title(), home="https://example.org", about="", services=(service,), deadline=deadline
    )


def call_to(platform: Platform, path: str = "/zoek", **changes: object) -> Call:
    values: dict[str, object] = {"platform": platform.key, "service": "api", "path": path, "kind": CallKind.SEARCH}
    return Call(**(values | changes))  # type: ignore[arg-type]


@dataclass(slots=True)
class Gate:
    """Where a handler stands still until the test lets it go on."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def pass_through(self) -> None:
        self.reached.set()
        await self.opened.wait()


def hit(platform: Platform, number: int = 1) -> Hit:
    return Hit(
        platform=platform.key,
        upstream_id=str(number),
        title=f"Stuk {number}",
        organisation="Gemeente Ede",
        organisation_id="gemeente-ede",
        kind=Kind.DOCUMENT,
        kind_at_source="Document",
        date=None,
        snippet="",
        address="https://example.org/1",
        original=None,
        fetched_at=now(),
    )


def counted(answer: Answer, platform: str) -> int:
    """The number of hits in an answer of a scripted platform."""
    require_success(platform, answer)
    return int(json_object(platform, answer)["hits"])


@dataclass(slots=True)
class ScriptedConnector:
    """Makes one call a search; the server's JSON says how many hits there are."""

    platform: Platform
    capabilities: Capabilities = field(
        default_factory=lambda: Capabilities(bodies=frozenset(), kinds=frozenset(), filters=frozenset())
    )

    def organisations(self) -> tuple[Organisation, ...]:
        return ()

    def canonical_id(self, text: str) -> str | None:
        return text

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        call = call_to(self.platform, params=tuple(("q", word) for word in query.text.words))
        count = await ask(call, counted, self.platform.key)
        hits = tuple(hit(self.platform, number) for number in range(count.value))
        return SearchResult(hits=hits, total=Total(count.value, Certainty.EXACT), fetched_at=count.fetched_at)

    async def document(self, upstream_id: str, ask: Ask) -> Document:
        raise NotSupportedError(self.platform.key, Unsupported.NO_SUCH_FUNCTION)

    async def lists(self, ask: Ask) -> Lists:
        return Lists(())

    async def load_status(self, ask: Ask) -> LoadStatus:
        raise NotSupportedError(self.platform.key, Unsupported.NO_SUCH_FUNCTION)

    async def check(self, ask: Ask) -> tuple[CheckResult, ...]:
        return ()


class KeepingBuffer(NoBuffer):
    """A buffer that keeps everything and gives nothing, so that a test sees what was kept."""

    def __init__(self) -> None:
        self.kept: list[tuple[Call, Answer]] = []
        self.changed = asyncio.Event()

    async def keep(self, call: Call, answer: Answer, document: str = "") -> None:
        self.kept.append((call, answer))
        self.changed.set()


def _endpoint(handler: Handler) -> Handler:
    """A function: Starlette takes any other callable for an application."""

    async def endpoint(request: Request) -> Response:
        return await handler(request)

    return endpoint


@asynccontextmanager
async def client_of(
    handlers: dict[Platform, Handler],
    *,
    turns: Turns | None = None,
    buffer: Buffer | None = None,
    breaker: Breaker | None = None,
) -> AsyncIterator[Client]:
    """A client whose platforms are served by ``handlers``, every path of a platform by one."""
    routes = [
        Route(f"/{platform.key}/api{{rest:path}}", _endpoint(handler), methods=["GET", "POST"])
        for platform, handler in handlers.items()
    ]
    async with served(Starlette(routes=routes)) as root:
        where = Addresses(PlatformMode.STAND_INS, stand_ins=root, pages="http://localhost")
        in_flight = max(platform.services[0].in_flight for platform in handlers)
        async with Http(handlers, where, user_agent("0", "https://example.org")) as http:
            client = Client(
                Tools(
                    http=http,
                    buffer=buffer or NoBuffer(),
                    turns=turns or FirstComeTurns(in_flight),
                    breaker=breaker or MemoryBreaker(),
                    addresses=where,
                )
            )
            yield client
            await client.aclose()
