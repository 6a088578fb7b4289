"""The edge put together with what only this room knows: what things cost here, and where requests come from."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qsl

from django.conf import settings
from starlette.types import ASGIApp, Scope

from admission.asked import Asked
from admission.middleware import Edge, Rules
from admission.public_lane import PublicLane
from admission.refusing import Refusing
from assistants.places import path, speaks_for
from besluitbron.doors import FREE
from besluitbron.language import in_their_language
from connectors.platforms import PLATFORMS
from throttling.load_progress import FIRST_SIZE
from throttling.store import wall
from throttling.work import Cost

OWN_PROOFS: Final = ("/admission/", "/.well-known/")
"""What reads the proofs of its askers by itself: whoever comes there has no token yet."""
METHODS: Final[Mapping[str, str]] = MappingProxyType({"resources/read": "lezen"})
"""Methods of MCP beside ``tools/call`` that may ask a source, with their operations."""
_BY_PLATFORM: Final = frozenset({Cost.PLATFORMS, Cost.YEARS})
_KEYS: Final = frozenset(platform.key for platform in PLATFORMS)
_SPEAKS_FOR: Final = {path(name): frozenset(keys) for name, keys in speaks_for().items()}


def refusing() -> Refusing:
    """How refusals of the edge are written here."""
    return Refusing(settings.SITE_ADDRESS, in_their_language, wall)


def at_the_edge(app: ASGIApp) -> Edge:
    """Decides about every request under a contract, before ``app``."""
    free = (*FREE, *OWN_PROOFS)
    rules = Rules(refusing=refusing(), free=free, cost=units, source=_source, methods=METHODS)
    return Edge(app, rules)


def public_lane(app: ASGIApp) -> PublicLane:
    """The lane of who shows no contract, right before ``app``."""
    return PublicLane(app, refusing(), FREE)


def units(asked: Asked) -> int:
    """What a request costs (choice A3): one for each platform that it names, or all; a report what one is foreseen to be.

    Names that are no platform count for nothing: the origin refuses them.
    """
    chosen = _platforms(asked) if asked.operation.cost in _BY_PLATFORM else frozenset()
    years = bool(asked.arguments.get("jaren"))
    return asked.operation.units(platforms=len(chosen), parts=FIRST_SIZE, years=years)


def _platforms(asked: Asked) -> frozenset[str]:
    there = _SPEAKS_FOR.get(asked.path.removesuffix("/"), _KEYS)
    if asked.is_message:
        given = asked.arguments.get("platforms")
        named = frozenset(one for one in given if isinstance(one, str)) if isinstance(given, list) else frozenset()
    else:
        pairs = parse_qsl(asked.query.decode("latin-1"), keep_blank_values=False, max_num_fields=None)
        named = frozenset(value for name, value in pairs if name == "platform")
    return named & there or there


def _source(scope: Scope) -> str:
    """A key for where a request comes from, of which no address can be read."""
    return str(settings.CALLERS.source(scope))
