"""A question in so many words, read as words to search for and the bodies it names (field report 9)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.addresses import Addresses, PlatformMode
from connectors.registry import default_registry
from search.organisations import Register
from search.question import clean
from search.sentences import Sentence, read_sentence

REGISTER = Register.of(
    connector.organisations() for connector in default_registry(Addresses(PlatformMode.STAND_INS, "http://s.test", ""))
)


def read(typed: str, *, has_bodies: bool = False) -> Sentence | None:
    return read_sentence(typed, REGISTER, lambda _: True, has_bodies=has_bodies)


@pytest.mark.parametrize(
    ("typed", "words", "bodies"),
    [
        ("Wat is er in Ede besloten over warmtenetten?", "warmtenetten", ["gemeente-ede"]),
        ("wat is er in de gemeente Ede besloten over warmtenetten", "warmtenetten", ["gemeente-ede"]),
        ("Wat staat er over windmolens in Land van Cuijk?", "windmolens", ["gemeente-land-van-cuijk"]),
        ("Hoe stemde de Tweede Kamer over stikstof?", "stikstof", ["tweede-kamer"]),
        ("Wat zegt het ministerie van Financiën over toeslagen?", "toeslagen", ["ministerie-financien"]),
        ("Wat is er in Ede besloten?", "", ["gemeente-ede"]),
        ("Welke moties gaan over stikstof?", "moties stikstof", []),
    ],
)
def test_a_sentence_becomes_words_and_bodies_and_says_so(typed: str, words: str, bodies: list[str]) -> None:
    found = read(typed)
    assert found is not None
    assert (found.words, [body.id for body in found.bodies]) == (words, bodies)
    assert all(f"`{body}`" in found.said for body in bodies)
    assert (words or "alle stukken") in found.said


@pytest.mark.parametrize("typed", ["", "warmtenet", "Ede", '"wat is er" in de polder?', "wat OR hoe is dat?", "is er?"])
def test_words_stay_as_they_are(typed: str) -> None:
    assert read(typed) is None


def test_a_body_among_words_is_read_as_on_the_search_page() -> None:
    found = read("parkeren in Ede")
    assert found is not None
    assert (found.words, [body.id for body in found.bodies]) == ("parkeren", ["gemeente-ede"])


def test_a_name_of_several_bodies_is_searched_for_as_a_word_and_the_choices_are_named() -> None:
    found = read("Wat is er in Utrecht besloten over parkeren?")
    assert found is not None
    assert found.bodies == ()
    assert found.words == "Utrecht parkeren"
    assert "`gemeente-utrecht`" in found.said
    assert "`provincie-utrecht`" in found.said


def test_no_body_is_read_from_a_sentence_when_bodies_were_chosen() -> None:
    found = read("Wat is er in Ede besloten over warmtenetten?", has_bodies=True)
    assert found is not None
    assert (found.words, found.bodies) == ("Ede warmtenetten", ())


sentences = st.lists(st.sampled_from(["Wat", "in", "Ede", "van", "de", "over", "?", "Den", "Haag"]), max_size=9)


@given(st.text(max_size=60) | sentences.map(" ".join))
def test_no_text_breaks_the_reading_and_no_word_is_made_up(typed: str) -> None:
    found = read(typed)
    if found is not None:
        assert all(word in clean(typed) for word in found.words.split())
