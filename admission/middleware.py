"""The edge as ASGI middleware: every request under a contract is decided here, before the incoming limits and the origin.

In this order, the cheapest first: a turn in this process, normalise, credential, token, proof, what is asked, approval, the one
decision of the store, and on. What is shown but proves nothing is refused, and never served as anonymous. Who shows nothing
goes on to the public lane, which stands behind the incoming limits.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from admission import approvals
from admission.answers import Answer, standing, until
from admission.approvals import Change, Taking
from admission.asked import Asked, is_mcp, of_http, of_message
from admission.books import BooksLostError
from admission.contracts import MOST_UNITS
from admission.doorkeeper import Doorkeeper, doorkeeper
from admission.edge import Ask, Decision, Reason
from admission.going import while_it_holds
from admission.leases import Held
from admission.operations import PROTOCOL, SAFE
from admission.proofs.calls import Call, Proven, prove
from admission.proofs.exceptions import RefusedError
from admission.refusing import Headers, Refusal, Refusing
from throttling.admitted import STATE as ADMITTED
from throttling.admitted import Admitted
from throttling.bodies import again, read_body
from throttling.middleware import Paths
from throttling.store import monotonic
from throttling.work import Access

log = structlog.get_logger(__name__)
HELD: Final = "admission.held"
"""Where a scope says which call goes on, for what stands behind the incoming limits."""
_SHOWN: Final = frozenset({b"authorization", b"dpop"})
_BARRED: Final = {
    Taking.NONE: Reason.APPROVAL_REQUIRED,
    Taking.USED: Reason.APPROVAL_REQUIRED,
    Taking.EXPIRED: Reason.APPROVAL_REQUIRED,
    Taking.DENIED: Reason.APPROVAL_DENIED,
}
_MESSAGES: Final = frozenset({"GET", "DELETE"})
"""Of an endpoint for assistants, beside POST: neither holds a message."""
_ID_BYTES: Final = 12
_AGAIN: Final = 5
_MOST_SPREAD: Final = 30
_SPREAD: Final = 3
"""Seconds over which those come back who found no turn: not all at once (attack 22 of the study)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the composition root knows. ``free``: paths that are the same for everybody, and those that read their own proofs.

    ``cost``: units of what is asked. ``source``: a key for where a request comes from. ``methods``: see ``of_message``.
    """

    refusing: Refusing
    free: Sequence[str]
    cost: Callable[[Asked], int]
    source: Callable[[Scope], str]
    methods: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class Edge:
    """ASGI middleware: requests that show a credential."""

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self._app = app
        self._rules = rules
        self._free = Paths(rules.free)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        anonymous = scope["type"] != "http" or all(name not in _SHOWN for name, _ in scope["headers"])
        if anonymous or scope["path"] in self._free:
            await self._app(scope, receive, send)
            return
        await _Visit(self._app, self._rules, doorkeeper(scope), scope, send).answer(receive)


@dataclass(frozen=True, slots=True)
class _Passed:
    """A request that is let through."""

    proven: Proven
    asked: Asked
    decision: Decision
    cost: int
    approval: str


@dataclass(frozen=True, slots=True)
class _Visit:
    """One request that shows a credential."""

    app: ASGIApp
    rules: Rules
    keeper: Doorkeeper
    scope: Scope
    send: Send

    async def answer(self, receive: Receive) -> None:
        """Refuse it, or let it through, once this process has a moment for it."""
        attempts, pacing = self.keeper.attempts, self.keeper.pacing
        wait = attempts.wait(self.rules.source(self.scope)) if attempts else 0
        if wait:
            self.keeper.telling.unproven(Reason.PUBLIC_LIMIT, None)
            await self._refuse(Refusal(reason=Reason.PUBLIC_LIMIT, retry_after=wait))
            return
        turn = await pacing.turn(self._whose)
        if turn is None:
            self.keeper.telling.paced()
            await self._refuse(Refusal(reason=Reason.PUBLIC_LIMIT, retry_after=1 + secrets.randbelow(_SPREAD)))
            return
        with turn:
            await self._answer(receive)

    def _whose(self) -> str:
        """Who waits: the contract of a token that was read before, from where it comes; a token can be stolen."""
        shown = next((value for name, value in self.scope["headers"] if name == b"authorization"), b"")
        return f"{self.keeper.tokens.contract(shown.rpartition(b' ')[2])} {self.rules.source(self.scope)}"

    async def _answer(self, receive: Receive) -> None:
        try:
            passed, receive = await self._judged(receive)
        except Exception:  # whatever it is, nothing gets by
            log.exception("edge_broken")
            self.keeper.telling.unproven(Reason.ADMISSION_UNAVAILABLE, None)
            await self._refuse(Refusal(reason=Reason.ADMISSION_UNAVAILABLE, retry_after=_AGAIN))
            return
        if passed is not None:
            await self._let_through(passed, receive)

    async def _judged(self, receive: Receive) -> tuple[_Passed | None, Receive]:
        """What is let through, with how its body is read; None when it was refused."""
        proven = await self._proven()
        if proven is None:
            return None, receive
        body = b""
        if self.scope["method"] not in SAFE:
            body, failed = await read_body(self.scope["headers"], receive)
            if failed is not None:
                self.keeper.telling.unread(proven)
                await self.rules.refusing.unread(self.scope, self.send, failed)
                return None, receive
            receive = again(body, receive)
        return await self._decided(proven, self._asked(proven, body)), receive

    async def _proven(self) -> Proven | None:
        """What it proves; None when it was refused."""
        house = self.keeper.gatehouse
        path = self.scope.get("raw_path") or self.scope["path"].encode()
        call = Call(self.scope["method"], path, self.scope["headers"])
        try:
            return prove(call, None, house.site, self.keeper.tokens, house.clock())
        except RefusedError as refused:
            self.keeper.attempts.failed(self.rules.source(self.scope))
            reason = Reason(refused.reason.value)
            self.keeper.telling.unproven(reason, refused.check)
        await self._refuse(Refusal(reason=reason))
        return None

    def _asked(self, proven: Proven, body: bytes) -> Asked:
        operations, path = self.keeper.gatehouse.operations, proven.proof.target.path
        method, headers = self.scope["method"], self.scope["headers"]
        if is_mcp(path) and method == "POST":
            return of_message(operations, path, headers, body, self.rules.methods)
        if is_mcp(path) and method in _MESSAGES:
            return Asked(operation=PROTOCOL, path=path)
        return of_http(operations, method, path, self.scope.get("query_string", b""), body)

    async def _decided(self, proven: Proven, asked: Asked) -> _Passed | None:
        """The one decision; None when it was refused."""
        began = monotonic()
        barred, approval = await self._barred(proven, asked)
        cost = min(max(self.rules.cost(asked), 1), MOST_UNITS)
        ask = Ask(
            contract=proven.token.grant.contract,
            token=proven.token.jti,
            proof=proven.replay_key,
            operation=asked.operation,
            token_class=proven.token.grant.token_class,
            resource=asked.path,
            request=secrets.token_urlsafe(_ID_BYTES),
            cost=cost,
            barred=barred,
        )
        self.keeper.telling.lines.while_waiting()
        decision = await self.keeper.gatehouse.admissions.decide(ask)
        self.keeper.telling.decided(proven, asked, decision, monotonic() - began)
        if decision.passes:
            return _Passed(proven, asked, decision, cost, approval)
        await self._give_back(approval)
        await self._refuse(self._refusal(proven, asked, decision), standing(decision, cost))
        return None

    async def _barred(self, proven: Proven, asked: Asked) -> tuple[Reason | None, str]:
        """What is against it that the store does not know, and the approval that was taken ("" for none)."""
        if asked.disagrees:
            return Reason.CLASS_MISMATCH, ""
        grant, operation = proven.token.grant, asked.operation
        if operation.access is Access.READ or not operation.id or grant.token_class is Access.READ:
            return None, ""
        approval = grant.approval
        if approval is None or (approval.operation, approval.body_sha256) != (operation.id, asked.body_sha256):
            return Reason.APPROVAL_REQUIRED, ""
        change = Change(
            contract=grant.contract, operation=operation.id, resource=asked.path, body_sha256=asked.body_sha256
        )
        house = self.keeper.gatehouse
        try:
            taken = await house.books(approvals.take, approval.approval, change, house.now())
        except BooksLostError:
            return Reason.ADMISSION_UNAVAILABLE, ""
        return (None, approval.approval) if taken is Taking.TAKEN else (_BARRED[taken], "")

    async def _let_through(self, passed: _Passed, receive: Receive) -> None:
        grant, decision, asked = passed.proven.token.grant, passed.decision, passed.asked
        self.scope["state"][ADMITTED] = Admitted(
            contract=grant.contract,
            workload=grant.subject,
            operation=asked.operation.id,
            access=asked.operation.access,
        )
        fields = standing(decision, passed.cost)
        if not decision.lease:  # a dry run of what would be refused
            await self.app(self.scope, receive, Answer(self.send, fields, _nothing))
            return
        leases = self.keeper.leases
        held = self.scope[HELD] = leases.hold(grant.contract, decision.lease, passed.proven.token.jti)
        over = partial(self._over, held, passed.approval)
        # Whoever has its last slot in use may ask again at once when it has the answer; others never notice.
        last = decision.in_flight >= decision.cap
        before_end = over if last else partial(leases.soon, over)
        answer = Answer(self.send, fields, before_end)
        try:
            origin: Any = self.app(self.scope, until(held.stop, receive), answer)
            await while_it_holds(origin, held.stop, partial(self._stop, passed, answer))
        finally:
            if not answer.ended and leases.holds(held):
                await asyncio.shield(over())

    async def _stop(self, passed: _Passed, answer: Answer, reason: Reason) -> None:
        refusal = Refusal(reason=reason, about=passed.asked.about, more=_about(passed.proven))
        self.keeper.telling.stopped(passed.proven, passed.asked, reason)
        await answer.cut(self.rules.refusing.last_event(self.scope, refusal))
        if not answer.began:
            await self._refuse(refusal)

    async def _over(self, held: Held, approval: str) -> None:
        if await self.keeper.leases.release(held) and approval and not held.reached:
            await self._give_back(approval)

    async def _give_back(self, approval: str) -> None:
        """The approval was of something that did not happen. Where the database is lost, an operator is asked once more."""
        house = self.keeper.gatehouse
        if approval:
            try:
                await house.books(approvals.give_back, approval, house.now())
            except BooksLostError:
                return

    def _refusal(self, proven: Proven, asked: Asked, decision: Decision) -> Refusal:
        assert decision.reason is not None, "only a refusal comes here"
        retry_after = decision.retry_after
        if decision.reason is Reason.ADMISSION_UNAVAILABLE:  # not all at once (attack 22 of the study)
            retry_after += secrets.randbelow(min(retry_after, _MOST_SPREAD) + 1)
        return Refusal(
            reason=decision.reason,
            retry_after=retry_after,
            about=asked.about,
            disagrees=asked.disagrees and decision.reason is Reason.CLASS_MISMATCH,
            more=_about(proven),
        )

    async def _refuse(self, refusal: Refusal, headers: Headers = ()) -> None:
        await self.rules.refusing.write(self.scope, self.send, refusal, headers)


async def _nothing() -> None:
    """Nothing is held, so nothing is given back."""


def _about(proven: Proven) -> dict[str, Any]:
    """What whoever has proven a key is told of the contract."""
    grant = proven.token.grant
    return {"contract": grant.contract, "revocationHandle": grant.handle}
