"""Every id that one tool gives is taken by every other, in its own type, as it is (field report 43)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from assistants.groups import with_groups
from assistants.tool import ToolFailedError
from assistants.tools.loading import bodies_of
from assistants.tools.searching import read_question
from besluitbron.kept import DatabaseKept
from connectors.lists import Row
from connectors.models import PlatformList, Writing
from connectors.moments import now
from connectors.records import Group
from tests.product.assistants.conftest import KEYS, Assistant

pytestmark = pytest.mark.anyio
WORDS = ("subsidie", "klimaat")
MOST = 3


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


@pytest.fixture
async def keeping(assistant: Assistant, transactional_db: None) -> Assistant:
    """With lists and bodies kept as the sources give them."""
    federation = assistant.visit.federation
    for connector in federation.connectors:
        lists = await connector.lists(federation.client.bind(connector.platform, assistant.visit.caller))
        for name, rows in lists.values:
            written = [Row(row.identifier, row.name, row.parent or "") for row in rows]
            await asyncio.to_thread(
                PlatformList.objects.replace, connector.platform.key, name, written, Writing("1", now())
            )
    return replace(assistant, visit=replace(assistant.visit, kept=DatabaseKept()))


def by_platform(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {source["platform"]: source for source in data["bronnen"]}


async def every(assistant: Assistant, tool: str, rows: str, **given: Any) -> AsyncIterator[dict[str, Any]]:
    """The rows of all pages of a tool."""
    page: int | None = 1
    while page:
        data = await assistant.data(tool, **given, pagina=page)
        for row in data[rows]:
            yield row
        page = data["volgendePagina"]


async def test_ids_of_bodies_are_taken_by_every_tool_that_takes_bodies(assistant: Assistant) -> None:
    bodies = await assistant.data("organisaties", naam="Ede")
    identifier = bodies["organisaties"][0]["id"]
    assert identifier == "gemeente-ede"
    for spelling in (identifier, *(source["kenmerk"] for source in bodies["organisaties"][0]["bronnen"])):
        assert (await assistant.data("organisaties", naam=spelling))["organisaties"][0]["id"] == identifier
        await assistant.data("laadstatus", organisaties=[spelling])
        found_there = await assistant.data("zoek", organisaties=[spelling], platforms=["openbesluitvorming"])
        hits = found_there["bronnen"][0]["treffers"]
        assert {hit["organisatieId"] for hit in hits} == {identifier}


async def test_every_id_and_key_of_every_body_is_taken_as_that_body_or_brings_it_as_a_choice(
    assistant: Assistant,
) -> None:
    """Eight keys are names of more bodies ("Utrecht"): these bring choices, as the name does."""
    several = set()
    async for body in every(assistant, "organisaties", "organisaties"):
        for spelling in (body["id"], *(source["kenmerk"] for source in body["bronnen"])):
            meant = [one.id for one in assistant.visit.federation.register.find(spelling)]
            assert body["id"] in meant, spelling
            several |= {spelling} if len(meant) > 1 else set()
            if len(meant) == 1:
                asked = read_question({"organisaties": [spelling]}, assistant.visit)
                assert [one.id for one in asked.query.organisations] == meant
                assert [one.id for one in bodies_of([spelling], assistant.visit)] == meant
    assert len(several) <= 8


@pytest.mark.parametrize(("name", "parameter"), [("fracties", "fractie"), ("commissies", "commissie")])
@pytest.mark.parametrize("platform", ["tweede-kamer", "opentk", "open-raadsinformatie"])
async def test_every_value_of_a_list_of_parties_or_committees_is_taken_by_its_key_and_by_its_name(
    keeping: Assistant, platform: str, name: str, parameter: str
) -> None:
    """What papers carry is an abbreviation or a plain name; key and shown name of a row lead to the same."""
    seen = 0
    async for row in every(keeping, "waardelijsten", "regels", platform=platform, lijst=name):
        seen += 1
        by_key = await with_groups({parameter: row["kenmerk"]}, keeping.visit)
        assert by_key[parameter] in row["naam"]
        asked = read_question({"vraag": "energie", **by_key}, keeping.visit)
        assert dict(asked.query.groups) == {Group(parameter): by_key[parameter]}
        if platform == "tweede-kamer":
            assert await with_groups({parameter: row["naam"]}, keeping.visit) == by_key
    assert seen > 10


async def test_a_party_and_a_committee_from_a_list_narrow_what_the_kamer_gives(keeping: Assistant) -> None:
    given = {"vraag": "energie", "platforms": ["tweede-kamer", "openbesluitvorming"], "soorten": "motie"}
    wide = by_platform(await keeping.data("zoek", **given))
    rows = [row async for row in every(keeping, "waardelijsten", "regels", platform="tweede-kamer", lijst="fracties")]
    key = next(row["kenmerk"] for row in rows if "(D66)" in row["naam"])
    data = await keeping.data("zoek", **given, fractie=key)
    narrow = by_platform(data)
    assert 0 < narrow["tweede-kamer"]["opDezePagina"] < wide["tweede-kamer"]["opDezePagina"]
    assert "Gekozen fractie: D66." in data["opmerkingen"]
    assert narrow["openbesluitvorming"]["staat"] == "niet-ondersteund"
    assert "kan niet kiezen op een fractie of commissie" in narrow["openbesluitvorming"]["melding"]
    rows = [row async for row in every(keeping, "waardelijsten", "regels", platform="opentk", lijst="commissies")]
    key = next(row["kenmerk"] for row in rows if "Klimaat" in row["naam"])
    data = await keeping.data("zoek", vraag="energie", platforms=["tweede-kamer"], commissie=key)
    assert data["bronnen"][0]["treffers"]
