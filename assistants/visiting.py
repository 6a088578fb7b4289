"""How a request at an endpoint becomes a visit: who asks, what the lifespan opened, and where to tell how it fares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mcp.server.context import ServerRequestContext

from assistants.posted import Posted
from assistants.tool import Tell, Visit
from throttling.callers import Caller

Visiting = Callable[[Mapping[str, Any], Caller, Tell], Visit]
"""Makes the visit of a call, of what the lifespan opened, who asks, and where to tell how it fares."""


def posted_of(context: ServerRequestContext[Any, Posted]) -> Posted:
    """The POST that a handler of the SDK answers."""
    assert context.request is not None, "every request comes in by an endpoint"
    return context.request


def visit_of(context: ServerRequestContext[Any, Posted], visiting: Visiting) -> Visit:
    """The visit for one request."""
    posted = posted_of(context)
    return visiting(posted.state, posted.asked.caller, _teller(context))


def _teller(context: ServerRequestContext[Any, Posted]) -> Tell:
    """Progress only ever goes up, so it counts what was told."""
    told = 0

    async def tell(text: str) -> None:
        nonlocal told
        told += 1
        await context.session.report_progress(told, message=text)

    return tell
