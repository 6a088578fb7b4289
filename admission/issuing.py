"""Tokens of a contract: who may have one, and for what (choices A7 and A8). The contract itself decides on every request anew.

A token for reading needs the key of the contract; one for writing a fresh proof of who asks as well, a change that is left, and
an operator who approved exactly this change.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from admission import approvals, storage
from admission.approvals import Change
from admission.contracts import Standing, Stop, Tier
from admission.edge import Reason
from admission.gatehouse import Gatehouse
from admission.identification import Asker
from admission.models import Agreement, AgreementState, Approval, ApprovalState
from admission.oauth import NoTokenError, Word
from admission.operations import Operation
from admission.problems import OF_REASON, Refusals
from admission.proofs import strict
from admission.proofs.addresses import normal_path
from admission.proofs.tokens import CLASSES, LIFETIMES, SCOPE, Grant
from admission.proofs.tokens import Approval as Approved
from admission.rules import within
from admission.storage import LAPSES_AFTER
from admission.texts import plain
from throttling.problems import Kinds
from throttling.words import later
from throttling.work import Access

MOST_NOTE: Final = 500
_CHANGING: Final = ("POST", "PUT", "PATCH", "DELETE")
_JTI_BYTES: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A token that is asked for. ``asker``: who proved to ask it, None where only a key was shown.

    For writing: ``operation``, ``path`` and ``body`` of the one request that it is for, and a ``note`` to the operator.
    """

    access: Access
    jkt: str
    asker: Asker | None
    operation: str = ""
    path: str = ""
    body: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Issued:
    """A token, and how many seconds it holds."""

    token: str
    seconds: int


async def issue(house: Gatehouse, row: Agreement, wanted: Wanted) -> Issued | Approval:
    """A token, or the ask that waits for an operator.

    Raises ``NoTokenError``, ``TooManyAsksError``, ``BooksLostError`` and ``StoreLostError``.
    """
    _check_asker(row, wanted)
    standing = await _standing(house, row)
    if not any(_access(house, operation) is wanted.access for operation, _ in row.grants):
        raise NoTokenError(Word.SCOPE, OF_REASON[Reason.CLASS_MISMATCH], row=row)
    if standing.left < 1:
        raise NoTokenError(Word.GRANT, OF_REASON[Reason.QUOTA_EXHAUSTED], row=row)
    approval = None
    if wanted.access is Access.WRITE:
        found = await _approval(house, row, standing, wanted)
        if found.state != ApprovalState.APPROVED:
            return found
        approval = Approved(approval=found.approval, operation=found.operation, body_sha256=found.body_sha256)
    if row.first_token_at is None:
        await house.books(storage.first_token, row.contract, house.now())
    grant = Grant(
        subject=row.workload,
        client=row.client,
        contract=row.contract,
        handle=row.handle,
        token_class=wanted.access,
        jkt=row.jkt,
        approval=approval,
    )
    token = house.issuer.mint(grant, jti=secrets.token_urlsafe(_JTI_BYTES), now=int(house.clock()))
    return Issued(token, LIFETIMES[wanted.access])


def _check_asker(row: Agreement, wanted: Wanted) -> None:
    """The tier says what must be shown; whoever shows more must be who made the contract (attack 17)."""
    needed = row.tier == Tier.CIMD.value or wanted.access is Access.WRITE
    if wanted.access is Access.WRITE and row.tier != Tier.FEDERATED.value:
        raise NoTokenError(Word.SCOPE, OF_REASON[Reason.CLASS_MISMATCH], row=row)
    if wanted.asker is None:
        if needed:
            told = later("Bij dit pasje hoort een vers bewijs van wie het vraagt (client_assertion).")
            raise NoTokenError(Word.CLIENT, Refusals.IDENTITY_INVALID.value, told)
    elif (wanted.asker.workload, wanted.asker.tier.value) != (row.workload, row.tier):
        told = later("Dit contract is van een ander.")
        raise NoTokenError(Word.GRANT, Refusals.IDENTITY_INVALID.value, told)


