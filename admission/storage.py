"""What the database keeps of contracts. All functions block; in the event loop they go through ``Books``.

Whatever is done twice gives the same: a client that asks again after a lost answer gets the contract that it has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Q

from admission import approvals
from admission.contracts import Budget, Contract, Grant, Loaded, Pool, Stop, Tier
from admission.models import CONTRACTS_FOR, Agreement, AgreementState, Stopped
from admission.rules import Said

LAPSES_AFTER: Final = timedelta(minutes=5)
"""A contract of which no token was asked for so long is over."""
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{4,40}", re.ASCII)
_MARGIN_SHARE: Final = 10
_MARGIN: Final = 20
_LEAST_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is written down before it is put in the store. ``key``, ``asked``: digests of who asked which time, and of what."""

    contract: Contract
    handle: str
    client: str
    jkt: str
    key: str
    asked: str
    said: Said = field(repr=False)


def begin(draft: Draft, at: datetime) -> Agreement:
    """Write down what is asked for, or find what was with the same key: whether that asked the same, the caller looks at."""
    there = Agreement.objects.filter(key=draft.key).first()
    if there is not None:
        return there
    try:
        with transaction.atomic():
            return _written(draft, at)
    except IntegrityError:  # somebody was first, just now
        return Agreement.objects.get(key=draft.key)


def _written(draft: Draft, at: datetime) -> Agreement:
    contract, said = draft.contract, draft.said
    return Agreement.objects.create(
        contract=contract.id,
        handle=draft.handle,
        workload=contract.workload,
        issuer=contract.issuer,
        client=draft.client,
        tier=contract.tier.value,
        jkt=draft.jkt,
        key=draft.key,
        asked=draft.asked,
        purpose=said.purpose,
        note=said.note,
        owner=said.owner,
        owner_contact=said.owner_contact,
        expected_units=said.expected_units,
        expected_writes=said.expected_writes,
        expected_note=said.expected_note,
        grants=[[grant.operation, list(grant.prefixes)] for grant in contract.grants],
        in_flight=contract.budget.in_flight,
        units=contract.budget.units,
        writes=contract.budget.writes,
        most=[contract.most.in_flight, contract.most.units, contract.most.writes],
        pools=[[pool.name, pool.in_flight, pool.units, pool.seconds] for pool in contract.pools],
        asked_at=at,
        ends_at=at + timedelta(seconds=contract.seconds),
    )


def settle(contract: str, granted: Budget) -> Agreement:
    """It was put in the store, with this budget."""
    Agreement.objects.filter(contract=contract, state=AgreementState.ASKED).update(
        state=AgreementState.AGREED,
        in_flight=granted.in_flight,
        units=granted.units,
        writes=granted.writes,
        left=granted.units,
        writes_left=granted.writes,
    )
    return Agreement.objects.get(contract=contract)


def refuse(contract: str, reason: str) -> None:
    """The store did not take it: what was asked with its key may be asked again."""
    found = Agreement.objects.filter(contract=contract, state=AgreementState.ASKED)
    found.update(state=AgreementState.REFUSED, refusal=reason, key=f"-{contract}")


def find(contract: str) -> Agreement | None:
    """The contract with this name."""
    if not _NAME.fullmatch(contract):
        return None
    return Agreement.objects.filter(contract=contract).exclude(state=AgreementState.ASKED).first()


def newest(key: str) -> Agreement | None:
    """The contract that was made last with a key."""
    return Agreement.objects.filter(key=key).first()


def free_key(contract: str) -> None:
    """What was asked with the key of this contract may be asked again: it is over."""
    Agreement.objects.filter(contract=contract).update(key=f"-{contract}")


def first_token(contract: str, at: datetime) -> None:
    """A token was asked for: it no longer lapses."""
    Agreement.objects.filter(contract=contract, first_token_at=None).update(first_token_at=at)


