"""Agreeing on a contract: written down first, then put in the store, which narrows it to what its workload may still have.

Asked again with the same key of the same asker it is the same contract, also where the first answer was lost half way.
"""

from __future__ import annotations

import hashlib
import secrets
from base64 import b32encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from admission import storage
from admission.contracts import Budget, Contract, Put, PutAnswer, Stop, Tier
from admission.gatehouse import Gatehouse
from admission.identification import Asker
from admission.models import Agreement, AgreementState
from admission.problems import Refusals
from admission.proofs import strict
from admission.rules import BadWishError, Fault, Wish
from admission.storage import Draft
from admission.tiers import pools
from throttling.problems import Kind
from throttling.store import StoreLostError
from throttling.words import later

_ID_BYTES: Final = 10
_HANDLE_SIGNS: Final = 10
_NOT_YET: Final = "the store is not loaded yet"


class NotAgreedError(Exception):
    """There is no contract. ``kind`` says why; ``word`` is the answer of the store, for those who look after it."""

    def __init__(self, kind: Kind, word: str) -> None:
        super().__init__(kind.slug)
        self.kind = kind
        self.word = word


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Somebody's request for a contract. ``key``: its idempotency key; ``networks``: keys that stand for where it came from."""

    asker: Asker
    jkt: str
    key: str
    wish: Wish
    asked: Mapping[str, Any]
    networks: Sequence[str]


async def negotiate(house: Gatehouse, request: Request) -> Agreement:
    """The contract of this request, agreed now or before.

    Raises ``NotAgreedError``, ``BadWishError`` (nothing of it is left in its tier), ``BooksLostError`` and ``StoreLostError``.
    """
    draft = _draft(house, request)
    row = await house.books(storage.begin, draft, house.now())
    if row.asked != draft.asked:
        raise NotAgreedError(Refusals.KEY_REUSED.value, "reused")
    if row.state != AgreementState.ASKED:
        return row
    return await _put(house, row)


async def _put(house: Gatehouse, row: Agreement) -> Agreement:
    contract = storage.contract_of(row, max((row.ends_at - house.now()).total_seconds(), 1.0))
    put = await house.admissions.put(contract)
    match put.answer:
        case PutAnswer.PUT:
            pass
        case PutAnswer.THERE:  # an earlier attempt came so far, and its answer was lost
            put = await _standing(house, row)
        case PutAnswer.CLOSED:
            raise StoreLostError(_NOT_YET)
        case _:
            await house.books(storage.refuse, row.contract, put.answer.value)
            raise NotAgreedError(Refusals.CONTRACT_REFUSED.value, put.answer.value)
    return await house.books(storage.settle, row.contract, put.granted)


async def _standing(house: Gatehouse, row: Agreement) -> Put:
    standing = await house.admissions.look(row.contract)
    if standing is None:
        raise NotAgreedError(Refusals.CONTRACT_EXPIRED.value, "gone")
    granted = Budget(in_flight=standing.cap, units=standing.units, writes=standing.writes)
    return Put(PutAnswer.THERE, granted)


def _draft(house: Gatehouse, request: Request) -> Draft:
    asker, rules = request.asker, house.trust.tiers[request.asker.tier]
    grants, budget = request.wish.narrowed(rules, may_write=asker.tier is Tier.FEDERATED)
    if not grants:
        reason = later(
            "Iets veranderen kan alleen wie een uitgever heeft die voor de taak instaat. Er blijft niets over."
        )
        raise BadWishError((Fault("authorization_details", reason),))
    contract = Contract(
        id=f"ctr_{_letters(secrets.token_bytes(_ID_BYTES))}",
        workload=asker.workload,
        issuer=asker.issuer,
        tier=asker.tier,
        budget=budget,
        most=rules.most,
        seconds=float(request.wish.seconds),
        grants=grants,
        pools=pools(asker.tier, asker.issuer, request.networks, rules),
    )
    return Draft(
        contract=contract,
        handle=_letters(secrets.token_bytes(_ID_BYTES)).lower()[:_HANDLE_SIGNS],
        client=asker.client,
        jkt=request.jkt,
        key=digest(asker.workload, request.jkt, request.key),
        asked=digest(strict.dump(_ordered(request.asked)).decode()),
        said=request.wish.said,
    )


async def lapse(house: Gatehouse) -> int:
    """End what nobody asked a token of in time; how many that were. Raises ``BooksLostError`` and ``StoreLostError``."""
    late = await house.books(storage.lapsed, house.now())
    for contract in late:
        await house.admissions.revoke(Stop.CONTRACT, contract, why="lapsed")
    return len(late)


def digest(*parts: str) -> str:
    """What stands for some texts together: 43 signs, of which nothing can be read back."""
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in map(str.encode, parts))
    return strict.encode(hashlib.sha256(framed).digest())


def _letters(data: bytes) -> str:
    return b32encode(data).decode().rstrip("=")


def _ordered(value: Any) -> Any:
    """The same whatever order names came in."""
    if isinstance(value, dict):
        return {name: _ordered(value[name]) for name in sorted(value)}
    return [_ordered(one) for one in value] if isinstance(value, list) else value
