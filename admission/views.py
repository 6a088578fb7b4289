"""Negotiating over HTTP: ask for a contract, see how it stands, and what an operator said. Thin: all is decided elsewhere."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Coroutine
from functools import wraps
from http import HTTPStatus
from typing import Any, Final

import structlog
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST, require_safe

from admission import approvals, arriving, shown, storage
from admission.arriving import NEGOTIATING, TOKENS, TooOftenError, UnreadableError
from admission.books import BooksLostError
from admission.contracts import Standing, Tier
from admission.gatehouse import Gatehouse, gatehouse
from admission.identification import Asker, Presented
from admission.models import Agreement
from admission.negotiation import NotAgreedError, Request, negotiate
from admission.problems import Refusals
from admission.proofs.exceptions import Check, IdentityInvalidError, RefusedError
from admission.proofs.identities import MOST_IDENTITY, Method
from admission.rules import BadWishError, Fault
from admission.shown import Told
from admission.tally import Place
from throttling.problems import Kind, Kinds
from throttling.store import StoreLostError
from throttling.words import later

log = structlog.get_logger(__name__)
_AGAIN: Final = 5
"""Seconds after which a store or database may be back."""
AD_HOC_PACE: Final = ("ad-hoc", 120, 60)
"""How many ad hoc contracts a minute all together may ask for: keys cost nothing."""
_KEY: Final = re.compile(r"[!-~]{8,64}", re.ASCII)
_IDENTITY: Final = frozenset({"method", "token", "client_id"})
_UNREADABLE: Final = later("Dit is geen JSON-object, of het is op meer manieren te lezen.")
_View = Callable[..., Coroutine[Any, Any, HttpResponse]]


class NotThereError(Exception):
    """There is nothing by this name for whoever holds this key."""


def refusing(view: _View) -> _View:
    """A view of which every refusal is told as a problem. What leaves no event of its own is counted."""

    @wraps(view)
    async def told(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        house, scope = house_of(request), scope_of(request)
        try:
            return await view(request, *args, **named)
        except NotAgreedError as error:
            return shown.problem(house, scope, Told(error.kind))
        except (BooksLostError, StoreLostError) as error:
            log.warning("admission_unavailable", failure=type(error).__name__)
            return _counted(house, scope, Told(Refusals.ADMISSION_UNAVAILABLE.value, retry_after=again()))
        except Exception as error:  # noqa: BLE001 - what no request can cause is raised again
            return _unfit(house, scope, error)

    return told


def _counted(house: Gatehouse, scope: Any, told: Told) -> HttpResponse:
    """A refusal of somebody who proved nothing yet, or of something that cannot be read."""
    house.tally.add(Place.CONTRACT, told.kind.slug)
    return shown.problem(house, scope, told)


def again() -> int:
    """When to come back after a loss: not everybody at the same second (attack 22 of the study)."""
    return _AGAIN + secrets.randbelow(_AGAIN)


def house_of(request: HttpRequest) -> Gatehouse:
    """The gatehouse of the process that serves this request."""
    return gatehouse(scope_of(request))


def scope_of(request: HttpRequest) -> Any:
    """The ASGI scope of a request."""
    return request.scope  # type: ignore[attr-defined]  # of Django's ASGIRequest


def _unfit(house: Gatehouse, scope: Any, error: Exception) -> HttpResponse:
    """Raises the error again when it is none of those that a request can cause."""
    invalid = Kinds.INVALID_INPUT.value
    match error:
        case BadWishError(faults=faults):
            return _counted(house, scope, Told(invalid, faults=faults))
        case TooOftenError(seconds=seconds):
            return _counted(house, scope, Told(Refusals.PUBLIC_LIMIT.value, retry_after=seconds))
        case UnreadableError(large=True):
            words = later("We lezen hooguit {most} bytes.", most=arriving.MOST_BODY)
            return _counted(house, scope, Told(Kinds.TOO_LARGE.value, words))
        case UnreadableError():
            return _counted(house, scope, Told(invalid, faults=(Fault("body", _UNREADABLE),)))
        case RefusedError(reason=reason, check=check):
            log.info("admission_refused", reason=reason.value, check=check.value)
            return _counted(house, scope, Told(kind_of(reason.value)))
        case NotThereError():
            return _counted(house, scope, Told(Kinds.NOT_FOUND.value))
        case _:
            raise error


def kind_of(slug: str) -> Kind:
    """The kind of problem by this name."""
    return next(one.value for one in Refusals if one.value.slug == slug)


@require_POST
@refusing
async def contracts(request: HttpRequest) -> HttpResponse:
    """Ask for a contract."""
    house, scope = house_of(request), scope_of(request)
    networks = await arriving.paced(house, scope, "contract", NEGOTIATING)
    body, key = arriving.members(request.body), _idempotency_key(request)
    proof = await arriving.proven(house, scope)
    presented = _presented(body.pop("identity", None))
    asker = await house.identification.identify(presented, proof.jkt)
    wish = house.reader.read(body)
    if asker.tier is Tier.AD_HOC and (wait := await house.admissions.earn([AD_HOC_PACE])):
        raise TooOftenError(wait)
    wanted = Request(asker=asker, jkt=proof.jkt, key=key, wish=wish, asked=body, networks=networks)
    row = await agreed(house, wanted)
    told = shown.contract(house, row, await standing_of(house, row))
    return shown.answer(told, HTTPStatus.CREATED, Location=told["status_uri"])


async def agreed(house: Gatehouse, wanted: Request) -> Agreement:
    """The contract; where there is none, that leaves an event with who asked. Raises as ``negotiate``."""
    try:
        return await negotiate(house, wanted)
    except NotAgreedError as error:
        asker: Asker = wanted.asker
        told = {"workload": asker.workload, "tier": asker.tier.value, "reason": error.kind.slug}
        await house.admissions.note("deny", **told, said=error.word)
        raise


@require_safe
@refusing
async def contract(request: HttpRequest, name: str) -> HttpResponse:
    """How it stands with a contract: to whoever has its key. To all others it is not there."""
    house, scope = house_of(request), scope_of(request)
    await arriving.paced(house, scope, "token", TOKENS)
    proof = arriving.read_proof(house, scope)
    row = await house.books(storage.find, name)
    if row is None or row.jkt != proof.jkt:
        raise NotThereError
    return shown.answer(shown.contract(house, row, await standing_of(house, row)))


@require_safe
@refusing
async def approval(request: HttpRequest, name: str) -> HttpResponse:
    """What an operator said of what was asked under a contract: to whoever has its key."""
    house, scope = house_of(request), scope_of(request)
    await arriving.paced(house, scope, "token", TOKENS)
    proof = arriving.read_proof(house, scope)
    found = await house.books(_approval, name, proof.jkt, house)
    if found is None:
        raise NotThereError
    return shown.answer(found)


def _approval(name: str, jkt: str, house: Gatehouse) -> dict[str, Any] | None:
    row = approvals.named(name, house.now())
    held = None if row is None else storage.find(row.contract)
    return shown.approval(row) if row is not None and held is not None and held.jkt == jkt else None


async def standing_of(house: Gatehouse, row: Agreement) -> Standing | None:
    """What the store counts of a contract; None where it cannot be asked now."""
    try:
        return await house.admissions.look(row.contract)
    except StoreLostError:
        return None


def _idempotency_key(request: HttpRequest) -> str:
    """Raises ``BadWishError`` without one."""
    key = request.headers.get("Idempotency-Key", "")
    if not _KEY.fullmatch(key):
        raise BadWishError((Fault("Idempotency-Key", later("Geef deze kop, met 8 tot 64 zichtbare tekens.")),))
    return key


def _presented(identity: Any) -> Presented | None:
    """The ``identity`` of a request. Raises ``BadWishError`` and ``IdentityInvalidError``."""
    if identity is None:
        return None
    if not isinstance(identity, dict) or not _IDENTITY.issuperset(identity):
        raise BadWishError((Fault("identity", later("Geef een object met method, token en soms client_id.")),))
    method, token, client = identity.get("method"), identity.get("token"), identity.get("client_id", "")
    if method == "web-bot-auth":
        raise BadWishError((Fault("identity.method", later("Dit bewijs nemen we nog niet aan.")),))
    if not isinstance(method, str) or method not in set(Method):
        raise BadWishError((Fault("identity.method", later("Kies uit: {choices}.", choices=", ".join(Method))),))
    if not isinstance(token, str) or not isinstance(client, str) or len(token) > MOST_IDENTITY:
        raise IdentityInvalidError(Check.FORM)
    return Presented(Method(method), token, client)
