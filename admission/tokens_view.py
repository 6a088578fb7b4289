"""The token endpoint (RFC 6749): a token for a contract that is named, or for one that the grant itself asks for (RFC 9396).

Its failures are those of OAuth, with the members of our problems beside them: what is over for good says ``retryable: false``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any, Final

import structlog
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from admission import arriving, shown, storage
from admission.approvals import TooManyAsksError
from admission.arriving import NEGOTIATING, TOKENS, TooOftenError, UnreadableError
from admission.books import BooksLostError
from admission.contracts import Tier
from admission.edge import Reason
from admission.gatehouse import Gatehouse
from admission.identification import Asker, Presented, ad_hoc
from admission.issuing import Issued, Wanted, issue, scope_of
from admission.models import Agreement, AgreementState
from admission.negotiation import NotAgreedError, Request, digest
from admission.oauth import STATUS, NoTokenError, Word
from admission.problems import OF_REASON, Refusals
from admission.proofs import claims, strict
from admission.proofs.exceptions import IdentityInvalidError, RefusedError
from admission.proofs.identities import MOST_IDENTITY, Method
from admission.proofs.tokens import CLASSES
from admission.rules import TYPE, BadWishError
from admission.tally import Place
from admission.views import AD_HOC_PACE, again, agreed, house_of, kind_of
from admission.views import scope_of as asgi_scope
from throttling.problems import Kinds
from throttling.store import StoreLostError
from throttling.words import later
from throttling.work import Access

log = structlog.get_logger(__name__)
CLIENT_CREDENTIALS: Final = "client_credentials"
JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
GRANT_TYPES: Final = (CLIENT_CREDENTIALS, JWT_BEARER)
ASKS_AGAIN: Final = 5
"""Seconds after which to look again whether an operator decided."""
_SLOWLY: Final = 60
_WHOLE: Final = ("purpose", "owner", "expected_use", "budget", "expires_in")
"""What is of a contract as a whole: a grant of OAuth carries it in one of its details."""
_View = Callable[[HttpRequest], Coroutine[Any, Any, HttpResponse]]


def _telling(view: _View) -> _View:
    """A view of which every failure is told as OAuth tells it."""

    @wraps(view)
    async def told(request: HttpRequest) -> HttpResponse:
        house, scope = house_of(request), asgi_scope(request)
        try:
            return await view(request)
        except NoTokenError as error:
            return await _no_token(house, scope, error)
        except (TooOftenError, TooManyAsksError) as error:
            seconds = error.seconds if isinstance(error, TooOftenError) else _SLOWLY
            return _counted(house, scope, NoTokenError(Word.SLOW_DOWN, Refusals.PUBLIC_LIMIT.value), seconds)
        except (BooksLostError, StoreLostError) as error:
            log.warning("admission_unavailable", failure=type(error).__name__)
            return _counted(house, scope, NoTokenError(Word.UNAVAILABLE, Refusals.ADMISSION_UNAVAILABLE.value), again())
        except NotAgreedError as error:  # that there is no contract left an event
            return _failure(house, scope, NoTokenError(Word.GRANT, error.kind))
        except Exception as error:  # noqa: BLE001 - what no request can cause is raised again
            return _counted(house, scope, _as_oauth(error))

    return told


def _as_oauth(error: Exception) -> NoTokenError:
    """A failure of ours in the words of OAuth. Raises it again when it is none of those that a request can cause."""
    match error:
        case RefusedError(reason=reason, check=check):
            log.info("admission_refused", reason=reason.value, check=check.value)
            word = Word.CLIENT if isinstance(error, IdentityInvalidError) else Word.PROOF
            return NoTokenError(word, kind_of(reason.value))
        case BadWishError(faults=faults):
            return NoTokenError(Word.DETAILS, Kinds.INVALID_INPUT.value, faults=faults)
        case UnreadableError():
            told = later("Geef een formulier van hooguit {most} bytes, met elk veld één keer.", most=arriving.MOST_BODY)
            return NoTokenError(Word.REQUEST, Kinds.INVALID_INPUT.value, told)
        case _:
            raise error


async def _no_token(house: Gatehouse, scope: Any, error: NoTokenError) -> HttpResponse:
    """A refusal about a contract of somebody known leaves an event."""
    if error.row is not None:
        told = {"contract": error.row.contract, "workload": error.row.workload, "tier": error.row.tier}
        try:
            await house.admissions.note("deny", **told, reason=error.kind.slug, op="token")
        except StoreLostError:
            log.warning("admission_event_lost")
            house.tally.add(Place.TOKEN, error.kind.slug)
    else:
        house.tally.add(Place.TOKEN, error.kind.slug)
    unavailable = error.word is Word.UNAVAILABLE
    return _failure(house, scope, error, again() if unavailable else 0)


def _counted(house: Gatehouse, scope: Any, error: NoTokenError, retry_after: int = 0) -> HttpResponse:
    house.tally.add(Place.TOKEN, error.kind.slug)
    return _failure(house, scope, error, retry_after)


def _failure(house: Gatehouse, scope: Any, error: NoTokenError, retry_after: int = 0) -> HttpResponse:
    problem = shown.members(house, scope, shown.Told(error.kind, error.detail, retry_after, error.faults))
    told: dict[str, Any] = {"error": error.word.value, "error_description": problem["detail"], **problem}
    code = STATUS.get(error.word, HTTPStatus.BAD_REQUEST)
    told["status"] = int(code)
    if error.row is not None:
        told["contract"] = error.row.contract
        if error.row.revoked_at is not None:
            told["revokedAt"] = shown.moment(error.row.revoked_at)
    if error.approval:
        told["task_uri"] = f"/admission/approvals/{error.approval}"
    found = shown.answer(told, code)
    if retry_after:
        found.headers["Retry-After"] = str(retry_after)
    if code == HTTPStatus.UNAUTHORIZED:
        found.headers["WWW-Authenticate"] = f'DPoP algs="Ed25519 ES256", error="{error.word.value}"'
    return found


@require_POST
@_telling
async def token(request: HttpRequest) -> HttpResponse:
    """A token, or where an operator must look first: 202, and where to hear what came of it."""
    house, scope = house_of(request), asgi_scope(request)
    networks = await arriving.paced(house, scope, "token", TOKENS)
    form = arriving.fields(request.body)
    access = _asked_for(house, form)
    proof = await arriving.proven(house, scope)
    presented = _presented(house, form)
    asker = None if presented is None else await house.identification.identify(presented, proof.jkt)
    if name := form.get("contract", ""):
        row = await house.books(storage.find, name)
        if row is None or row.jkt != proof.jkt:  # whose it is, is told to its holder alone
            raise NoTokenError(
                Word.GRANT, OF_REASON[Reason.CONTRACT_EXPIRED], later("Dit contract kennen we niet bij deze sleutel.")
            )
    else:
        row = await _implied(house, scope, form, asker or ad_hoc(proof.jkt), proof.jkt, networks)
    wanted = Wanted(
        access=access,
        jkt=proof.jkt,
        asker=asker,
        operation=form.get("operation", ""),
        path=form.get("path", ""),
        body=form.get("body", ""),
        note=form.get("note", ""),
    )
    found = await issue(house, row, wanted)
    if isinstance(found, Issued):
        told = {
            "access_token": found.token,
            "token_type": "DPoP",
            "expires_in": found.seconds,
            "scope": scope_of(access),
        }
        more = {"authorization_details": shown.details(house, row)} if not name else {}
        return shown.answer({**told, "contract": row.contract, **more}, Pragma="no-cache")
    return shown.answer(
        shown.approval(found),
        HTTPStatus.ACCEPTED,
        Location=f"/admission/approvals/{found.approval}",
        Retry_After=str(ASKS_AGAIN),
    )


def _asked_for(house: Gatehouse, form: Mapping[str, str]) -> Access:
    """The class that a request for a token asks. Raises ``NoTokenError``: what every request must say is not there."""
    if form.get("grant_type") not in GRANT_TYPES:
        raise NoTokenError(
            Word.GRANT_TYPE,
            Kinds.INVALID_INPUT.value,
            later("Kies grant_type uit: {choices}.", choices=", ".join(GRANT_TYPES)),
        )
    resource = form.get("resource", "")
    if resource != house.site.origin and not resource.startswith(f"{house.site.origin}/"):
        raise NoTokenError(
            Word.TARGET, Kinds.INVALID_INPUT.value, later("resource moet {value} zijn.", value=house.site.origin)
        )
    access = next((one for one in CLASSES if form.get("scope") == scope_of(one)), None)
    if access is None:
        told = later(
            "scope moet precies een van beide zijn: {read} of {write}.",
            read=scope_of(Access.READ),
            write=scope_of(Access.WRITE),
        )
        raise NoTokenError(Word.SCOPE, Kinds.INVALID_INPUT.value, told)
    return access


def _presented(house: Gatehouse, form: Mapping[str, str]) -> Presented | None:
    """What a request brings to say who it is: a client's own assertion, or that of somebody who vouches for its job.

    Raises ``NoTokenError``.
    """
    bearer = form.get("grant_type") == JWT_BEARER
    proven = form.get("assertion" if bearer else "client_assertion", "")
    if not proven:
        if bearer:
            raise NoTokenError(
                Word.REQUEST, Kinds.INVALID_INPUT.value, later("Bij deze grant_type hoort een assertion.")
            )
        return None
    if not bearer and form.get("client_assertion_type") != ASSERTION_TYPE:
        raise NoTokenError(
            Word.REQUEST,
            Kinds.INVALID_INPUT.value,
            later("client_assertion_type moet {value} zijn.", value=ASSERTION_TYPE),
        )
    told = _claims(proven)
    issuer, subject = claims.text(told, "iss") or "", claims.text(told, "sub") or ""
    if house.trust.voucher(Method.PLATFORM, issuer) is not None:
        return Presented(Method.PLATFORM, proven)
    if subject.startswith("spiffe://"):
        return Presented(Method.SVID, proven)
    client = form.get("client_id") or subject
    return Presented(Method.CLIENT, proven, client)


def _claims(proven: str) -> dict[str, Any]:
    """What a token says of itself, to see who must be asked about it. Nothing of it is true yet."""
    parts = proven.split(".") if len(proven) <= MOST_IDENTITY and proven.isascii() else []
    return strict.members(strict.decode(parts[1]) or b"") or {} if len(parts) == 3 else {}  # noqa: PLR2004 - a compact token


async def _implied(  # noqa: PLR0913, PLR0917 - all that a request for a contract is made of
    house: Gatehouse, scope: Any, form: Mapping[str, str], asker: Asker, jkt: str, networks: tuple[str, ...]
) -> Agreement:
    """The contract that the grant itself asks for: the one it has already for the same, or a new one.

    One that was revoked is not made anew for who only asks again (attack 17). Raises as ``negotiate``, and ``NoTokenError``.
    """
    body = _wish(form)
    key = f"implied {digest(json.dumps(body, sort_keys=True))}"
    there = await house.books(storage.newest, digest(asker.workload, jkt, key))
    if there is not None and (there.ends_at <= house.now() or there.state == AgreementState.LAPSED):
        await house.books(storage.free_key, there.contract)
        there = None
    if there is not None and there.state == AgreementState.AGREED:
        return there
    await arriving.paced(house, scope, "contract", NEGOTIATING)
    if asker.tier is Tier.AD_HOC and (wait := await house.admissions.earn([AD_HOC_PACE])):
        raise TooOftenError(wait)
    wish = house.reader.read(body)
    return await agreed(house, Request(asker=asker, jkt=jkt, key=key, wish=wish, asked=body, networks=networks))


def _wish(form: Mapping[str, str]) -> dict[str, Any]:
    """What ``authorization_details`` ask for. What is of the whole may stand in one of them alone. Raises ``NoTokenError``."""
    text = form.get("authorization_details", "")
    if not text:
        raise NoTokenError(
            Word.REQUEST,
            Kinds.INVALID_INPUT.value,
            later("Noem een contract, of geef authorization_details die er een vragen."),
        )
    told = strict.members(b'{"authorization_details":' + text.encode() + b"}")
    found = None if told is None or set(told) != {"authorization_details"} else told["authorization_details"]
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise NoTokenError(
            Word.DETAILS, Kinds.INVALID_INPUT.value, later("Geef een lijst met objecten van type {value}.", value=TYPE)
        )
    body: dict[str, Any] = {}
    for detail in found:
        for name in _WHOLE:
            if name in detail and name in body:
                raise NoTokenError(
                    Word.DETAILS, Kinds.INVALID_INPUT.value, later("{name} staat er twee keer in.", name=name)
                )
            if name in detail:
                body[name] = detail.pop(name)
    return body | {"authorization_details": found}
