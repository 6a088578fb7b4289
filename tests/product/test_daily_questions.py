"""Every day each source gets one question that must find something: what came of it is kept, and said on ``/status``."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from django.conf import settings
from lxml import html

from connectors import canaries, tasks
from connectors.canaries import Canary
from connectors.lists import Trouble
from connectors.models import CanaryAsked
from connectors.moments import now
from connectors.platforms import PLATFORMS
from tests.product.conftest import Product
from tests.support.pages import words_of

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
ORI, TK = "open-raadsinformatie", "tweede-kamer"
ALL = tuple(platform.key for platform in PLATFORMS)
in_thread = asyncio.to_thread


def kept() -> dict[str, CanaryAsked]:
    return {one.platform: one for one in CanaryAsked.objects.all()}


def keep(platform: str, found: int | None, *, hours: float = 1, trouble: Trouble | None = None) -> None:
    CanaryAsked.keep(platform, settings.PLATFORM_MODE.value, Canary(now() - timedelta(hours=hours), found, trouble))


async def attention(product: Product) -> tuple[list[str], html.HtmlElement]:
    tree = html.document_fromstring((await product.site.get("/status")).text)
    return [words_of(one) for one in tree.xpath("//ul[@class='alarmen']/li")], tree


async def test_every_source_finds_something_and_the_status_page_says_so(product: Product) -> None:
    """Field report 31: in trial mode the stand-ins are asked, and a fresh installation asks by itself."""
    await in_thread(tasks.ask_missed_canaries)
    found = await in_thread(kept)
    assert set(found) == set(ALL)
    assert {key: one.trouble for key, one in found.items() if not one.found} == {}
    alarms, tree = await attention(product)
    assert not [alarm for alarm in alarms if "proefvra" in alarm]
    for key in ALL:
        assert "vond stukken, zoals het hoort." in words_of(tree.xpath(f"//section[@id='{key}']")[0])


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("dood", "de bron was niet bereikbaar."),
        ("onzin", "wat de bron stuurde, was geen antwoord."),
        ("vol", "de bron zei dat we te veel vroegen."),
    ],
)
async def test_a_source_that_gives_no_answer_is_an_alarm_with_the_reason(
    product: Product, state: str, said: str
) -> None:
    """Field report 31."""
    await product.put(ORI, state)
    await in_thread(tasks.ask_canary, ORI)
    alarms, _ = await attention(product)
    (alarm,) = [one for one in alarms if "de proefvraag van" in one]
    assert alarm.startswith("Open Raadsinformatie: de proefvraag van ")
    assert alarm.endswith(f"kreeg geen antwoord: {said}")


async def test_a_question_that_finds_nothing_is_an_alarm(product: Product) -> None:
    """Field report 31: an empty answer looks like any other, but this one cannot be."""
    await in_thread(keep, TK, 0)
    alarms, tree = await attention(product)
    (alarm,) = [one for one in alarms if "de proefvraag van" in one]
    assert alarm.startswith("Tweede Kamer: de proefvraag van ")
    assert "vond niets, en dat kan niet." in alarm
    assert "vond niets" in words_of(tree.xpath(f"//section[@id='{TK}']")[0])


async def test_who_was_never_asked_or_not_for_days_is_not_known_to_be_well(product: Product) -> None:
    """Field report 31."""
    for key in ALL[1:]:
        await in_thread(keep, key, 5, hours=49 if key == TK else 1)
    alarms, _ = await attention(product)
    assert [one for one in alarms if "proefvraag" in one and "nog geen" in one] == [
        "Aan deze bronnen stelden we hier nog geen proefvraag: Open Raadsinformatie."
    ]
    (old,) = [one for one in alarms if "de laatste proefvraag is van" in one]
    assert old.startswith("Tweede Kamer: ")
    assert old.endswith("Hoe het nu is, weten we niet.")


async def test_a_restart_is_no_reason_for_a_second_question_on_one_day(product: Product) -> None:
    await in_thread(keep, ORI, 5, hours=19)
    await in_thread(tasks.ask_canary, ORI)
    assert (await product.counted(ORI))["aanroepen"] == 0
    await in_thread(keep, ORI, 5, hours=21)
    await in_thread(tasks.ask_canary, ORI)
    calls = (await product.counted(ORI))["aanroepen"]
    assert calls > 0
    await in_thread(tasks.ask_missed_canaries)
    assert (await product.counted(ORI))["aanroepen"] == calls


async def test_a_fault_of_ours_in_one_connector_is_told_and_stops_no_other(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(platform: str) -> None:
        raise ZeroDivisionError(platform)

    monkeypatch.setattr(canaries, "canary_question", breaks)
    await in_thread(tasks.ask_missed_canaries)
    assert {one.trouble for one in (await in_thread(kept)).values()} == {Trouble.BROKEN.value}
    assert len((await attention(product))[0]) >= len(ALL)
