"""The incoming limits as ASGI middleware: before Django, before MCP, and before anything is done for a request.

It knows doors and nothing behind them: where a door begins, who asks there, and how a refusal is printed are handed down.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from throttling import problems
from throttling.bodies import MOST_BYTES, again, read_body
from throttling.callers import Caller
from throttling.incoming import Asker, Incoming, Verdict
from throttling.problems import Problem

ADMITTED: Final = "besluitbron.admitted"
"""Under this name the application finds who was let in, in its scope."""
_READ_FOR_ID: Final = 65_536
_PLAIN_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_MOST_ID: Final = 2**53
_PROBLEM: Final = b"application/problem+json"


@dataclass(frozen=True, slots=True)
class Admitted:
    """A request that passed. ``gone``: its session is no more. ``strict``: the stricter limits of one process are in force."""

    caller: Caller
    gone: bool
    strict: bool


@dataclass(frozen=True, slots=True)
class Printed:
    """A refusal as it is sent: media type and body."""

    media_type: bytes
    body: bytes


Say = Callable[[Scope, str], str]
"""A Dutch text in the language that whoever made a request reads."""
Refusal = Callable[[Problem, Scope, bytes], Printed]
"""How a problem is told at a door: with the scope and, where it was read, the body of the request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """One way in: all paths that begin with ``prefix``, or are it without its last slash. ``connector`` is whose limit counts.

    ``asker`` says who asks, from the scope and the body; that is empty unless ``reads_body``, and for GET. ``most``: its bytes.
    """

    prefix: str
    connector: str
    asker: Callable[[Scope, bytes], Asker]
    refusal: Refusal
    reads_body: bool = False
    most: int = MOST_BYTES

    def leads(self, path: str) -> bool:
        """Whether ``path`` goes through this door."""
        return path.startswith(self.prefix) or path == self.prefix[:-1]


Fields = tuple[tuple[bytes, bytes], ...]


class Paths:
    """Some paths, and all below those that end with a slash: ``"/static/x" in Paths(("/static/",))``."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = frozenset(paths)
        self._below = tuple(path for path in paths if path.endswith("/"))

    def __contains__(self, path: str) -> bool:
        return path in self._paths or path.startswith(self._below)


class IncomingLimits:
    """ASGI middleware: the first of ``doors`` that leads to a path counts. What is ``free`` goes uncounted.

    ``free`` are paths, or beginnings of paths where they end with a slash. ``link``: a ``Link`` on each answer that too much
    was asked (429), to what gives more. The limits themselves are what the lifespan put under ``incoming`` in the state.
    """

    def __init__(self, app: ASGIApp, doors: Sequence[Door], free: Sequence[str], link: bytes = b"") -> None:
        self._app = app
        self._doors = tuple(doors)
        self._free = Paths(free)
        self._link: Fields = ((b"link", link),) if link else ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        door = self._door(scope["path"]) if scope["type"] == "http" else None
        if door is None:
            await self._app(scope, receive, send)
            return
        incoming: Incoming = scope["state"]["incoming"]
        verdict = incoming.enter(door.connector)
        body = b""
        if door.reads_body and scope["method"] != "GET":
            body, failed = await read_body(scope["headers"], receive, door.most)
            if failed is not None:
                await self._refuse_body(door, scope, send, failed, verdict)
                return
            receive = again(body, receive)
        if verdict is None:
            asker = door.asker(scope, body)
            verdict = await incoming.admit(door.connector, asker)
            if not verdict.refused_by:
                scope[ADMITTED] = Admitted(asker.caller, verdict.gone, verdict.strict)
                await self._app(scope, receive, _dressed(verdict, send, self._link))
                return
        problem = problems.too_many(verdict.retry_after, verdict.refused_by)
        printed = door.refusal(problem, scope, body)
        await _refuse(scope, send, problem, printed, _fields(verdict) + self._link)

    async def _refuse_body(
        self, door: Door, scope: Scope, send: Send, failed: Problem, verdict: Verdict | None
    ) -> None:
        """Refuse a body that cannot be read. It was work as any other: whoever sent it is charged, and not everybody."""
        if verdict is None:
            verdict = await scope["state"]["incoming"].admit(door.connector, door.asker(scope, b""))
        more = _fields(verdict)
        if verdict.refused_by:
            failed = problems.too_many(verdict.retry_after, verdict.refused_by)
            more += self._link
        await _refuse(scope, send, failed, door.refusal(failed, scope, b""), more)

    def _door(self, path: str) -> Door | None:
        if path in self._free:
            return None
        for door in self._doors:
            if door.leads(path):
                return door
        return None


def in_dutch(scope: Scope, words: str) -> str:
    """Where nobody can ask for another language."""
    del scope
    return words


def machine_refusal(site: str, say: Say = in_dutch) -> Refusal:
    """For programs: the problem as RFC 9457 writes it. ``site`` is the address of our own pages."""
    return lambda problem, scope, _body: Printed(_PROBLEM, problem.said(partial(say, scope)).as_json(site))


def rpc_refusal(site: str, say: Say = in_dutch) -> Refusal:
    """For MCP: a JSON-RPC error with the problem as its data, because clients drop any other body."""

    def refusal(problem: Problem, scope: Scope, body: bytes) -> Printed:
        told = problem.said(partial(say, scope))
        error = {"code": told.kind.code, "message": told.detail, "data": told.as_dict(site)}
        answer = {"jsonrpc": "2.0", "id": request_id(body), "error": error}
        return Printed(b"application/json", json.dumps(answer, ensure_ascii=False).encode())

    return refusal


def request_id(body: bytes) -> int | str | None:
    """The id in a JSON-RPC request when it is a number or a short plain word: nothing else that was sent is sent back."""
    if len(body) > _READ_FOR_ID:
        return None
    try:
        asked: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    found = asked.get("id") if isinstance(asked, dict) else None
    if isinstance(found, str) and _PLAIN_ID.fullmatch(found):
        return found
    if isinstance(found, int) and not isinstance(found, bool) and abs(found) < _MOST_ID:
        return found
    return None


def accepts_pages(scope: Scope) -> bool:
    """Whether whoever asks wants a page to read: says so, or does not ask for JSON."""
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept").lower()
    return b"text/html" in accepted or b"json" not in accepted


def _dressed(verdict: Verdict, send: Send, link: Fields) -> Send:
    """A ``send`` that adds the two fields, and ``link`` where the origin itself finds that somebody asks too much."""

    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            more = link if message["status"] == HTTPStatus.TOO_MANY_REQUESTS else ()
            message["headers"] = [*message.get("headers", ()), *_fields(verdict), *more]
        await send(message)

    return dressed


def _fields(verdict: Verdict | None) -> Fields:
    if verdict is None:
        return ()
    return (b"ratelimit-policy", verdict.policy), (b"ratelimit", verdict.standing)


async def _refuse(scope: Scope, send: Send, problem: Problem, printed: Printed, more: Fields) -> None:
    again_after = ((b"retry-after", b"%d" % problem.retry_after),) if problem.retry_after else ()
    await send_whole(scope, send, problem.kind.status, printed, ((b"cache-control", b"no-store"), *again_after, *more))


async def send_whole(scope: Scope, send: Send, status: int, printed: Printed, fields: Fields) -> None:
    """A whole answer, with ``fields`` beside its kind and its length; to HEAD without its body."""
    headers = [(b"content-type", printed.media_type), (b"content-length", b"%d" % len(printed.body)), *fields]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else printed.body})
