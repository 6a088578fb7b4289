"""An assistant asks the whole product over MCP: shell, limits, sessions, tools, prompts and resources together."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client, MCPError

from assistants.places import UNIFIED, path, speaks_for
from tests.product.conftest import Product
from tests.product.test_document_waits import full_queues
from tests.support.serving import BOUND

pytestmark = pytest.mark.anyio
MODES = ("legacy", "auto")


def _said(content: Any) -> str:
    """The text of something that has one."""
    text: str = content.text
    return text


@asynccontextmanager
async def _assistant(product: Product, name: str, mode: str = "auto") -> AsyncIterator[Client]:
    async with Client(f"{product.site.base_url}".rstrip("/") + path(name), mode=mode) as client:
        yield client


async def test_an_assistant_of_either_generation_asks_and_gets_sources(product: Product) -> None:
    for mode in MODES:
        async with _assistant(product, UNIFIED, mode) as client:
            found = await client.call_tool("zoek", {"vraag": "Wat is er in Ede besloten over warmtenetten?"})
            assert not found.is_error
            hits = [hit for answer in found.structured_content["bronnen"] for hit in answer["treffers"]]
            assert hits
            read = await client.call_tool("lees", {"id": hits[0]["id"]})
            assert not read.is_error
            assert hits[0]["titel"] in _said(read.content[0])
    answer = await product.site.get(path(UNIFIED))
    assert answer.status_code == 405
    assert "connector" in answer.headers["ratelimit"]
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_an_assistant_that_waits_hears_its_place_and_gives_it_up_when_it_leaves(product: Product) -> None:
    for mode in MODES:
        told = asyncio.Queue[str | None]()

        async def hear(progress: float, total: float | None, message: str | None, told: Any = told) -> None:
            told.put_nowait(message)

        async with full_queues() as queues, asyncio.timeout(BOUND * 2), _assistant(product, UNIFIED, mode) as client:
            asked = {"vraag": f"fietspad {mode}", "platforms": ["opentk"]}
            asking = asyncio.get_running_loop().create_task(client.call_tool("zoek", asked, progress_callback=hear))
            said = str(await told.get())
            assert "OpenTK wacht op een vrije plek. De vraag is nummer 1 in de rij. De vraag start" in said
            assert await queues.waiting() == 1
            asking.cancel()
            while await queues.waiting():
                await asyncio.sleep(0.01)


async def test_an_assistant_gets_prompts_and_resources_and_how_long_they_stay_good(product: Product) -> None:
    async with _assistant(product, UNIFIED) as client:
        named = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        assert [argument.name for argument in named["wat_is_besloten"].arguments or ()] == ["organisatie", "onderwerp"]
        task = await client.get_prompt("wat_is_besloten", {"organisatie": "Ede", "onderwerp": "warmtenetten"})
        assert "“Ede”" in _said(task.messages[0].content)
        for name, given, said in (
            ("wat_is_beslote", {}, "Bedoelt u `wat_is_besloten`?"),
            ("wat_is_besloten", {"organisatie": "Ede"}, "`onderwerp` ontbreekt"),
        ):
            with pytest.raises(MCPError, match=said):
                await client.get_prompt(name, given)
        listed = [resource.uri for resource in (await client.list_resources()).resources]
        assert "besluitbron://bronnen" in listed
        templates = (await client.list_resource_templates()).resource_templates
        assert templates[0].uri_template == "besluitbron://document/{id}"
        with pytest.raises(MCPError, match="Op dit adres staat niets"):
            await client.read_resource("besluitbron://nergens")
        for asked in (client.list_tools, client.list_prompts, client.list_resources, client.list_resource_templates):
            kept = await asked()
            assert (kept.ttl_ms, kept.cache_scope) == (3_600_000, "public")
        sources = await client.read_resource("besluitbron://bronnen")
        assert (sources.ttl_ms, sources.cache_scope) == (24 * 3_600_000, "public")


async def test_each_platform_has_an_endpoint_of_its_own(product: Product) -> None:
    for name, keys in speaks_for().items():
        async with _assistant(product, name) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert (
                sum(tool.annotations is not None and tool.annotations.read_only_hint is True for tool in tools.values())
                <= 10
            )
            assert ("platforms" in tools["zoek"].input_schema["properties"]) is (len(keys) > 1)
            sources = json.loads(_said((await client.read_resource("besluitbron://bronnen")).contents[0]))
            assert [one["platform"] for one in sources] == list(keys)
