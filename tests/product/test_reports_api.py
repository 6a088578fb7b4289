"""Reports in the API: how one stands, when to look again, and what is in it, by page."""

from __future__ import annotations

from datetime import timedelta

import pytest

from reports.records import ReportStatus
from tests.product.conftest import Product
from tests.product.test_reports_page import PAGE, STATES, desk
from tests.support.description import faults
from tests.support.reports import NOW, MemoryDesk, a_big_report, a_standing, ready

__all__ = ["desk"]
pytestmark = pytest.mark.anyio


async def test_the_api_says_how_a_report_stands_and_when_to_look_again(product: Product, desk: MemoryDesk) -> None:
    """Rule L5."""
    description = (await product.site.get("/api/v1/openapi.json")).json()
    waits = {"place": 3, "start_in": 100.0, "start_at": NOW + timedelta(seconds=100)}
    desk.put(a_standing(ReportStatus.WAITS, **waits))
    answer = await product.site.get(f"/api/v1{PAGE}")
    found = answer.json()
    assert faults(description, "rapport", found) == []
    assert (found["staat"], found["plaats"], found["verwachteStart"]) == ("wacht", 3, "2026-11-30T13:28:40Z")
    assert (found["opnieuwNa"], answer.headers["retry-after"]) == (25, "25")
    assert answer.headers["cache-control"] == "no-store"
    assert (found["uitkomst"], found["bestanden"]) == (None, [])
    for status, more in STATES.items():
        desk.put(a_standing(status, **more))
        found = (await product.site.get(f"/api/v1{PAGE}")).json()
        assert faults(description, "rapport", found) == []
        assert (found["opnieuwNa"] is None) is status.is_final


async def test_the_api_gives_a_report_that_is_ready_and_its_things_by_page(product: Product, desk: MemoryDesk) -> None:
    description = (await product.site.get("/api/v1/openapi.json")).json()
    desk.put(*ready(a_big_report(120)))
    answer = await product.site.get(f"/api/v1{PAGE}")
    found = answer.json()
    assert faults(description, "rapport", found) == []
    assert "retry-after" not in answer.headers
    assert found["uitkomst"]["aantal"] == 120
    for file in found["bestanden"]:
        assert (await product.site.get(file["adres"].removeprefix("http://localhost:8000"))).status_code == 200
    seen, page = [], 1
    while page:
        one = (await product.site.get(f"/api/v1{PAGE}/stukken", params={"pagina": page, "aantal": 50})).json()
        assert faults(description, "rapportstukken", one) == []
        seen += [item["treffer"]["id"] for item in one["stukken"]]
        page = one["volgendePagina"]
    assert len(seen) == len(set(seen)) == 120
    head = await product.site.head(f"/api/v1{PAGE}")
    assert (head.status_code, head.content) == (200, b"")


async def test_the_api_refuses_what_is_not_there_and_parameters_it_does_not_know(
    product: Product, desk: MemoryDesk
) -> None:
    missing = await product.site.get(f"/api/v1/rapporten/{'x' * 32}")
    assert (missing.status_code, missing.headers["content-type"]) == (404, "application/problem+json")
    assert "14 dagen" in missing.json()["detail"]
    desk.put(a_standing())
    early = await product.site.get(f"/api/v1{PAGE}/stukken")
    assert (early.status_code, early.json()["detail"]) == (404, "Dit rapport heeft geen stukken: het is wacht.")
    assert (await product.site.get(f"/api/v1{PAGE}?vraag=x")).status_code == 400
    assert (await product.site.get(f"/api/v1{PAGE}/stukken?aantal=1000")).status_code == 400
    assert (await product.site.post(f"/api/v1{PAGE}")).status_code == 405
