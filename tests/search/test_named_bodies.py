"""A body named in a question becomes a filter when that is certain, and a choice when it is not (field report 9)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.addresses import Addresses, PlatformMode
from connectors.registry import default_registry
from search.lives import shipped_lives
from search.named_bodies import Named, bodies_in
from search.organisations import Register

CONNECTORS = tuple(default_registry(Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:1", "http://127.0.0.1:2")))
REGISTER = Register.of((connector.organisations() for connector in CONNECTORS), shipped_lives())


def read(typed: str) -> Named:
    return bodies_in(typed, REGISTER, lambda _: True)


@pytest.mark.parametrize(
    ("typed", "bodies", "rest"),
    [
        ("parkeren in Ede", ["gemeente-ede"], "parkeren"),
        ("begroting Soest", ["gemeente-soest"], "begroting"),
        ("begroting van de gemeente Ede 2024", ["gemeente-ede"], "begroting 2024"),
        ("warmtenet Ede en Soest", ["gemeente-ede", "gemeente-soest"], "warmtenet"),
        ("parkeren provincie utrecht", ["provincie-utrecht"], "parkeren"),
        ("parkeren in gemeente Buren", ["gemeente-buren"], "parkeren"),
        ("rechtbank Gelderland stikstof", ["gerecht-rechtbank-gelderland"], "stikstof"),
        ("waterschap Aa en Maas vismigratie", ["waterschap-aa-en-maas"], "vismigratie"),
        ("windmolens Land van Cuijk", ["gemeente-land-van-cuijk"], "windmolens"),
        ("afval Mill en Sint Hubert", ["gemeente-mill-en-sint-hubert"], "afval"),
        ("parkeren 's-Hertogenbosch", ["gemeente-s-hertogenbosch"], "parkeren"),
        ('"betaald parkeren" Ede', ["gemeente-ede"], '"betaald parkeren"'),
    ],
)
def test_a_name_that_is_certain_is_taken_out_of_the_words(typed: str, bodies: list[str], rest: str) -> None:
    """Field report 9."""
    named = read(typed)
    assert [body.id for body in named.bodies] == bodies
    assert named.rest == rest


@pytest.mark.parametrize(
    "typed",
    [
        'parkeren "in Ede"',
        "parkeren “gemeente Ede”",
        "beste buren",
        "houten banken",
        "rechtbank Ede",
        "handel met Nieuw Zeeland",
        "Ede-Wageningen spoor",
        "Raad van State vergunning",
        "Tweede Kamer stikstof",
        "subsidie financien",
        "hr uitspraak",
        "0228 parkeren",
        "Ede",
        "gemeente Ede",
        "in Ede",
        "kadernota NOT soest",
        "kadernota NOT gemeente Soest",
        "kadernota !Soest",
        "kadernota -Soest",
    ],
)
def test_what_may_be_something_else_stays_words(typed: str) -> None:
    assert read(typed).bodies == ()


@pytest.mark.parametrize(
    ("typed", "choices"),
    [
        ("parkeren Utrecht", {"gemeente-utrecht", "provincie-utrecht"}),
        ("parkeren in Bergen", {"gemeente-bergen-l", "gemeente-bergen-nh"}),
        ("wonen in Buren", {"gemeente-buren"}),
        ("burgemeester Jan Van Breda", {"gemeente-breda"}),
        ("Ede", {"gemeente-ede"}),
    ],
)
def test_a_name_that_is_not_certain_is_a_choice(typed: str, choices: set[str]) -> None:
    assert {body.id for body in read(typed).perhaps} == choices


def test_a_body_that_no_chosen_source_has_is_no_filter() -> None:
    assert bodies_in("parkeren in Ede", REGISTER, lambda _: False) == Named(rest="parkeren in Ede")


@given(st.text(max_size=80))
def test_any_text_is_read(typed: str) -> None:
    named = read(typed)
    assert not named.bodies or named.rest
