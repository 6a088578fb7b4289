"""The page on which a person reads how to connect an assistant: what it says to copy works, with and without scripts."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape

import pytest
from mcp import Client
from pytest_django import Settings

from assistants.tools import TOOLS, tools_for
from besluitbron.running.layout import PROJECT
from connectors.platforms import PLATFORMS
from tests.product.conftest import Product

pytestmark = pytest.mark.anyio
SITE = "http://localhost:8000"
GUIDE = (PROJECT / "docs" / "doen" / "assistent-aansluiten.md").read_text("utf-8")
EVERYWHERE = {tool.name for tool in tools_for(["rechtspraak"])}


def to_copy(page: str) -> list[str]:
    """The texts on the page that are there to be copied."""
    return [
        unescape(text) for text in re.findall(r"<pre data-kopie=\"[^\"]+\"><code>(.*?)</code></pre>", page, re.DOTALL)
    ]


async def test_every_page_leads_to_it(product: Product) -> None:
    for path in ("/", "/zoeken?vraag=subsidie", "/nergens"):
        assert 'href="/aansluiten"' in (await product.site.get(path)).text


async def test_every_address_on_the_page_answers_an_assistant(product: Product) -> None:
    page = (await product.site.get("/aansluiten")).text
    addresses = {text for text in to_copy(page) if re.fullmatch(rf"{SITE}/mcp/[a-z-]+/v1", text)}
    assert addresses == {f"{SITE}/mcp/{key}/v1" for key in ("unified", *(platform.key for platform in PLATFORMS))}
    (command,) = [text for text in to_copy(page) if text.startswith("curl")]
    body = shlex.split(command.replace("\\\n", " "))[-1]
    for address in addresses:
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        answer = await product.site.post(address.removeprefix(SITE), content=body, headers=headers)
        assert answer.status_code == 200
        assert f"besluitbron-{address.split('/')[-2]}" in answer.text


async def test_the_tools_it_names_are_those_that_an_assistant_gets(product: Product) -> None:
    page = (await product.site.get("/aansluiten")).text
    named = re.findall(r"<dt><code>([a-z_]+)</code></dt>", page)
    async with Client(f"{product.site.base_url}".rstrip("/") + "/mcp/unified/v1") as client:
        assert named == [tool.name for tool in (await client.list_tools()).tools]


def test_the_guide_names_the_same_tools_and_says_which_change_something() -> None:
    told = GUIDE.partition("## Wat de assistent kan\n")[2].partition("\n## ")[0]
    reading, _, changing = told.partition("In `unified`")
    assert re.findall(r"`([a-z_]+)`", reading) == [tool.name for tool in TOOLS if tool.name in EVERYWHERE]
    assert set(re.findall(r"`([a-z_]+)`", changing)) == {tool.name for tool in TOOLS} - EVERYWHERE


async def test_on_this_computer_it_says_who_cannot_reach_it_and_elsewhere_it_does_not(
    product: Product, settings: Settings
) -> None:
    here = (await product.site.get("/aansluiten")).text
    assert "Dit adres werkt alleen op deze computer." in here
    settings.SITE_ADDRESS = "https://besluitbron.example"
    elsewhere = (await product.site.get("/aansluiten")).text
    assert "alleen op deze computer" not in elsewhere
    assert "mcp-remote" not in elsewhere
    assert "https://besluitbron.example/mcp/unified/v1" in to_copy(elsewhere)


async def test_all_is_there_without_scripts_and_nothing_is_inline(product: Product) -> None:
    answer = await product.site.get("/aansluiten")
    page = answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", page)
    assert "<button" not in page.partition("<main")[2]
    ids = re.findall(r"\sid=\"([^\"]+)\"", page)
    assert len(ids) == len(set(ids))
    wanted = re.findall(r"aria-labelledby=\"([^\"]+)\"", page) + re.findall(r"href=\"#([^\"]+)\"", page)
    assert set(wanted) <= set(ids)
    (script,) = re.findall(r"<script src=\"([^\"]+)\" defer>", page)
    served = await product.site.get(script)
    assert (served.status_code, "javascript" in served.headers["content-type"]) == (200, True)


async def test_it_says_what_an_assistant_may_ask_and_what_happens_to_a_question(product: Product) -> None:
    page = (await product.site.get("/aansluiten")).text
    assert "elke seconde 20 keer" in page
    assert "60 keer achter elkaar" in page
    assert "Wij schrijven ze niet op." in page


async def test_it_can_only_be_read(product: Product) -> None:
    assert (await product.site.post("/aansluiten", content=json.dumps({}))).status_code == 405
    assert (await product.site.head("/aansluiten")).status_code == 200
