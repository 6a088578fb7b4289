"""What fits in no contract and no request never becomes one, and what a refusal advises."""

from __future__ import annotations

from typing import Any

import pytest

from admission.contracts import Budget, Grant
from admission.edge import RETRYABLE, Reason
from tests.admission.asking import agreed, search


@pytest.mark.parametrize("field", ["contract", "token", "proof", "request", "resource"])
@pytest.mark.parametrize("junk", ["\n", "\x1f", "x\x00", "a" * 16_384])
def test_junk_in_a_field_is_no_question(field: str, junk: str) -> None:
    """Attack 18 of the study: nothing that could break a line or a key gets as far as the store."""
    with pytest.raises(ValueError, match=r"[\s\S]*"):
        search(**{field: junk})


@pytest.mark.parametrize("number", [-1, 1_000_000_001, 10**30])
def test_a_budget_below_zero_or_beyond_all_bounds_is_none(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        Budget(in_flight=1, units=number)


@pytest.mark.parametrize("cost", [0, -1, 10**12])
def test_a_cost_below_one_or_beyond_all_bounds_is_none(cost: int) -> None:
    with pytest.raises(ValueError, match=str(cost)):
        search(cost=cost)


@pytest.mark.parametrize(
    "broken",
    [
        {"id": ""},
        {"workload": "a\nb"},
        {"issuer": "a|b"},
        {"seconds": 0.0},
        {"seconds": 90_000.0},
        {"seconds": float("nan")},
    ],
)
def test_what_fits_in_no_contract_is_none(broken: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"[\s\S]*"):
        agreed(**broken)


@pytest.mark.parametrize("prefix", ["zoeken", "/zoeken\n/", ""])
def test_a_prefix_that_is_no_address_is_none(prefix: str) -> None:
    with pytest.raises(ValueError, match="zoeken"):
        Grant("zoeken", (prefix,))


def test_waiting_is_advised_for_nothing_that_does_not_pass_by_itself() -> None:
    """Choice A9."""
    final = {reason.value for reason in Reason if reason not in RETRYABLE}
    assert final == {
        *("contract-revoked", "contract-expired", "quota-exhausted", "class-mismatch", "out-of-scope"),
        *("approval-required", "approval-denied"),
    }
