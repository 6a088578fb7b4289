"""An operator allows one change, exactly as it was asked, once (choice A8)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connections

from admission import approvals
from admission.approvals import KEPT_OPEN, MOST_PENDING, Change, Taking, TooManyAsksError, body_hash
from admission.models import Approval, ApprovalState

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
LATER = AT + timedelta(minutes=1)
CHANGE = Change(contract="ctr_1", operation="rapport-aanvragen", resource="/rapporten", body_sha256=body_hash(b"a"))
pytestmark = pytest.mark.usefixtures("database")


def asked(change: Change = CHANGE, at: datetime = AT) -> str:
    return approvals.ask(change, workload="spiffe://a.test/x", body="a", note="", at=at).approval


@pytest.fixture
def approved() -> str:
    name = asked()
    assert approvals.decide(name, approved=True, by="beheerder", at=AT) is ApprovalState.APPROVED
    return name


def test_what_was_approved_may_be_done_once(approved: str) -> None:
    assert approvals.take(approved, CHANGE, LATER) is Taking.TAKEN
    assert approvals.take(approved, CHANGE, LATER) is Taking.USED
    found = Approval.objects.get(approval=approved)
    assert (found.decided_by, found.used_at) == ("beheerder", LATER)


@pytest.mark.parametrize(
    "changed",
    [
        {"contract": "ctr_2"},
        {"operation": "rapport-annuleren"},
        {"resource": "/rapporten/x"},
        {"body_sha256": body_hash(b"b")},
    ],
)
def test_an_approval_of_something_else_is_none(approved: str, changed: dict[str, str]) -> None:
    """Attack 15: one sign is changed after it was approved."""
    assert approvals.take(approved, replace(CHANGE, **changed), LATER) is Taking.NONE
    assert approvals.take(approved, CHANGE, LATER) is Taking.TAKEN


def test_of_many_who_use_one_approval_at_once_one_may(approved: str) -> None:
    """Attack 15: the same approval, used by several at the same moment."""

    def try_it(_: int) -> Taking:
        try:
            return approvals.take(approved, CHANGE, LATER)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(try_it, range(8))) == sorted([Taking.TAKEN, *[Taking.USED] * 7])


def test_what_nobody_looked_at_in_time_may_not_be_done_and_can_be_asked_again() -> None:
    name, late = asked(), AT + KEPT_OPEN
    assert approvals.take(name, CHANGE, LATER) is Taking.NONE
    assert approvals.decide(name, approved=True, by="beheerder", at=late) is ApprovalState.EXPIRED
    assert approvals.take(name, CHANGE, late) is Taking.EXPIRED
    assert asked(at=late) != name


def test_what_was_approved_and_not_used_runs_out(approved: str) -> None:
    late = AT + KEPT_OPEN
    assert approvals.take(approved, CHANGE, late) is Taking.EXPIRED
    assert asked(at=late) != approved


def test_a_denial_stays_a_denial() -> None:
    name = asked()
    assert approvals.decide(name, approved=False, by="a", at=AT) is ApprovalState.DENIED
    assert approvals.decide(name, approved=True, by="b", at=LATER) is ApprovalState.DENIED
    assert asked(at=AT + timedelta(hours=1)) == name
    assert approvals.take(name, CHANGE, LATER) is Taking.DENIED


def test_asking_again_for_what_waits_asks_nobody_twice() -> None:
    assert asked() == asked(at=LATER)
    assert Approval.objects.count() == 1


def test_an_operator_is_not_buried_by_one_contract() -> None:
    for number in range(MOST_PENDING):
        asked(replace(CHANGE, resource=f"/rapporten/{number}"))
    with pytest.raises(TooManyAsksError):
        asked(replace(CHANGE, resource="/rapporten/one-more"))
    assert asked(replace(CHANGE, contract="ctr_2"))


def test_what_belongs_to_an_ended_contract_is_waited_for_no_more() -> None:
    name = asked()
    assert approvals.cancel(CHANGE.contract, AT) == 1
    assert approvals.decide(name, approved=True, by="a", at=AT) is ApprovalState.CANCELLED
    assert approvals.take(name, CHANGE, LATER) is Taking.DENIED


def test_what_was_taken_and_never_reached_anybody_may_be_done_after_all(approved: str) -> None:
    assert approvals.take(approved, CHANGE, LATER) is Taking.TAKEN
    approvals.give_back(approved, LATER)
    assert approvals.take(approved, CHANGE, LATER) is Taking.TAKEN


def test_nobody_decides_on_what_was_never_asked() -> None:
    assert approvals.decide("apr_none", approved=True, by="a", at=AT) is None


def test_the_arguments_of_a_tool_are_one_body_in_whatever_order_they_come() -> None:
    one = approvals.arguments_body({"b": [1, {"d": 1, "c": "é"}], "a": None})
    assert (
        one
        == approvals.arguments_body({"a": None, "b": [1, {"c": "é", "d": 1}]})
        == '{"a":null,"b":[1,{"c":"é","d":1}]}'.encode()
    )
