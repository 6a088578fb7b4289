"""Sources that fail, wait or cannot be asked: a failure is never an empty list, and silence is explained."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pytest_django import Settings

from assistants.arguments import BadArgumentsError
from assistants.tool import ToolFailedError
from connectors.officiele_bekendmakingen.standin_notices import withdrawn
from tests.product.assistants.conftest import KEYS, Assistant

pytestmark = pytest.mark.anyio
SECRET = "geheimwoord"


@pytest.mark.parametrize("state", ["dood", "onzin", "onderhoud", "vol"])
async def test_a_source_that_fails_says_so_beside_the_others(assistant: Assistant, state: str) -> None:
    await assistant.put("rechtspraak", state)
    data = await assistant.data("zoek", vraag="subsidie", platforms=["rechtspraak", "opentk"])
    states = {source["platform"]: source for source in data["bronnen"]}
    assert states["rechtspraak"]["staat"] in {"fout", "afgewezen", "te-laat"}
    assert states["rechtspraak"]["melding"]
    assert states["rechtspraak"]["treffers"] == []
    assert states["opentk"]["treffers"]


@pytest.mark.parametrize("state", ["dood", "onzin", "onderhoud"])
async def test_when_all_fail_the_call_fails(assistant: Assistant, state: str) -> None:
    await assistant.put("rechtspraak", state)
    with pytest.raises(ToolFailedError) as failed:
        await assistant.call("zoek", vraag=SECRET, platforms=["rechtspraak"])
    assert "geen leeg antwoord" in failed.value.means
    assert failed.value.advice
    assert SECRET not in failed.value.text
    assert "<" not in failed.value.text


@pytest.mark.parametrize("tool", ["lees", "zoek_in_document", "controleer_citaat", "herleid"])
@pytest.mark.parametrize("state", ["dood", "onzin"])
async def test_a_document_of_a_source_that_fails_is_a_failure_of_the_call(
    assistant: Assistant, tool: str, state: str
) -> None:
    await assistant.put("rechtspraak", state)
    ecli = "rechtspraak:ECLI:NL:CBB:2022:1"
    given = {"lees": {}, "zoek_in_document": {"woorden": "de"}, "controleer_citaat": {"citaat": "de zin"}}
    arguments = given[tool] | {"id": ecli} if tool in given else {"verwijzing": ecli}
    with pytest.raises(ToolFailedError) as failed:
        await assistant.call(tool, **arguments)
    assert failed.value.happened
    assert failed.value.means
    assert failed.value.advice
    assert "<" not in failed.value.text


async def test_a_paper_that_is_not_there_is_said_to_be_gone_and_no_fault(assistant: Assistant) -> None:
    gone = "rechtspraak:ECLI:NL:HR:1999:ZZ9999"
    with pytest.raises(ToolFailedError, match="heeft dit stuk niet") as failed:
        await assistant.call("lees", id=gone)
    assert "geen storing" in failed.value.means
    data = await assistant.data("herleid", verwijzing=gone)
    assert data["gevonden"] == []
    assert data["nietGevonden"][0]["storing"] is False


async def test_a_paper_that_was_withdrawn_is_said_to_be_and_its_number_is_not_doubted(assistant: Assistant) -> None:
    """Field report 19. Eis Z11."""
    number = f"officiele-bekendmakingen:{withdrawn()}"
    with pytest.raises(ToolFailedError, match="Officiële Bekendmakingen heeft dit stuk ingetrokken") as failed:
        await assistant.call("lees", id=number)
    assert "geen storing" in failed.value.means
    assert "Het nummer klopt." in failed.value.advice
    data = await assistant.data("herleid", verwijzing=number)
    assert "ingetrokken" in str(data["nietGevonden"])


async def test_a_source_that_has_nothing_of_a_body_is_out_of_reach_and_the_answer_says_why(
    assistant: Assistant,
) -> None:
    data = await assistant.data("zoek", vraag="qwertyuiop", organisaties=["gemeente-ede"])
    courts = next(source for source in data["bronnen"] if source["platform"] == "rechtspraak")
    assert courts["staat"] == "niet-ondersteund"
    assert any("Buiten bereik: Rechtspraak" in reason for reason in data["waarom"])
    assert any("Gemeente Ede" in reason and "jaar" in reason.replace("jaren", "jaar") for reason in data["waarom"])


@pytest.mark.parametrize(
    "given",
    [
        {"vraag": "qwertyuiop"},
        {"vraag": "qwertyuiop", "van": "1801-01-01", "tot": "1801-12-31"},
        {"vraag": "subsidie", "van": "2190-01-01"},
        {"vraag": "qwertyuiop", "fractie": "D66"},
        {"vraag": "subsidie", "platforms": ["rechtspraak"], "pagina": 200},
        {"vraag": "ECLI:NL:HR:1999:ZZ9999"},
    ],
)
async def test_an_empty_search_always_says_why(assistant: Assistant, given: dict[str, Any]) -> None:
    data = await assistant.data("zoek", **given)
    assert not [hit for source in data["bronnen"] for hit in source["treffers"]]
    assert data["waarom"]


async def test_a_body_that_is_no_more_names_what_it_went_to_and_a_new_one_what_went_into_it(
    assistant: Assistant,
) -> None:
    """Field report 13."""
    old = await assistant.data("zoek", organisaties=["gemeente-boxmeer"], platforms=["openbesluitvorming"])
    assert any("`gemeente-land-van-cuijk`" in reason for reason in old["waarom"])
    new = await assistant.data("zoek", organisaties=["Land van Cuijk"], platforms=["openbesluitvorming"])
    assert any("`gemeente-boxmeer`" in reason and "ook gevraagd" in reason for reason in new["waarom"])
    assert "gemeente-boxmeer" in {hit["organisatieId"] for source in new["bronnen"] for hit in source["treffers"]}


async def test_a_name_of_several_bodies_is_answered_with_the_choices(assistant: Assistant) -> None:
    with pytest.raises(BadArgumentsError, match="`gemeente-utrecht`") as failed:
        await assistant.call("zoek", vraag=SECRET, organisaties=["Utrecht"])
    assert "`provincie-utrecht`" in failed.value.text
    assert SECRET not in failed.value.text


async def test_a_name_that_is_nearly_right_gets_the_right_one(assistant: Assistant) -> None:
    with pytest.raises(BadArgumentsError, match="Bedoelt u `gemeente-amersfoort`"):
        await assistant.call("laadstatus", organisaties=["Amersfort"])


async def test_a_question_without_anything_to_ask_is_refused(assistant: Assistant) -> None:
    for given in ({}, {"vraag": ""}, {"vraag": "?!"}, {"pagina": 2}):
        with pytest.raises(BadArgumentsError):
            await assistant.call("zoek", **given)


async def test_who_waits_hears_place_and_start(assistant: Assistant, settings: Settings) -> None:
    """Rechtspraak takes two calls at once: of four slow questions some wait, and are told."""
    settings.PATIENCE_SECONDS = 1
    await assistant.put("opentk", "traag", 1)
    words = ("subsidie", "energie", "klimaat", "water")
    await asyncio.gather(
        *(assistant.call("zoek", vraag=word, platforms=["opentk"]) for word in words), return_exceptions=True
    )
    assert any("OpenTK wacht op een vrije plek" in told and "nummer" in told for told in assistant.told)
    assert all("start" in told for told in assistant.told)


async def test_who_waits_for_a_number_to_be_looked_up_hears_place_and_start(
    assistant: Assistant, settings: Settings
) -> None:
    """None of these numbers exists, so that nothing is told of a paper that is opened after it."""
    settings.PATIENCE_SECONDS = 1
    await assistant.put("open-raadsinformatie", "traag", 1)
    numbers = (f"https://id.openraadsinformatie.nl/9999999990{number}" for number in range(8))
    await asyncio.gather(*(assistant.call("herleid", verwijzing=number) for number in numbers), return_exceptions=True)
    assert any("Open Raadsinformatie wacht op een vrije plek" in told and "nummer" in told for told in assistant.told)
    assert all("start" in told for told in assistant.told)


async def test_the_endpoint_of_one_source_asks_that_source_alone(assistant: Assistant) -> None:
    here = assistant.at("rechtspraak")
    data = await here.data("zoek", vraag="subsidie")
    assert [source["platform"] for source in data["bronnen"]] == ["rechtspraak"]
    with pytest.raises(BadArgumentsError):
        await here.call("zoek", vraag="subsidie", platforms=["opentk"])
    with pytest.raises(ToolFailedError, match="/mcp/opentk/v1"):
        await here.call("herleid", verwijzing="opentk:2025D90003")


async def test_a_question_in_so_many_words_is_read_as_words_and_bodies_and_the_answer_says_so(
    assistant: Assistant,
) -> None:
    """Field report 9."""
    data = await assistant.data("zoek", vraag="Wat is er in Ede besloten over warmtenetten?")
    hits = [hit for source in data["bronnen"] for hit in source["treffers"]]
    assert hits
    assert {hit["organisatieId"] for hit in hits} == {"gemeente-ede"}
    assert "`gemeente-ede`" in data["opmerkingen"][0]


async def test_a_kind_and_a_time_in_a_question_are_filters_and_the_answer_says_so(assistant: Assistant) -> None:
    """Field report 9."""
    data = await assistant.data("zoek", vraag="Welke moties zijn er in 2024 in Ede over het warmtenet?")
    hits = [hit for source in data["bronnen"] for hit in source["treffers"]]
    assert hits
    assert {(hit["soort"], hit["organisatieId"], hit["datum"][:4]) for hit in hits} == {
        ("motie", "gemeente-ede", "2024")
    }
    assert "soort: motie, van: 2024-01-01, tot: 2024-12-31, organisatie: Gemeente Ede" in data["opmerkingen"][0]


@pytest.mark.parametrize("number", ["kst-36600-VII-139", "Kamerstukken II 2024/25, 36600-VII, nr. 139"])
async def test_a_question_that_is_the_number_of_a_paper_says_how_to_read_it(assistant: Assistant, number: str) -> None:
    data = await assistant.data("zoek", vraag=number, platforms="officiele-bekendmakingen")
    assert "`officiele-bekendmakingen:kst-36600-VII-139`" in data["opmerkingen"][0]


async def test_every_source_is_asked_when_none_is_chosen(assistant: Assistant) -> None:
    data = await assistant.data("zoek", vraag="subsidie", platforms=[])
    assert [source["platform"] for source in data["bronnen"]] == list(KEYS)


async def test_an_assistant_hears_that_an_answer_only_looks_like_what_was_asked(assistant: Assistant) -> None:
    data = await assistant.data("zoek", vraag="qqqq wonen", platforms=["open-archivaris"])
    (source,) = data["bronnen"]
    assert source["treffers"]
    assert source["totaal"]["inWoorden"] == "lijkt erop, niet alle woorden"
    assert data["waarom"]
