"""Stand-ins ask themselves a first question, so that a visitor's first is not the one that builds everything."""

from __future__ import annotations

import pytest
from starlette.types import Message, Receive, Scope, Send

from besluitbron.standins import make_application
from besluitbron.warming import Warmed, warm
from connectors.addresses import Addresses, PlatformMode
from connectors.connector import Connector
from connectors.registry import default_registry

pytestmark = pytest.mark.anyio
PAGES = "http://pagina.test"


def connectors() -> tuple[Connector, ...]:
    return tuple(default_registry(Addresses(mode=PlatformMode.STAND_INS, stand_ins="http://stand.test", pages=PAGES)))


async def test_every_stand_in_is_asked_and_answers() -> None:
    app = make_application(PAGES)
    asked: dict[str, set[int]] = {}

    async def watching(scope: Scope, receive: Receive, send: Send) -> None:
        async def telling(message: Message) -> None:
            if message["type"] == "http.response.start":
                asked.setdefault(scope["path"].split("/")[1], set()).add(message["status"])
            await send(message)

        await app(scope, receive, telling)

    await warm(watching, connectors())
    assert asked == {connector.platform.key: {200} for connector in connectors()}


async def test_a_stand_in_that_is_broken_keeps_nobody_from_starting() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        await send({"type": "http.response.start", "status": 500, "headers": []})
        await send({"type": "http.response.body", "body": b"stuk"})

    await warm(broken, connectors())


async def test_a_call_is_handed_on_as_it_is() -> None:
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        del receive, send
        seen.append(scope["type"])

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    async def away(message: Message) -> None:
        del message

    await Warmed(app, ())({"type": "http"}, nothing, away)
    assert seen == ["http"]
