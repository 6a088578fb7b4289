"""The settings that a person copies: whole, valid, for the right address, and honest about who can reach it."""

from __future__ import annotations

import json
import shlex

import pytest

from assistants.clients import Reach, Recipe, check, is_here_only, recipes

OPEN = "https://besluitbron.example/mcp/unified/v1"
HERE = "http://localhost:8000/mcp/unified/v1"


def recipe(key: str, address: str = OPEN) -> Recipe:
    return next(one for one in recipes(address) if one.key == key)


@pytest.mark.parametrize("address", [OPEN, HERE])
def test_every_recipe_has_steps_and_the_address_in_each_thing_to_copy(address: str) -> None:
    found = recipes(address)
    assert len({one.key for one in found}) == len(found) == 7
    for one in found:
        assert one.steps
        assert one.snippets
        assert all(address in snippet.text for snippet in one.snippets)


@pytest.mark.parametrize("address", [OPEN, HERE])
def test_what_is_a_settings_file_is_valid_json_with_one_server(address: str) -> None:
    files = [s.text for one in recipes(address) for s in one.snippets if s.text.startswith("{")]
    assert len(files) >= 3
    for text in files:
        ((_, servers),) = json.loads(text).items()
        assert list(servers) == ["besluitbron"]


def test_each_editor_gets_the_words_that_it_reads() -> None:
    assert json.loads(recipe("vs-code").snippets[0].text) == {"servers": {"besluitbron": {"type": "http", "url": OPEN}}}
    assert json.loads(recipe("cursor").snippets[0].text) == {"mcpServers": {"besluitbron": {"url": OPEN}}}
    command = shlex.split(recipe("vs-code").snippets[1].text)
    assert json.loads(command[2]) == {"name": "besluitbron", "type": "http", "url": OPEN}
    assert shlex.split(recipe("claude-code").snippets[0].text)[-2:] == ["besluitbron", OPEN]


def test_claude_gets_a_bridge_where_its_maker_cannot_reach_the_address() -> None:
    assert recipe("claude").snippets[0].text == OPEN
    bridged = json.loads(recipe("claude", HERE).snippets[0].text)["mcpServers"]["besluitbron"]
    assert (bridged["command"], bridged["args"][-1]) == ("npx", HERE)


def test_who_calls_from_the_computers_of_its_maker_is_known() -> None:
    assert {one.key for one in recipes(OPEN) if one.reach is Reach.MAKER} == {"claude", "chatgpt", "le-chat"}


@pytest.mark.parametrize(
    ("address", "here"), [(HERE, True), ("http://127.0.0.1:8000/x", True), ("http://[::1]/x", True), (OPEN, False)]
)
def test_an_address_of_this_computer_is_told_apart(address: str, here: bool) -> None:
    assert is_here_only(address) is here


def test_the_check_is_one_command_that_a_shell_reads_as_meant() -> None:
    words = shlex.split(check("https://besluitbron.example/a'b").text.replace("\\\n", " "))
    assert words[:3] == ["curl", "-sS", "https://besluitbron.example/a'b"]
    assert json.loads(words[words.index("-d") + 1])["method"] == "initialize"
