"""How long searches take is counted at every door, for operators: the design page on load, "What operators see"."""

from __future__ import annotations

import re

import pytest

from tests.product.conftest import Product
from tests.support.assistants import Mouth

pytestmark = pytest.mark.anyio
QUESTION = {"vraag": "zonnepanelen", "platform": "opentk"}


async def counted(product: Product) -> int:
    text = (await product.site.get("/metrics")).text
    found = re.search(r"^besluitbron_search_seconds_count ([0-9.]+)$", text, re.MULTILINE)
    return int(float(found[1])) if found else 0


async def test_a_search_by_page_file_api_and_assistant_is_counted_once_each_and_looking_around_is_not(
    product: Product,
) -> None:
    before = await counted(product)
    for path in ("/zoeken", "/en/zoeken", "/zoeken.csv", "/api/v1/_zoek"):
        assert (await product.site.get(path, params=QUESTION)).status_code == 200
    assert await counted(product) - before == 4
    mouth = Mouth(product.site, "/mcp/unified/v1")
    for name, arguments in (("zoek", {"vraag": "zonnepanelen"}), ("laadstatus", {})):
        answer = await mouth.modern("tools/call", {"name": name, "arguments": arguments})
        assert answer.status_code == 200, answer.text
    for path in ("/", "/zoeken", "/status", "/api/v1/platforms"):
        await product.site.get(path)
    assert await counted(product) - before == 5
