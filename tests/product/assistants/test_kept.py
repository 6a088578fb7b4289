"""Bodies, lists and Laadstatus as they are kept in a real database, and records that only their platform can find."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from assistants.arguments import BadArgumentsError
from assistants.resources import RESOURCES, read_resource
from assistants.tool import ToolFailedError
from besluitbron.kept import DatabaseKept
from connectors.lists import Row, Trouble
from connectors.load_status import LoadState, LoadStatus
from connectors.models import PlatformList, Writing
from connectors.moments import now
from search.kept import KeptUnreadableError
from tests.product.assistants.conftest import KEYS, Assistant

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
OBV, ORI = "openbesluitvorming", "open-raadsinformatie"


def written() -> None:
    """A Laadstatus and lists of two platforms."""
    at = now()
    old, new = at - timedelta(days=3), at - timedelta(hours=1)
    states = (
        LoadState("ede", "Gemeente Ede", "up_to_date", last_success=new, last_content=new, documents=1200),
        LoadState("soest", "Gemeente Soest", "stale", last_success=old, last_content=old, documents=300),
        LoadState("x1", "Gemeente Best", "up_to_date", last_success=new),
        LoadState("x2", "Gemeente Nergens", "up_to_date", last_success=new),
    )
    supplier = (LoadState("ibabs", "iBabs", "ok", last_success=new),)
    PlatformList.objects.replace_load_status(OBV, LoadStatus(at, states, supplier), Writing("1", at))
    rows = [Row(f"c{number}", f"Commissie {number}") for number in range(1, 151)]
    PlatformList.objects.replace(ORI, "commissies", rows, Writing("1", at))
    PlatformList.objects.replace(OBV, "commissies", rows[:2], Writing("1", at))
    PlatformList.objects.replace(ORI, "fracties", [Row("p1", "D66"), Row("p2", "Lijst Één")], Writing("1", at))
    PlatformList.objects.note_trouble(ORI, Trouble.TOO_SLOW, Writing("1", at))


@pytest.fixture
async def reading(assistant: Assistant) -> Assistant:
    await asyncio.to_thread(written)
    return replace(assistant, visit=replace(assistant.visit, kept=DatabaseKept()))


class Broken:
    """A ``Kept`` whose database is gone."""

    async def lists(self, platforms: Any) -> Any:
        raise KeptUnreadableError

    async def rows(self, platform: str, name: str) -> Any:
        raise KeptUnreadableError

    async def load_status(self, platforms: Any) -> Any:
        raise KeptUnreadableError

    async def canaries(self) -> Any:
        raise KeptUnreadableError

    async def years(self) -> Any:
        raise KeptUnreadableError

    async def keep_years(self, years: Any) -> None:
        raise KeptUnreadableError


async def test_the_laadstatus_of_a_body_is_found_by_name_or_id(reading: Assistant) -> None:
    for name in ("Ede", "gemeente-ede", "gemeente Ede"):
        data = await reading.data("laadstatus", organisaties=name, platforms=OBV)
        (source,) = data["bronnen"]
        (row,) = source["rijen"]
        assert (row["organisatieId"], row["staat"], row["stukken"]) == ("gemeente-ede", "up_to_date", 1200)
    assert "niet dat er niets ontbreekt" in data["melding"]


async def test_rows_of_all_bodies_carry_the_ids_that_other_tools_take(reading: Assistant) -> None:
    """By the key that the source gives, else by its whole name for the body; a row of nobody we know has none."""
    (source,) = (await reading.data("laadstatus", platforms=OBV))["bronnen"]
    ids = {row["kenmerk"]: row["organisatieId"] for row in source["rijen"]}
    assert ids == {"ede": "gemeente-ede", "soest": "gemeente-soest", "x1": "gemeente-best", "x2": None}
    for identifier in filter(None, ids.values()):
        assert (await reading.data("laadstatus", organisaties=identifier, platforms=OBV))["bronnen"][0]["aantal"] == 1


async def test_who_lags_behind_is_found_by_hours(reading: Assistant) -> None:
    data = await reading.data("laadstatus", ouder_dan_uren=36, platforms=[OBV])
    assert [row["naam"] for row in data["bronnen"][0]["rijen"]] == ["Gemeente Soest"]
    assert {one["staat"]: one["aantal"] for one in data["bronnen"][0]["perStaat"]} == {"up_to_date": 3, "stale": 1}


async def test_a_source_without_laadstatus_says_so(reading: Assistant) -> None:
    data = await reading.data("laadstatus")
    said = {source["platform"]: source["melding"] for source in data["bronnen"]}
    assert set(said) == set(KEYS)
    assert said["rechtspraak"] == "Deze bron heeft geen Laadstatus."
    assert "nog niet opgehaald" in said[ORI]


async def test_lists_are_named_with_their_age_and_their_last_failure(reading: Assistant) -> None:
    data = await reading.data("waardelijsten", platform=ORI)
    lists = {one["lijst"]: one for one in data["lijsten"]}
    assert lists["commissies"]["aantal"] == 150
    assert "niet op tijd" in lists["commissies"]["laatsteFout"]


async def test_the_rows_of_a_list_come_in_pages_and_are_found_by_a_word(reading: Assistant) -> None:
    first = await reading.data("waardelijsten", platform=ORI, lijst="Commissies")
    assert (len(first["regels"]), first["aantal"], first["volgendePagina"]) == (100, 150, 2)
    second = await reading.data("waardelijsten", platform=ORI, lijst="commissies", pagina=2)
    assert len(second["regels"]) == 50
    found = await reading.data("waardelijsten", platform=ORI, lijst="fracties", bevat="een")
    assert [row["naam"] for row in found["regels"]] == ["Lijst Één"]


async def test_a_list_that_is_not_there_or_is_at_several_sources_is_refused_with_the_choices(
    reading: Assistant,
) -> None:
    with pytest.raises(BadArgumentsError, match="Bedoelt u `fracties`"):
        await reading.call("waardelijsten", platform=ORI, lijst="fractie")
    with pytest.raises(BadArgumentsError, match="Kies met `platform`"):
        await reading.call("waardelijsten", lijst="commissies")


async def test_bodies_say_what_sources_hold_of_them(reading: Assistant) -> None:
    (body,) = (await reading.data("organisaties", naam="gemeente-ede"))["organisaties"]
    source = next(one for one in body["bronnen"] if one["platform"] == OBV)
    assert (source["stukken"], source["laadstatus"]) == (1200, "up_to_date")
    assert source["nieuwsteStuk"]
    assert {"stelsel": "CBS", "waarde": "GM0228"} in body["codes"]


async def test_the_years_that_sources_hold_are_asked_of_them_when_somebody_wants_to_know(reading: Assistant) -> None:
    """Field report 18."""
    (body,) = (await reading.data("organisaties", naam="gemeente-soest", jaren=True))["organisaties"]
    held = {one["platform"]: one for one in body["bronnen"]}
    for platform in (ORI, OBV, "open-archivaris"):
        assert held[platform]["eersteStuk"] < held[platform]["nieuwsteStuk"] <= now().date().isoformat()
        first, last = held[platform]["eersteStuk"][:4], held[platform]["nieuwsteStuk"][:4]
        assert held[platform]["jaren"] == f"Deze bron heeft stukken van {first} tot en met {last}."
    with pytest.raises(BadArgumentsError, match="één organisatie"):
        await reading.call("organisaties", soort="provincie", jaren=True)


async def test_when_the_years_cannot_be_kept_whoever_asked_has_them(reading: Assistant) -> None:
    broken = replace(reading, visit=replace(reading.visit, kept=Broken()))
    (body,) = (await broken.data("organisaties", naam="gemeente-soest", jaren=True))["organisaties"]
    assert {one["platform"]: one for one in body["bronnen"]}[ORI]["eersteStuk"]


async def test_a_source_that_fails_leaves_its_years_unknown_and_the_others_known(reading: Assistant) -> None:
    await reading.put(ORI, "dood")
    data = await reading.data("organisaties", naam="gemeente-soest", jaren="ja")
    (body,) = data["organisaties"]
    assert data["melding"] == "Open Raadsinformatie gaf nu geen antwoord. Vraag de jaren daarvan later opnieuw."
    held = {one["platform"]: one for one in body["bronnen"]}
    assert held[ORI]["eersteStuk"] is None
    assert held["open-archivaris"]["eersteStuk"]


async def test_when_no_source_tells_its_years_the_call_fails(reading: Assistant) -> None:
    for platform in (ORI, OBV, "open-archivaris", "officiele-bekendmakingen"):
        await reading.put(platform, "dood")
    with pytest.raises(ToolFailedError, match="Open Raadsinformatie is nu niet bereikbaar") as failed:
        await reading.call("organisaties", naam="gemeente-soest", jaren=True)
    assert "geen leeg antwoord" in failed.value.means
    assert (await reading.data("organisaties", naam="gemeente-soest"))["organisaties"]


async def test_a_body_that_does_not_fit_the_choice_is_named_and_not_said_to_be_unknown(reading: Assistant) -> None:
    data = await reading.data("organisaties", naam="gemeente-ede", platform="rechtspraak")
    assert data["organisaties"] == data["suggesties"] == []
    assert "Gemeente Ede (`gemeente-ede`)" in data["melding"]


async def test_bodies_are_listed_by_kind_in_pages(reading: Assistant) -> None:
    seen: list[str] = []
    page: int | None = 1
    while page:
        data = await reading.data("organisaties", soort="provincie", pagina=page)
        seen += [body["id"] for body in data["organisaties"]]
        page = data["volgendePagina"]
    assert len(seen) == data["aantal"] == len(set(seen))
    assert "provincie-utrecht" in seen


@pytest.mark.parametrize("years", [False, True])
async def test_a_name_that_nobody_has_brings_suggestions(reading: Assistant, *, years: bool) -> None:
    data = await reading.data("organisaties", naam="Amersfort")
    assert data["organisaties"] == []
    assert "gemeente-amersfoort" in {one["id"] for one in data["suggesties"]}


async def test_a_question_without_answer_names_the_laadstatus_of_the_body(reading: Assistant) -> None:
    data = await reading.data("zoek", vraag="qwertyuiop", organisaties="soest", platforms=[OBV])
    assert any(
        "Laadstatus bij de bron: loopt achter (stale), voor het laatst geladen op" in reason
        for reason in data["waarom"]
    )


async def test_a_database_that_is_gone_fails_the_call_and_breaks_no_search(reading: Assistant) -> None:
    broken = replace(reading, visit=replace(reading.visit, kept=Broken()))
    for tool in ("laadstatus", "waardelijsten"):
        with pytest.raises(ToolFailedError, match="eigen bewaarde lijsten"):
            await broken.call(tool)
    data = await broken.data("zoek", vraag="qwertyuiop", organisaties="soest", platforms=[OBV])
    assert any("Laadstatus is nu niet te lezen" in reason for reason in data["waarom"])
    assert (await broken.data("organisaties", naam="Ede"))["organisaties"]


async def test_every_resource_reads_and_a_document_is_one(reading: Assistant) -> None:
    for resource in RESOURCES:
        content = await read_resource(resource.uri, reading.visit)
        assert content.text
        assert content.good_for > 0
    paper = await read_resource("besluitbron://document/rechtspraak%3AECLI%3ANL%3ACBB%3A2022%3A1", reading.visit)
    assert "ECLI:NL:CBB:2022:1" in paper.text
    with pytest.raises(ToolFailedError, match="staat niets"):
        await read_resource("besluitbron://bron", reading.visit)
    with pytest.raises(ToolFailedError):
        await read_resource("file:///etc/passwd", reading.visit)


async def test_a_record_is_found_by_its_number_alone_or_by_the_address_of_its_file(reading: Assistant) -> None:
    """Addresses of Open Raadsinformatie name no organisation, and those of suppliers not even the platform."""
    found = await reading.data("zoek", vraag="subsidie", platforms=ORI)
    hits = found["bronnen"][0]["treffers"]
    numbered = next(hit for hit in hits if hit["bronId"].count(":") == 1)
    number = numbered["bronId"].rpartition(":")[2]
    for address in (f"https://id.openraadsinformatie.nl/{number}", f"http://id.openraadsinformatie.nl/{number}#top"):
        data = await reading.data("herleid", verwijzing=address)
        assert numbered["id"] in [one["id"] for one in data["gevonden"]]
    with pytest.raises(ToolFailedError, match="geen nummer of adres"):
        await reading.call("herleid", verwijzing="https://id.openraadsinformatie.nl/99999999999")


async def test_a_decision_is_found_by_its_old_number(reading: Assistant) -> None:
    for number in ("BP5608", "LJN BP5608", "ljn: bp5608"):
        data = await reading.data("herleid", verwijzing=number)
        assert [one["id"] for one in data["gevonden"]] == ["rechtspraak:ECLI:NL:PHR:2011:BP5608"]
    with pytest.raises(ToolFailedError, match="geen nummer of adres"):
        await reading.call("herleid", verwijzing="LJN ZZ9999")
