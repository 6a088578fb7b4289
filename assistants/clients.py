"""How a person connects an assistant: for each kind of client the steps and the settings to copy. Facts only, no page.

Where a client keeps its settings: the makers' own manuals, as they stood in November 2026. They move now and then, so each
recipe also says in words what is to be filled in.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final
from urllib.parse import urlsplit

NAME: Final = "besluitbron"
PROTOCOL: Final = "2025-06-18"
"""The revision in which the check asks: clients of any age know it."""
_HERE_ONLY: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Reach(Enum):
    """From where a client calls."""

    OWN_COMPUTER = "own computer"
    MAKER = "computers of its maker"


@dataclass(frozen=True, slots=True)
class Snippet:
    """Something to copy: ``label`` says what it is or where it goes, in Dutch."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """One kind of client. ``key`` is its place on the page; ``steps`` are Dutch sentences, in order."""

    key: str
    name: str
    reach: Reach
    steps: tuple[str, ...]
    snippets: tuple[Snippet, ...]


def is_here_only(address: str) -> bool:
    """Whether only this computer can reach an address."""
    return (urlsplit(address).hostname or "") in _HERE_ONLY


def recipes(address: str) -> tuple[Recipe, ...]:
    """The recipes for one endpoint, best known clients first."""
    return (
        _claude(address),
        _claude_code(address),
        _chatgpt(address),
        _vs_code(address),
        _cursor(address),
        _le_chat(address),
        _other(address),
    )


def check(address: str) -> Snippet:
    """A command that says whether the endpoint answers."""
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "curl", "version": "1"},
        },
    }
    parts = (
        f"curl -sS {shlex.quote(address)}",
        "-H 'Content-Type: application/json'",
        "-H 'Accept: application/json, text/event-stream'",
        f"-d {shlex.quote(json.dumps(call))}",
    )
    return Snippet("Opdracht voor een terminal", " \\\n  ".join(parts))


def _claude(address: str) -> Recipe:
    if is_here_only(address):
        bridge = {"command": "npx", "args": ["-y", "mcp-remote", address]}
        return Recipe(
            "claude",
            "Claude (web en bureaublad)",
            Reach.MAKER,
            (
                "Wat u bij “Connectors” toevoegt, vraagt Claude vanaf de computers van zijn maker. Die kunnen hier niet bij.",
                "Claude op het bureaublad kan er wel bij via een tussenstap op uw eigen computer. Die heeft Node.js nodig.",
                "Open “Settings”, “Developer”, “Edit Config” en zet dit in het bestand. Start Claude daarna opnieuw.",
            ),
            (Snippet("claude_desktop_config.json", _json({"mcpServers": {NAME: bridge}})),),
        )
    return Recipe(
        "claude",
        "Claude (web en bureaublad)",
        Reach.MAKER,
        (
            "Open “Customize” (of “Settings”) en kies “Connectors”.",
            "Kies “Add custom connector”, geef de naam BesluitBron en plak dit adres. Inloggen is niet nodig.",
            "Zet BesluitBron aan in het gesprek waarin u haar wilt gebruiken.",
        ),
        (Snippet("Adres", address),),
    )


def _claude_code(address: str) -> Recipe:
    return Recipe(
        "claude-code",
        "Claude Code",
        Reach.OWN_COMPUTER,
        ("Geef deze opdracht in een terminal. Met “/mcp” ziet u daarna in Claude Code of het gelukt is.",),
        (Snippet("Opdracht voor een terminal", f"claude mcp add --transport http {NAME} {shlex.quote(address)}"),),
    )


def _chatgpt(address: str) -> Recipe:
    return Recipe(
        "chatgpt",
        "ChatGPT",
        Reach.MAKER,
        (
            "U hebt een betaald abonnement nodig, en doet dit in de browser.",
            "Open “Settings”, “Apps” (bij sommigen “Connectors”), “Advanced settings” en zet “Developer mode” aan.",
            "Kies “Create”, geef de naam BesluitBron en plak dit adres bij “MCP Server URL”.",
            "Kies bij “Authentication” voor “No authentication”. BesluitBron leest alleen en verandert nooit iets.",
        ),
        (Snippet("Adres", address),),
    )


def _vs_code(address: str) -> Recipe:
    server = {"type": "http", "url": address}
    added = json.dumps({"name": NAME, **server})
    return Recipe(
        "vs-code",
        "VS Code (GitHub Copilot)",
        Reach.OWN_COMPUTER,
        (
            "Zet dit in het bestand .vscode/mcp.json van uw map, of geef de opdracht eronder voor al uw mappen.",
            "Kies in het gesprek voor “Agent”. BesluitBron staat dan bij het gereedschap.",
        ),
        (
            Snippet(".vscode/mcp.json", _json({"servers": {NAME: server}})),
            Snippet("Of als opdracht", f"code --add-mcp {shlex.quote(added)}"),
        ),
    )


def _cursor(address: str) -> Recipe:
    return Recipe(
        "cursor",
        "Cursor",
        Reach.OWN_COMPUTER,
        ("Zet dit in het bestand .cursor/mcp.json van uw map, of in ~/.cursor/mcp.json voor al uw mappen.",),
        (Snippet("mcp.json", _json({"mcpServers": {NAME: {"url": address}}})),),
    )


def _le_chat(address: str) -> Recipe:
    return Recipe(
        "le-chat",
        "Le Chat (Mistral)",
        Reach.MAKER,
        (
            "Open “Intelligence”, “Connectors” en kies “Add Connector”, “Custom MCP Connector”.",
            "Geef de naam besluitbron (zonder spaties) en plak dit adres bij “Connection server”. Inloggen is niet nodig.",
        ),
        (Snippet("Adres", address),),
    )


def _other(address: str) -> Recipe:
    return Recipe(
        "anders",
        "Een ander programma",
        Reach.OWN_COMPUTER,
        (
            "Elk programma dat MCP over HTTP kent (“Streamable HTTP”) kan mee. Vaak zijn dit de instellingen.",
            "Soms is het adres alleen genoeg.",
            "Er is geen sleutel of wachtwoord. Laat die velden leeg.",
        ),
        (Snippet("Instellingen", _json({"mcpServers": {NAME: {"type": "http", "url": address}}})),),
    )


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2)
