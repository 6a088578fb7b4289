"""Keys of others, as their documents told them: kept for five minutes, fetched once for all who wait, never lost by a failure.

A document is known by its address, and keys by that and their name together: a key is never attributed to another (attack 7).
A new key is found at once, but no address is asked more than once a minute; an old one is gone as soon as a fetched document
lacks it (attack 5).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar
from urllib.parse import urlsplit

import structlog

from admission.fetch import Failure, Fetch, FetchError
from admission.proofs import strict
from admission.proofs.identities import Client
from admission.proofs.keys import MOST_SET, KeySet, UnusableKeyError, key_set
from admission.targets import BadTargetError, Target
from throttling.store import StoreLostError

log = structlog.get_logger(__name__)
_T = TypeVar("_T")
FRESH: Final = 300.0
"""Seconds that a document is taken as it was fetched."""
AGAIN: Final = 60.0
"""Seconds after an attempt before the next one at the same address, whatever came of it."""
SOON: Final = 5.0
"""Seconds after which it is tried again where no worker answered."""
MOST_CARD: Final = 5_120
"""Bytes of the document of a client."""
MOST_DOCUMENTS: Final = 500
"""How many addresses are remembered; who was asked for longest ago goes first."""
MOST_AT_ONCE: Final = 8
MOST_OF_HOST: Final = 10
"""Fetches from one host in a minute, however many documents it has."""


class NoKeysError(Exception):
    """There are no keys to look at: the document cannot be had, or is none."""


class KeysLaterError(StoreLostError):
    """There are no keys to look at now, because of us: the worker that fetches them did not answer."""


@dataclass(slots=True)
class _Entry(Generic[_T]):
    """What is known of one address. ``tried``: when it was last asked; ``got``: when that was answered with a document.

    ``away``: nobody of ours asked it.
    """

    value: _T | None = None
    tried: float = float("-inf")
    got: float = float("-inf")
    away: bool = False
    asking: asyncio.Task[None] | None = None


@dataclass(frozen=True, slots=True)
class _Card:
    """The document of a client: its keys, or where they are."""

    keys: KeySet | None
    keys_at: str


@dataclass(slots=True)
class _Shelf(Generic[_T]):
    """Documents of one kind, by address."""

    read: Callable[[str, bytes], _T]
    most: int
    entries: OrderedDict[str, _Entry[_T]] = field(default_factory=OrderedDict)


class Documents:
    """Documents with keys. ``fetch`` as ``admission.fetch.Fetcher``; ``clock``: seconds that only go on."""

    def __init__(self, fetch: Fetch, clock: Callable[[], float]) -> None:
        self._fetch = fetch
        self._clock = clock
        self._sets = {use: _Shelf(_set_reader(use), MOST_SET) for use in ("sig", "jwt-svid")}
        self._cards = _Shelf(_card, MOST_CARD)
        self._places = asyncio.Semaphore(MOST_AT_ONCE)
        self._hosts: OrderedDict[str, deque[float]] = OrderedDict()

    async def keys(self, url: str, kid: str | None, use: str = "sig") -> KeySet:
        """The keys at an address, fetched anew when ``kid`` is not among them and it may be asked.

        Raises ``NoKeysError`` and ``KeysLaterError``.
        """
        return await self._get(self._sets[use], url, lambda keys: kid is None or keys.find(kid) is not None)

    async def client(self, client_id: str, kid: str | None, allows: Callable[[str], bool]) -> Client:
        """A client with the keys of its own document. ``allows`` says of a host whether it may be asked.

        Raises ``NoKeysError`` and ``KeysLaterError``.
        """
        _check(client_id, allows)
        card = await self._get(
            self._cards, client_id, lambda one: one.keys is None or kid is None or one.keys.find(kid) is not None
        )
        if card.keys is not None:
            return Client(client_id=client_id, keys=card.keys)
        _check(card.keys_at, allows)
        return Client(client_id=client_id, keys=await self.keys(card.keys_at, kid))

    async def _get(self, shelf: _Shelf[_T], url: str, serves: Callable[[_T], bool]) -> _T:
        entry = shelf.entries.setdefault(url, _Entry())
        shelf.entries.move_to_end(url)
        while len(shelf.entries) > MOST_DOCUMENTS:
            shelf.entries.popitem(last=False)
        now = self._clock()
        wanted = entry.value is None or now - entry.got >= FRESH or not serves(entry.value)
        if wanted and entry.asking is None and now - entry.tried >= AGAIN and self._spares(url, now):
            entry.tried = now
            entry.asking = asyncio.get_running_loop().create_task(self._ask(shelf, url, entry))
        if wanted and entry.asking is not None:
            await asyncio.wait({entry.asking})  # whoever goes away in between takes it from nobody else
        if entry.value is None:
            raise KeysLaterError("no worker") if entry.away else NoKeysError
        return entry.value

    def _spares(self, url: str, now: float) -> bool:
        """Whether its host may be asked once more; that is noted."""
        host = urlsplit(url).hostname or ""
        asked = self._hosts.setdefault(host, deque(maxlen=MOST_OF_HOST))
        self._hosts.move_to_end(host)
        while len(self._hosts) > MOST_DOCUMENTS:
            self._hosts.popitem(last=False)
        if len(asked) == MOST_OF_HOST and now - asked[0] < AGAIN:
            return False
        asked.append(now)
        return True

    async def _ask(self, shelf: _Shelf[_T], url: str, entry: _Entry[_T]) -> None:
        """Fetch one document. What cannot be had or read leaves what was there."""
        try:
            async with self._places:
                document = await self._fetch(url, shelf.most)
            entry.value = shelf.read(url, document)
            entry.got, entry.away = self._clock(), False
        except (FetchError, UnusableKeyError, NoKeysError) as failure:
            log.warning("key_document_unusable", failure=type(failure).__name__, why=str(failure))
            entry.away = isinstance(failure, FetchError) and failure.failure is Failure.WORKER
            if entry.away:  # it was not asked, and may be as soon as somebody can
                entry.tried = self._clock() - AGAIN + SOON
        finally:
            entry.asking = None


def _check(url: str, allows: Callable[[str], bool]) -> None:
    try:
        target = Target.of(url)
    except BadTargetError as failure:
        raise NoKeysError from failure
    if target.url != url or not allows(target.host):
        raise NoKeysError


def _set_reader(use: str) -> Callable[[str, bytes], KeySet]:
    return lambda _, document: key_set(document, use=use)


def _card(url: str, document: bytes) -> _Card:
    """Raises ``NoKeysError`` and ``UnusableKeyError``: another's document, a shared secret, or no keys."""
    told = strict.members(document)
    if (
        told is None
        or told.get("client_id") != url
        or not {"client_secret", "client_secret_expires_at"}.isdisjoint(told)
    ):
        raise NoKeysError
    if told.get("token_endpoint_auth_method") != "private_key_jwt":
        raise NoKeysError
    keys, at = told.get("jwks"), told.get("jwks_uri")
    if isinstance(keys, dict) and at is None and (found := key_set(strict.dump(keys))).keys:
        return _Card(found, "")
    if isinstance(at, str) and keys is None:
        return _Card(None, at)
    raise NoKeysError
