"""A conversation of an assistant with the product, recorded as messages with moments, and said again.

``python -m tests.support.conversation PATH`` holds one with a product of its own on the stand-ins, over real HTTP, and writes
it down: one line of JSON a request. Nobody thinks in it: the seconds between requests are made up, as long as a model takes.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

import httpx

import tests.support.environment  # noqa: F401 - before Django's settings
from tests.support.serving import served
from tests.support.valkey import private_valkey

ENDPOINT: Final = "/mcp/unified/v1"
VERSION: Final = "2025-11-25"
_HEADERS: Final = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
_THINKS, _STARTS, _TOGETHER = 3.5, 0.3, 0.05
"""Seconds: before a model's next step, between what a client sends by itself, and between calls of one step."""


@dataclass(frozen=True, slots=True)
class Said:
    """One request: when it was made, in seconds from the first; its body; and how it was answered."""

    seconds: float
    body: dict[str, Any]
    status: int
    failed: bool = False


@dataclass(slots=True)
class Client:
    """An assistant's client in a session of an older revision; ``session`` is what the product gave."""

    http: httpx.AsyncClient
    session: dict[str, str] = field(default_factory=dict)

    async def send(self, body: dict[str, Any]) -> httpx.Response:
        """Send one message, as it is."""
        answer = await self.http.post(ENDPOINT, json=body, headers={**_HEADERS, **self.session})
        if "mcp-session-id" in answer.headers:
            self.session = {"mcp-session-id": answer.headers["mcp-session-id"], "mcp-protocol-version": VERSION}
        return answer


def result_of(answer: httpx.Response) -> dict[str, Any]:
    """The result in an answer, of JSON or of a stream of events; empty when there is none."""
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    text = lines[-1] if lines else answer.text
    found: dict[str, Any] = json.loads(text).get("result", {}) if text else {}
    return found


@dataclass(slots=True)
class _Recording:
    client: Client
    said: list[Said] = field(default_factory=list)
    at: float = 0.0

    async def ask(self, after: float, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        self.at += after
        body: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        body |= {} if params is None else {"params": params}
        body |= {} if method.startswith("notifications/") else {"id": len(self.said)}
        answer = await self.client.send(body)
        result = result_of(answer)
        self.said.append(Said(round(self.at, 2), body, answer.status_code, bool(result.get("isError"))))
        return result

    async def call(self, after: float, tool: str, **given: Any) -> Any:
        result = await self.ask(after, "tools/call", {"name": tool, "arguments": given})
        return result["structuredContent"]


async def recorded(client: Client) -> list[Said]:
    """What an assistant asks to answer "Wat is er in Ede besloten over warmtenetten?", and a question that follows."""
    talk = _Recording(client)
    me = {"name": "opname", "version": "1"}
    await talk.ask(0, "initialize", {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": me})
    await talk.ask(_STARTS, "notifications/initialized")
    for method in ("tools/list", "prompts/list", "resources/list", "resources/templates/list"):
        await talk.ask(_STARTS, method, {})
    for question in ("Wat is er in Ede besloten over warmtenetten?", "subsidie Ede"):
        found = await talk.call(_THINKS, "zoek", vraag=question)
        ids = [hit["id"] for source in found["bronnen"] for hit in source["treffers"]][:5]
        read = [await talk.call(_TOGETHER if at else _THINKS, "lees", id=one) for at, one in enumerate(ids)]
        for at, one in enumerate(ids):
            await talk.call(_TOGETHER if at else _THINKS, "zoek_in_document", id=one, woorden="warmte raad besluit")
        for at, part in enumerate(part for part in read if part["tekst"]):
            sentence = part["tekst"][0]["tekst"][:120].rsplit(" ", 1)[0]
            await talk.call(_TOGETHER if at else _THINKS, "controleer_citaat", id=part["stuk"]["id"], citaat=sentence)
    return talk.said


async def replayed(said: list[Said], client: Client, wait_until: Callable[[float], None]) -> list[Said]:
    """The same requests with the same bodies; ``wait_until`` sets the clock to their seconds. Gives how they were answered."""
    heard = []
    for one in said:
        wait_until(one.seconds)
        answer = await client.send(one.body)
        failed = answer.status_code == httpx.codes.OK and bool(result_of(answer).get("isError"))
        heard.append(Said(one.seconds, one.body, answer.status_code, failed))
    return heard


def read(path: Path) -> list[Said]:
    """A recording."""
    return [Said(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


async def _record() -> list[Said]:
    from django.conf import settings  # noqa: PLC0415 - after the environment

    from besluitbron.asgi import make_application  # noqa: PLC0415 - it sets Django up
    from besluitbron.standins import make_application as make_stand_ins  # noqa: PLC0415

    with private_valkey() as store:
        settings.STATE_STORE = store.address
        settings.TURNS_MEMORY = "throttling.memory.ForgetfulMemory"
        settings.RECEPTION_FACTORY = "tests.support.reports.open_memory_reception"
        settings.ADMISSION_FACTORY = "tests.support.admission.open_resting"
        settings.SITE_ADDRESS = "http://localhost:8000"
        async with served(make_stand_ins(settings.SITE_ADDRESS)) as stand_ins:
            settings.STAND_INS_ADDRESS = stand_ins
            async with (
                served(make_application(), lifespan="on") as site,
                httpx.AsyncClient(base_url=site, timeout=60, verify=False) as http,
            ):
                return await recorded(Client(http))


def write(path: Path, said: list[Said]) -> None:
    """Keep a recording."""
    lines = (json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in said)
    path.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), asyncio.run(_record()))
