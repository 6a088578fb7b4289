"""Readers of the pages are told apart, and where they come from is nowhere to be found."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as product_settings
from pytest_django import Settings

from search.federation import Federation
from throttling.callers import Caller, Callers
from throttling.daily_key import DayKey

pytestmark = pytest.mark.anyio
ONE, OTHER = "203.0.113.77", "203.0.113.78"


@pytest.fixture
def askers(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[Caller]:
    """Who asked, when this machine is a proxy of ours."""
    key = DayKey(product_settings.LAYOUT.day_key)
    settings.CALLERS = Callers(key, (ip_network("127.0.0.1/32"),))
    heard: list[Caller] = []
    real = Federation.asking

    def asking(self: Federation, query: Any, platforms: Any, caller: Caller) -> AbstractAsyncContextManager[Any]:
        heard.append(caller)
        return real(self, query, platforms, caller)

    monkeypatch.setattr(Federation, "asking", asking)
    return heard


async def test_readers_are_told_apart_without_a_cookie_and_no_address_stands_in_a_log_a_file_or_a_key(
    product: Any, askers: list[Caller], caplog: pytest.LogCaptureFixture
) -> None:
    for address in (ONE, ONE, OTHER):
        page = await product.site.get(
            "/zoeken", params={"vraag": "warmtenet", "platform": "rechtspraak"}, headers={"X-Forwarded-For": address}
        )
        assert page.status_code == 200
        assert "set-cookie" not in page.headers
        assert address not in page.text
    one, again, other = askers
    assert one == again
    assert one.visitor != other.visitor
    assert one.is_house
    kept = caplog.text + in_the_data_folder() + repr(askers)
    assert one.visitor in kept
    assert "request_answered" in kept
    assert ONE not in kept
    assert OTHER not in kept


def in_the_data_folder() -> str:
    """Everything that any file of this installation holds."""
    folder: Path = product_settings.LAYOUT.data
    return "".join(file.read_bytes().decode("latin-1") for file in folder.rglob("*") if file.is_file())
