"""Every id that one tool gives is taken by every other, in its own type, as it is (field report 43)."""

from __future__ import annotations

from typing import Any

import pytest

from assistants.tool import ToolFailedError
from tests.product.assistants.conftest import KEYS, Assistant

pytestmark = pytest.mark.anyio
WORDS = ("subsidie", "klimaat")
MOST = 6


async def found(assistant: Assistant, platform: str, most: int = MOST) -> list[dict[str, Any]]:
    """Hits of one platform, of as many kinds as it gives for some words."""
    hits: dict[tuple[str, str], dict[str, Any]] = {}
    for word in WORDS:
        data = await assistant.data("zoek", vraag=word, platforms=platform)
        for hit in data["bronnen"][0]["treffers"]:
            hits.setdefault((hit["soort"], hit["soortBijBron"]), hit)
    return list(hits.values())[:most]


@pytest.mark.parametrize("most", [MOST, pytest.param(1000, marks=pytest.mark.lang)])
@pytest.mark.parametrize("platform", KEYS)
async def test_every_id_goes_round_through_every_tool(assistant: Assistant, platform: str, most: int) -> None:
    """Field report 43."""
    hits = await found(assistant, platform, most)
    assert hits
    for hit in hits:
        part = await assistant.data("lees", id=hit["id"])
        paper = part["stuk"]
        assert (paper["id"], paper["bronId"], paper["platform"]) == (hit["id"], hit["bronId"], platform)
        within = await assistant.data("zoek_in_document", id=hit["id"], woorden="de het een van")
        assert within["stuk"]["id"] == hit["id"]
        resolved = await assistant.data("herleid", verwijzing=hit["id"])
        assert [one["id"] for one in resolved["gevonden"]] == [hit["id"]]
        if within["passages"]:
            text = within["passages"][0]["fragmenten"][0]["tekst"].strip("… ").strip()
            checked = await assistant.data("controleer_citaat", id=hit["id"], citaat=text)
            assert checked["uitkomst"] == "ja", hit["id"]
        for related in (part["bijzonderheden"] or {})["verwant"][:3]:
            if related["id"]:
                assert await opens(assistant, related["id"]), related["id"]


async def opens(assistant: Assistant, identifier: str) -> bool:
    """Whether an id is taken: it opens, or its platform says that it has no such paper."""
    try:
        return bool((await assistant.data("lees", id=identifier))["stuk"]["id"])
    except ToolFailedError as failure:
        return "heeft dit stuk niet" in failure.happened


@pytest.mark.parametrize("platform", KEYS)
async def test_the_address_of_every_hit_leads_back_to_the_same_paper(assistant: Assistant, platform: str) -> None:
    hits = await found(assistant, platform)
    for hit in hits:
        resolved = await assistant.data("herleid", verwijzing=hit["adres"])
        there = {one["id"]: one["platform"] for one in resolved["gevonden"]}
        # What Open Archivaris cites is the paper at its origin.
        assert hit["id"] in there or (platform == "open-archivaris" and there), hit["adres"]


async def test_ids_of_bodies_are_taken_by_every_tool_that_takes_bodies(assistant: Assistant) -> None:
    bodies = await assistant.data("organisaties", naam="Ede")
    identifier = bodies["organisaties"][0]["id"]
    assert identifier == "gemeente-ede"
    assert (await assistant.data("organisaties", naam=identifier))["organisaties"][0]["id"] == identifier
    await assistant.data("laadstatus", organisaties=[identifier])
    found_there = await assistant.data("zoek", organisaties=[identifier], platforms=["openbesluitvorming"])
    hits = found_there["bronnen"][0]["treffers"]
    assert {hit["organisatieId"] for hit in hits} == {identifier}
