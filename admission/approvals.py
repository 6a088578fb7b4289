"""What an operator is asked to allow: one change, by one contract, here, with this body, once (choice A8).

An approval is never a bearer: it is an input to the decision about one request, and says only that a person looked at it. A
denial stays a denial. All functions here use the database and block; in the event loop they go through ``Books``.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from django.db import transaction

from admission import sealing
from admission.models import Approval, ApprovalState
from admission.proofs import strict

KEPT_OPEN: Final = timedelta(minutes=10)
"""So long an operator may take, and so long what was approved may be used after that."""
WORDS_FOR: Final = timedelta(days=14)
"""How long is kept what an operator saw; that it was asked and decided is kept longer."""
MOST_PENDING: Final = 5
"""Of one contract: whoever asks for more must wait for an answer."""
MOST_BODY: Final = 8_192
"""Bytes of a body that a person is asked about."""
_NAME: Final = re.compile(r"apr_[A-Za-z0-9_-]{1,36}", re.ASCII)
_ID_BYTES: Final = 12


class TooManyAsksError(Exception):
    """So much of this contract waits for an operator that no more is taken on."""


class Taking(StrEnum):
    """What came of using an approval."""

    TAKEN = "taken"
    NONE = "none"
    """There is no such approval, or not of exactly this, or not yet."""
    DENIED = "denied"
    EXPIRED = "expired"
    USED = "used"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is asked: an operation of the registry, a normalised path, and the hash of the body (``body_hash``)."""

    contract: str
    operation: str
    resource: str
    body_sha256: str


def body_hash(body: bytes) -> str:
    """What binds an approval, and a token for it, to a body: SHA-256 in base64url, 43 signs."""
    return strict.encode(hashlib.sha256(body).digest())


def arguments_body(arguments: Mapping[str, Any]) -> bytes:
    """The body that stands for a call of an MCP tool: its arguments alone, for the envelope differs with each request.

    JSON with its names in order and without white space.
    """
    return json.dumps(arguments, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def ask(change: Change, *, workload: str, body: str, note: str, at: datetime) -> Approval:
    """Ask for a change, or find what was asked before of exactly this. Raises ``TooManyAsksError``.

    What was denied stays so; what ran out or was used is asked anew.
    """
    with transaction.atomic():
        _expire(change.contract, at)
        found = _asked(change)
        if found is not None:
            return found
        pending = Approval.objects.filter(contract=change.contract, state=ApprovalState.PENDING).count()
        if pending >= MOST_PENDING:
            raise TooManyAsksError
        return Approval.objects.create(
            approval=f"apr_{secrets.token_urlsafe(_ID_BYTES)}",
            contract=change.contract,
            workload=workload,
            operation=change.operation,
            resource=change.resource,
            body_sha256=change.body_sha256,
            body=sealing.close(body),
            note=sealing.close(note),
            asked_at=at,
            expires_at=at + KEPT_OPEN,
        )


def decide(approval: str, *, approved: bool, by: str, at: datetime) -> ApprovalState | None:
    """An operator decides. The state it is in now: another than asked for where somebody was first, or it ran out.

    None: there is no such approval.
    """
    with transaction.atomic():
        open_still = Approval.objects.filter(approval=approval, state=ApprovalState.PENDING)
        open_still.filter(expires_at__lte=at).update(state=ApprovalState.EXPIRED)
        open_still.filter(expires_at__gt=at).update(
            state=ApprovalState.APPROVED if approved else ApprovalState.DENIED,
            decided_at=at,
            decided_by=by,
            expires_at=at + KEPT_OPEN,
        )
        found = Approval.objects.filter(approval=approval).first()
    return None if found is None else ApprovalState(found.state)


def take(approval: str, change: Change, at: datetime) -> Taking:
    """Use an approval, for exactly this change: of all who try, one gets ``TAKEN``."""
    fitting = Approval.objects.filter(
        approval=approval,
        contract=change.contract,
        operation=change.operation,
        resource=change.resource,
        body_sha256=change.body_sha256,
    )
    if fitting.filter(state=ApprovalState.APPROVED, used_at=None, expires_at__gt=at).update(used_at=at):
        return Taking.TAKEN
    found = fitting.first()
    if found is None or (found.state == ApprovalState.PENDING and found.expires_at > at):
        return Taking.NONE
    if found.state in {ApprovalState.DENIED, ApprovalState.CANCELLED}:
        return Taking.DENIED
    return Taking.USED if found.used_at else Taking.EXPIRED


def give_back(approval: str, at: datetime) -> None:
    """What was taken was never done after all: the origin was not reached."""
    Approval.objects.filter(approval=approval, used_at__isnull=False, expires_at__gt=at).update(used_at=None)


def cancel(contract: str, at: datetime) -> int:
    """Nothing of this contract is waited for any more; how many that were."""
    waiting = Approval.objects.filter(contract=contract, state=ApprovalState.PENDING)
    return waiting.update(state=ApprovalState.CANCELLED, decided_at=at)


def named(approval: str, at: datetime) -> Approval | None:
    """The approval by this name, as it stands."""
    found = Approval.objects.filter(approval=approval).first() if _NAME.fullmatch(approval) else None
    if found is not None:
        _expire(found.contract, at)
        found.refresh_from_db()
    return found


def waiting(at: datetime) -> int:
    """How many wait for an operator."""
    return Approval.objects.filter(state=ApprovalState.PENDING, expires_at__gt=at).count()


def expire(at: datetime) -> int:
    """What nobody decided in time, of all contracts; how many that were. Old words go: a question may stand in them."""
    Approval.objects.filter(asked_at__lt=at - WORDS_FOR).exclude(body="", note="").update(body="", note="")
    late = Approval.objects.filter(state=ApprovalState.PENDING, expires_at__lte=at)
    return late.update(state=ApprovalState.EXPIRED)


def body_of(row: Approval) -> str | None:
    """What would be sent, as the operator is shown it; None when it cannot be read (any more)."""
    return sealing.opened(row.body)


def note_of(row: Approval) -> str:
    """The words of the agent; empty when there are none, or none that can be read."""
    return sealing.opened(row.note) or ""


def _expire(contract: str, at: datetime) -> None:
    late = Approval.objects.filter(contract=contract, state=ApprovalState.PENDING, expires_at__lte=at)
    late.update(state=ApprovalState.EXPIRED)
    late = Approval.objects.filter(contract=contract, state=ApprovalState.APPROVED, expires_at__lte=at, used_at=None)
    late.update(state=ApprovalState.EXPIRED)


def _asked(change: Change) -> Approval | None:
    """The ask of exactly this that still says something: it waits, may be used, or was denied."""
    same = Approval.objects.filter(
        contract=change.contract,
        operation=change.operation,
        resource=change.resource,
        body_sha256=change.body_sha256,
        used_at=None,
        state__in=(ApprovalState.PENDING, ApprovalState.APPROVED, ApprovalState.DENIED),
    )
    return same.order_by("-pk").first()
