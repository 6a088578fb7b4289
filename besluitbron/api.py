"""The JSON API put together with what only this room knows: its door, its headers, and what it works with."""

from __future__ import annotations

from http import HTTPStatus
from types import MappingProxyType
from typing import Final

from django.conf import settings
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from besluitbron.composition import Reach
from besluitbron.doors import program
from besluitbron.language import in_their_language
from besluitbron.queues import queues
from search.api import errors
from search.api.desk import Desk, Service, Standing
from search.api.middleware import allowed
from search.api.version import ROOT, VERSION, is_api
from search.kept import Kept
from throttling.incoming_rules import API
from throttling.limits import TokenBucket
from throttling.middleware import Door, machine_refusal
from throttling.operating.queues import Queue, of_platform
from throttling.operating.reading import NoStoreError, look_beside

_HEADERS: Final = MappingProxyType(
    {
        "API-Version": VERSION,
        "Access-Control-Allow-Origin": "*",
        "X-Robots-Tag": "noindex",
        "Access-Control-Expose-Headers": "API-Version, Content-Location, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, "
        "X-Request-ID",
    }
)


class ApiAnswers:
    """ASGI middleware around everything: what holds for every answer under the API, also one that never came to an operation.

    It carries the version and may be read by pages of others; and when it is a failure, it is a problem of RFC 9457.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] == "http" and is_api(scope["path"]):
            send = _Dressed(send, head=scope["method"] == "HEAD")
        await self._app(scope, receive, send)


class _Dressed:
    """A ``send`` that adds our headers, and puts a problem in the place of any other body of a failure."""

    def __init__(self, send: Send, *, head: bool) -> None:
        self._send = send
        self._head = head
        self._replaced = False

    async def __call__(self, message: Message) -> None:
        if message["type"] != "http.response.start":
            if not self._replaced:
                await self._send(message)
            return
        # Names in small letters, as ASGI wants them; Django sends them as they were written.
        message["headers"] = [(name.lower(), value) for name, value in message.get("headers", ())]
        headers = MutableHeaders(scope=message)
        failed = message["status"] >= HTTPStatus.BAD_REQUEST
        self._replaced = failed and headers.get("content-type") != errors.MEDIA
        body = b""
        if self._replaced:
            told = errors.of_status(message["status"])
            body = told.content
            headers.update({**told.headers, "Content-Length": str(len(body))})
            if message["status"] == HTTPStatus.METHOD_NOT_ALLOWED:
                headers["Allow"] = allowed(headers.get("allow", ""))
        for name, value in _HEADERS.items():
            headers[name] = value
        await self._send(message)
        if self._replaced:
            await self._send({"type": "http.response.body", "body": b"" if self._head else body})


def api_door() -> Door:
    """The way in for programs, with its own limits. It reads bodies, within bounds, before Django would read whatever comes."""
    return Door(
        prefix=f"{ROOT}/",
        connector=API,
        asker=program,
        refusal=machine_refusal(settings.SITE_ADDRESS, in_their_language),
        reads_body=True,
    )


def make_desk(reach: Reach, kept: Kept) -> Desk:
    """What the API works with."""
    known = queues()

    async def standing(platform: str, service: str) -> Standing | None:
        try:
            seen = await look_beside(reach.turns, reach.breaker, f"{platform}/{service}")
        except NoStoreError:
            return None
        if seen is None:
            return None
        now = seen.snapshot
        return Standing(waiting=now.waiting, under_way=now.flying, opens_in=seen.trial_in, off=now.off)

    return Desk(
        kept=kept,
        services=lambda platform: tuple(map(_service, of_platform(known, platform))),
        standing=standing,
    )


def _service(queue: Queue) -> Service:
    rules = queue.rules
    return Service(
        key=queue.service,
        units=None if rules.limit is None else rules.units,
        seconds=None if rules.limit is None else rules.seconds,
        bucket=isinstance(rules.limit, TokenBucket),
        in_flight=rules.in_flight,
        origin=queue.origin,
        source=queue.source,
        told=queue.told,
    )
