"""What is told of a contract, and of what an operator is asked: to whom holds its key alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from django.http import JsonResponse
from structlog.contextvars import get_contextvars

from admission.contracts import Standing
from admission.edge import Reason
from admission.gatehouse import Gatehouse
from admission.models import Agreement, AgreementState, Approval
from admission.problems import Refusals
from admission.proofs.tokens import CLASSES, LIFETIMES
from admission.refusing import NEGOTIATE
from admission.rules import TYPE, UNIT, Fault
from throttling.problems import Kind, Problem
from throttling.words import Words
from throttling.work import Access

PROBLEM: Final = "application/problem+json"
PRIVATE: Final = "private, no-store"
"""What is about a contract is in no buffer on its way (attack 16)."""
DISCOVERY: Final = "/.well-known/admission-contract"
RESOURCE: Final = "/.well-known/oauth-protected-resource"
_CHALLENGED: Final = {
    Refusals.TOKEN_REQUIRED.value.slug: "",
    Refusals.TOKEN_INVALID.value.slug: ', error="invalid_token"',
    Refusals.PROOF_INVALID.value.slug: ', error="invalid_dpop_proof"',
    Refusals.IDENTITY_INVALID.value.slug: "",
}
_NEGOTIATE: Final = frozenset(reason.value for reason in NEGOTIATE)


def moment(at: datetime) -> str:
    """A moment in UTC, in whole seconds, as ISO 8601."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def status(row: Agreement, standing: Standing | None, now: datetime) -> str:
    """How it stands with a contract, in a word."""
    if row.revoked_at is not None:
        return "revoked"
    if row.state == AgreementState.LAPSED or (standing is not None and standing.stopped == Reason.CONTRACT_REVOKED):
        return "lapsed" if row.state == AgreementState.LAPSED else "revoked"
    return "expired" if now >= row.ends_at else "active"


def contract(house: Gatehouse, row: Agreement, standing: Standing | None) -> dict[str, Any]:
    """A contract as its holder sees it. ``standing``: what the store counts of it, where that can be asked."""
    classes = {access: _granted(house, row, access) for access in CLASSES}
    told: dict[str, Any] = {
        "contract": row.contract,
        "status": status(row, standing, house.now()),
        "tier": row.tier,
        "workload": row.workload,
        "jkt": row.jkt,
        "authorization_details": [one for found in classes.values() for one in found],
        "budget": {"in_flight": row.in_flight, "units": row.units, "writes": row.writes, "unit": UNIT},
        "expires_at": moment(row.ends_at),
        "revocation_handle": row.handle,
        "classes": {CLASSES[access]: _class(access) for access, found in classes.items() if found},
        "token_endpoint": f"{house.site.origin}/admission/token",
        "status_uri": f"/admission/contracts/{row.contract}",
    }
    if row.revoked_at is not None:
        told["revoked_at"] = moment(row.revoked_at)
    if standing is not None:
        told["left"] = {"units": standing.left, "writes": standing.writes_left, "in_flight": standing.in_flight}
    return told


def details(house: Gatehouse, row: Agreement) -> list[dict[str, Any]]:
    """The ``authorization_details`` that were granted."""
    return [one for access in CLASSES for one in _granted(house, row, access)]


def _granted(house: Gatehouse, row: Agreement, access: Access) -> list[dict[str, Any]]:
    """Grants of a class, those below the same prefixes together."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name, prefixes in row.grants:
        operation = house.operations.named(name)
        if operation is not None and operation.access is access:
            found.setdefault(tuple(prefixes), []).append(name)
    shared = {"type": TYPE, "class": CLASSES[access], "locations": [house.site.origin]}
    return [
        {**shared, "actions": actions} | ({"prefixes": list(prefixes)} if prefixes else {})
        for prefixes, actions in found.items()
    ]


def _class(access: Access) -> dict[str, Any]:
    told: dict[str, Any] = {"token_ttl": LIFETIMES[access]}
    return told | ({"approval": "required"} if access is Access.WRITE else {})


def approval(row: Approval) -> dict[str, Any]:
    """What an operator is asked, and what came of it."""
    return {
        "approval": row.approval,
        "status": row.state,
        "operation": row.operation,
        "path": row.resource,
        "body_s256": row.body_sha256,
        "expires_at": moment(row.expires_at),
        "used": row.used_at is not None,
        "task_uri": f"/admission/approvals/{row.approval}",
    }


def answer(told: dict[str, Any], code: HTTPStatus = HTTPStatus.OK, **headers: str) -> JsonResponse:
    """An answer for one asker alone."""
    return JsonResponse(
        told,
        status=code,
        headers={"Cache-Control": PRIVATE, **{name.replace("_", "-"): value for name, value in headers.items()}},
        json_dumps_params={"ensure_ascii": False},
    )


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a refusal: of what kind it is, in which words (None: those of its kind), and all ``faults`` in what came.

    ``retry_after``: whole seconds; 0 where coming again helps nobody.
    """

    kind: Kind
    detail: Words | None = None
    retry_after: int = 0
    faults: tuple[Fault, ...] = ()


def problem(house: Gatehouse, scope: Any, told: Told) -> JsonResponse:
    """A problem of RFC 9457, in the language of whoever asked. Where a clock may be the matter, ours is told."""
    kind, retry_after = told.kind, told.retry_after
    found = answer(members(house, scope, told), kind.status)
    found.headers["Content-Type"] = PROBLEM
    if retry_after:
        found.headers["Retry-After"] = str(retry_after)
    if kind.slug in _CHALLENGED:
        where = f'resource_metadata="{house.site.origin}{RESOURCE}"'
        found.headers["WWW-Authenticate"] = f'DPoP algs="Ed25519 ES256", {where}{_CHALLENGED[kind.slug]}'
    return found


def members(house: Gatehouse, scope: Any, told: Told) -> dict[str, Any]:
    """The members of a problem, as they stand in an answer of another form too."""
    say, kind = partial(house.say, scope), told.kind
    found = Problem(
        kind=replace(kind, title=say(kind.title)),
        detail=f"{say(kind.means)} {say(kind.advice)}" if told.detail is None else told.detail.said(say),
        retry_after=told.retry_after,
        more=_about(house, kind),
    ).as_dict(house.site.origin)
    if told.faults:
        found["invalidParams"] = [{"name": fault.name, "reason": fault.reason.said(say)} for fault in told.faults]
    return found


def _about(house: Gatehouse, kind: Kind) -> dict[str, Any]:
    told: dict[str, Any] = {
        "instance": f"urn:besluitbron:verzoek:{get_contextvars().get('request_id', '')}",
        "reason": kind.slug,
        "discovery": f"{house.site.origin}{DISCOVERY}",
    }
    if kind.slug in _NEGOTIATE:
        told["next"] = "negotiate"
    if kind.status == HTTPStatus.UNAUTHORIZED:
        told["serverTime"] = moment(house.now())
    return told
