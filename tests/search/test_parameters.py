"""Parameters become one query or all faults together, and an address is the whole question."""

from __future__ import annotations

from datetime import date
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.records import BodyKind, Kind, Organisation, Sort
from search.exceptions import Fault, InvalidQuestionError
from search.organisations import Register
from search.parameters import PARAMETERS, Asked, read_parameters

REGISTER = Register.of(
    [
        [
            Organisation("gemeente-ede", "Gemeente Ede", BodyKind.GEMEENTE, (("openbesluitvorming", "ede"),)),
            Organisation("gemeente-utrecht", "Gemeente Utrecht", BodyKind.GEMEENTE),
            Organisation("provincie-utrecht", "Provincie Utrecht", BodyKind.PROVINCIE),
        ],
        [
            Organisation("rechtbank-amsterdam", "Rechtbank Amsterdam", BodyKind.GERECHT),
            Organisation("gemeente-ede", "Gemeente Ede", BodyKind.GEMEENTE, (("rechtspraak", "x"),)),
        ],
    ]
)


def read(**values: str | list[str]) -> Asked:
    lists = {name: value if isinstance(value, list) else [value] for name, value in values.items()}
    return read_parameters(lists, REGISTER, max_characters=500)


def faults(**values: str | list[str]) -> set[tuple[str, Fault]]:
    with pytest.raises(InvalidQuestionError) as caught:
        read(**values)
    return {(fault.parameter, fault.fault) for fault in caught.value.faults}


def test_all_parameters_are_read() -> None:
    asked = read(
        vraag="warmtenet",
        organisatie=["ede", "provincie-utrecht"],
        soort=["motie", "Besluit"],
        van="2023-01-01",
        tot="31-12-2024",
        sorteer="nieuwste",
        pagina="3",
        platform="openbesluitvorming",
    )
    query = asked.query
    assert query.text.words == ("warmtenet",)
    assert [organisation.id for organisation in query.organisations] == ["gemeente-ede", "provincie-utrecht"]
    assert query.kinds == {Kind.MOTIE, Kind.BESLUIT}
    assert (query.date_from, query.date_until) == (date(2023, 1, 1), date(2024, 12, 31))
    assert (query.sort, query.page) == (Sort.NEWEST, 3)
    assert asked.platforms == ("openbesluitvorming",)


def test_one_body_known_to_two_platforms_keeps_both_keys() -> None:
    (ede,) = REGISTER.find("Gemeente EDE")
    assert ede.key_at("openbesluitvorming") == "ede"
    assert ede.key_at("rechtspraak") == "x"


def test_every_fault_is_told_at_once() -> None:
    found = faults(
        vraag="?!",
        van="2024-02-30",
        tot="gisteren",
        organisatie="utrecht",
        soort="x",
        sorteer="y",
        pagina="0",
        platform="z",
    )
    assert found == {
        ("vraag", Fault.NO_WORDS),
        ("van", Fault.BAD_DATE),
        ("tot", Fault.BAD_DATE),
        ("organisatie", Fault.AMBIGUOUS_ORGANISATION),
        ("soort", Fault.UNKNOWN_KIND),
        ("sorteer", Fault.UNKNOWN_SORT),
        ("pagina", Fault.BAD_PAGE),
        ("platform", Fault.UNKNOWN_PLATFORM),
    }


@pytest.mark.parametrize(
    "day", ["2023-02-29", "0000-01-01", "2024-13-01", "31-04-2024", "2024", "٢٠٢٤-٠١-٠١", "x" * 5000]
)
def test_a_date_that_does_not_exist_is_refused(day: str) -> None:
    assert faults(vraag="a", van=day) == {("van", Fault.BAD_DATE)}


def test_a_period_that_ends_before_it_begins_is_refused() -> None:
    assert faults(vraag="a", van="2024-02-01", tot="2024-01-01") == {("tot", Fault.PERIOD_REVERSED)}


def test_a_question_of_ten_thousand_characters_is_refused() -> None:
    assert faults(vraag="a" * 10_000) == {("vraag", Fault.TOO_LONG)}


def test_an_ambiguous_name_comes_with_its_choices() -> None:
    with pytest.raises(InvalidQuestionError) as caught:
        read(organisatie="Utrecht")
    assert [choice for choice, _ in caught.value.faults[0].choices] == ["gemeente-utrecht", "provincie-utrecht"]


def test_a_name_with_a_typing_error_comes_with_a_suggestion() -> None:
    with pytest.raises(InvalidQuestionError) as caught:
        read(organisatie="Rechtbank Amsterdm")
    assert caught.value.faults[0].choices == (("rechtbank-amsterdam", "Rechtbank Amsterdam"),)


def test_nothing_at_all_is_an_empty_question_and_no_fault() -> None:
    assert read().is_empty
    assert read(vraag="  ", platform="rechtspraak").is_empty
    assert not read(organisatie="ede").is_empty


def test_unknown_parameters_are_left_out_of_our_own_links() -> None:
    asked = read(vraag="a", utm_source="brief")
    assert asked.address() == "vraag=a"


@given(
    vraag=st.text(max_size=60).filter(lambda text: any(c.isalnum() for c in text)),
    soort=st.lists(st.sampled_from([kind.value for kind in Kind]), unique=True),
    van=st.none() | st.dates(max_value=date(2024, 1, 1)),
    pagina=st.integers(1, 200),
    sorteer=st.sampled_from([sort.value for sort in Sort]),
)
def test_an_address_read_again_is_the_same_question(
    vraag: str, soort: list[str], van: date | None, pagina: int, sorteer: str
) -> None:
    """Eis Z6."""
    try:
        asked = read(vraag=vraag, soort=soort, van=van.isoformat() if van else "", pagina=str(pagina), sorteer=sorteer)
    except InvalidQuestionError as error:
        assert {fault.fault for fault in error.faults} == {Fault.NO_WORDS}  # noqa: PT017 - marks alone are no word
        return
    again = read(**parse_qs(asked.address()))
    assert again.query == asked.query


@given(st.dictionaries(st.sampled_from(PARAMETERS), st.lists(st.text(max_size=30), max_size=4)))
def test_any_parameters_give_a_question_or_faults(values: dict[str, list[str]]) -> None:
    try:
        read_parameters(values, REGISTER, max_characters=500)
    except InvalidQuestionError as error:
        assert error.faults  # noqa: PT017 - either outcome is right, and a fault must be named
