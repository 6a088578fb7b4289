"""An operator at a real browser before the pages on contracts: narrow, dark, and by keyboard alone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from playwright.async_api import Browser

from admission import sealing
from admission.models import AdmissionEvent, Agreement, AgreementState, Approval, Stopped
from connectors.moments import now
from search.models import FaultReport
from tests.product.conftest import Product
from tests.support.browsing import NARROW, has_focus, too_wide
from tests.support.operators import operator, own_faults, pictured

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
LONG = "spiffe://bank.example/agent/" + "zeer-lange-naam-van-een-taak/" * 4 + "einde"
MOST_TABS = 60
PAGES = (
    "admission/agreement/?alle=ja",
    "admission/agreement/ctr_een/",
    "admission/agreement/over-budget/",
    "admission/approval/",
    "admission/approval/apr_een/",
    "admission/admissionevent/",
    "admission/dryrun/",
)


def fill() -> None:
    """Something on every page."""
    at = now()
    Agreement.objects.create(
        contract="ctr_een",
        handle="r7k3m9q2",
        workload=LONG,
        issuer="bank.example",
        client=LONG,
        tier="federated",
        jkt="k",
        key="k",
        asked="a",
        state=AgreementState.AGREED,
        purpose="search",
        note="Nachtelijke controle. " * 20,
        expected_units=10,
        owner="Bank",
        owner_contact="https://bank.example/agents",
        grants=[["zoeken", ["/zoeken", "/api/v1/_zoek"]], ["rapport-aanvragen", ["/api/v1/rapporten"]]],
        in_flight=5,
        units=100,
        writes=5,
        most=[10, 1000, 50],
        pools=[],
        asked_at=at,
        ends_at=at + timedelta(hours=1),
        left=20,
        writes_left=4,
        checked_at=at,
    )
    Stopped.objects.create(what="workload", name=LONG, at=at, by="beheer", why="te druk", applied_at=at)
    Approval.objects.create(
        approval="apr_een",
        contract="ctr_een",
        workload=LONG,
        operation="rapport-aanvragen",
        resource="/api/v1/rapporten",
        body_sha256="x",
        body=sealing.close('{"vraag": "warmtenet", "organisatie": ["gemeente-ede"]}'),
        note=sealing.close("Graag snel. " * 30),
        asked_at=at,
        expires_at=at + timedelta(minutes=10),
    )
    AdmissionEvent.objects.create(
        entry="1-0",
        at=at,
        kind="deny",
        contract="ctr_een",
        workload=LONG,
        operation="zoeken",
        access="read",
        reason="quota-exhausted",
        more={"left": "0", "node": "web-1"},
    )
    FaultReport.objects.create(
        number="fout_1", at=at, kind="link", platform="opentk", text="Stuk. " * 50, contract="ctr_een", workload=LONG
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_page_on_contracts_fits_in_a_narrow_window_and_axe_finds_nothing(
    browser: Browser, product: Product, scheme: str
) -> None:
    async with operator(browser, product, fill, viewport=NARROW, color_scheme=scheme) as page:
        for number, path in enumerate(PAGES):
            answer = await page.goto(f"/beheer/{path}")
            assert answer is not None
            assert answer.status == 200, path
            await pictured(page, f"{scheme}-{number}")
            assert await too_wide(page) == [], path
            assert await own_faults(page) == [], path


async def test_an_operator_decides_by_keyboard_alone(browser: Browser, product: Product) -> None:
    async with operator(browser, product, fill) as page:
        await page.goto("/beheer/admission/approval/apr_een/")
        await pictured(page, "breed")
        button = page.get_by_role("button", name="Wijs dit af")
        for _ in range(MOST_TABS):
            await page.keyboard.press("Tab")
            if await has_focus(button):
                break
        assert await has_focus(button)
        await page.keyboard.press("Enter")
        await page.get_by_text("Afgewezen.").wait_for()
        approval = await Approval.objects.aget()
        assert (approval.state, approval.decided_by) == ("denied", "beheer")
        await page.goto("/beheer/admission/agreement/ctr_een/")
        await pictured(page, "breed-contract")
