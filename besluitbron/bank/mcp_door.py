"""MCP: an assistant calls ``zoek``, and ``lees`` for what it found or what it is told to read straight away."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from besluitbron.bank.questions import BankQuestion, Door
from besluitbron.bank.seen import Seen, SeenPaper, remarks_in, sources_in, words
from besluitbron.bank.web import Unanswered, Web

_WHERE: Final = "/mcp/unified/v1"
_REVISION: Final = "2026-07-28"
_META: Final = {
    "io.modelcontextprotocol/protocolVersion": _REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
}
_NAMES: Final = {"organisatie": "organisaties", "platform": "platforms", "soort": "soorten"}
_ALONE: Final = frozenset({"vraag", "fractie", "commissie", "van", "tot", "sorteer"})
_STRAIGHT: Final = re.compile(r"vraag `lees` met ([^.]*)")
_QUOTED: Final = re.compile(r"`([^`]+)`")
_MOST_PARTS: Final = 60


class McpDoor:
    """Asks as an assistant does, in the newest revision: each call stands by itself."""

    door: Door = Door.MCP

    def __init__(self, web: Web) -> None:
        self._web = web

    async def ask(self, question: BankQuestion) -> Seen:
        """The answer of ``zoek``."""
        given: dict[str, Any] = {}
        for name, values in question.values(self.door).items():
            if name in _ALONE:
                given[name] = values[-1]
            elif name == "pagina":
                given[name] = int(values[-1])
            elif name in _NAMES:
                given[_NAMES[name]] = values
        return read_result(await self._call("zoek", given))

    async def read(self, identifier: str) -> SeenPaper:
        """A paper, part after part."""
        pieces: list[str] = []
        remarks: list[str] = []
        wanted: dict[str, Any] | None = {"id": identifier}
        while wanted is not None and len(pieces) < _MOST_PARTS:
            result = await self._call("lees", wanted)
            pieces.append(_text(result))
            remarks += _remarks(result)
            following = (result.get("structuredContent") or {}).get("volgende")
            wanted = {name: following[name] for name in ("id", "deel", "kenmerk")} if following else None
        return SeenPaper(words(" ".join(pieces)), tuple(remarks))

    async def _call(self, tool: str, given: dict[str, Any]) -> dict[str, Any]:
        headers = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "Mcp-Protocol-Version": _REVISION,
            "Mcp-Method": "tools/call",
            "Mcp-Name": tool,
        }
        params = {"name": tool, "arguments": given, "_meta": _META}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        reply = await self._web.post(_WHERE, body, headers)
        found = _last(reply.text)
        result = found.get("result")
        if isinstance(result, dict):
            return result
        return {"content": [{"type": "text", "text": json.dumps(found.get("error", found), ensure_ascii=False)}]}


def read_result(result: dict[str, Any]) -> Seen:
    """A result of ``zoek``; of one that failed only what it says."""
    data = result.get("structuredContent") or {}
    said = words(_text(result))
    straight = tuple(one for told in _STRAIGHT.findall(said) for one in _QUOTED.findall(told) if ":" in one)
    return Seen(sources_in(data), straight, said, _remarks(result))


def _remarks(result: dict[str, Any]) -> tuple[str, ...]:
    """What the product says itself: of a call that failed all of it."""
    data = result.get("structuredContent")
    return (
        remarks_in(data) if data else (words(" ".join(str(one.get("text", "")) for one in result.get("content", ()))),)
    )


def _text(result: dict[str, Any]) -> str:
    """What an assistant reads: words and data."""
    told = [str(one.get("text", "")) for one in result.get("content", ())]
    return " ".join([*told, json.dumps(result.get("structuredContent") or {}, ensure_ascii=False)])


def _last(text: str) -> dict[str, Any]:
    """The answer in a reply that is JSON or a stream of events."""
    lines = [line.removeprefix("data:").strip() for line in text.splitlines() if line.startswith("data:")] or [text]
    try:
        found = json.loads(lines[-1])
    except ValueError as error:
        raise Unanswered("json") from error  # noqa: EM101 - not read by people
    return found if isinstance(found, dict) else {}
