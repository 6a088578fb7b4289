"""What is asked for is read strictly, all faults are told at once, and words decide nothing (choices A1-A3)."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from admission.contracts import MOST_SECONDS, MOST_UNITS, Budget, Grant, Tier
from admission.operations import Operations
from admission.rules import BadWishError, Reader, Wish, within
from admission.texts import plain
from admission.tiers import RULES, domain, pools
from besluitbron.admission import route_at
from besluitbron.work import WORK
from tests.support.agent import SITE, TYPE, Agent
from throttling.work import Access

READER = Reader(Operations(WORK, route_at), SITE, "/mcp/")
AGENT = Agent(httpx.AsyncClient(trust_env=False, verify=False))
BASE = AGENT.wish("zoeken", "mcp:lees", write=("rapport-aanvragen",))


def read(**changed: Any) -> Wish:
    return READER.read(BASE | changed)


def faults(**changed: Any) -> dict[str, str]:
    with pytest.raises(BadWishError) as bad:
        read(**changed)
    return {fault.name: fault.reason.said(str) for fault in bad.value.faults}


def details(**changed: Any) -> list[dict[str, Any]]:
    return [{"type": TYPE, "class": "read", "actions": ["zoeken"]} | changed]


def test_every_action_becomes_an_operation_of_the_registry() -> None:
    wish = read()
    assert wish.granted == {
        Access.READ: (Grant("zoeken"), Grant("lezen")),
        Access.WRITE: (Grant("rapport-aanvragen"),),
    }
    assert (wish.said.purpose, wish.said.owner, wish.said.expected_units) == ("monitoring", "Redactie Voorbeeld", 50)


@pytest.mark.parametrize("number", [0, -1, MOST_UNITS + 1, 10**30, 1.5, True, "5", None, [], float("inf")])
@pytest.mark.parametrize("name", ["in_flight", "units"])
def test_an_amount_that_is_none_is_said_to_be_one(name: str, number: Any) -> None:
    assert set(faults(budget={"in_flight": 1, "units": 1, "writes": 1} | {name: number})) == {f"budget.{name}"}


@pytest.mark.parametrize("number", [0, -1, MOST_UNITS + 1, "2", True])
def test_whoever_asks_to_change_things_says_how_many(number: Any) -> None:
    assert set(faults(budget={"in_flight": 1, "units": 1, "writes": number})) == {"budget.writes"}


def test_an_unknown_unit_is_a_fault_and_no_wish() -> None:
    assert set(faults(budget={"in_flight": 1, "units": 1, "writes": 1, "requests": 5})) == {"budget.requests"}
    assert set(faults(budget={"in_flight": 1, "units": 1, "writes": 1, "unit": "request"})) == {"budget.unit"}


@pytest.mark.parametrize("seconds", [0, -5, "3600", 10**12, True, None])
def test_a_life_that_is_none_is_a_fault(seconds: Any) -> None:
    assert set(faults(expires_in=seconds)) == {"expires_in"}


def test_a_longer_life_than_a_day_is_narrowed_and_without_one_it_is_an_hour() -> None:
    assert read(expires_in=10**6).seconds == MOST_SECONDS
    without = {name: value for name, value in BASE.items() if name != "expires_in"}
    assert READER.read(without).seconds == 3600


@pytest.mark.parametrize("missing", ["purpose", "owner", "expected_use", "authorization_details"])
def test_no_contract_without_purpose_owner_expected_use_and_scope(missing: str) -> None:
    with pytest.raises(BadWishError) as bad:
        READER.read({name: value for name, value in BASE.items() if name != missing})
    assert {fault.name.partition(".")[0] for fault in bad.value.faults} >= {missing}


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"class": "admin"}, "class"),
        ({"class": None}, "class"),
        ({"class": ["read"]}, "class"),
        ({"type": "urn:example:admission:v1"}, "type"),
        ({"locations": ["https://elders.example"]}, "locations"),
        ({"actions": ["bestaat-niet"]}, "actions.0"),
        ({"actions": ["zoeken", "mcp:bestaat-niet"]}, "actions.1"),
        ({"actions": ["rapport-aanvragen"]}, "actions.0"),
        ({"actions": [7]}, "actions.0"),
        ({"actions": []}, "actions"),
        ({"actions": "zoeken"}, "actions"),
        ({"actions": ["zoeken"] * 51}, "actions"),
        ({"prefixes": []}, "prefixes"),
        ({"prefixes": ["zoeken"]}, "prefixes.0"),
        ({"prefixes": ["/a/../zoeken"]}, "prefixes.0"),
        ({"prefixes": ["/zoeken%2f"]}, "prefixes.0"),
        ({"prefixes": ["//zoeken"]}, "prefixes.0"),
        ({"prefixes": [None]}, "prefixes.0"),
        ({"prefixes": ["/beheer/"]}, "prefixes"),
        ({"more": 1}, "more"),
    ],
)
def test_what_does_not_exist_is_a_fault(changed: dict[str, Any], name: str) -> None:
    assert set(faults(authorization_details=details(**changed))) >= {f"authorization_details.0.{name}"}


def test_a_place_is_narrowed_to_where_the_operation_is() -> None:
    """Attack 10, at its source: no free text and no wide prefix widens what is granted."""

    def granted(*prefixes: str) -> tuple[str, ...]:
        wish = read(authorization_details=details(actions=["lezen"], prefixes=list(prefixes)), budget=None)
        return wish.granted[Access.READ][0].prefixes

    assert granted("/document/rechtspraak") == ("/document/rechtspraak",)
    assert granted("/") == ("/api/v1/documenten/", "/document/", "/mcp/")
    assert granted("/document", "/beheer/") == ("/document/",)
    assert granted("/mcp/unified/v1") == ("/mcp/unified/v1",)


def test_the_same_action_twice_is_granted_once_where_either_was() -> None:
    both = [*details(prefixes=["/zoeken"]), *details(prefixes=["/api/v1/_zoek"])]
    assert read(authorization_details=both, budget=None).granted[Access.READ] == (
        Grant("zoeken", ("/api/v1/_zoek", "/zoeken")),
    )
    assert read(authorization_details=[*both, *details()], budget=None).granted[Access.READ] == (Grant("zoeken"),)


def test_too_much_is_narrowed_to_what_the_tier_gives() -> None:
    wish = read(budget={"in_flight": 10**6, "units": 10**6, "writes": 10**6})
    grants, budget = wish.narrowed(RULES[Tier.FEDERATED], may_write=True)
    assert budget == RULES[Tier.FEDERATED].most
    assert Grant("rapport-aanvragen") in grants
    grants, budget = wish.narrowed(RULES[Tier.AD_HOC], may_write=False)
    assert budget == Budget(in_flight=2, units=200, writes=0)
    assert grants == (Grant("zoeken"), Grant("lezen"))


def test_what_the_operator_reads_has_no_signs_that_nobody_sees() -> None:
    """Attack 18: newlines, ANSI, signs that turn the order of reading. Attack 23: what an agent says decides nothing."""
    note = 'rustig\x1b[31m\r\n{"event":"allow"}\u202egoed\u2066\u0000\ufeff'
    said = read(purpose={"code": "search", "note": note}).said
    assert said.note == 'rustig[31m {"event":"allow"}goed'
    assert plain("x" * 501, 500) is None


@pytest.mark.parametrize(
    "contact",
    ["", "redactie", "javascript:alert(1)", "http://a.nl", "mailto:a", "mailto:a@b.nl\nX: y", 5, "https://a.nl/é"],
)
def test_an_owner_can_be_reached(contact: Any) -> None:
    assert set(faults(owner={"name": "A", "contact": contact})) == {"owner.contact"}


def test_names_that_were_sent_are_not_sent_back_unless_they_are_plain() -> None:
    """Attack 18."""
    told = faults(**{"<script>": 1, "x" * 9000: 2, "meer": 3})
    assert set(told) == {"?", "meer"}


_JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(BASE)), _JSON)
def test_whatever_stands_in_a_field_it_is_read_or_told(name: str, junk: Any) -> None:
    wish, told = None, ["one"]
    try:
        wish = READER.read(BASE | {name: junk})
    except BadWishError as bad:
        told = [fault.name for fault in bad.faults]
    assert 0 < len(json.dumps(told)) < 4_000
    if wish is not None:
        grants, budget = wish.narrowed(RULES[Tier.AD_HOC], may_write=False)
        assert budget.units <= 200
        assert {grant.operation for grant in grants} <= {"zoeken", "lezen"}


def test_a_prefix_ends_where_a_part_of_the_address_ends() -> None:
    assert within("/document/a", "/document/a")
    assert within("/document/a/b", "/document/a")
    assert within("/document/ab", "/document/")
    assert not within("/document/ab", "/document/a")


@pytest.mark.parametrize(
    ("registered", "below"),
    [
        ("voorbeeld.nl", "a.b.voorbeeld.nl"),
        ("bedrijf.co.uk", "agents.bedrijf.co.uk"),
        ("iemand.github.io", "iemand.github.io"),
        ("naam.stad.kawasaki.jp", "x.naam.stad.kawasaki.jp"),
        ("xn--bcher-kva.example", "a.xn--bcher-kva.example"),
    ],
)
def test_no_name_below_what_somebody_registered_gives_a_pool_of_its_own(registered: str, below: str) -> None:
    """Attack 13: without a list of public suffixes the pool is that of a parent of what was registered, or of that itself."""
    pool = domain(f"https://{below}/agent.json")
    assert pool == domain(f"https://{registered}/ander.json")
    assert f".{registered}".endswith(f".{pool}")


def test_more_keys_and_names_get_no_more_together() -> None:
    """Attack 13: pools by network, by domain and by issuer; whoever makes names below one domain shares one pool."""
    assert domain("https://a.b.voorbeeld.nl/x") == domain("https://voorbeeld.nl/y") == "voorbeeld.nl"
    near = pools(Tier.AD_HOC, "ad-hoc", ("net:a", "net:b"), RULES[Tier.AD_HOC])
    assert [pool.name for pool in near] == ["net:a", "net:b", "ad-hoc"]
    assert near[-1] == pools(Tier.AD_HOC, "ad-hoc", ("net:c",), RULES[Tier.AD_HOC])[-1]
    assert [pool.name for pool in pools(Tier.FEDERATED, "bank.example", (), RULES[Tier.FEDERATED])] == [
        "federated:bank.example"
    ]
