"""A refusal as it goes out: a problem in HTTP (RFC 9457), and an error of JSON-RPC with the problem as its data over MCP.

Before a key is proven, nothing is told but the kind of problem (attack 19 of the study).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

from starlette.types import Scope, Send

from admission.asked import HEADER_MISMATCH, Asked, Id, is_mcp
from admission.edge import Reason
from admission.problems import OF_REASON
from throttling.middleware import Printed, machine_refusal, rpc_refusal, send_whole
from throttling.problems import Problem

DISCOVERY: Final = "/.well-known/admission-contract"
PROTECTED: Final = "/.well-known/oauth-protected-resource"
"""Where the metadata of this site begins (RFC 9728); of an endpoint its path follows."""
NEGOTIATE: Final = frozenset({Reason.CONTRACT_EXPIRED, Reason.QUOTA_EXHAUSTED})
"""After these a new contract is what helps."""
_ALGORITHMS: Final = "Ed25519 ES256"
_ERRORS: Final = {Reason.TOKEN_INVALID: "invalid_token", Reason.PROOF_INVALID: "invalid_dpop_proof"}
UNKEPT: Final = (b"cache-control", b"private, no-store")
"""The field of every answer under a contract, and of every refusal: nobody keeps it for others."""

Headers = tuple[tuple[bytes, bytes], ...]
Say = Callable[[Scope, str], str]
"""A Dutch text in the language that whoever made a request reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a request is refused. ``more``: members for who has proven a key. ``about``: the message that it answers.

    ``disagrees``: what MCP itself has a code for.
    """

    reason: Reason
    retry_after: int = 0
    about: Id = None
    disagrees: bool = False
    more: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


class Refusing:
    """Writes refusals. ``site``: the address of this site; ``clock``: seconds since 1970."""

    def __init__(self, site: str, say: Say, clock: Callable[[], float]) -> None:
        self._site = site
        self._say = say
        self._clock = clock

    async def write(self, scope: Scope, send: Send, refusal: Refusal, headers: Headers = ()) -> None:
        """A whole answer."""
        status = self.status(refusal)
        body = self.body(scope, refusal)
        kind = b"application/json" if is_mcp(scope["path"]) else b"application/problem+json"
        fields = [UNKEPT, *headers]
        if refusal.retry_after:
            fields.append((b"retry-after", b"%d" % refusal.retry_after))
        if status is HTTPStatus.UNAUTHORIZED:
            fields.append((b"www-authenticate", self._challenge(scope, refusal.reason)))
        if refusal.reason is Reason.PUBLIC_LIMIT:
            fields.append((b"link", f'<{self._site}{DISCOVERY}>; rel="service-meta"; type="application/json"'.encode()))
        await send_whole(scope, send, status, Printed(kind, body), tuple(fields))

    async def unread(self, scope: Scope, send: Send, failed: Problem) -> None:
        """The answer to a body that cannot be read: of what it asks nothing is known."""
        printing = (rpc_refusal if is_mcp(scope["path"]) else machine_refusal)(self._site, self._say)
        await send_whole(scope, send, failed.kind.status, printing(failed, scope, b""), (UNKEPT,))

    @staticmethod
    def status(refusal: Refusal) -> HTTPStatus:
        """The status of the answer."""
        return HTTPStatus.BAD_REQUEST if refusal.disagrees else OF_REASON[refusal.reason].status

    def body(self, scope: Scope, refusal: Refusal) -> bytes:
        """What is told, in the form of where it was asked."""
        told = self.problem(scope, refusal)
        if not is_mcp(scope["path"]):
            return _written(told)
        code = HEADER_MISMATCH if refusal.disagrees else OF_REASON[refusal.reason].code
        error = {"code": code, "message": told["detail"], "data": told}
        return _written({"jsonrpc": "2.0", "id": refusal.about, "error": error})

    def last_event(self, scope: Scope, refusal: Refusal) -> bytes:
        """The last of a stream of events that had begun: over MCP the error of its request, elsewhere the problem."""
        name = b"message" if is_mcp(scope["path"]) else b"geweigerd"
        return b"event: %b\ndata: %b\n\n" % (name, self.body(scope, refusal))

    def problem(self, scope: Scope, refusal: Refusal) -> dict[str, Any]:
        """The members of RFC 9457, with ours: what happened, what it means, and what can be done."""
        kind = OF_REASON[refusal.reason]
        title, means, advice = (self._say(scope, words) for words in (kind.title, kind.means, kind.advice))
        more: dict[str, Any] = {"reason": refusal.reason.value, "discovery": f"{self._site}{DISCOVERY}"}
        if refusal.reason in NEGOTIATE:
            more["next"] = "negotiate"
        if kind.status is HTTPStatus.UNAUTHORIZED:
            more["serverTime"] = datetime.fromtimestamp(int(self._clock()), UTC).isoformat()
        problem = Problem(
            kind=replace(kind, title=title),
            detail=f"{means} {advice}",
            retry_after=refusal.retry_after,
            violated=_VIOLATED.get(refusal.reason, ()),
            more=more | dict(refusal.more),
        )
        return problem.as_dict(self._site)

    def _challenge(self, scope: Scope, reason: Reason) -> bytes:
        path = scope["path"].rstrip("/") if is_mcp(scope["path"]) else ""
        # A path in a header may have no sign that ends its quotes; of an endpoint it has none.
        path = path if path.isascii() and path.replace("/", "").replace("-", "").isalnum() else ""
        error = f'error="{_ERRORS[reason]}", ' if reason in _ERRORS else ""
        metadata = f'resource_metadata="{self._site}{PROTECTED}{path}"'
        return f'DPoP algs="{_ALGORITHMS}", {error}{metadata}'.encode("ascii")


_VIOLATED: Final = {Reason.IN_FLIGHT_EXCEEDED: ("inflight",), Reason.QUOTA_EXHAUSTED: ("units", "writes")}


def needed(asked: Asked) -> dict[str, Any]:
    """What a request that changes state needs, for who shows nothing."""
    return {
        "operation": asked.operation.id,
        "needs": {"class": "write", "tier": "federated", "approval": "required"},
    }


def _written(told: Mapping[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=True, separators=(",", ":")).encode()
