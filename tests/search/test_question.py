"""What somebody types becomes words, phrases and operators; nothing is ever raised."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.records import Operator, Term
from search.question import Remark, clean, read_question


def words(typed: str) -> list[tuple[str, ...]]:
    return [term.words for term in read_question(typed).text.terms]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("warmtenet", [("warmtenet",)]),
        ("warmtenet Ede", [("warmtenet",), ("Ede",)]),
        ('"bijzondere bijstand" toeslag', [("bijzondere", "bijstand"), ("toeslag",)]),
        ("“bijzondere bijstand”", [("bijzondere", "bijstand")]),
        ("14:30", [("14", "30")]),
        ("kosten/baten", [("kosten",), ("baten",)]),
        ("a+b", [("a",), ("b",)]),
        ("foto's", [("foto", "s")]),
        ("coördinatie", [("coördinatie",)]),
        ("coo\u0308rdinatie", [("coördinatie",)]),
        ("trailing\\", [("trailing",)]),
        ("nul\x00teken", [("nul",), ("teken",)]),
        ("\u202ewarmte\u202c net\u200f", [("warmte",), ("net",)]),
        ("warmte 🔥 net", [("warmte",), ("net",)]),
        ("water AND dijk", [("water",), ("dijk",)]),
        ("- los streepje", [("los",), ("streepje",)]),
        ("waarom?", [("waarom",)]),
        ("\ud800half", [("half",)]),
    ],
)
def test_a_question_is_read_as_these_terms(typed: str, expected: list[tuple[str, ...]]) -> None:
    """Field report 5: ordinary punctuation is no reason to fail."""
    assert words(typed) == expected


def test_words_that_belong_together_are_a_phrase_and_loose_words_are_not() -> None:
    assert read_question("14:30 uur").text.terms == (Term(("14", "30"), phrase=True), Term(("uur",)))
    assert read_question('"warmtenet"').text.terms == (Term(("warmtenet",)),)


@pytest.mark.parametrize(
    ("typed", "operator"),
    [
        ('"a b"~10', Operator.SLOP),
        ('"a b" ~ 3', Operator.SLOP),
        ("water OR dijk", Operator.OR),
        ("water || dijk", Operator.OR),
        ("water NOT dijk", Operator.NOT),
        ("water -dijk", Operator.NOT),
        ("water*", Operator.WILDCARD),
    ],
)
def test_an_operator_is_recognised_and_never_searched_as_a_word(typed: str, operator: Operator) -> None:
    """Field report 7: ``"a b"~10`` was searched as the word 10."""
    question = read_question(typed)
    assert question.text.operators == {operator}
    assert not {"10", "3", "OR", "NOT"} & set(question.text.words)


def test_lower_case_or_and_inner_hyphens_are_ordinary_text() -> None:
    assert read_question("wel or niet 's-Hertogenbosch").text.operators == frozenset()


def test_a_quote_without_a_second_is_dropped_and_told() -> None:
    question = read_question('warmtenet "in Ede')
    assert question.text.words == ("warmtenet", "in", "Ede")
    assert question.remarks == (Remark.QUOTE_DROPPED,)


@pytest.mark.parametrize("typed", ["ECLI:NL:HR:2024:1", "ecli nl hr 2024 1", "  ecli:nl:hr:2024:1 "])
def test_an_ecli_in_any_spelling_is_recognised(typed: str) -> None:
    """Field report 30."""
    text = read_question(typed).text
    assert text.ecli == "ECLI:NL:HR:2024:1"
    assert text.terms == (Term(("ECLI", "NL", "HR", "2024", "1"), phrase=True),)


@pytest.mark.parametrize("typed", ["", "   ", "?!…", "🔥🔥", "\x00", '"', '""', "***", "\u202e"])
def test_a_question_without_a_letter_or_digit_has_no_terms(typed: str) -> None:
    assert not read_question(typed).text


def test_the_words_of_a_question_do_not_show_in_its_repr() -> None:
    assert "kanarie" not in repr(read_question("kanarie"))


@given(st.text())
def test_any_text_is_read_and_every_word_is_made_of_letters_and_digits(typed: str) -> None:
    text = read_question(typed).text
    assert all(word and all(c == "_" or c.isalnum() or not c.isascii() for c in word) for word in text.words)
    assert all(term.words for term in text.terms)


@given(st.text(alphabet=st.sampled_from('ab "“~*-+/|\\:ORNT10\x00\u202e🔥é'), max_size=40))
def test_text_full_of_operators_and_quotes_is_read(typed: str) -> None:
    question = read_question(typed)
    assert '"' not in "".join(question.text.words)


@given(st.text())
def test_cleaning_twice_is_cleaning_once(typed: str) -> None:
    assert clean(clean(typed)) == clean(typed)
