"""The page on the tools for assistants names every tool, argument, prompt and resource that there is, and no other tool."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import besluitbron
from assistants.prompts import PROMPTS
from assistants.resources import RESOURCES, TEMPLATES
from assistants.tool import Tool
from assistants.tools import TOOLS

PAGE = (Path(besluitbron.__file__).parent.parent / "docs" / "naslag" / "assistent-gereedschap.md").read_text()


def chapter(tool: Tool) -> str:
    return PAGE.partition(f"\n## `{tool.name}`\n")[2].partition("\n## ")[0]


def test_every_tool_has_a_chapter_and_every_chapter_a_tool() -> None:
    assert re.findall(r"^## `(\w+)`$", PAGE, re.MULTILINE) == [tool.name for tool in TOOLS]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_chapter_names_every_argument_and_no_other(tool: Tool) -> None:
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", chapter(tool), re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert named == list(tool.input_schema["properties"])


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_chapter_says_how_large_the_definition_is(tool: Tool) -> None:
    definition = {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
    size = len(json.dumps(definition, ensure_ascii=False))
    (said,) = re.findall(r"Omvang: (\d+) tekens\.", chapter(tool))
    assert abs(int(said) - size) <= 10, size


def test_every_prompt_and_resource_is_named() -> None:
    names = [
        *(prompt.name for prompt in PROMPTS),
        *(one.uri for one in RESOURCES),
        *(one.uri_template for one in TEMPLATES),
    ]
    assert [name for name in names if f"`{name}`" not in PAGE] == []
