"""The tools where assistants find them: over MCP, with the client of the SDK, in the whole product."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp_types import CallToolResult

from assistants.places import path, speaks_for
from assistants.prompts import PROMPTS
from assistants.resources import RESOURCES, TEMPLATES
from assistants.tools import TOOLS
from tests.product.conftest import Product
from tests.support.serving import BOUND

pytestmark = pytest.mark.anyio
UNIFIED = "/mcp/unified/v1"
CHANGES = {"rapport_aanvragen", "rapport_annuleren", "meld_fout"}
QUESTION = "Wat is er in Ede besloten over warmtenetten?"


def address(product: Product, at: str = UNIFIED) -> str:
    return f"{str(product.site.base_url).rstrip('/')}{at}"


def data_of(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    data = result.structured_content
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_question_about_ede_is_answered_with_sources_that_open_and_can_be_cited(
    product: Product, mode: Any
) -> None:
    async with asyncio.timeout(BOUND * 6), Client(address(product), mode=mode) as client:
        found = data_of(await client.call_tool("zoek", {"vraag": QUESTION}))
        hits = [hit for source in found["bronnen"] for hit in source["treffers"]]
        assert hits
        for hit in hits:
            assert hit["organisatieId"] == "gemeente-ede"
            assert hit["verwijzing"]
            assert hit["adres"].startswith("http")
        read = data_of(await client.call_tool("lees", {"id": hits[0]["id"]}))
        sentence = next(piece["tekst"] for piece in read["tekst"] if len(piece["tekst"]) > 40)[:200].rsplit(" ", 1)[0]
        checked = data_of(await client.call_tool("controleer_citaat", {"id": hits[0]["id"], "citaat": sentence}))
        assert checked["uitkomst"] == "ja"


async def test_every_endpoint_lists_the_tools_and_takes_its_own_ids_alone(product: Product) -> None:
    async with asyncio.timeout(BOUND * 6):
        async with Client(address(product)) as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == [tool.name for tool in TOOLS]
            for tool in listed:
                assert tool.annotations is not None
                assert tool.annotations.read_only_hint is (tool.name not in CHANGES)
                assert tool.annotations.idempotent_hint or tool.name in CHANGES
                Draft202012Validator.check_schema(tool.output_schema or {})
        async with Client(address(product, "/mcp/rechtspraak/v1/")) as client:
            wrong = await client.call_tool("lees", {"id": "opentk:2025D90003"})
            assert wrong.is_error
            assert "/mcp/opentk/v1" in str(wrong.content)
            right = data_of(await client.call_tool("herleid", {"verwijzing": "ecli nl cbb 2022 1"}))
            assert right["gevonden"][0]["id"] == "rechtspraak:ECLI:NL:CBB:2022:1"


async def test_prompts_and_resources_are_there_and_read(product: Product) -> None:
    async with asyncio.timeout(BOUND * 6), Client(address(product)) as client:
        prompts = (await client.list_prompts()).prompts
        assert {prompt.name for prompt in prompts} == {prompt.name for prompt in PROMPTS}
        given = {"organisatie": "Ede", "onderwerp": "warmtenetten"}
        text = str((await client.get_prompt("wat_is_besloten", given)).messages[0].content)
        assert "Ede" in text
        assert "`zoek`" in text
        listed = (await client.list_resources()).resources
        assert {str(one.uri) for one in listed} == {one.uri for one in RESOURCES}
        paper = await client.read_resource("besluitbron://document/rechtspraak:ECLI:NL:CBB:2022:1")
        assert "ECLI:NL:CBB:2022:1" in str(paper.contents[0])
        assert (paper.ttl_ms, paper.cache_scope) == (TEMPLATES[0].good_for * 1000, "public")


async def test_a_wrong_call_is_answered_with_what_would_be_right_and_never_with_the_question(product: Product) -> None:
    async with asyncio.timeout(BOUND * 6), Client(address(product)) as client:
        for given in ({"vraag": ["geheimwoord"]}, {"vrag": "geheimwoord"}, {"vraag": "geheimwoord", "van": "gisteren"}):
            result = await client.call_tool("zoek", given)
            assert result.is_error
            assert "geheimwoord" not in str(result.content)


NEEDS_A_REPORT = {"rapport_stand", *CHANGES}


def call_of(tool: str, identifier: str) -> dict[str, Any]:
    """Arguments with which a tool takes the id that another gave."""
    given: dict[str, dict[str, Any]] = {
        "zoek": {"vraag": "subsidie"},
        "lees": {"id": identifier},
        "zoek_in_document": {"id": identifier, "woorden": "de"},
        "controleer_citaat": {"id": identifier, "citaat": "Dit staat nergens, meneer."},
        "herleid": {"verwijzing": identifier},
        "organisaties": {"naam": "Ede"},
        "waardelijsten": {},
        "laadstatus": {"organisaties": ["gemeente-ede"]},
    }
    return given[tool]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_every_tool_of_every_endpoint_answers_by_its_own_schema_with_the_ids_of_others(
    product: Product, mode: Any
) -> None:
    for name in speaks_for():
        async with asyncio.timeout(BOUND * 6), Client(address(product, path(name)), mode=mode) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools if tool.name not in NEEDS_A_REPORT}
            assert len(tools) == 8
            found = data_of(await client.call_tool("zoek", call_of("zoek", "")))
            identifier = next(hit["id"] for source in found["bronnen"] for hit in source["treffers"])
            for tool in tools.values():
                data = data_of(await client.call_tool(tool.name, call_of(tool.name, identifier)))
                assert tool.output_schema is not None
                Draft202012Validator(tool.output_schema).validate(data)
                if "id" in tool.input_schema["properties"]:
                    assert data["stuk"]["id"] == identifier, (name, tool.name)
                if tool.name == "herleid":
                    assert identifier in {one["id"] for one in data["gevonden"]}
