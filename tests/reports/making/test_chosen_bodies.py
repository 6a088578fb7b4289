"""What very many bodies, chosen one by one, ask of the platforms."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from pytest_django import Settings

from besluitbron.composition import addresses, registry
from connectors.records import Organisation
from reports.records import ReportStatus
from search.lives import shipped_lives
from search.organisations import Register
from tests.reports.making.conftest import Bureau, capped

pytestmark = pytest.mark.anyio
COUNCILS = ("open-raadsinformatie", "openbesluitvorming", "open-archivaris")


def target(wanted: Callable[[Organisation], bool]) -> str:
    register = Register.of((one.organisations() for one in registry(addresses())), shipped_lives())
    chosen = [body.id for body in register.everybody() if body.ended is None and wanted(body)]
    assert len(chosen) > 300
    return urlencode([("vraag", "zonnepanelen"), *(("organisatie", one) for one in chosen)])


async def test_every_council_chosen_by_name_is_still_one_question_to_a_platform(
    bureau: Bureau, settings: Settings
) -> None:
    """Three hundred fields in an address were once more than a report could read."""
    capped(settings, hits=7, texts=0)
    asked = await bureau.ask(target(lambda body: body.key_at("openbesluitvorming") is not None))
    await bureau.work()
    assert (await bureau.standing(asked.token)).status is ReportStatus.READY
    counted = {key: (await bureau.counted(key))["aanroepen"] for key in COUNCILS}
    assert counted["openbesluitvorming"] == 1
    assert all(1 <= calls <= 2 for calls in counted.values())
    report = await bureau.desk.report(asked.token)
    assert report is not None
    assert report.overview.number > 0


async def test_the_same_bodies_in_another_order_are_the_same_report(bureau: Bureau) -> None:
    """Rule L7."""
    one = await bureau.ask("vraag=zonnepanelen&organisatie=gemeente-ede&organisatie=gemeente-soest")
    other = await bureau.ask("vraag=zonnepanelen&organisatie=gemeente-soest&organisatie=gemeente-ede")
    assert one.token == other.token
    less = await bureau.ask("vraag=zonnepanelen&organisatie=gemeente-soest")
    assert less.token != one.token


async def test_everybody_chosen_by_name_is_the_same_report_as_nobody_chosen(bureau: Bureau) -> None:
    """Rule L7: one report, the same address."""
    first = await bureau.ask("vraag=zonnepanelen")
    again = await bureau.ask(target(lambda _: True))
    assert again.token == first.token