def lapsed(at: datetime) -> list[str]:
    """The contracts that lapse now, which is written down."""
    late = Agreement.objects.filter(
        state=AgreementState.AGREED, first_token_at=None, asked_at__lte=at - LAPSES_AFTER, ends_at__gt=at
    )
    names = list(late.values_list("contract", flat=True))
    Agreement.objects.filter(contract__in=names).update(state=AgreementState.LAPSED)
    return names


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What must stop, said by whom. ``seconds``: how long a token must be remembered."""

    what: Stop
    name: str = ""
    by: str = ""
    why: str = ""
    seconds: float = 0.0


def stop(order: Order, at: datetime) -> int:
    """Write down that something stops, with all contracts that go with it; gives the number of the order."""
    living = Agreement.objects.filter(ends_at__gt=at, revoked_at=None)
    ended = _of(order.what, order.name, living)
    if ended is not None:
        names = list(ended.values_list("contract", flat=True))
        Agreement.objects.filter(contract__in=names).update(revoked_at=at)
        for name in names:
            approvals.cancel(name, at)
    until = at + timedelta(seconds=order.seconds) if order.what is Stop.TOKEN else None
    made = Stopped.objects.create(
        what=order.what.value, name=order.name, at=at, by=order.by, why=order.why, until=until
    )
    return int(made.pk)


def _of(what: Stop, name: str, living: Any) -> Any:
    match what:
        case Stop.CONTRACT:
            return living.filter(contract=name)
        case Stop.WORKLOAD:
            return living.filter(workload=name)
        case Stop.ISSUER:
            return living.filter(issuer=name)
        case _:
            return None


def applied(number: int, at: datetime) -> None:
    """The store heard an order."""
    Stopped.objects.filter(pk=number).update(applied_at=at)


def lift(what: Stop, name: str, by: str, at: datetime) -> None:
    """New contracts may come; what was stopped stays so."""
    Stopped.objects.filter(what=what.value, name=name, lifted_at=None).update(lifted_at=at, lifted_by=by)


def orders(at: datetime, *, unheard: bool) -> list[tuple[int, Order]]:
    """What is to be stopped: all that still holds, oldest first, or only what the store did not hear yet."""
    found = Stopped.objects.filter(lifted_at=None).filter(Q(until=None) | Q(until__gt=at)).order_by("at", "pk")
    # Of a contract its own row says that it was revoked.
    found = found.filter(applied_at=None) if unheard else found.exclude(what=Stop.CONTRACT.value)
    return [(int(one.pk), _order(one, at)) for one in found]


def _order(one: Stopped, at: datetime) -> Order:
    seconds = (one.until - at).total_seconds() if one.until else 0.0
    return Order(what=Stop(one.what), name=one.name, by=one.by, why=one.why, seconds=seconds)


def living(at: datetime) -> list[Loaded]:
    """What is put back after a cold start of the store: less than was left, for what was used since the last checkpoint."""
    rows = Agreement.objects.filter(state=AgreementState.AGREED, ends_at__gt=at).order_by("pk")
    return [_loaded(row, at) for row in rows]


def _loaded(row: Agreement, at: datetime) -> Loaded:
    return Loaded(
        contract=contract_of(row, max((row.ends_at - at).total_seconds(), _LEAST_SECONDS)),
        left=row.left,
        writes_left=row.writes_left,
        margin=_MARGIN + row.units // _MARGIN_SHARE if row.checked_at else 0,
        writes_margin=1 if row.writes_left < row.writes else 0,
        revoked=row.revoked_at is not None,
    )


def contract_of(row: Agreement, seconds: float) -> Contract:
    """A row as the store knows it."""
    in_flight, units, writes = row.most
    return Contract(
        id=row.contract,
        workload=row.workload,
        issuer=row.issuer,
        tier=Tier(row.tier),
        budget=Budget(in_flight=row.in_flight, units=row.units, writes=row.writes),
        most=Budget(in_flight=in_flight, units=units, writes=writes),
        seconds=seconds,
        grants=tuple(Grant(operation, tuple(prefixes)) for operation, prefixes in row.grants),
        pools=tuple(Pool(*pool) for pool in row.pools),
    )


def tidy(at: datetime) -> None:
    """Remove what is older than we keep it."""
    Agreement.objects.filter(ends_at__lt=at - CONTRACTS_FOR).delete()
    Stopped.objects.filter(at__lt=at - CONTRACTS_FOR).exclude(
        lifted_at=None, what__in=(Stop.WORKLOAD.value, Stop.ISSUER.value, Stop.WRITES.value)
    ).delete()
    approvals.expire(at)
