"""What an assistant is told of the tools: few, short, strict, and honest about what they change."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from assistants.prompts import PROMPTS, prompts_for
from assistants.servers import definition
from assistants.tool import Tool
from assistants.tools import TOOLS, tools_for
from besluitbron.work import WORK
from connectors.platforms import PLATFORMS
from throttling.admitted import DISCOVERY
from throttling.work import Access, Door

KEYS = tuple(platform.key for platform in PLATFORMS)
ALL = [*((tool, "unified") for tool in TOOLS), *((tool, KEYS[0]) for tool in tools_for(KEYS[:1]))]
IDS = [f"{tool.name}-{place}" for tool, place in ALL]


def objects_in(schema: Any) -> list[dict[str, Any]]:
    """All schemas of objects within a schema."""
    if isinstance(schema, list):
        return [one for item in schema for one in objects_in(item)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" else []
    return own + [one for value in schema.values() for one in objects_in(value)]


CHANGES = {"rapport_aanvragen", "rapport_annuleren", "meld_fout"}


def test_there_are_at_most_ten_tools_that_read_and_each_name_is_there_once() -> None:
    for tools in (TOOLS, tools_for(KEYS[:1])):
        assert len([tool for tool in tools if not tool.operation]) <= 10
        assert len({tool.name for tool in tools}) == len(tools)
    everywhere = {tool.name for tool in tools_for(KEYS[:1])}
    assert {tool.name for tool in TOOLS} - everywhere == {*CHANGES, "rapport_stand"}
    assert everywhere <= {tool.name for tool in TOOLS}


def test_what_changes_something_names_the_operation_that_a_contract_must_grant() -> None:
    declared = {work.name: work for work in WORK if work.door is Door.TOOL}
    for tool in TOOLS:
        work = declared[tool.name]
        assert (work.access is Access.WRITE) is bool(tool.operation) is (tool.name in CHANGES), tool.name
        assert tool.operation in {"", work.operation}
        if tool.operation:
            assert f"`{tool.operation}`" in tool.description
            assert DISCOVERY in tool.description


@pytest.mark.parametrize(("tool", "place"), ALL, ids=IDS)
def test_a_definition_is_at_most_1400_characters_of_json(tool: Tool, place: str) -> None:
    definition = {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
    assert len(json.dumps(definition, ensure_ascii=False)) <= 1400, place


@pytest.mark.parametrize(("tool", "place"), ALL, ids=IDS)
def test_every_tool_says_whether_it_only_reads_may_be_called_again_and_takes_something_away(
    tool: Tool, place: str
) -> None:
    hints = definition(tool).annotations
    assert hints is not None, place
    told = (hints.read_only_hint, hints.idempotent_hint, hints.destructive_hint)
    assert told == {
        "rapport_aanvragen": (False, True, False),
        "rapport_annuleren": (False, True, True),
        "meld_fout": (False, False, False),
    }.get(tool.name, (True, True, False))


@pytest.mark.parametrize(("tool", "place"), ALL, ids=IDS)
def test_schemas_are_valid_and_every_object_in_them_names_all_it_may_hold(tool: Tool, place: str) -> None:
    for schema in (tool.input_schema, tool.output_schema):
        Draft202012Validator.check_schema(dict(schema))
        assert schema["type"] == "object", place
        for found in objects_in(dict(schema)):
            assert found["additionalProperties"] is False


@pytest.mark.parametrize(("tool", "place"), ALL, ids=IDS)
def test_every_argument_is_bounded(tool: Tool, place: str) -> None:
    for name, schema in tool.input_schema["properties"].items():
        match schema["type"]:
            case "string":
                assert {"maxLength", "enum", "format"} & schema.keys(), (place, name)
            case "integer":
                assert {"minimum", "maximum"} <= schema.keys(), (place, name)
            case "boolean":
                pass
            case "array":
                assert "maxItems" in schema, (place, name)
                assert {"maxLength", "enum"} & schema["items"].keys(), (place, name)
            case other:
                raise AssertionError(other)


def test_the_endpoint_of_one_source_does_not_ask_which_source() -> None:
    for tool in tools_for(KEYS[:1]):
        assert not {"platform", "platforms"} & tool.input_schema["properties"].keys()
    assert "platforms" in TOOLS[0].input_schema["properties"]


def test_descriptions_name_the_dear_calls_and_the_cheap_way() -> None:
    told = {tool.name: tool.description for tool in TOOLS}
    assert "duur" in told["zoek"].lower()
    assert "`zoek_in_document` is goedkoper" in told["lees"]
    for name in ("organisaties", "waardelijsten", "laadstatus"):
        assert "Goedkoop" in told[name]


def test_prompts_name_tools_and_arguments_that_are_there() -> None:
    tools = {tool.name for tool in TOOLS}
    arguments = {name for tool in TOOLS for name in tool.input_schema["properties"]}
    fields = {"samen", "waarom", "ja", "nee", "niet te controleren"}
    for prompt in PROMPTS:
        given = {name: "iets" for name, _, _ in prompt.arguments}
        named = set(re.findall(r"`([a-z_ ]+)`", prompt.write(given)))
        assert named <= tools | arguments | fields, prompt.name


def test_commitments_are_asked_for_only_where_they_are_kept() -> None:
    assert "open_toezeggingen" in {prompt.name for prompt in prompts_for(KEYS)}
    assert "open_toezeggingen" in {prompt.name for prompt in prompts_for(["tweede-kamer"])}
    assert "open_toezeggingen" not in {prompt.name for prompt in prompts_for(["rechtspraak"])}
