"""What ``manage.py overspoel`` works with, by the settings: the turns of the running product, and the way to a stand-in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from django.conf import settings

from besluitbron.composition import addresses, open_reach, registry
from connectors.addresses import PlatformMode
from connectors.flooding import Tools
from connectors.http import Http, user_agent


class LiveError(Exception):
    """A live platform is never flooded."""


@asynccontextmanager
async def open_flood(platform: str) -> AsyncIterator[Tools]:
    """The tools for a flood at ``platform``. Raises ``LiveError`` and ``KeyError``."""
    where = addresses()
    if where.mode is not PlatformMode.STAND_INS:
        raise LiveError
    connector = registry(where).get(platform)
    if connector is None:
        raise KeyError(platform)
    agent = user_agent(settings.VERSION, settings.CONTACT_ADDRESS)
    async with open_reach() as reach, Http((connector.platform,), where, agent) as http:
        yield Tools(connector, reach.turns, http)
