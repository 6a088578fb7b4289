"""Organisations, platforms, limits and Laadstatus, over real HTTP and out of a real database."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from connectors.platforms import PLATFORMS
from tests.product.assistants.test_kept import written
from tests.product.conftest import Product
from tests.product.test_api_rules import problem_of
from tests.product.test_document_waits import full_queues
from tests.support.description import faults
from throttling.problems import Kinds

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
ROOT = "/api/v1"
KEYS = [platform.key for platform in PLATFORMS]
OBV = "openbesluitvorming"


async def got(product: Product, path: str, operation_id: str, **asked: Any) -> dict[str, Any]:
    """What an operation answers, which must fit the form that is described."""
    answer = await product.site.get(f"{ROOT}/{path}", params=asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    description = (await product.site.get(f"{ROOT}/openapi.json")).json()
    assert faults(description, operation_id, found) == []
    return found


async def ids(product: Product, **asked: Any) -> list[str]:
    return [body["id"] for body in (await got(product, "organisaties", "organisaties", **asked))["organisaties"]]


async def test_who_is_called_so_comes_first_then_who_begins_so_then_who_has_it_as_a_word(product: Product) -> None:
    found = await ids(product, naam="cuijk")
    assert found[:2] == ["gemeente-cuijk", "gemeente-land-van-cuijk"]
    assert (await ids(product, naam="Gemeente Ede"))[0] == "gemeente-ede"
    assert set(await ids(product, naam="utrecht")) >= {"gemeente-utrecht", "provincie-utrecht"}


@pytest.mark.parametrize(
    "spelling", ["GM1982", "gm1982", "gemeente-land-van-cuijk", "land van cuijk", "LAND VAN CUIJK"]
)
async def test_a_body_is_found_by_code_id_and_any_spelling(product: Product, spelling: str) -> None:
    """Field report 13: bodies that came of others are found, and so are those that ended."""
    assert "gemeente-land-van-cuijk" in await ids(product, naam=spelling)


async def test_a_name_with_a_fault_finds_who_looks_like_it(product: Product) -> None:
    assert "gemeente-groningen" in await ids(product, naam="groningne")
    assert await ids(product, naam="xqzwv") == []
    assert await ids(product, naam="&&&") == []


async def test_bodies_are_chosen_by_kind_and_platform_and_come_in_pages(product: Product) -> None:
    first = await got(product, "organisaties", "organisaties", soort="waterschap", aantal=2)
    second = await got(product, "organisaties", "organisaties", soort="waterschap", aantal=2, pagina=2)
    assert first["volgendePagina"] == 2
    assert {body["soort"] for body in first["organisaties"] + second["organisaties"]} == {"waterschap"}
    assert not {body["id"] for body in first["organisaties"]} & {body["id"] for body in second["organisaties"]}
    courts = await got(product, "organisaties", "organisaties", platform="rechtspraak")
    assert all("rechtspraak" in body["platforms"] for body in courts["organisaties"])
    whole = await got(product, "organisaties", "organisaties", aantal=200)
    assert whole["aantal"] > 200 == len(whole["organisaties"])


async def test_a_body_tells_its_life_its_codes_and_what_platforms_hold_of_it(product: Product) -> None:
    """Field reports 13 and 18: mergers are known, and the years held are never a guess. Eis A8."""
    await asyncio.to_thread(written)
    new = await got(product, "organisaties/gemeente-land-van-cuijk", "organisatie")
    before = {one["id"] for one in new["voorgangers"]}
    assert before == {
        "gemeente-boxmeer",
        "gemeente-cuijk",
        "gemeente-grave",
        "gemeente-mill-en-sint-hubert",
        "gemeente-sint-anthonis",
    }
    assert (new["geldigVanaf"], new["geldigTot"]) == ("2022-01-01", None)
    assert {"stelsel": "CBS", "waarde": "GM1982"} in new["codes"]
    old = await got(product, "organisaties/gemeente-boxmeer", "organisatie")
    assert (old["geldigTot"], old["opvolgersNu"]) == ("2022-01-01", ["gemeente-land-van-cuijk"])
    ede = await got(product, "organisaties/gemeente-ede", "organisatie")
    held = {one["platform"]: one for one in ede["bezit"]}
    assert (held[OBV]["aantal"], held[OBV]["staat"]) == (1200, "up_to_date")
    assert held[OBV]["laatsteDatum"]
    assert held[OBV]["melding"].endswith("is nog niet nagegaan.")


async def test_a_body_that_is_not_there_is_not_found_with_what_looks_like_it(product: Product) -> None:
    found = problem_of(await product.site.get(f"{ROOT}/organisaties/gemeente-groningne"), Kinds.NOT_FOUND)
    assert "gemeente-groningen" in {one["waarde"] for one in found["keuzes"]}


async def test_bodies_are_shown_when_our_own_database_does_not_answer(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(platforms: object) -> object:
        del platforms
        raise OSError

    monkeypatch.setattr("besluitbron.kept._load_status", gone)
    ede = await got(product, "organisaties/gemeente-ede", "organisatie")
    assert {one["aantal"] for one in ede["bezit"]} == {None}
    answer = await product.site.get(f"{ROOT}/laadstatus")
    problem_of(answer, Kinds.OWN_FAULT)
    assert answer.headers["retry-after"] == "60"


async def test_the_platforms_tell_what_they_can_do(product: Product) -> None:
    """Eis A8."""
    found = (await got(product, "platforms", "platforms"))["platforms"]
    assert [one["id"] for one in found] == KEYS
    for one in found:
        assert await got(product, f"platforms/{one['id']}", "platform") == one
    problem_of(await product.site.get(f"{ROOT}/platforms/nergens"), Kinds.NOT_FOUND)
    problem_of(await product.site.get(f"{ROOT}/platforms/nergens/limieten"), Kinds.NOT_FOUND)


async def test_every_limit_has_its_origin(product: Product) -> None:
    """Eis A8."""
    for platform in PLATFORMS:
        found = await got(product, f"platforms/{platform.key}/limieten", "limieten")
        assert found["tijdstip"].endswith("Z")
        for service, shown in zip(platform.services, found["limieten"], strict=True):
            assert (shown["dienst"], shown["herkomst"]) == (service.key, service.origin.value)
            assert shown["gemeld"]
            assert (shown["eenheden"] is None) is (service.limit is None)
    published = await got(product, f"platforms/{OBV}/limieten", "limieten")
    assert published["limieten"][0]["bron"] == "https://openbesluitvorming.nl/docs/api"
    assert published["limieten"][0]["werking"] == "emmer"


async def test_how_busy_a_platform_is_now_is_seen(product: Product) -> None:
    async with full_queues():
        waiting = asyncio.get_running_loop().create_task(
            product.site.get(f"{ROOT}/_zoek", params={"vraag": "klimaat", "platform": "opentk"})
        )
        async with asyncio.timeout(10):
            while True:
                first, *_ = (await got(product, "platforms/opentk/limieten", "limieten"))["limieten"]
                if first["nu"]["wachtend"] == 1:
                    break
        waiting.cancel()
    assert first["nu"]["melding"] == ""
    assert first["nu"]["rustSeconden"] is None


async def test_a_platform_that_failed_again_and_again_tells_when_it_is_tried_again(product: Product) -> None:
    await product.put("rechtspraak", "dood")
    for word in ("een", "twee", "drie", "vier", "vijf", "zes"):
        await product.site.get(f"{ROOT}/_zoek", params={"vraag": word, "platform": "rechtspraak"})
    found = await got(product, "platforms/rechtspraak/limieten", "limieten")
    assert 0 < found["limieten"][0]["nu"]["rustSeconden"] <= 30


async def test_the_laadstatus_is_told_per_platform_longest_ago_first(product: Product) -> None:
    """Eis A8."""
    await asyncio.to_thread(written)
    found = {one["platform"]: one for one in (await got(product, "laadstatus", "laadstatus"))["platforms"]}
    assert list(found) == KEYS
    assert found["rechtspraak"]["melding"] == "Deze bron heeft geen Laadstatus."
    assert [row["naam"] for row in found[OBV]["organisaties"]] == [
        "Gemeente Soest",
        "Gemeente Best",
        "Gemeente Ede",
        "Gemeente Nergens",
    ]
    assert {one["staat"]: one["aantal"] for one in found[OBV]["perStaat"]} == {"up_to_date": 3, "stale": 1}
    assert [row["naam"] for row in found[OBV]["leveranciers"]] == ["iBabs"]
    assert "nog niet opgehaald" in found["open-raadsinformatie"]["melding"]


async def test_who_lags_behind_and_one_body_are_found(product: Product) -> None:
    await asyncio.to_thread(written)
    late = await got(product, "laadstatus", "laadstatus", platform=OBV, ouderDanUren=36)
    assert [row["naam"] for row in late["platforms"][0]["organisaties"]] == ["Gemeente Soest"]
    one = await got(product, "laadstatus", "laadstatus", platform=OBV, organisatie="Ede")
    (row,) = one["platforms"][0]["organisaties"]
    assert (row["organisatieId"], row["aantal"]) == ("gemeente-ede", 1200)
    page = await got(product, "laadstatus", "laadstatus", platform=OBV, aantal=1)
    assert (page["platforms"][0]["aantal"], page["platforms"][0]["volgendePagina"]) == (4, 2)


async def test_rows_of_the_laadstatus_carry_the_id_of_their_body(product: Product) -> None:
    """By the key that the source gives, else by its whole name for the body; a row of nobody we know has none."""
    await asyncio.to_thread(written)
    (source,) = (await got(product, "laadstatus", "laadstatus", platform=OBV))["platforms"]
    ids = {row["sleutel"]: row["organisatieId"] for row in source["organisaties"]}
    assert ids == {"ede": "gemeente-ede", "soest": "gemeente-soest", "x1": "gemeente-best", "x2": None}


async def test_the_laadstatus_of_one_body_has_nothing_of_others(product: Product) -> None:
    await asyncio.to_thread(written)
    found = (await got(product, "laadstatus", "laadstatus", organisatie="Ede"))["platforms"]
    assert {row["organisatieId"] for one in found for row in one["organisaties"]} == {"gemeente-ede"}
    assert [row for one in found for row in one["leveranciers"]] == []
    assert [state for one in found for state in one["perStaat"]] == [{"staat": "up_to_date", "aantal": 1}]


@pytest.mark.parametrize(
    "query",
    ["ouderDanUren=0", "ouderDanUren=x", "platform=nergens", "organisatie=bestaatniet", "aantal=201", "pagina=0"],
)
async def test_nonsense_is_refused(product: Product, query: str) -> None:
    (wrong,) = problem_of(await product.site.get(f"{ROOT}/laadstatus?{query}"), Kinds.INVALID_INPUT)["invalidParams"]
    assert wrong["name"] == query.partition("=")[0]
