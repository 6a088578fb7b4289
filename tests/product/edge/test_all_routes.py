"""Over all routes, methods and classes, in any spelling: what reaches the origin is what the token is for (attack 10)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import httpx
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send

from admission.books import Books
from admission.doorkeeper import STATE, Attempts, Doorkeeper
from admission.gatehouse import Gatehouse
from admission.operations import SAFE
from besluitbron.admission import make_gatehouse
from besluitbron.composition import Reach
from besluitbron.doors import FREE
from besluitbron.edge import OWN_PROOFS, at_the_edge, public_lane
from besluitbron.work import WORK
from tests.admission.test_operations import beginnings
from tests.support.admission import FETCH
from tests.support.contracts import Job, job
from tests.support.valkey import PATIENCE, Valkey
from throttling.admitted import admitted
from throttling.incoming_rules import Rate
from throttling.store import Store
from throttling.work import Access, Door

_UNSEEN = (*FREE, *OWN_PROOFS)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
TOOLS = sorted(work.name for work in WORK if work.door is Door.TOOL)


@dataclass
class Origin:
    """Stands behind the edge, and remembers what came."""

    came: list[tuple[str, str, Any]] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.came.append((scope["method"], scope["path"], admitted(scope)))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


class Gate:
    """The edge around an origin, asked in the process itself, in exactly the spelling of a test."""

    def __init__(self, house: Gatehouse, agent: Job) -> None:
        self.origin = Origin()
        self.house, self.job = house, agent
        self.keeper = Doorkeeper(house)
        self.keeper.attempts = Attempts(Rate(1_000_000))
        self._app = at_the_edge(public_lane(self.origin))
        self._seen = ""

    async def ask(self, method: str, path: str, access: Access | None, body: bytes = b"") -> int:
        """One request, and the status of its answer."""
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        if access is not None:
            brought = self.job.headers(method, path, access)
            headers += [(name.lower().encode(), value.encode()) for name, value in brought.items()]
        sent: list[Any] = []
        waiting: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return waiting.pop() if waiting else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            sent.append(message)

        scope: Scope = {
            "type": "http",
            "method": method,
            "path": unquote(path, errors="replace"),
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": headers,
            "client": ("192.0.2.1", 1),
            "state": {STATE: self.keeper},
        }
        self.origin.came.clear()
        await self._app(scope, receive, send)
        status: int = sent[0]["status"]
        return status

    async def events(self) -> list[str]:
        """The kinds of events since the last look."""
        found = await self.house.admissions.events(self._seen, 100_000)
        self._seen = found[-1].id if found else self._seen
        return [event.kind for event in found]


@contextmanager
def gate(store: Valkey) -> Iterator[tuple[asyncio.Runner, Gate]]:
    with asyncio.Runner() as runner:
        opened = Store(store.address, PATIENCE)
        unused: Any = None

        async def made() -> Gate:
            await opened.__aenter__()
            house = make_gatehouse(Reach(opened, unused, unused), Books(), FETCH[-1])
            await house.admissions.open(0)
            return Gate(house, await job(httpx.AsyncClient(), house, units=1_000_000, in_flight=1000))

        one = runner.run(made())
        try:
            yield runner, one
        finally:
            runner.run(opened.__aexit__(None, None, None))
            one.house.books.close()


PATHS = st.builds(
    str.__add__,
    st.sampled_from(sorted({*beginnings().values(), "/mcp/unified/v1", "/mcp/", "/admission/", "/static/"})),
    st.one_of(
        st.just(""), st.sampled_from(("abc", "abc/stukken", "a%2fb", "a%20b")), st.text("abc/.%2fe5c-_;= ", max_size=8)
    ),
)
TOKENS = st.sampled_from((None, Access.READ, Access.WRITE))


def test_what_reaches_the_origin_is_what_its_token_is_for(store: Valkey) -> None:
    with gate(store) as (runner, here):

        @given(st.sampled_from(METHODS), PATHS, TOKENS)
        @example("POST", "/api/v1/rapporten", None)
        @example("POST", "/api/v1/rapporten", Access.READ)
        @example("POST", "/api/v1/rapporten", Access.WRITE)
        @example("GET", "/zoeken", Access.WRITE)
        @example("GET", "/api/v1/platforms", Access.READ)
        def asked(method: str, path: str, access: Access | None) -> None:
            runner.run(here.events())
            status = runner.run(here.ask(method, path, access))
            assert status < 500
            operations = here.house.operations
            if path.startswith(_UNSEEN):
                return
            kinds = runner.run(here.events())
            reached = bool(here.origin.came)
            if access is None:
                assert kinds == []  # choice A5
                declared = operations.declared(method, unquote(path, errors="replace"))
                for_programs = path.startswith(("/api/", "/mcp/"))
                if for_programs and declared is not None and declared.access is Access.WRITE and method != "OPTIONS":
                    assert (reached, status) == (False, 401)
                else:
                    assert reached
                return
            assert kinds in ([], ["allow"], ["deny"])
            assert reached == (kinds == ["allow"])
            if reached:  # nobody approved anything here
                assert access is Access.READ
                ((_, _, under),) = here.origin.came
                assert (under.contract, under.access) == (here.job.contract, Access.READ)
                if not path.startswith("/mcp/"):
                    operation = operations.of_request(method, path)
                    assert (method in SAFE, operation.id, operation.access) == (True, under.operation, Access.READ)

        asked()


def test_a_tool_is_what_the_registry_says_and_all_else_changes_state(store: Valkey) -> None:
    with gate(store) as (runner, here):
        names = st.one_of(st.sampled_from([*TOOLS, "wis", "", "zoek "]), st.text(max_size=8))

        @given(st.sampled_from(("tools/call", "tools/list", "resources/read", "x")), names, TOKENS, st.booleans())
        def called(method: str, name: str, access: Access | None, batch: bool) -> None:
            one = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"name": name, "arguments": {}}}
            status = runner.run(
                here.ask("POST", "/mcp/unified/v1", access, json.dumps([one] if batch else one).encode())
            )
            assert status < 500
            reached = bool(here.origin.came)
            tool = here.house.operations.declared_tool(name) if method == "tools/call" else None
            if access is None:
                assert reached == (tool is None or tool.access is Access.READ)
            elif reached:
                ((_, _, under),) = here.origin.came
                assert (access, under.access, batch) == (Access.READ, Access.READ, False)
                assert method in {"tools/list", "resources/read"} or (tool is not None and tool.id == under.operation)

        called()
