"""Reports asked for and cancelled by programs: under a contract that says so, counted under it, and by nobody else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest

from connectors.moments import now
from reports.exceptions import WishRefusedError
from reports.records import Reason
from search.api.writing import MOST_BYTES
from tests.product.conftest import Product
from tests.product.test_api_rules import problem_of
from tests.product.test_reports_page import desk
from tests.support.admitted import CONTRACT, under
from tests.support.description import faults
from tests.support.reports import TOKEN, MemoryDesk, a_standing, ready
from throttling.problems import Kinds
from throttling.work import Access

__all__ = ["desk"]
pytestmark = pytest.mark.anyio
ASK, CANCEL = "rapport-aanvragen", "rapport-annuleren"
ADDRESS = "/api/v1/rapporten"
ONE = f"{ADDRESS}/{TOKEN}"
WISH = {"vraag": "warmtenet", "organisatie": ["gemeente-ede"], "van": "2024-01-01"}


async def ask(product: Product, body: Any = None) -> httpx.Response:
    return await product.site.post(ADDRESS, json=WISH if body is None else body)


async def test_under_a_contract_a_report_is_asked_for_and_its_address_says_how_it_stands(
    product: Product, desk: MemoryDesk
) -> None:
    description = (await product.site.get("/api/v1/openapi.json")).json()
    product.edge.admitted = under(ASK)
    answer = await ask(product)
    assert (answer.status_code, answer.headers["location"]) == (202, ONE)
    assert faults(description, "rapportaanvraag", answer.json(), "202") == []
    assert (answer.json()["staat"], answer.json()["plaats"]) == ("wacht", 3)
    assert answer.headers["retry-after"].isdigit()
    assert answer.headers["cache-control"] == "no-store"
    ((target, requester),) = desk.asked
    assert target == "vraag=warmtenet&organisatie=gemeente-ede&van=2024-01-01"
    assert requester.startswith("contract:")
    assert CONTRACT not in requester, "what is counted under holds no number of a contract"
    product.edge.admitted = None
    assert (await product.site.get(answer.headers["location"])).json()["staat"] == "wacht"


async def test_two_contracts_are_two_requesters_and_one_is_always_the_same(product: Product, desk: MemoryDesk) -> None:
    for contract in ("ctr_een", "ctr_een", "ctr_twee"):
        product.edge.admitted = under(ASK, contract=contract)
        await ask(product)
    first, again, other = (requester for _, requester in desk.asked)
    assert first == again != other


async def test_a_report_that_is_ready_when_it_is_asked_for_again_is_given_with_what_is_in_it(
    product: Product, desk: MemoryDesk
) -> None:
    """Rule L7: the same report, told as its own address tells it; and of no page that a program would have to refresh."""
    desk.put(*ready())
    product.edge.admitted = under(ASK)
    again = (await ask(product)).json()
    product.edge.admitted = None
    assert (again["staat"], again["uitkomst"]["aantal"]) == ("klaar", 5)
    assert again == (await product.site.get(ONE)).json()
    desk.loses_contents = True
    product.edge.admitted = under(ASK)
    answer = await ask(product)
    assert (answer.status_code, answer.json()["staat"], answer.json()["uitkomst"]) == (202, "klaar", None)
    assert answer.json()["melding"] == "Uw rapport is klaar. U leest het op zijn eigen adres."


@pytest.mark.parametrize(
    "admitted",
    [None, under(CANCEL), under(ASK, Access.READ), under("zoeken", Access.READ), under("")],
    ids=["nobody", "another change", "reading", "another operation", "nothing"],
)
async def test_without_a_contract_for_it_nothing_is_asked_and_the_refusal_says_how_to_get_one(
    product: Product, desk: MemoryDesk, admitted: Any
) -> None:
    """Attack 10 of the study: what reaches an operation by a way round the edge changes nothing."""
    product.edge.admitted = admitted
    found = problem_of(await ask(product), Kinds.TOKEN_REQUIRED)
    assert (found["reason"], found["operation"]) == ("token-required", ASK)
    assert found["discovery"] == "http://localhost:8000/.well-known/admission-contract"
    assert desk.asked == []


async def test_under_a_contract_a_report_is_cancelled_and_cancelling_again_is_no_fault(
    product: Product, desk: MemoryDesk
) -> None:
    description = (await product.site.get("/api/v1/openapi.json")).json()
    desk.put(a_standing())
    problem_of(await product.site.delete(ONE), Kinds.TOKEN_REQUIRED)
    assert desk.cancelled == []
    product.edge.admitted = under(CANCEL)
    for _ in range(2):
        answer = await product.site.delete(ONE)
        assert (answer.status_code, answer.json()["staat"]) == (200, "geannuleerd")
        assert faults(description, "rapportannulering", answer.json()) == []
    problem_of(await product.site.delete(f"{ADDRESS}/{'x' * 32}"), Kinds.NOT_FOUND)


async def test_a_report_that_is_ready_is_not_lost_by_cancelling_it(product: Product, desk: MemoryDesk) -> None:
    desk.put(*ready())
    product.edge.admitted = under(CANCEL)
    answer = (await product.site.delete(ONE)).json()
    assert (answer["staat"], bool(answer["bestanden"])) == ("klaar", True)


async def test_when_there_is_no_report_the_problem_says_why_and_when_to_come_back(
    product: Product, desk: MemoryDesk
) -> None:
    product.edge.admitted = under(ASK)
    for reason, kind in ((Reason.HOUR, Kinds.TOO_MANY), (Reason.FULL, Kinds.REPORT_REFUSED)):
        desk.refuses = WishRefusedError(reason, now() + timedelta(minutes=5))
        answer = await ask(product)
        found = problem_of(answer, kind)
        assert (found["reden"], found["retryable"]) == (reason.value, True)
        assert 290 <= int(answer.headers["retry-after"]) <= 300
    desk.closed = True
    problem_of(await ask(product), Kinds.OWN_FAULT)


async def test_while_something_of_our_own_is_away_the_problem_says_what_is_known_of_what_was_asked(
    product: Product, desk: MemoryDesk
) -> None:
    for lost, closed, asking, cancelling in (
        (True, False, "Of uw aanvraag is aangekomen, is niet zeker.", "Of het rapport is geannuleerd, is niet zeker."),
        (False, True, "Er is geen rapport aangevraagd.", "Er is niets geannuleerd."),
    ):
        desk.loses_answers, desk.closed = lost, closed
        product.edge.admitted = under(ASK)
        told = problem_of(await ask(product), Kinds.OWN_FAULT)
        assert asking in told["detail"]
        product.edge.admitted = under(CANCEL)
        told = problem_of(await product.site.delete(ONE), Kinds.OWN_FAULT)
        assert cancelling in told["detail"]
    desk.loses_answers = desk.closed = False
    product.edge.admitted = under(ASK)
    assert (await ask(product)).headers["location"] == ONE


async def test_a_body_is_read_strictly_and_all_faults_are_told_together(product: Product, desk: MemoryDesk) -> None:
    product.edge.admitted = under(ASK)
    body = {"vrag": "x", "vraag": ["a"], "platform": "rechtspraak", "soort": ["ding"], "van": "12-03-2024", "pagina": 2}
    found = problem_of(await ask(product, body), Kinds.INVALID_INPUT)
    assert {one["name"] for one in found["invalidParams"]} == set(body)
    problem_of(await ask(product, {}), Kinds.INVALID_INPUT)
    problem_of(await ask(product, {"vraag": "a" * 501}), Kinds.INVALID_INPUT)
    assert desk.asked == []


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b'"x"', b"null", b'{"vraag":"a","vraag":"b"}', b'{"vraag":NaN}', b'{"vraag":"\xff"}'),
        *(b'{"vraag":"\\ud800"}', b'{"vraag":null}', b'{"vraag":1}', b"[" * 16_000, b'{"platform":[]}'),
        b'{"platform":[["rechtspraak"]]}',
    ],
)
async def test_what_is_no_json_that_can_be_read_in_one_way_is_refused(
    product: Product, desk: MemoryDesk, body: bytes
) -> None:
    product.edge.admitted = under(ASK)
    answer = await product.site.post(ADDRESS, content=body, headers={"Content-Type": "application/json"})
    assert problem_of(answer, Kinds.INVALID_INPUT)["retryable"] is False
    assert desk.asked == []


async def test_a_body_that_is_too_large_or_no_json_is_refused(product: Product, desk: MemoryDesk) -> None:
    product.edge.admitted = under(ASK)
    problem_of(await ask(product, {"vraag": "x" * MOST_BYTES}), Kinds.TOO_LARGE)
    problem_of(await product.site.post(ADDRESS, data={"vraag": "x"}), Kinds.CONTENT_TYPE)
    problem_of(await product.site.post(f"{ADDRESS}?vraag=x", json=WISH), Kinds.UNKNOWN_PARAMETER)
    huge = await product.site.post(ADDRESS, content=b"x" * 2_000_000, headers={"Content-Type": "application/json"})
    assert huge.status_code == 413
    assert desk.asked == []


async def test_each_address_says_which_methods_it_takes(product: Product) -> None:
    for path, methods in ((ADDRESS, "POST, OPTIONS"), (ONE, "GET, HEAD, DELETE, OPTIONS")):
        options = await product.site.options(path)
        assert (options.status_code, options.headers["allow"]) == (204, methods)
        assert options.headers["access-control-allow-methods"] == methods
        refused = await product.site.put(path)
        problem_of(refused, Kinds.METHOD)
        assert refused.headers["allow"] == methods
