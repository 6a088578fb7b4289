"""One document and the parts of its text, over real HTTP."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import quote

import pytest
from pytest_django import Settings

from connectors import takedowns
from connectors.exceptions import (
    ClosedError,
    ConnectorError,
    Defect,
    GoneError,
    NotAnAnswerError,
    NotSupportedError,
    OverLimitError,
    QueueFullError,
    RefusedError,
    ReplacedError,
    TakenDownError,
    TooSlowError,
    UnreachableError,
    Unsupported,
    WithdrawnError,
)
from connectors.models import Takedown
from connectors.platforms import PLATFORMS, RECHTSPRAAK
from search.api.failures import instead
from search.federation import StillWaitingError
from tests.product.conftest import Product
from tests.product.test_api_rules import another, problem_of
from tests.product.test_document_waits import full_queues
from tests.support.description import faults
from tests.support.serving import BOUND
from throttling.problems import Kinds

pytestmark = pytest.mark.anyio
ROOT = "/api/v1"
ECLI = "ECLI:NL:PHR:1995:AA3128"
KEY = RECHTSPRAAK.key


async def a_hit(product: Product, platform: str) -> str:
    answer = await product.site.get(f"{ROOT}/_zoek", params={"vraag": "subsidie", "platform": platform})
    found: str = answer.json()["bronnen"][0]["treffers"][0]["id"]
    return found


@pytest.mark.parametrize("platform", [platform.key for platform in PLATFORMS])
async def test_a_hit_of_every_platform_opens_with_its_parts_in_the_described_forms(
    product: Product, platform: str
) -> None:
    """Eis A7."""
    description = (await product.site.get(f"{ROOT}/openapi.json")).json()
    identifier = await a_hit(product, platform)
    document = await product.site.get(f"{ROOT}/documenten/{identifier}")
    assert document.status_code == 200
    assert document.headers["content-location"] == f"{ROOT}/documenten/{quote(identifier, safe=':')}"
    found = document.json()
    assert faults(description, "document", found) == []
    assert found["id"] == identifier
    assert found["adres"].startswith("http")
    assert "geraadpleegd op" in found["verwijzing"]["tekst"]
    assert found["bladzijde"].startswith(f"http://localhost:8000/document/{platform}/")
    parts = (await product.site.get(f"{ROOT}/documenten/{identifier}/delen")).json()
    assert faults(description, "delen", parts) == []
    assert parts["aantal"] == len(found["delen"]) > 0
    for part in parts["delen"][:2]:
        one = (await product.site.get(f"{ROOT}/documenten/{identifier}/delen/{part['nummer']}")).json()
        assert faults(description, "deel", one) == []
        assert one == part
        assert one["tekens"] == len(one["tekst"])


async def test_parts_come_in_pages_that_together_are_the_text(product: Product) -> None:
    """Eis A7."""
    address = f"{ROOT}/documenten/{KEY}:{ECLI}/delen"
    whole = (await product.site.get(address, params={"aantal": 50})).json()
    gathered: list[Any] = []
    page: int | None = 1
    while page:
        part = (await product.site.get(address, params={"aantal": 2, "pagina": page})).json()
        assert len(part["delen"]) <= 2
        gathered += part["delen"]
        page = part["volgendePagina"]
    assert gathered == whole["delen"]
    beyond = (await product.site.get(address, params={"pagina": 200})).json()
    assert (beyond["delen"], beyond["volgendePagina"]) == ([], None)


@pytest.mark.parametrize(
    "spelling",
    [f"{KEY}:{ECLI}", f"{KEY}%3A{quote(ECLI, safe='')}", f"{KEY}:ecli:nl:phr:1995:aa3128", f"{KEY}:%20{ECLI}"],
)
async def test_an_id_is_read_in_every_spelling_and_the_answer_says_where_it_is(product: Product, spelling: str) -> None:
    answer = await product.site.get(f"{ROOT}/documenten/{spelling}")
    assert answer.status_code == 200
    assert answer.json()["id"] == f"{KEY}:{ECLI}"
    assert answer.headers["content-location"] == f"{ROOT}/documenten/{KEY}:{ECLI}"


@pytest.mark.parametrize(
    ("identifier", "detail"),
    [
        ("nergens:1", "begint met een platform"),
        ("rechtspraak", "begint met een platform"),
        (":x", "begint met een platform"),
        ("rechtspraak:", "geen nummer van Rechtspraak"),
        ("rechtspraak:geen-ecli", "geen nummer van Rechtspraak"),
        ("rechtspraak:ECLI:NL:HR:2024:1", "Rechtspraak heeft dit stuk niet"),
    ],
)
async def test_what_is_no_document_is_not_found_with_the_reason(product: Product, identifier: str, detail: str) -> None:
    for behind in ("", "/delen", "/delen/1"):
        found = problem_of(await product.site.get(f"{ROOT}/documenten/{identifier}{behind}"), Kinds.NOT_FOUND)
        assert detail in found["detail"]


async def test_a_part_that_is_not_there_is_not_found_and_one_that_is_no_number_cannot_be_asked(
    product: Product,
) -> None:
    address = f"{ROOT}/documenten/{KEY}:{ECLI}/delen"
    assert "Het heeft" in problem_of(await product.site.get(f"{address}/999"), Kinds.NOT_FOUND)["detail"]
    problem_of(await product.site.get(f"{address}/0"), Kinds.NOT_FOUND)
    (wrong,) = problem_of(await product.site.get(f"{address}/eerste"), Kinds.INVALID_INPUT)["invalidParams"]
    assert wrong["name"] == "nummer"


async def test_a_document_whose_platform_is_dead_is_a_problem_of_that_platform(product: Product) -> None:
    await product.put(KEY, "dood")
    answer = await product.site.get(f"{ROOT}/documenten/{KEY}:{ECLI}")
    found = problem_of(answer, Kinds.UNREACHABLE)
    assert found["platform"] == KEY
    assert answer.headers["retry-after"] == str(found["retryAfter"])


async def test_a_document_that_waits_too_long_says_when_it_will_start(product: Product, settings: Settings) -> None:
    identifier = await a_hit(product, "opentk")
    settings.PAGE_SECONDS = 0.3
    async with full_queues(), another() as site, asyncio.timeout(BOUND * 2):
        answer = await site.get(f"{ROOT}/documenten/{identifier}")
    found = problem_of(answer, Kinds.WAITING)
    assert found["verwachteStart"].endswith("Z")
    assert int(answer.headers["retry-after"]) >= 5


async def test_who_goes_away_while_a_document_waits_gives_the_place_up(product: Product) -> None:
    identifier = await a_hit(product, "opentk")
    async with full_queues() as queues, asyncio.timeout(BOUND * 2):
        getting = asyncio.get_running_loop().create_task(product.site.get(f"{ROOT}/documenten/{identifier}"))
        while not await queues.waiting():
            await asyncio.sleep(0.01)
        getting.cancel()
        while await queues.waiting():
            await asyncio.sleep(0.01)


@pytest.mark.django_db(transaction=True)
async def test_what_an_operator_took_down_is_gone_here(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(takedowns, "MAX_AGE", 0.0)
    await Takedown.objects.acreate(platform=KEY, upstream_id=ECLI, reason="x", by="beheer")
    found = problem_of(await product.site.get(f"{ROOT}/documenten/{KEY}:{ECLI}"), Kinds.TAKEN_DOWN)
    assert "beheerder" in found["detail"]


@pytest.mark.parametrize(
    ("failure", "kind", "retry_after"),
    [
        (ReplacedError(KEY, ECLI, "ECLI:NL:HR:2020:1"), Kinds.NOT_FOUND, 0),
        (TakenDownError(KEY, ECLI), Kinds.TAKEN_DOWN, 0),
        (GoneError(KEY, ECLI), Kinds.NOT_FOUND, 0),
        (WithdrawnError(KEY, ECLI), Kinds.WITHDRAWN, 0),
        (NotSupportedError(KEY, Unsupported.SWITCHED_OFF), Kinds.NOT_FOUND, 0),
        (QueueFullError(KEY, 12.2), Kinds.WAITING, 13),
        (OverLimitError(KEY, 429, 7), Kinds.WAITING, 7),
        (StillWaitingError(20.0), Kinds.WAITING, 25),
        (ClosedError(KEY), Kinds.OWN_FAULT, 60),
        (ClosedError(KEY, 30.0), Kinds.UNREACHABLE, 30),
        (ClosedError(KEY, None, "Tot maandag dicht"), Kinds.UNREACHABLE, 60),
        (TooSlowError(KEY, 8.0), Kinds.TOO_LATE, 0),
        (NotAnAnswerError(KEY, Defect.HTML), Kinds.BAD_ANSWER, 0),
        (RefusedError(KEY, 500), Kinds.BAD_ANSWER, 0),
        (UnreachableError(KEY, "reset"), Kinds.UNREACHABLE, 60),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_failure_of_a_platform_has_its_problem(
    failure: ConnectorError | StillWaitingError, kind: Kinds, retry_after: int
) -> None:
    """Eis A2."""
    problem = instead(RECHTSPRAAK, failure).problem
    assert (problem.kind, problem.retry_after) == (kind.value, retry_after)
    assert problem.detail.endswith(".")
    if isinstance(failure, ReplacedError):
        assert problem.more["opvolger"] == f"{KEY}:ECLI:NL:HR:2020:1"
