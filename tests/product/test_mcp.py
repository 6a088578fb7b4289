"""An assistant asks the whole product over MCP: shell, limits, sessions, tools, prompts and resources together."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client, MCPError

from assistants.places import UNIFIED, path, speaks_for
from tests.product.conftest import Product

pytestmark = pytest.mark.anyio
MODES = pytest.mark.parametrize("mode", ["legacy", "auto"])


def _said(content: Any) -> str:
    """The text of something that has one."""
    text: str = content.text
    return text


@asynccontextmanager
async def _assistant(product: Product, name: str, mode: str = "auto") -> AsyncIterator[Client]:
    async with Client(f"{product.site.base_url}".rstrip("/") + path(name), mode=mode) as client:
        yield client


@MODES
async def test_an_assistant_asks_and_gets_sources(product: Product, mode: str) -> None:
    async with _assistant(product, UNIFIED, mode) as client:
        found = await client.call_tool("zoek", {"vraag": "Wat is er in Ede besloten over warmtenetten?"})
        assert not found.is_error
        hits = [hit for answer in found.structured_content["bronnen"] for hit in answer["treffers"]]
        assert hits
        read = await client.call_tool("lees", {"id": hits[0]["id"]})
        assert not read.is_error
        assert hits[0]["titel"] in _said(read.content[0])


@MODES
async def test_an_assistant_gets_prompts_and_resources(product: Product, mode: str) -> None:
    async with _assistant(product, UNIFIED, mode) as client:
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
        sources = await client.read_resource("besluitbron://bronnen")
        assert len(json.loads(_said(sources.contents[0]))) == 7
        with pytest.raises(MCPError, match="Op dit adres staat niets"):
            await client.read_resource("besluitbron://nergens")


async def test_what_may_be_kept_says_how_long(product: Product) -> None:
    async with _assistant(product, UNIFIED) as client:
        for asked in (client.list_tools, client.list_prompts, client.list_resources, client.list_resource_templates):
            listed = await asked()
            assert (listed.ttl_ms, listed.cache_scope) == (3_600_000, "public")
        sources = await client.read_resource("besluitbron://bronnen")
        assert (sources.ttl_ms, sources.cache_scope) == (24 * 3_600_000, "public")


async def test_each_platform_has_an_endpoint_of_its_own(product: Product) -> None:
    for name, keys in speaks_for().items():
        async with _assistant(product, name) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert len(tools) <= 10
            assert ("platforms" in tools["zoek"].input_schema["properties"]) is (len(keys) > 1)
            sources = json.loads(_said((await client.read_resource("besluitbron://bronnen")).contents[0]))
            assert [one["platform"] for one in sources] == list(keys)


async def test_an_assistant_is_counted_and_told_so(product: Product) -> None:
    answer = await product.site.get(path(UNIFIED))
    assert answer.status_code == 405
    assert "connector" in answer.headers["ratelimit"]
    assert answer.headers["x-content-type-options"] == "nosniff"
