"""Real clients: the SDK's for Python and TypeScript in both generations, and the official conformance suite."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError

from assistants.sessions import HANDLE_KEY
from besluitbron.running.layout import PROJECT
from tests.support.assistants import ENDPOINT, Demo, shell
from tests.support.serving import BOUND, served, until
from tests.support.suite_server import suite_server
from tests.support.valkey import Valkey

pytestmark = pytest.mark.anyio
_CLIENTS = PROJECT / "tests" / "clients"
_NODE = Path(sys.executable).parent / "node"
_LONG = 120.0


@pytest.mark.parametrize(("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", None)])
async def test_the_client_for_python_asks_hears_and_gives_up(
    site: str, demo: Demo, mode: str, version: str | None
) -> None:
    told: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async with asyncio.timeout(BOUND), Client(f"{site}{ENDPOINT}", mode=mode) as client:
        if version is not None:
            assert client.session.protocol_version == version
            assert client.session.instructions == "Voor tests."
        assert [tool.name for tool in (await client.list_tools()).tools] == ["zeg", "wacht", "mislukt", "stuk"]
        said = await client.call_tool("zeg", {"woord": "hallo"})
        assert said.structured_content == {"woord": "hallo"}
        assert (HANDLE_KEY in (said.meta or {})) is (mode != "legacy")
        assert (await client.call_tool("mislukt", {"woord": "a"})).is_error
        with pytest.raises(MCPError, match="Bedoelt u `zeg`"):
            await client.call_tool("zegg", {})
        waiting = asyncio.get_running_loop().create_task(
            client.call_tool("wacht", {"woord": "a"}, progress_callback=hear)
        )
        await until(lambda: told == ["Er gaan 2 vragers voor.", "Er gaat 1 vrager voor."])
        waiting.cancel()
        await demo.given_up.wait()


async def _run(*arguments: str) -> tuple[int, str]:
    """Run a program for Node. ``./check`` installs what it imports (``besluitbron.running.checks``)."""
    assert (_CLIENTS / "node_modules" / ".besluitbron").is_file(), "./check installeert de programma's in Node"
    process = await asyncio.create_subprocess_exec(
        str(_NODE), *arguments, cwd=_CLIENTS, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    try:
        async with asyncio.timeout(_LONG):
            said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, said.decode()


@pytest.mark.parametrize(("generation", "version"), [("older", "2025-11-25"), ("modern", "2026-07-28")])
async def test_the_client_for_typescript_asks_hears_and_gives_up(
    site: str, demo: Demo, generation: str, version: str
) -> None:
    code, said = await _run("ask.mjs", generation, f"{site}{ENDPOINT}")
    assert code == 0, said
    seen: dict[str, Any] = json.loads(said.splitlines()[-1])
    modern = generation == "modern"
    assert (seen["version"], seen["session"], seen["handle"]) == (version, not modern, modern)
    assert seen["instructions"] == "Voor tests."
    assert seen["tools"] == ["zeg", "wacht", "mislukt", "stuk"]
    assert (seen["said"], seen["data"]) == ("U zei: hallo", {"woord": "hallo"})
    assert seen["wrong"][0] is True
    assert "Bedoelt u `woord`?" in seen["wrong"][1]
    assert seen["told"] == ["Er gaan 2 vragers voor.", "Er gaat 1 vrager voor."]
    async with asyncio.timeout(BOUND):
        await demo.given_up.wait()


@pytest.fixture
async def suite_site(valkey: Valkey, tmp_path: Path) -> AsyncIterator[str]:
    """The suite's own tools, in our shell."""
    async with served(shell(suite_server(), valkey.address, tmp_path), lifespan="on") as address:
        yield address


async def test_the_official_conformance_suite_finds_only_what_we_say_we_do_not_do(suite_site: str) -> None:
    suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    where = ("--url", f"{suite_site}{ENDPOINT}", "--suite", "all")
    code, said = await _run(suite, "server", *where, "--expected-failures", "verwacht.yml")
    assert code == 0, said
    assert "Total: 31 passed, 4 failed" in said
