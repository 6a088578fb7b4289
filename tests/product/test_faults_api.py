"""Faults that programs report by the API: under a contract, read strictly, and kept for the operator for a year."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest
from asgiref.sync import sync_to_async

from connectors.moments import now
from search.faults import KEPT_FOR, LONGEST
from search.models import FaultReport, FaultState
from search.tasks import forget_old_faults
from tests.product.conftest import Product
from tests.product.test_api_rules import problem_of
from tests.support.admitted import CONTRACT, WORKLOAD, under
from tests.support.description import faults
from throttling.problems import Kinds

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
ADDRESS = "/api/v1/foutmeldingen"
FAULT = {"soort": "tekst", "document": "rechtspraak:ECLI:NL:HR:2019:2006", "melding": "Bladzijde 3 is leeg."}


async def report(product: Product, **changes: Any) -> httpx.Response:
    body = {name: value for name, value in {**FAULT, **changes}.items() if value is not None}
    return await product.site.post(ADDRESS, json=body)


async def test_a_fault_is_kept_and_its_number_told(product: Product) -> None:
    description = (await product.site.get("/api/v1/openapi.json")).json()
    problem_of(await report(product), Kinds.TOKEN_REQUIRED)
    assert await FaultReport.objects.acount() == 0
    product.edge.admitted = under("meld-fout")
    answer = await report(product)
    assert answer.status_code == 201
    assert faults(description, "foutmelding", answer.json(), "201") == []
    kept = await FaultReport.objects.aget(number=answer.json()["nummer"])
    assert (kept.kind, kept.platform, kept.document) == ("tekst", "rechtspraak", FAULT["document"])
    assert (kept.text, kept.contract, kept.workload) == (FAULT["melding"], CONTRACT, WORKLOAD)
    assert kept.state == FaultState.NEW


async def test_a_fault_of_a_source_needs_no_paper(product: Product) -> None:
    product.edge.admitted = under("meld-fout")
    assert (await report(product, document=None, platform="opentk", soort="bron")).status_code == 201


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"soort": "ding"}, "soort"),
        ({"soort": None}, "soort"),
        ({"document": "geen id"}, "document"),
        ({"document": "rechtspraak:"}, "document"),
        ({"document": None}, "platform"),
        ({"platform": "opentk"}, "platform"),
        ({"melding": None}, "melding"),
        ({"melding": "\u202e\u200b\x07"}, "melding"),
        ({"melding": "x" * (LONGEST + 1)}, "melding"),
        ({"melding": 3}, "melding"),
        ({"note": "x"}, "note"),
    ],
)
async def test_what_cannot_be_kept_is_refused_with_what_is_wrong(
    product: Product, changes: dict[str, Any], name: str
) -> None:
    product.edge.admitted = under("meld-fout")
    answer = await report(product, **changes)
    assert answer.status_code == 400
    assert {one["name"] for one in answer.json()["invalidParams"]} == {name}
    assert await FaultReport.objects.acount() == 0


async def test_a_fault_is_gone_after_a_year(product: Product) -> None:
    product.edge.admitted = under("meld-fout")
    await report(product)
    await FaultReport.objects.aupdate(at=now() - KEPT_FOR - timedelta(minutes=1))
    second = (await report(product)).json()["nummer"]
    assert [one.number async for one in FaultReport.objects.all()] == [second]


async def test_a_fault_goes_after_a_year_though_nobody_reports_another(product: Product) -> None:
    product.edge.admitted = under("meld-fout")
    first, second = [(await report(product)).json()["nummer"] for _ in range(2)]
    await FaultReport.objects.filter(number=first).aupdate(at=now() - KEPT_FOR - timedelta(minutes=1))
    await sync_to_async(forget_old_faults, thread_sensitive=True)()
    assert [one.number async for one in FaultReport.objects.all()] == [second]
