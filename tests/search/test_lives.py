"""When bodies began and ended, and what they went to: the shipped facts are whole, in order, and agree with the platforms."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from datetime import date

import pytest

from connectors.addresses import Addresses, PlatformMode
from connectors.records import BodyKind, Organisation
from connectors.registry import default_registry
from search.lives import LISTS, Code, Life, as_body, codes_of, first_papers, shipped_lives, with_life
from search.organisations import Register

LISTED = [
    connector.organisations()
    for connector in default_registry(Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:1", "http://127.0.0.1:2"))
]
WITHOUT_LIVES = Register.of(LISTED)
REGISTER = Register.of(LISTED, shipped_lives())
LIVES = shipped_lives()
MUNICIPALITIES = [body for body in REGISTER.by_id.values() if body.kind is BodyKind.GEMEENTE]
COUNTED = {
    2010: 431,
    2011: 418,
    2012: 415,
    2013: 408,
    2014: 403,
    2015: 393,
    2016: 390,
    2017: 388,
    2018: 380,
    2019: 355,
    2020: 355,
    2021: 352,
    2022: 345,
    2023: 342,
    2024: 342,
    2025: 342,
    2026: 342,
}
"""Municipalities on 1 January, as Statistics Netherlands published them."""


def _lived(body: Organisation, day: date) -> bool:
    began = REGISTER.life(body.id).began
    return (began is None or began <= day) and (body.ended is None or body.ended > day)


@pytest.mark.parametrize(("year", "number"), COUNTED.items())
def test_there_are_as_many_municipalities_each_year_as_were_counted(year: int, number: int) -> None:
    assert sum(_lived(body, date(year, 1, 1)) for body in MUNICIPALITIES) == number


def test_every_body_that_ended_went_to_bodies_that_were_there_on_that_day() -> None:
    for life in LIVES.values():
        assert (life.ended is None) == (not life.went_to)
        for change in life.went_to:
            after = REGISTER.by_id[change.after]
            assert change.day == life.ended
            assert _lived(after, change.day)


def test_days_are_in_order_and_nobody_succeeds_itself_over_any_number_of_steps() -> None:
    for life in LIVES.values():
        assert life.began is None or life.ended is None or life.began < life.ended
        reached, waiting = set(), [change.after for change in life.went_to]
        while waiting:
            identifier = waiting.pop()
            assert identifier != life.id
            if identifier not in reached:
                reached.add(identifier)
                waiting += [change.after for change in LIVES[identifier].went_to]


def test_what_began_came_of_something_and_both_sides_of_a_change_know_it() -> None:
    for life in LIVES.values():
        assert not life.began or any(change.day == life.began for change in life.came_of)
        assert all(change in LIVES[change.before].went_to for change in life.came_of)
        assert all(change in LIVES[change.after].came_of for change in life.went_to)


def test_a_divided_body_went_to_no_successor_whole() -> None:
    divided = {life.id for life in LIVES.values() if len(life.went_to) > 1}
    assert divided >= {"gemeente-haaren", "gemeente-winsum", "gemeente-littenseradiel", "gemeente-maasdonk"}
    for identifier in divided:
        assert LIVES[identifier].successor is None
        assert not any(change.whole for change in LIVES[identifier].went_to)


def test_every_municipality_and_province_has_a_code_of_its_own() -> None:
    codes = Counter(
        body.code for body in REGISTER.by_id.values() if body.kind in {BodyKind.GEMEENTE, BodyKind.PROVINCIE}
    )
    assert None not in codes
    assert set(codes.values()) == {1}
    shape = {(len(code), code[:2], code[2:].isdigit()) for code in codes if code}
    assert shape == {(6, "GM", True), (4, "PV", True)}


def test_the_platforms_and_our_lists_agree_on_codes_ends_and_successors() -> None:
    """Field report 13: Weesp ended on 24 March 2022, not on 1 January."""
    compared = 0
    for body in WITHOUT_LIVES.by_id.values():
        life = LIVES.get(body.id)
        if life is None or life.kind is None:
            continue
        assert life.code in {None, body.code} or body.code is None
        assert life.ended == body.ended
        assert life.successor == body.successor
        compared += 1
    assert compared > 60


def test_lists_that_only_add_to_platforms_name_bodies_that_are_there() -> None:
    rows = json.loads((LISTS / "bodies.json").read_text(encoding="utf-8"))
    assert [row["id"] for row in rows if row["id"] not in REGISTER.by_id] == []
    assert [row["id"] for row in rows] == sorted({row["id"] for row in rows})
    assert {identifier for _, identifier in first_papers()} <= REGISTER.by_id.keys()


def test_our_lists_repeat_no_code_that_a_platform_gives() -> None:
    rows = json.loads((LISTS / "bodies.json").read_text(encoding="utf-8"))
    repeated = {
        row["id"] for row in rows if "code" in row and (body := WITHOUT_LIVES.body(row["id"])) and body.code is not None
    }
    assert repeated <= {"gemeente-den-haag"}


def test_every_list_has_a_row_of_origin() -> None:
    rows = [json.loads(line) for line in (LISTS / "ORIGIN.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["file"] for row in rows} == {file.name for file in LISTS.iterdir()} - {"ORIGIN.jsonl"}
    assert all(row["source"] and row["kind"] and row["kept_because"] for row in rows)


def test_another_name_is_another_body_that_knows_it_was_only_renamed() -> None:
    (change,) = LIVES["gemeente-de-fryske-marren"].came_of
    assert (change.before, change.day, change.whole, change.renamed) == (
        "gemeente-de-friese-meren",
        date(2015, 7, 1),
        True,
        True,
    )


def test_codes_have_their_scheme_and_a_court_has_that_of_its_ecli() -> None:
    ede = REGISTER.by_id["gemeente-ede"]
    assert codes_of(ede) == (
        Code("CBS", "GM0228"),
        Code("TOOI", "https://identifier.overheid.nl/tooi/id/gemeente/gm0228"),
    )
    assert codes_of(REGISTER.by_id["provincie-utrecht"])[1].value.endswith("/provincie/pv26")
    assert codes_of(REGISTER.by_id["gerecht-rechtbank-amsterdam"]) == (Code("ECLI", "RBAMS"),)
    assert codes_of(REGISTER.by_id["waterschap-rijnland"]) == ()


def test_what_a_platform_says_goes_before_our_lists() -> None:
    body = Organisation("gemeente-x", "Gemeente X", BodyKind.GEMEENTE, code="GM1", ended=date(2020, 1, 1))
    life = Life(id="gemeente-x", code="GM2", names=("Ix", "Gemeente X"), ended=date(2021, 1, 1))
    joined = with_life(body, life)
    assert (joined.code, joined.ended, joined.names) == ("GM1", date(2020, 1, 1), ("Ix",))
    assert as_body(life) is None


def test_no_code_is_given_twice_over_time() -> None:
    owners = defaultdict(set)
    for life in LIVES.values():
        if life.code:
            owners[life.code].add(life.id)
    assert [found for found in owners.values() if len(found) > 1] == []
