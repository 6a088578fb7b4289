"""Citations against papers of the stand-ins, the odd ones among them: never "nee" where part of a text is not here."""

from __future__ import annotations

from typing import Any

import pytest

from assistants.arguments import BadArgumentsError
from tests.product.assistants.conftest import Assistant

pytestmark = pytest.mark.anyio
NOWHERE = "Deze zin staat in geen enkel stuk van de verzameling."
COUNCILS = ("open-raadsinformatie", "openbesluitvorming", "open-archivaris")


async def checked(assistant: Assistant, identifier: str, citation: str) -> dict[str, Any]:
    return await assistant.data("controleer_citaat", id=identifier, citaat=citation)


async def titled(assistant: Assistant, platform: str, title: str) -> str:
    found = await assistant.data("zoek", vraag=title, platforms=platform)
    (identifier,) = (hit["id"] for hit in found["bronnen"][0]["treffers"] if hit["titel"] == title)
    return str(identifier)


@pytest.mark.parametrize("platform", COUNCILS)
async def test_a_report_that_its_source_read_in_part_is_never_answered_with_no(
    assistant: Assistant, platform: str
) -> None:
    """Field report 22: a report of 908 pages of which the first are here."""
    identifier = await titled(assistant, platform, "Milieueffectrapport met bijlagen")
    data = await checked(assistant, identifier, NOWHERE)
    assert data["uitkomst"] == "niet te controleren"
    assert not data["gelezen"]["heel"]
    assert not data["stuk"]["tekstVolledig"]
    within = await assistant.data("zoek_in_document", id=identifier, woorden="pinguïn")
    assert "niet heel" in within["melding"]


@pytest.mark.parametrize("identifier", ["tweede-kamer:2025D90001", "officiele-bekendmakingen:blg-9900003"])
async def test_a_file_that_we_read_in_part_is_never_answered_with_no(assistant: Assistant, identifier: str) -> None:
    assert (await checked(assistant, identifier, NOWHERE))["uitkomst"] == "niet te controleren"


async def test_of_a_long_report_that_is_there_as_a_whole_every_page_is_read(assistant: Assistant) -> None:
    whole = "opentk:2025D90001"
    data = await checked(assistant, whole, NOWHERE)
    assert (data["uitkomst"], data["gelezen"]["onderdelen"]) == ("nee", 908)
    last = await assistant.data("zoek_in_document", id=whole, woorden='"pagina 908"')
    if not last["passages"]:
        last = await assistant.data("zoek_in_document", id=whole, woorden="908")
    found = last["passages"][0]
    text = found["fragmenten"][0]["tekst"].strip("… ")
    place = (await checked(assistant, whole, text))["vindplaatsen"][0]
    assert place["van"]["nummer"] == found["plaats"]["nummer"]
    part = await assistant.data("lees", id=whole, deel=place["van"]["deel"])
    assert place["van"]["nummer"] in {piece["nummer"] for piece in part["tekst"]}


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        ("open-raadsinformatie", "presentatie havenvisie"),
        ("openbesluitvorming", "presentatie havenvisie"),
        ("open-archivaris", "presentatie havenvisie"),
        ("tweede-kamer", "gescande brief"),
        ("opentk", "gescande brief"),
        ("officiele-bekendmakingen", "beslisnota windpark"),
    ],
)
async def test_a_paper_without_text_cannot_be_checked_and_reading_it_says_why(
    assistant: Assistant, platform: str, words: str
) -> None:
    """Field report 24."""
    hits = (await assistant.data("zoek", vraag=words, platforms=platform))["bronnen"][0]["treffers"]
    hit = next(hit for hit in hits if all(word in hit["titel"].lower() for word in words.split()))
    data = await checked(assistant, hit["id"], NOWHERE)
    assert data["uitkomst"] == "niet te controleren"
    assert "geen tekst" in data["uitleg"]
    part = await assistant.data("lees", id=hit["id"])
    assert (part["delen"], part["tekst"], part["volgende"]) == (1, [], None)
    assert part["stuk"]["opmerkingen"]


async def test_a_sentence_that_differs_is_answered_with_no_and_with_what_differs(assistant: Assistant) -> None:
    ruling = "rechtspraak:ECLI:NL:CBB:2022:1"
    yes = await checked(assistant, ruling, "Het onderzoek ter zitting heeft plaatsgevonden op 17 augustus 2021.")
    assert yes["uitkomst"] == "ja"
    no = await checked(assistant, ruling, "Het onderzoek ter zitting heeft plaatsgevonden op 18 augustus 2021.")
    assert no["uitkomst"] == "nee"
    assert no["dichtstbij"]["van"]["nummer"] == yes["vindplaatsen"][0]["van"]["nummer"]
    assert {"soort": "alleen in het stuk", "tekst": "17"} in no["dichtstbij"]["verschil"]
    assert {"soort": "alleen in het citaat", "tekst": "18"} in no["dichtstbij"]["verschil"]


async def test_a_sentence_without_letters_is_refused(assistant: Assistant) -> None:
    with pytest.raises(BadArgumentsError, match="te weinig letters"):
        await checked(assistant, "rechtspraak:ECLI:NL:CBB:2022:1", "… --- …")


async def test_text_of_a_source_is_marked_as_such_and_cannot_close_its_marks(assistant: Assistant) -> None:
    outcome = await assistant.call("lees", id="rechtspraak:ECLI:NL:CBB:2022:1")
    assert outcome.text.startswith("Wat tussen ⟦ en ⟧ staat")
    body = outcome.text.partition("## onderdeel 1")[2]
    assert body.count("⟦") == body.count("⟧")
    text = "".join(piece["tekst"] for piece in outcome.data["tekst"])
    outside = "".join(rest.partition("⟦")[0] for rest in body.split("⟧"))
    assert "COLLEGE VAN BEROEP" in text
    assert "COLLEGE VAN BEROEP" not in outside
