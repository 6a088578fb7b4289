"""Words within one document: whole words first, numbers never within numbers (field report 43)."""

from __future__ import annotations

from connectors.records import Passage, Term
from search.passages import look
from tests.assistants.tools.test_citing import document


def terms(*words: str) -> tuple[Term, ...]:
    return tuple(Term(tuple(word.split()), phrase=" " in word) for word in words)


def test_pages_with_most_of_the_words_come_first() -> None:
    paper = document("een brug", "een weg en een brug", "niets")
    found = look(paper, terms("brug", "weg")).found
    assert [one.passage.number for one in found] == [2, 1]
    assert [one.terms for one in found] == [2, 1]


def test_case_and_accents_do_not_count() -> None:
    assert look(document("De COÖRDINATIE van"), terms("coordinatie")).found


def test_a_number_is_not_found_within_a_longer_one() -> None:
    """Field report 43."""
    assert not look(document("nummer 1823"), terms("823")).found


def test_words_that_stand_within_longer_words_only_are_said_to() -> None:
    looked = look(document("de warmtenetten van Ede"), terms("warmtenet"))
    assert looked.within
    assert looked.found[0].fragments[0].found == ("warmtenetten",)
    assert not look(document("het warmtenet, de warmtenetten"), terms("warmtenet")).within


def test_a_phrase_is_found_in_order_only() -> None:
    assert look(document("de redelijke, termijn"), terms("redelijke termijn")).found
    assert not look(document("termijn redelijke"), terms("redelijke termijn")).found


def test_a_stretch_holds_the_word_and_what_stands_around_it() -> None:
    text = "woord " * 200 + "de brug valt " + "einde " * 200
    (found,) = look(document(text), terms("brug")).found
    (fragment,) = found.fragments
    assert "de brug valt" in fragment.text
    assert fragment.text.startswith("… ")
    assert fragment.text.endswith(" …")
    assert len(fragment.text) < 600


def test_a_heading_is_searched_too_and_counts_once() -> None:
    headed = document(passages=(Passage(1, "De dekking is er.", "Financiën"), Passage(2, "Besluit\nJa.", "Besluit")))
    (found,) = look(headed, terms("financien")).found
    assert found.passage.number == 1
    assert look(headed, terms("besluit")).found[0].count == 1


def test_words_that_run_over_the_border_of_pages_are_found_on_the_first_of_them() -> None:
    paper = document("de raad stelt het", "krediet beschikbaar")
    (found,) = look(paper, terms("het krediet beschikbaar")).found
    assert found.passage.number == 1
    assert found.fragments[0].found == ("het\nkrediet beschikbaar",)


def test_words_on_both_sides_of_a_missing_page_are_no_group() -> None:
    assert not look(document("de raad stelt het", "", "krediet beschikbaar"), terms("het krediet")).found


def test_a_word_of_the_next_page_alone_is_found_on_that_page_only() -> None:
    found = look(document("niets", "Noord-\nHolland en warm-\ntenet"), terms("warmtenet")).found
    assert [one.passage.number for one in found] == [2]


def test_words_broken_off_at_the_end_of_a_line_are_found() -> None:
    for text in ("het warm\u00adtenet", "het warm\u00ad\ntenet", "het warm-\ntenet"):
        looked = look(document(text), terms("warmtenet"))
        assert looked.found
        assert not looked.within
    assert look(document("in Noord-\nHolland"), terms("noord holland")).found
