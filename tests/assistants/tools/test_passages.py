"""Words within one document: whole words first, numbers never within numbers (field report 43)."""

from __future__ import annotations

from assistants.passages import look
from connectors.records import Term
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
