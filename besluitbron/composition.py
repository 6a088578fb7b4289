"""How the parts are put together.

One function that opens what asks the platforms, for web, terminal and workers alike.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from django.utils.module_loading import import_string

from besluitbron.limits import queue_rules
from connectors.addresses import Addresses, PlatformMode
from connectors.buffering.cached import CachedBuffer
from connectors.calls import Ask
from connectors.client import Client
from connectors.connector import Connector
from connectors.errands import Unwatched
from connectors.http import Http, user_agent
from connectors.journey import Tools
from connectors.models import PlatformList, Takedown
from connectors.moments import now
from connectors.open_archivaris.field_map import FieldMap, read_field_map
from connectors.platforms import OPEN_ARCHIVARIS, PLATFORMS, TWEEDE_KAMER, Platform
from connectors.registry import Registry, default_registry
from connectors.takedowns import CurrentTakedowns
from connectors.upkeep import Tell, is_off
from search.federation import Federation, Patience
from search.lives import shipped_lives
from search.organisations import CurrentRegister, Kept
from throttling.breaker import StoreBreaker
from throttling.callers import house
from throttling.ending import end
from throttling.incoming import Incoming
from throttling.memory import Memory
from throttling.outgoing import Outgoing
from throttling.store import Store
from throttling.turns import Expected

log = structlog.get_logger(__name__)


def addresses() -> Addresses:
    """Where the platforms and our own pages are, by the settings."""
    given = {OPEN_ARCHIVARIS.key: settings.OPTIONS.archive.address, TWEEDE_KAMER.key: settings.OPTIONS.kamer.address}
    return Addresses(
        mode=settings.PLATFORM_MODE,
        stand_ins=settings.STAND_INS_ADDRESS.rstrip("/"),
        pages=settings.SITE_ADDRESS,
        given=tuple((key, address) for key, address in given.items() if address),
    )


def archive_fields() -> FieldMap | None:
    """The operator's field map of Open Archivaris; None for the proposed one, which is also what the stand-in speaks."""
    path = settings.OPTIONS.archive.fields
    if not path or settings.PLATFORM_MODE is not PlatformMode.LIVE:
        return None
    return read_field_map(Path(path).read_text(encoding="utf-8"))


def registry(where: Addresses) -> Registry:
    """All connectors, by the settings."""
    return default_registry(where, archive_fields(), settings.OPTIONS.kamer.version)


@dataclass(frozen=True, slots=True)
class Reach:
    """What a process needs before it may ask a platform anything: the store, turns in it, and the breakers it keeps."""

    store: Store
    turns: Outgoing
    breaker: StoreBreaker


@asynccontextmanager
async def open_reach() -> AsyncIterator[Reach]:
    """Turns at all services, shared with every other process of this product, open for as long as the context lasts."""
    memory: Memory = import_string(settings.TURNS_MEMORY)()
    rules = queue_rules(PLATFORMS, settings.OPTIONS.limits)
    async with Store(settings.STATE_STORE) as store, Outgoing(store, rules, memory) as turns:
        yield Reach(store, turns, StoreBreaker(store, settings.BREAKER_FAILURES, settings.BREAKER_SECONDS))


@asynccontextmanager
async def open_incoming(reach: Reach) -> AsyncIterator[Incoming]:
    """The limits on what comes in, by the settings, shared with every other process of this product."""
    async with Incoming(reach.store, settings.INCOMING_RULES) as incoming:
        yield incoming


@asynccontextmanager
async def open_client(platforms: Iterable[Platform], reach: Reach, where: Addresses) -> AsyncIterator[Client]:
    """What makes the calls to these platforms, open for as long as the context lasts."""
    async with (
        Http(platforms, where, user_agent(settings.VERSION, settings.CONTACT_ADDRESS)) as http,
        CachedBuffer(settings.BUFFER_KEYS, settings.BUFFER_RULES, now) as buffer,
    ):
        client = Client(
            Tools(
                http=http,
                buffer=buffer,
                turns=reach.turns,
                breaker=reach.breaker,
                addresses=where,
                version=settings.VERSION,
            )
        )
        try:
            yield client
        finally:
            await client.aclose()


@asynccontextmanager
async def open_federation(reach: Reach) -> AsyncIterator[Federation]:
    """A federation with its HTTP clients and the register as it is kept, open for as long as the context lasts."""
    where = addresses()
    connectors = tuple(registry(where))
    shipped = {connector.platform.key: connector.organisations() for connector in connectors}
    async with (
        open_client((c.platform for c in connectors), reach, where) as client,
        current_register(shipped) as register,
    ):
        yield Federation(
            connectors=connectors,
            client=client,
            register=register,
            patience=Patience(after_sent=settings.PATIENCE_SECONDS, page=settings.PAGE_SECONDS),
            off=frozenset(c.platform.key for c in connectors if is_off(c.platform, where)),
            takedowns=CurrentTakedowns(sync_to_async(kept_takedowns, thread_sensitive=False)),
        )


@asynccontextmanager
async def current_register(shipped: Kept) -> AsyncIterator[CurrentRegister]:
    """The register, which looks every minute whether upkeep wrote down new lists."""
    register = CurrentRegister(shipped, sync_to_async(kept_organisations, thread_sensitive=False), shipped_lives())
    await register.look()
    looking = asyncio.get_running_loop().create_task(register.keep_looking(settings.REGISTER_SECONDS))
    try:
        yield register
    finally:
        await end(looking)


def kept_organisations(seen: object) -> tuple[object, Kept] | None:
    """The kept lists when their stamp is another than ``seen``. A database that cannot be read is no reason not to search."""
    try:
        stamp = PlatformList.objects.stamp(settings.VERSION)
        return None if stamp == seen else (stamp, PlatformList.objects.organisations(settings.VERSION))
    except Exception as failure:  # noqa: BLE001 - whatever it is, the shipped lists stand
        log.warning("lists_unreadable", failure=type(failure).__name__)
        return None
    finally:
        connections.close_all()


def kept_takedowns() -> frozenset[tuple[str, str]] | None:
    """What was taken down; None when the database cannot be read."""
    try:
        return Takedown.known()
    except Exception as failure:  # noqa: BLE001 - whatever it is, what was known before stands
        log.warning("takedowns_unreadable", failure=type(failure).__name__)
        return None
    finally:
        connections.close_all()


class UpkeepHouse:
    """What maintenance works with (``connectors.upkeep.House``), by the settings."""

    def __init__(self) -> None:
        self._addresses = addresses()
        self.connectors: tuple[Connector, ...] = tuple(registry(self._addresses))

    def is_off(self, platform: Platform) -> bool:
        """Whether this platform has no address here."""
        return is_off(platform, self._addresses)

    @asynccontextmanager
    async def at(self, platform: Platform, tell: Tell) -> AsyncIterator[Ask]:
        """Calls at one platform, past the buffer; in each queue one call of all maintenance at a time (rule R10)."""
        async with open_reach() as reach, open_client((platform,), reach, self._addresses) as client:
            yield client.bind(platform, house(), Telling(tell), past_buffer=True)


class Telling(Unwatched):
    """A watch that passes on how long a call waits."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def waiting(self, expected: Expected) -> None:
        """A call waits for its turn."""
        self._tell(expected.seconds)


@asynccontextmanager
async def terminal_federation() -> AsyncIterator[Federation]:
    """The federation of one command."""
    async with open_reach() as reach, open_federation(reach) as federation:
        yield federation
