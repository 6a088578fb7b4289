"""How the parts are put together.

One function that opens what asks the platforms, for web, terminal and workers alike.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from django.conf import settings

from connectors.addresses import Addresses
from connectors.buffer import NoBuffer
from connectors.client import Client
from connectors.http import Http, user_agent
from connectors.moments import now
from connectors.platforms import PLATFORMS
from connectors.registry import default_registry
from search.federation import Federation, Patience
from search.register import Register
from throttling.pause import paused_after
from throttling.process_turns import ProcessTurns, ServiceLimits
from throttling.turns import Turns

# What each may use of a limit. Runs of the terminal go one at a time with a pause between (``throttling.pause``): in any
# window they charge at most twice their share, so that all together stay within the limit (docs/besluiten/0005).
WEB_SHARE = 0.7
TERMINAL_SHARE = 0.15


def addresses() -> Addresses:
    """Where the platforms and our own pages are, by the settings."""
    return Addresses(
        mode=settings.PLATFORM_MODE, stand_ins=settings.STAND_INS_ADDRESS.rstrip("/"), pages=settings.SITE_ADDRESS
    )


def process_turns(share: float) -> ProcessTurns:
    """Turns at all services, for a process that may use ``share`` of each limit."""
    services = {
        f"{platform.key}/{service.key}": ServiceLimits(service.in_flight, service.limit)
        for platform in PLATFORMS
        for service in platform.services
    }
    return ProcessTurns(services, share=share)


@asynccontextmanager
async def open_federation(turns: Turns) -> AsyncIterator[Federation]:
    """A federation with its HTTP clients, open for as long as the context lasts."""
    where = addresses()
    registry = default_registry(where)
    async with AsyncExitStack() as stack:
        agent = user_agent(settings.VERSION, settings.CONTACT_ADDRESS)
        http = await stack.enter_async_context(Http((c.platform for c in registry), where, agent))
        client = Client(http=http, buffer=NoBuffer(), turns=turns, addresses=where)
        stack.push_async_callback(client.aclose)
        yield Federation(
            connectors=tuple(registry),
            client=client,
            register=Register.of(connector.organisations() for connector in registry),
            patience=Patience(after_sent=settings.PATIENCE_SECONDS, page=settings.PAGE_SECONDS),
        )


@asynccontextmanager
async def terminal_federation(tell: Callable[[float], None]) -> AsyncIterator[Federation]:
    """The federation of one command; ``tell`` hears how long it waits for what an earlier command used."""
    turns = process_turns(TERMINAL_SHARE)

    def clock() -> float:
        return now().timestamp()

    async with paused_after(turns, settings.LAYOUT.terminal_pause, clock, tell), open_federation(turns) as federation:
        yield federation
