"""One question to all sources by an assistant, and reading what it found."""

from __future__ import annotations

import pytest

from assistants.tool import ToolFailedError
from search.group_names import GroupNames, Named
from tests.product.assistants.conftest import KEYS, Assistant

pytestmark = pytest.mark.anyio


async def test_a_question_finds_papers_with_citation_address_number_date_and_moment_of_fetching(
    assistant: Assistant,
) -> None:
    data = await assistant.data("zoek", vraag="subsidie")
    assert [source["platform"] for source in data["bronnen"]] == list(KEYS)
    hits = [hit for source in data["bronnen"] for hit in source["treffers"]]
    assert {hit["platform"] for hit in hits} == set(KEYS)
    for hit in hits:
        assert hit["id"] == f"{hit['platform']}:{hit['bronId']}"
        assert hit["verwijzing"]
        assert hit["adres"].startswith("http")
        assert hit["opgehaald"].endswith("Z")
        assert (hit["datum"] is None) == (hit["datumBetekenis"] is None)


async def test_all_parts_of_a_paper_together_are_its_whole_text(assistant: Assistant) -> None:
    found = await assistant.data("zoek", vraag="ECLI:NL:GHAMS:2013:2283", platforms=["rechtspraak"])
    hit = found["bronnen"][0]["treffers"][0]
    part = await assistant.data("lees", id=hit["id"])
    assert part["delen"] > 3
    read, seen = part["tekens"], 1
    while part["volgende"]:
        expected = part["tekensVolgende"]
        part = await assistant.data("lees", **part["volgende"])
        assert part["tekens"] == expected
        assert not part["veranderd"]
        assert part["bijzonderheden"] is None
        read, seen = read + part["tekens"], seen + 1
    assert (read, seen) == (part["tekensInAlles"], part["delen"])


async def test_a_part_that_is_not_there_is_refused_with_how_many_there_are(assistant: Assistant) -> None:
    with pytest.raises(ToolFailedError, match=r"1 deel|delen") as failed:
        await assistant.call("lees", id="rechtspraak:ECLI:NL:CBB:2022:1", deel=9999)
    assert "Vraag een deel van 1" in failed.value.advice


async def test_the_endpoint_of_one_source_sends_an_id_of_another_to_the_right_endpoint(assistant: Assistant) -> None:
    with pytest.raises(ToolFailedError, match="Rechtspraak") as failed:
        await assistant.at("opentk").call("lees", id="rechtspraak:ECLI:NL:CBB:2022:1")
    assert "/mcp/rechtspraak/v1" in failed.value.advice


async def test_an_answer_fits_an_assistant_and_what_follows_shows_every_hit_once(assistant: Assistant) -> None:
    wide = await assistant.call("zoek", vraag="subsidie")
    assert len(wide.text) < 40_000
    assert max(len(source["treffers"]) for source in wide.data["bronnen"]) <= 5
    given = {"vraag": "subsidie", "platforms": ["open-raadsinformatie", "openbesluitvorming"]}
    seen: list[str] = []
    following: dict[str, int] = {}
    for _ in range(4):
        data = await assistant.data("zoek", **given, **following)
        seen += [hit["id"] for source in data["bronnen"] for hit in source["treffers"]]
        following = data["volgende"]
    assert following == {"pagina": 3, "deel": 1}
    assert len(seen) == len(set(seen)) > 60


async def test_a_question_that_fits_no_chosen_source_is_answered_with_why(assistant: Assistant) -> None:
    data = await assistant.data("zoek", vraag="warmte", organisaties="gemeente-ede", platforms=["rechtspraak"])
    assert data["bronnen"][0]["staat"] == "niet-ondersteund"
    assert data["waarom"][0].startswith("Buiten bereik: Rechtspraak")


@pytest.mark.parametrize(
    ("asked", "said"),
    [({"vraag": "parkeren in Edde"}, "`gemeente-ede` (Gemeente Ede)"), ({"vraag": "parkeren in Ede"}, None)],
)
async def test_a_body_that_is_misspelt_is_named_with_its_id(
    assistant: Assistant, asked: dict[str, str], said: str | None
) -> None:
    data = await assistant.data("zoek", **asked, platforms=["openbesluitvorming"])
    hints = [one for one in data["opmerkingen"] if "lijkt op een organisatie" in one]
    assert len(hints) == (said is not None)
    assert all(said in hint for hint in hints if said)


async def test_a_fractie_that_stands_in_no_list_is_named_with_what_it_may_be(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def listed(*_: object) -> tuple[Named, ...]:
        return (Named("GL", "GroenLinks"), Named("D66", "Democraten 66"))

    monkeypatch.setattr(GroupNames, "listed", listed)
    data = await assistant.data("zoek", vraag="stikstof", platforms=["tweede-kamer"], fractie="D6")
    assert "Fractie ‘D6’ staat niet in de lijst van de Tweede Kamer. Bedoelt u: D66?" in data["opmerkingen"]
