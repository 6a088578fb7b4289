"""A proxy that nobody named makes everybody one asker: operators hear so, and no address is told."""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_network

import pytest
from starlette.types import Message, Receive, Scope, Send

from besluitbron.doors import FREE
from besluitbron.unnamed_proxies import ProxyWatch
from connectors.moments import now
from reports.minutes import merged
from reports.signals import SEEN, Seen
from reports.watching import AlarmKind, unnamed_proxy
from tests.product.conftest import Product

pytestmark = pytest.mark.anyio
AT = now().replace(second=0, microsecond=0)
PASSED_ON = (b"X-Forwarded-For", b"192.0.2.7")
OTHER_WAY = (b"forwarded", b"for=192.0.2.7")


async def rings(*asked: tuple[str, tuple[tuple[bytes, bytes], ...]], path: str = "/zoeken") -> bool:
    """Whether these requests, by peer and headers, ring the alarm."""
    seen = Seen()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        return None

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        del message

    watch = ProxyWatch(app, seen, lambda: (ip_network("10.0.0.0/8"),), FREE)
    for peer, headers in asked:
        scope = {"type": "http", "path": path, "client": (peer, 1) if peer else None, "headers": headers}
        await watch(scope, receive, send)
    alarms = list(unnamed_proxy(merged([(AT, seen.take_minute())])))
    assert all("192.0.2" not in alarm.words and "127.0.0.1" not in alarm.words for alarm in alarms)
    return [alarm.kind for alarm in alarms] == [AlarmKind.PROXY]


async def test_most_requests_by_a_proxy_that_nobody_named_ring_and_a_few_that_say_so_do_not() -> None:
    by_it, straight = ("127.0.0.1", (PASSED_ON,)), ("198.51.100.1", ())
    assert await rings(*[by_it] * 20)
    assert await rings(*[("", (OTHER_WAY,))] * 20)
    assert await rings(*[by_it] * 11, *[straight] * 9)
    assert not await rings(*[by_it] * 10, *[straight] * 10), "one who makes the header up is no proxy"
    assert not await rings(*[by_it] * 19)
    assert not await rings(*[("10.1.2.3", (PASSED_ON,))] * 20), "it is named"
    assert not await rings(*[by_it] * 20, path="/gezondheid/leeft")


def test_minutes_of_all_processes_count_together_and_old_ones_no_more() -> None:
    half = {"ways": [10, 10]}
    assert list(unnamed_proxy(merged([(AT, half), (AT, half)])))
    later = [(AT + timedelta(minutes=n), {"ways": [2, 0]}) for n in range(1, 11)]
    assert not list(unnamed_proxy(merged([(AT, half), (AT, half), *later])))
    assert not list(unnamed_proxy(merged([(AT, {"counts": {}}), (AT, {"ways": [1, 2, 3]})])))


@pytest.mark.django_db(transaction=True)
async def test_the_page_on_health_notes_it_for_an_operator_and_stays_as_it_was(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    SEEN.take_minute()
    monkeypatch.setattr(SEEN, "past", type(SEEN.past)(maxlen=60))
    before = await product.site.get("/gezondheid/klaar")
    assert before.json()["opmerkingen"] == []
    for _ in range(20):
        await product.site.get("/privacy", headers={"X-Forwarded-For": "192.0.2.7"})
    SEEN.past.append((AT, SEEN.take_minute()))
    after = await product.site.get("/gezondheid/klaar")
    [note] = after.json()["opmerkingen"]
    assert "BESLUITBRON_PROXIES" in note
    assert "192.0.2.7" not in after.text
    assert after.status_code == before.status_code
