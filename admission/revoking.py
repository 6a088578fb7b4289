"""Giving a contract or a token back, and hearing from whoever vouches for a job that it must stop (RFC 7009).

A client ends what is its own, by its key. An issuer ends a job of its own, or all of them, by a statement that it signed: of
the type ``admission-revocation+jwt``, for our audience, five minutes long at most, used once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import structlog
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from admission import arriving, shown, storage
from admission.arriving import TOKENS
from admission.contracts import Stop
from admission.gatehouse import Gatehouse
from admission.identification import KEPT
from admission.proofs import claims
from admission.proofs.compact import Signed, Use, check_signature, read
from admission.proofs.exceptions import Check, IdentityInvalidError, TokenInvalidError
from admission.proofs.identities import LONGEST_ASSERTION, MOST_IDENTITY, Method
from admission.proofs.keys import STRONG
from admission.stopping import stop
from admission.storage import Order
from admission.texts import plain
from admission.views import house_of, refusing, scope_of

log = structlog.get_logger(__name__)
STATEMENT: Final = "admission-revocation+jwt"
_USE: Final = Use(IdentityInvalidError, frozenset({STATEMENT}), frozenset({"typ", "alg", "kid"}), STRONG, MOST_IDENTITY)
_MOST_WHY: Final = 200


@require_POST
@refusing
async def revoke(request: HttpRequest) -> HttpResponse:
    """End a token or a contract (``token``), or by a statement of an issuer (``statement``) a job.

    What is not there, or of another, is answered as what is: 200 (RFC 7009, section 2.2).
    """
    house, scope = house_of(request), scope_of(request)
    await arriving.paced(house, scope, "token", TOKENS)
    form = arriving.fields(request.body)
    order = await (_of_issuer(house, form) if "statement" in form else _of_client(house, scope, form))
    if order is not None:
        await stop(house, order)
    return shown.answer({})


async def _of_client(house: Gatehouse, scope: Any, form: Mapping[str, str]) -> Order | None:
    """What a client ends, when it is its own. Raises ``RefusedError`` and ``StoreLostError``."""
    proof = await arriving.proven(house, scope)
    named, why = form.get("token", ""), "client"
    if named.count(".") == 2:  # noqa: PLR2004 - a compact token
        try:
            token = house.issuer.read(named, house.clock())
        except TokenInvalidError:
            return None
        if token.grant.jkt != proof.jkt:
            return None
        left = token.expires - house.clock()
        return Order(what=Stop.TOKEN, name=token.jti, by="client", why=why, seconds=max(left, 1.0))
    row = await house.books(storage.find, named)
    if row is None or row.jkt != proof.jkt or row.revoked_at is not None:
        return None
    return Order(what=Stop.CONTRACT, name=row.contract, by="client", why=why)


async def _of_issuer(house: Gatehouse, form: Mapping[str, str]) -> Order:
    """What an issuer ends: the job in ``sub``, or all of its jobs where ``sub`` is the issuer itself.

    Raises ``IdentityInvalidError`` and ``StoreLostError``.
    """
    signed = read(form["statement"], _USE)
    told, now = signed.claims, house.clock()
    name = claims.text(told, "iss") or ""
    method = Method.PLATFORM if "://" in name else Method.SVID
    voucher = house.trust.voucher(method, name)
    if voucher is None:
        raise IdentityInvalidError(Check.ISSUER)
    keys = await house.identification.voucher_keys(voucher, signed.kid)
    check_signature(signed, keys.find(signed.kid), _USE)
    if claims.audience(told) != house.identification.audience:
        raise IdentityInvalidError(Check.AUDIENCE)
    expires = claims.check_life(told, now, LONGEST_ASSERTION, IdentityInvalidError)
    await _once(house, signed, name, int(expires - now))
    subject = claims.text(told, "sub") or ""
    why = plain(str(told.get("reason", "")), _MOST_WHY) or ""
    by = f"uitgever {name}"[:150]
    if subject == name:
        return Order(what=Stop.ISSUER, name=name, by=by, why=why)
    workload = subject if method is Method.SVID else f"{name}#{subject}"
    if not subject or (method is Method.SVID and not subject.startswith(f"spiffe://{name}/")):
        raise IdentityInvalidError(Check.SUBJECT)
    return Order(what=Stop.WORKLOAD, name=workload, by=by, why=why)


async def _once(house: Gatehouse, signed: Signed, issuer: str, seconds: int) -> None:
    jti = claims.text(signed.claims, "jti", 256)
    if jti is None or not await house.once.spend(f"statement|{issuer}|{jti}", max(seconds, 1) + KEPT):
        raise IdentityInvalidError(Check.IDENTIFIER)
