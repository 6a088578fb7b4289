"""Documents of others are fetched by the worker: asked for over the broker, answered through the store (attack 6)."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pytest_django import Settings

from admission.documents import AGAIN, SOON, Documents, KeysLaterError
from admission.fetch import Failure, Fetch, FetchError
from admission.fetching import ByWorker, system_fetcher
from admission.tasks import fetch_document
from tests.support.elsewhere import Elsewhere, Page, elsewhere
from tests.support.valkey import Valkey
from throttling.store import Store

pytestmark = pytest.mark.anyio
HOST = "sleutels.voorbeeld.nl"
URL = f"https://{HOST}/jwks.json"
WEB: list[Elsewhere] = []


@asynccontextmanager
async def fetcher_of_a_test() -> AsyncIterator[Fetch]:
    """The real fetcher, on the web of this test."""
    yield WEB[-1].fetcher()


class Worker:
    """A worker in a thread, as the broker would have one; ``away``: nobody takes what is sent."""

    def __init__(self) -> None:
        self.away = False
        self.sent: list[tuple[str, ...]] = []

    def send(self, task: str, *arguments: str) -> None:
        assert task == fetch_document.name
        self.sent.append(arguments)
        if not self.away:
            threading.Thread(target=fetch_document, args=arguments).start()


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[Elsewhere]:
    async with elsewhere(tmp_path, HOST) as one:
        one.pages[URL] = Page(b'{"keys":[]}')
        WEB.append(one)
        yield one
        WEB.pop()


@pytest.fixture
def worker(settings: Settings, valkey: Valkey) -> Worker:
    settings.STATE_STORE = valkey.address
    settings.ADMISSION_FETCHER = f"{__name__}.fetcher_of_a_test"
    return Worker()


async def failure(fetch: Fetch, url: str = URL, most: int = 100) -> Failure:
    with pytest.raises(FetchError) as failed:
        await fetch(url, most)
    return failed.value.failure


async def test_a_document_comes_by_way_of_the_worker(store: Store, worker: Worker, web: Elsewhere) -> None:
    assert await ByWorker(store, worker.send)(URL, 100) == b'{"keys":[]}'
    assert web.asked == [URL]
    assert len(worker.sent) == 1


async def test_the_worker_fetches_from_nowhere_inside_and_says_why(
    store: Store, worker: Worker, web: Elsewhere
) -> None:
    """Attack 6: the rules are those of whoever dials."""
    fetch = ByWorker(store, worker.send)
    web.names[HOST] = [["10.0.0.5"]]
    assert await failure(fetch) is Failure.REFUSED
    assert await failure(fetch, "https://127.0.0.1/d") is Failure.REFUSED
    assert (len(worker.sent), web.dialled) == (1, []), "what may never be asked is not even sent"
    web.names[HOST] = [["93.184.216.34"]]
    assert await failure(fetch, most=3) is Failure.SIZE
    web.pages[URL] = Page(status="302 Found", headers={"Location": "https://elders.example/"})
    assert await failure(fetch) is Failure.STATUS


async def test_without_a_worker_it_is_our_fault_and_may_be_tried_soon(
    store: Store, worker: Worker, web: Elsewhere
) -> None:
    moment = [1000.0]
    documents = Documents(ByWorker(store, worker.send, 0.05), lambda: moment[0])
    worker.away = True
    for _ in range(2):
        with pytest.raises(KeysLaterError):
            await documents.keys(URL, None)
    assert len(worker.sent) == 1
    worker.away = False
    moment[0] += SOON
    documents._fetch = ByWorker(store, worker.send)
    assert (await documents.keys(URL, None)).keys == {}
    worker.away = True
    moment[0] += 10 * AGAIN
    documents._fetch = ByWorker(store, worker.send, 0.05)
    assert (await documents.keys(URL, None)).keys == {}, "what was there holds on"


async def test_a_task_that_comes_too_late_does_nothing(worker: Worker, web: Elsewhere) -> None:
    await_nobody = "1.0"
    fetch_document(URL, "100", "toelating-document:x", await_nobody)
    assert web.asked == []


@pytest.mark.parametrize(
    "message", ["", "{", "[]", "1", '{"document": 1}', '{"document": "*"}', '{"failure": "zomaar"}', "{}"]
)
async def test_an_answer_that_is_none_is_no_document(store: Store, message: str) -> None:
    kept: list[str] = []

    class Answering(Store):
        async def next_message(self, key: str, seconds: float) -> str | None:
            kept.append(key)
            return message

    fetch = ByWorker(Answering("unix:///nergens"), lambda *_: None)
    assert await failure(fetch) is Failure.WORKER
    assert len(kept) == 1


async def test_a_broker_that_is_away_is_our_fault(store: Store) -> None:
    def send(*_: str) -> None:
        raise ConnectionError

    assert await failure(ByWorker(store, send)) is Failure.WORKER


async def test_the_worker_of_the_product_looks_before_it_dials() -> None:
    """The private-address rule stands in the fetcher that the settings name."""
    async with system_fetcher() as fetch:
        assert await failure(fetch, "https://127.0.0.1/d") is Failure.REFUSED
