"""One ASGI app that serves all stand-ins: ``/<platform>/<service>/…``, each in its platform's own wire format.

``GET /_stand/<key>`` tells what one has counted, ``POST /_stand/<key>`` changes how it behaves. A stand-in counts with its
own plain counter, never with code from ``throttling/``: it must be able to catch our mistakes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from connectors.platforms import Platform

NONSENSE = (
    '<!DOCTYPE html>\n<html lang="nl"><head><title>Even geduld</title></head><body><h1>Even geduld</h1></body></html>\n'
)
_MAX_SECONDS = 600.0


class Condition(StrEnum):
    """How a stand-in behaves; the values of ``staat`` at the control address."""

    GOOD = "goed"
    SLOW = "traag"
    DEAD = "dood"
    FULL = "vol"
    MAINTENANCE = "onderhoud"
    NONSENSE = "onzin"


@dataclass(slots=True)
class Counter:
    """What a stand-in has counted since it started."""

    calls: int = 0
    units: float = 0.0
    refusals: int = 0


class StandIn(Protocol):
    """What a platform's ``standin.py`` offers."""

    @property
    def key(self) -> str:
        """The platform's key."""
        ...

    @property
    def counter(self) -> Counter:
        """Its own plain counter. The app counts ``calls``; the stand-in counts ``units`` and ``refusals``."""
        ...

    def routes(self) -> list[BaseRoute]:
        """Its routes below ``/<key>``: the first segment is the service's key."""
        ...

    def full(self) -> Response:
        """What the platform answers when it is asked too much, in its own words."""
        ...

    def maintenance(self) -> Response:
        """What the platform answers during maintenance, in its own words."""
        ...


class CountingStandIn:
    """What all stand-ins share: which platform each is, and its own plain counter."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._counter = Counter()

    @property
    def key(self) -> str:
        """The platform's key."""
        return self._platform.key

    @property
    def counter(self) -> Counter:
        """Its own plain counter: one unit a call, unless the platform has a price list."""
        return self._counter


@dataclass(slots=True)
class _State:
    condition: Condition = Condition.GOOD
    seconds: float = 5.0


class _Behaviour:
    """ASGI middleware around one stand-in that makes it slow, dead, full, in maintenance, or answer nonsense."""

    def __init__(self, app: ASGIApp, stand_in: StandIn) -> None:
        self.app = app
        self.stand_in = stand_in
        self.state = _State()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match self.state.condition:
            case Condition.SLOW:
                await asyncio.sleep(self.state.seconds)
                await self.app(scope, receive, send)
            case Condition.FULL:
                self.stand_in.counter.refusals += 1
                await self.stand_in.full()(scope, receive, send)
            case Condition.MAINTENANCE:
                await self.stand_in.maintenance()(scope, receive, send)
            case Condition.NONSENSE:
                await HTMLResponse(NONSENSE)(scope, receive, send)
            case Condition.GOOD | Condition.DEAD:
                await self.app(scope, receive, send)


def _reset(send: Send) -> None:
    """Break the connection off without an answer: the server's transport hangs on the bound ``send``."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is None:
        raise ConnectionResetError
    transport.abort()


class _Control:
    """The control address."""

    def __init__(self, behaviours: dict[str, _Behaviour]) -> None:
        self.behaviours = behaviours

    async def show(self, request: Request) -> Response:
        behaviour = self.behaviours.get(request.path_params["key"])
        if behaviour is None:
            return JSONResponse({"fout": "onbekend platform", "platforms": sorted(self.behaviours)}, 404)
        counter = behaviour.stand_in.counter
        return JSONResponse(
            {
                "platform": behaviour.stand_in.key,
                "staat": behaviour.state.condition,
                "seconden": behaviour.state.seconds,
                "aanroepen": counter.calls,
                "eenheden": round(counter.units, 3),
                "weigeringen": counter.refusals,
            }
        )

    async def change(self, request: Request) -> Response:
        behaviour = self.behaviours.get(request.path_params["key"])
        if behaviour is None:
            return await self.show(request)
        try:
            wanted = await request.json()
            condition = Condition(wanted["staat"])
            seconds = float(wanted.get("seconden", 5))
        except (ValueError, TypeError, KeyError, AttributeError):
            return JSONResponse({"fout": 'verwacht {"staat": …, "seconden": …}', "staten": list(Condition)}, 400)
        if not 0 <= seconds <= _MAX_SECONDS:
            return JSONResponse({"fout": f"seconden moet tussen 0 en {_MAX_SECONDS:.0f} liggen"}, 400)
        behaviour.state = _State(condition, seconds)
        return await self.show(request)


class StandIns:
    """The app that serves stand-ins and their control address.

    It is the outermost layer, because a connection can be broken off only where the server's own ``send`` is at hand.
    """

    def __init__(self, stand_ins: Iterable[StandIn]) -> None:
        self._behaviours = {s.key: _Behaviour(Starlette(routes=s.routes()), s) for s in stand_ins}
        control = _Control(self._behaviours)
        self._app = Starlette(
            routes=[
                Route("/_stand/{key}", control.show, methods=["GET"]),
                Route("/_stand/{key}", control.change, methods=["POST"]),
                *(Mount(f"/{key}", app=behaviour) for key, behaviour in self._behaviours.items()),
            ]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a call to a platform, and break it off when that platform is dead."""
        path = str(scope.get("path", "/"))
        behaviour = self._behaviours.get(path.split("/")[1] if "/" in path else "")
        if behaviour is not None:
            behaviour.stand_in.counter.calls += 1
            if behaviour.state.condition is Condition.DEAD:
                _reset(send)
                return
        await self._app(scope, receive, send)
