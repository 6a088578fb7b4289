"""The public lane: what shows no contract, classified and counted in the process, behind the incoming limits (choice A5).

No store call and no event of its own. What people do on pages goes on as it always did; what changes state by the API or over
MCP needs a contract, and hears what it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from admission.asked import Asked, id_of, is_mcp, single, tools_called
from admission.doorkeeper import Doorkeeper, doorkeeper
from admission.edge import Reason
from admission.middleware import HELD
from admission.operations import SAFE, UNKNOWN, Operation
from admission.refusing import Refusal, Refusing, needed
from throttling.admitted import admitted
from throttling.bodies import again, read_body
from throttling.middleware import Paths
from throttling.work import Access

log = structlog.get_logger(__name__)
_FOR_PROGRAMS: Final = ("/api/", "/mcp/")
"""Where no person comes: there a change of state needs a contract."""
_NOTHING: Final = Operation("", Access.READ)


class PublicLane:
    """ASGI middleware: the last before the origin. It says of a call under a contract that the origin was reached."""

    def __init__(self, app: ASGIApp, refusing: Refusing, free: Sequence[str]) -> None:
        self._app = app
        self._refusing = refusing
        self._free = Paths(free)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand one request on, or refuse it."""
        held = scope.get(HELD)
        if held is not None:
            held.reached = True
        elif scope["type"] == "http" and admitted(scope) is None and scope["path"] not in self._free:
            handed = await self._anonymous(scope, receive, send)
            if handed is None:
                return
            receive = handed
        await self._app(scope, receive, send)

    async def _anonymous(self, scope: Scope, receive: Receive, send: Send) -> Receive | None:
        """What the origin reads on; None when it was refused."""
        keeper = doorkeeper(scope)
        path, method, body = scope["path"], scope["method"], b""
        if is_mcp(path) and method == "POST":
            body, failed = await read_body(scope["headers"], receive)
            if failed is not None:  # bounded before by the limits: the origin says so
                return receive
            receive = again(body, receive)
            operation, refused = _called(keeper, body)
        else:
            operation, refused = _routed(keeper, path, method)
        keeper.telling.anonymous(operation, refused=refused)
        if not refused:
            return receive
        message = single(body) or {}
        asked = Asked(operation=operation, path=path)
        refusal = Refusal(reason=Reason.TOKEN_REQUIRED, about=id_of(message), more=needed(asked))
        await self._refusing.write(scope, send, refusal)
        return None


def _called(keeper: Doorkeeper, body: bytes) -> tuple[Operation, bool]:
    """The operation of what a body calls, and whether it needs a contract. A name that is no tool the origin refuses."""
    operations = keeper.gatehouse.operations
    known = [UNKNOWN if name is None else operations.declared_tool(name) for name in tools_called(body)]
    writes = [operation for operation in known if operation is not None and operation.access is Access.WRITE]
    if writes:
        return writes[0], True
    return next((operation for operation in known if operation is not None), _NOTHING), False


def _routed(keeper: Doorkeeper, path: str, method: str) -> tuple[Operation, bool]:
    try:
        declared = keeper.gatehouse.operations.declared(method, path)
    except Exception:  # the origin, which reads addresses in the same way, says that it is broken
        log.exception("edge_not_classified")
        return UNKNOWN, path.startswith(_FOR_PROGRAMS) and method not in SAFE
    if declared is None:
        return UNKNOWN if method not in SAFE else _NOTHING, False
    if declared.access is Access.WRITE:
        return declared, path.startswith(_FOR_PROGRAMS) and method != "OPTIONS"
    return declared if method in SAFE else UNKNOWN, False
