"""Digests: the same for the same call everywhere, another for anything else, and silent about the question."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from connectors.addresses import PlatformMode
from connectors.buffering.keys import Keys
from connectors.calls import Call, CallKind

KEYS = Keys(b"geheim", PlatformMode.STAND_INS)
WORDS = st.text(max_size=8)
CALLS = st.builds(
    Call,
    platform=WORDS,
    service=WORDS,
    path=WORDS,
    kind=st.just(CallKind.SEARCH),
    method=st.sampled_from(["GET", "POST"]),
    params=st.lists(st.tuples(WORDS, WORDS), max_size=3).map(tuple),
    body=st.none() | st.binary(max_size=8),
    headers=st.lists(st.tuples(WORDS, WORDS), max_size=2).map(tuple),
)


@given(CALLS, CALLS)
def test_two_calls_share_a_digest_exactly_when_they_are_the_same(one: Call, other: Call) -> None:
    assert (KEYS.call(one) == KEYS.call(other)) == (one == other)
    assert KEYS.call(replace(one)) == Keys(b"geheim", PlatformMode.STAND_INS).call(one)


@given(CALLS)
def test_what_something_costs_and_as_what_it_is_kept_makes_no_other_call_of_it(call: Call) -> None:
    assert KEYS.call(replace(call, cost=7.0, kind=CallKind.DOCUMENT)) == KEYS.call(call)


def test_the_live_platform_and_its_stand_in_never_share_an_answer() -> None:
    call = Call(platform="rechtspraak", service="zoeken", path="/", kind=CallKind.SEARCH)
    assert Keys(b"geheim", PlatformMode.LIVE).call(call) != KEYS.call(call)
    assert Keys(b"ander", PlatformMode.STAND_INS).call(call) != KEYS.call(call)
    assert KEYS.document("a", "bc") != KEYS.document("ab", "c")


def test_a_digest_tells_nothing_of_the_question_and_neither_does_the_repr_of_the_keys() -> None:
    call = Call(platform="p", service="s", path="/", kind=CallKind.SEARCH, params=(("q", "kanarie"),), body=b"kanarie")
    assert "kanarie" not in KEYS.call(call)
    assert "geheim" not in repr(KEYS)
