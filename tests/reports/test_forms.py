"""A form does what it is for, once, for half a day, and only when a page of ours sent it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st

from reports import forms
from reports.forms import BadFormError, Purpose, Wrong, is_own, signed, use
from tests.support.reports import NOW

pytestmark = pytest.mark.anyio
TARGET = "vraag=warmtenet"
SITE = "https://besluitbron.example"


@dataclass(slots=True)
class Remembering:
    """Remembers in memory what was used."""

    used: set[str] = field(default_factory=set)

    async def spend(self, name: str, seconds: int) -> bool:
        first = name not in self.used
        self.used.add(name)
        return first


async def wrong(token: str, spent: Remembering, purpose: Purpose = Purpose.ASK, about: str = TARGET) -> Wrong:
    with pytest.raises(BadFormError) as caught:
        await use(token, purpose, about, spent)
    return caught.value.wrong


async def test_a_form_works_once() -> None:
    spent, token = Remembering(), signed(Purpose.ASK, TARGET)
    await use(token, Purpose.ASK, TARGET, spent)
    assert await wrong(token, spent) is Wrong.USED
    await use(signed(Purpose.ASK, TARGET), Purpose.ASK, TARGET, spent)


async def test_a_form_for_something_else_or_for_another_question_is_not_used_up_and_does_nothing() -> None:
    spent = Remembering()
    assert await wrong(signed(Purpose.CANCEL, TARGET), spent) is Wrong.FORGED
    assert await wrong(signed(Purpose.ASK, "vraag=anders"), spent) is Wrong.FORGED
    assert spent.used == set()


async def test_a_form_is_good_for_half_a_day() -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        token = signed(Purpose.ASK, TARGET)
        clock.shift(timedelta(seconds=forms.SECONDS - 1))
        await use(token, Purpose.ASK, TARGET, Remembering())
        clock.shift(timedelta(seconds=2))
        assert await wrong(token, Remembering()) is Wrong.EXPIRED


@given(st.text(max_size=200))
async def test_what_we_did_not_sign_is_forged_whatever_it_is(token: str) -> None:
    """Eis V8."""
    assert await wrong(token, Remembering()) is Wrong.FORGED


async def test_a_form_that_was_changed_is_forged() -> None:
    token = signed(Purpose.ASK, TARGET)
    assert await wrong(f"x{token}", Remembering()) is Wrong.FORGED
    assert await wrong(token[:-1], Remembering()) is Wrong.FORGED


def test_a_form_holds_no_word_of_the_question_and_no_address_of_a_report() -> None:
    from django.core import signing  # noqa: PLC0415 - to look inside

    said = signing.loads(signed(Purpose.ASK, "vraag=geheim"), salt="rapporten")
    assert "geheim" not in "".join(said)


@pytest.mark.parametrize(
    ("headers", "own"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "https://elders.example"}, True),
        ({"Sec-Fetch-Site": "cross-site", "Origin": SITE}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "none"}, False),
        ({"Origin": SITE}, True),
        ({"Origin": "http://binnen.example:8000"}, True),
        ({"Origin": "https://elders.example"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": "https://besluitbron.example.elders.example"}, False),
        ({"Origin": "https://[", "Referer": SITE}, False),
        ({"Referer": f"{SITE}/zoeken?vraag=x"}, True),
        ({"Referer": "https://elders.example/besluitbron.example"}, False),
        ({}, False),
    ],
)
def test_only_what_a_page_of_ours_sent_is_ours(headers: dict[str, str], own: bool) -> None:
    assert is_own(headers, "binnen.example:8000", SITE) is own
