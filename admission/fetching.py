"""Documents of others are fetched by the worker, and not by what serves the website (decision record 0031).

Asked for over the broker, answered through the store: a process that talks with strangers' servers holds no visitor's request
and none of our keys. Where no worker answers, that is our own fault, and whoever asked may come again.
"""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from admission.fetch import SECONDS, Failure, Fetch, Fetcher, FetchError, SystemResolver
from admission.targets import BadTargetError, Target
from throttling.store import Store, StoreLostError, monotonic, wall

TASK: Final = "admission.tasks.fetch_document"
PATIENCE: Final = SECONDS + 3.0
"""Seconds that an answer is waited for: the fetching itself, and until a worker has a hand free."""
_KEPT: Final = 10
"""Seconds that an answer lies there for who asked; nobody else knows where."""
_PREFIX: Final = "toelating-document:"


class ByWorker:
    """Has a worker fetch (``Fetch``). ``send`` sends a task to the background and raises ``OSError`` when it cannot."""

    def __init__(self, store: Store, send: Callable[..., Any], patience: float = PATIENCE) -> None:
        self._store = store
        self._send = send
        self._patience = patience

    async def __call__(self, url: str, most: int) -> bytes:
        """The document at an address, of ``most`` bytes at most. Raises ``FetchError``."""
        try:
            Target.of(url)
        except BadTargetError as failure:  # nobody is bothered with what may not be asked anyway
            raise FetchError(Failure.REFUSED) from failure
        key = f"{_PREFIX}{secrets.token_hex(16)}"
        until = repr(wall() + self._patience)
        try:
            await asyncio.to_thread(self._send, TASK, url, str(most), key, until)
            return _read(await self._heard(key), most)
        except (OSError, StoreLostError) as failure:
            raise FetchError(Failure.WORKER) from failure

    async def _heard(self, key: str) -> str:
        end = monotonic() + self._patience
        while (left := end - monotonic()) > 0:
            message = await self._store.next_message(key, left)
            if message is not None:
                return message
        raise FetchError(Failure.WORKER)


async def answer(store: Store, fetch: Fetch, url: str, most: int, key: str) -> None:
    """Fetch a document, and leave what came of it at ``key``. Raises ``StoreLostError``."""
    try:
        document = await fetch(url, most)
        told = {"document": base64.b64encode(document).decode()}
    except FetchError as failed:
        told = {"failure": failed.failure.value}
    await store.keep_message(key, json.dumps(told), 1, _KEPT)


@asynccontextmanager
async def system_fetcher() -> AsyncIterator[Fetcher]:
    """The one way to documents of others, by the resolver and the trusted certificates of this machine."""
    resolver = SystemResolver()
    try:
        yield Fetcher(resolve=resolver)
    finally:
        resolver.close()


def _read(message: str, most: int) -> bytes:
    """The document in a message. Raises ``FetchError``, also of what is no message of ours."""
    try:
        told = json.loads(message)
        if "failure" in told:
            raise FetchError(Failure(told["failure"]))
        document = base64.b64decode(told["document"], validate=True)
    except (ValueError, TypeError, KeyError) as failure:
        raise FetchError(Failure.WORKER) from failure
    if len(document) > most:
        raise FetchError(Failure.SIZE)
    return document
