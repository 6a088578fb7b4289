"""The file of the operator is read whole or not at all, and what is wrong in it is said in Dutch."""

from __future__ import annotations

import json
from typing import Any

import pytest

from admission.contracts import Budget, Tier
from admission.proofs.identities import Method
from admission.proofs.keys import STRONG, Algorithm
from admission.tiers import RULES
from admission.trust import Trust, TrustFileError, read_trust
from tests.support.agent import Platform

KEYS = Platform("https://bouw.example").jwks()
SVIDS = Platform("bank.example").jwks("jwt-svid")
PLATFORM = {"issuer": "https://bouw.example", "subjects": ["repo:a/*"], "keys": KEYS}
DOMAIN = {
    "name": "bank.example",
    "subjects": ["spiffe://bank.example/agent/*"],
    "keysAt": "https://bundel.example/x.json",
}
GOOD: dict[str, Any] = {
    "platforms": [PLATFORM],
    "trustDomains": [DOMAIN],
    "clients": ["agents.voorbeeld.nl", "*.bank.example"],
}


def test_whom_the_operator_names_is_trusted_and_nobody_else() -> None:
    trust = read_trust(json.dumps(GOOD))
    found = trust.voucher(Method.PLATFORM, "https://bouw.example")
    assert found is not None
    assert (found.algorithms, found.keys_at) == (STRONG, "")
    domain = trust.voucher(Method.SVID, "bank.example")
    assert domain is not None
    assert (domain.keys, domain.keys_at) == (None, "https://bundel.example/x.json")
    assert trust.voucher(Method.SVID, "https://bouw.example") is None
    assert [trust.allows(host) for host in ("agents.voorbeeld.nl", "a.bank.example", "bank.example", "x.nl")] == [
        *(True, True, False, False)
    ]
    assert read_trust("{}") == Trust()


def test_a_tier_has_the_numbers_of_the_operator_and_else_the_usual_ones() -> None:
    trust = read_trust(json.dumps({"tiers": {"federated": {"most": {"units": 7}, "shared": {"in_flight": 3}}}}))
    made, usual = trust.tiers[Tier.FEDERATED], RULES[Tier.FEDERATED]
    assert made.most == Budget(in_flight=usual.most.in_flight, units=7, writes=usual.most.writes)
    assert (made.shared.in_flight, made.shared.units, made.usual) == (3, usual.shared.units, usual.usual)
    assert trust.tiers[Tier.AD_HOC] == RULES[Tier.AD_HOC]


def test_rs256_is_there_for_a_platform_that_has_nothing_else() -> None:
    trust = read_trust(json.dumps({"platforms": [PLATFORM | {"algorithms": ["RS256"]}]}))
    assert trust.vouchers[0].algorithms == {Algorithm.RS256}


@pytest.mark.parametrize(
    "wrong",
    [
        "geen json",
        "[]",
        {"iets": 1},
        {"platforms": {}},
        {"platforms": [PLATFORM, PLATFORM]},
        {"platforms": [PLATFORM | {"issuer": "http://bouw.example"}]},
        {"platforms": [PLATFORM | {"issuer": None}]},
        {"platforms": [PLATFORM | {"subjects": []}]},
        {"platforms": [PLATFORM | {"subjects": ["*"]}]},
        {"platforms": [PLATFORM | {"subjects": ["a*b*c"]}]},
        {"platforms": [PLATFORM | {"algorithms": ["HS256"]}]},
        {"platforms": [PLATFORM | {"algorithms": []}]},
        {"platforms": [PLATFORM | {"keysAt": "https://bouw.example/x"}]},
        {"platforms": [PLATFORM | {"keys": {"keys": []}}]},
        {"platforms": [PLATFORM | {"keys": SVIDS}]},
        {"trustDomains": [DOMAIN | {"name": "Bank.example"}]},
        {"trustDomains": [DOMAIN | {"name": "ad-hoc", "subjects": ["spiffe://ad-hoc/x"]}]},
        {"trustDomains": [DOMAIN | {"subjects": ["spiffe://ander.example/x"]}]},
        {"trustDomains": [DOMAIN | {"keysAt": "https://127.0.0.1/x"}]},
        {"trustDomains": [DOMAIN | {"keysAt": "http://bundel.example/x"}]},
        {"clients": ["https://a.nl"]},
        {"clients": [5]},
        {"tiers": {"ander": {}}},
        {"tiers": {"federated": {"most": {"units": 0}}}},
        {"tiers": {"federated": {"most": {"units": True}}}},
        {"tiers": {"federated": {"veel": {}}}},
    ],
)
def test_a_file_with_a_mistake_is_not_used_in_part(wrong: Any) -> None:
    with pytest.raises(TrustFileError) as failed:
        read_trust(wrong if isinstance(wrong, str) else json.dumps(GOOD | wrong))
    assert str(failed.value).endswith((".", "…"))