async def _standing(house: Gatehouse, row: Agreement) -> Standing:
    """How it stands with a contract that lives. Raises ``NoTokenError``: it is over, or nobody can tell."""
    late = row.first_token_at is None and house.now() >= row.asked_at + LAPSES_AFTER
    if row.state == AgreementState.LAPSED or late:
        if row.state == AgreementState.AGREED:
            await house.admissions.revoke(Stop.CONTRACT, row.contract, why="lapsed")
        raise NoTokenError(Word.GRANT, OF_REASON[Reason.CONTRACT_EXPIRED], row=row)
    if row.state != AgreementState.AGREED:
        raise NoTokenError(Word.GRANT, OF_REASON[Reason.CONTRACT_EXPIRED], row=row)
    if row.revoked_at is not None:
        raise NoTokenError(Word.GRANT, OF_REASON[Reason.CONTRACT_REVOKED], row=row)
    standing = await house.admissions.look(row.contract)
    stopped = Reason.CONTRACT_EXPIRED.value if standing is None else standing.stopped
    if standing is None or stopped:
        reason = Reason(stopped)
        word = Word.UNAVAILABLE if reason is Reason.ADMISSION_UNAVAILABLE else Word.GRANT
        raise NoTokenError(word, OF_REASON[reason], row=row)
    return standing


async def _approval(house: Gatehouse, row: Agreement, standing: Standing, wanted: Wanted) -> Approval:
    """What an operator said, or is asked now, of exactly this change."""
    if standing.writes_left < 1:
        raise NoTokenError(Word.GRANT, OF_REASON[Reason.QUOTA_EXHAUSTED], row=row)
    operation = house.operations.named(wanted.operation)
    path = normal_path(wanted.path) or ""
    if operation is None or not _granted(house, row, operation, path):
        raise NoTokenError(Word.SCOPE, OF_REASON[Reason.OUT_OF_SCOPE], row=row)
    note = plain(wanted.note, MOST_NOTE)
    if note is None or "\0" in wanted.body or len(wanted.body.encode()) > approvals.MOST_BODY:
        told = later(
            "De inhoud is hooguit {bytes} bytes, de toelichting {signs} tekens.",
            bytes=approvals.MOST_BODY,
            signs=MOST_NOTE,
        )
        raise NoTokenError(Word.REQUEST, Kinds.INVALID_INPUT.value, told)
    change = Change(
        contract=row.contract,
        operation=operation.id,
        resource=path,
        body_sha256=approvals.body_hash(_body(house, path, wanted.body)),
    )
    found = await house.books(approvals.ask, change, workload=row.workload, body=wanted.body, note=note, at=house.now())
    if found.state == ApprovalState.DENIED:
        raise NoTokenError(Word.DENIED, OF_REASON[Reason.APPROVAL_DENIED], row=row, approval=found.approval)
    if found.state == ApprovalState.PENDING and found.asked_at >= house.now() - timedelta(seconds=1):
        await house.admissions.note(
            "ask", contract=row.contract, workload=row.workload, op=operation.id, reason=Reason.APPROVAL_REQUIRED.value
        )
    return found


def _granted(house: Gatehouse, row: Agreement, operation: Operation, path: str) -> bool:
    """Whether the contract has this change, at this address; and whether it is what happens there at all."""
    prefixes: list[str] | None = next((list(where) for name, where in row.grants if name == operation.id), None)
    if not path or prefixes is None or operation.access is not Access.WRITE:
        return False
    if within(path, house.tools_below):
        there = any(path.removesuffix("/") in house.serving(tool) for tool in operation.tools)
    else:
        there = any(house.operations.of_request(method, path).id == operation.id for method in _CHANGING)
    return there and (not prefixes or any(within(path, prefix) for prefix in prefixes))


def _body(house: Gatehouse, path: str, body: str) -> bytes:
    """What binds: the body as it will be sent, or of a tool its arguments."""
    if not within(path, house.tools_below):
        return body.encode()
    arguments: dict[str, Any] | None = strict.members(body.encode())
    if arguments is None:
        told = later("Geef bij gereedschap van MCP als body de arguments, als JSON.")
        raise NoTokenError(Word.REQUEST, Kinds.INVALID_INPUT.value, told)
    return approvals.arguments_body(arguments)


def _access(house: Gatehouse, operation: str) -> Access:
    found = house.operations.named(operation)
    return Access.WRITE if found is None else found.access


def scope_of(access: Access) -> str:
    """The scope of OAuth that stands for a class."""
    return f"{SCOPE}{CLASSES[access]}"
