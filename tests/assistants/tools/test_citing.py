"""Whether a sentence stands literally in a text: only white space and the form of accents do not count."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistants.citing import Difference, Where, check
from connectors.moments import now
from connectors.records import Document, Kind, Passage, TextForm, TextState


def document(*texts: str, form: TextForm = TextForm.PLAIN, **changes: object) -> Document:
    values: dict[str, object] = {
        "platform": "rechtspraak",
        "upstream_id": "1",
        "title": "Besluit over de brug",
        "organisation": "Gemeente Ede",
        "organisation_id": "gemeente-ede",
        "kind": Kind.BESLUIT,
        "kind_at_source": "Besluit",
        "dates": (),
        "passages": tuple(Passage(at, text, form=form, is_page=True) for at, text in enumerate(texts, 1) if text),
        "text_state": TextState.FULL,
        "address": "https://example.org",
        "original": None,
        "fetched_at": now(),
    }
    return Document(**(values | changes))  # type: ignore[arg-type]


PAGES = document(
    "De raad besluit\n  dat de brug   wordt\thersteld.",
    "Het college voert dit uit vóór 1 januari 2027 en",
    "meldt de kosten van 1823 euro aan de raad.",
)


def pages(citation: str, paper: Document = PAGES) -> list[tuple[int, int]]:
    return [(place.first.number, place.last.number) for place in check(paper, citation).places]


@pytest.mark.parametrize(
    ("citation", "where"),
    [
        ("De raad besluit dat de brug wordt hersteld.", (1, 1)),
        ("  de brug wordt\nhersteld. ", (1, 1)),
        (unicodedata.normalize("NFD", "vóór 1 januari 2027"), (2, 2)),
        ("dit uit vóór\u00a01 januari", (2, 2)),
        ("voert dit uit vóór 1 januari 2027 en meldt de kosten", (2, 3)),
        ("wordt hersteld. Het college voert dit uit vóór 1 januari 2027 en meldt", (1, 3)),
    ],
)
def test_a_sentence_is_found_with_its_page_also_over_the_border_of_pages(citation: str, where: tuple[int, int]) -> None:
    assert pages(citation) == [where]


def test_words_on_both_sides_of_a_missing_page_are_no_place() -> None:
    paper = document("De raad stelt het krediet", "", "beschikbaar voor de brug.", "En voor de weg.")
    found = check(paper, "stelt het krediet beschikbaar voor")
    assert found.places == ()
    assert found.broken
    assert found.nearest is not None
    assert not found.nearest.only_signs
    assert pages("voor de brug. En voor", paper) == [(3, 4)]
    assert not check(paper, "stelt het krediet niet beschikbaar").broken


def test_a_page_that_is_there_and_holds_no_text_is_missing_nothing() -> None:
    texts = ("De raad stelt het krediet", "", "beschikbaar.")
    paper = document(passages=tuple(Passage(at, text, is_page=True) for at, text in enumerate(texts, 1)))
    assert pages("het krediet beschikbaar.", paper) == [(1, 3)]


def test_a_sentence_that_stands_whole_elsewhere_is_found_there_beside_a_missing_page() -> None:
    paper = document("het krediet", "", "beschikbaar.", "Dus: het krediet beschikbaar.")
    assert pages("het krediet beschikbaar.", paper) == [(4, 4)]


@pytest.mark.parametrize(
    "citation",
    [
        "de raad besluit dat",  # a capital
        "vóór 1 januari 2027 en meldt de kosten.",  # a full stop
        "voor 1 januari 2027",  # an accent
        "823 euro",  # field report 43
        "1823 eur",
        "esluit dat de brug",
        "de brug wordt niet hersteld.",
        "debrug wordt hersteld.",
    ],
)
def test_what_is_not_literally_there_is_not_found(citation: str) -> None:
    assert pages(citation) == []


@pytest.mark.parametrize(
    ("citation", "text"),
    [
        ("5 miljoen euro", "Het kost 1,5 miljoen euro."),
        ("Het kost € 1.250", "Het kost € 1.250.000 per jaar."),
        ("000 euro", "Het kost 1.000 euro."),
        ("Het kost 2", "Het kost 2,5 euro."),
        ("volgens artikel 2.1", "Dat is volgens artikel 2.1.3 zo."),
        ("162 BW", "Op grond van artikel 6:162 BW."),
    ],
)
def test_an_amount_is_not_part_of_a_longer_amount(citation: str, text: str) -> None:
    """Field report 43."""
    assert check(document(text), citation).places == ()


@pytest.mark.parametrize(
    ("citation", "text"),
    [
        ("in 2024", "Dat was in 2024, 2025 en later."),
        ("in 2024.", "Dat was in 2024.3 Daarna niet meer."),
        ("1,5 miljoen euro", "Het kost 1,5 miljoen euro."),
        ("2. Het college", "1. De raad. 2. Het college."),
        ("€ 1.250", "Het kost € 1.250. Daarna niets."),
    ],
)
def test_a_whole_number_beside_a_point_or_comma_is_found(citation: str, text: str) -> None:
    assert check(document(text), citation).places


def test_quotation_marks_around_a_sentence_are_not_part_of_it_and_the_answer_says_so() -> None:
    found = check(PAGES, "“de brug wordt hersteld.”")
    assert found.unquoted
    assert found.places
    assert not check(document("Hij zei “ja en nee” hardop"), "“ja en nee”").unquoted


def test_a_digit_of_a_footnote_behind_a_word_does_not_hide_it() -> None:
    assert pages("het besluit", document("Zie het besluit3 van de raad")) == [(1, 1)]
    assert pages("artikel 2", document("Zie artikel 23 van de wet")) == []


def test_of_a_text_with_markup_both_what_is_seen_and_what_is_written_can_be_cited() -> None:
    paper = document("## Besluit\n\nDe raad **stemt in** met het [plan](https://example.org).", form=TextForm.MARKDOWN)
    assert pages("De raad stemt in met het plan.", paper) == [(1, 1)]
    assert pages("De raad **stemt in** met", paper) == [(1, 1)]


def test_a_heading_may_belong_to_the_sentence_or_not() -> None:
    passages = (Passage(1, "Eerste deel.", "Inleiding"), Passage(2, "Tweede deel.", "Inleiding (vervolg)"))
    paper = document(passages=passages)
    assert check(paper, "Eerste deel. Tweede deel.").places
    assert check(paper, "Inleiding Eerste deel.").places
    table = Passage(1, "|Plaats|Zaal 2|", "Agenda", form=TextForm.MARKDOWN)
    assert check(document(passages=(table,)), "Agenda |Plaats|Zaal 2|").places


def test_what_stands_in_title_or_abstract_alone_is_said_to_stand_there() -> None:
    paper = document("Iets anders.", abstract="Kort gezegd mag het.")
    assert check(paper, "Besluit over de brug").where is Where.TITLE
    assert check(paper, "Kort gezegd mag het.").where is Where.ABSTRACT


def test_the_nearest_passage_is_shown_with_what_differs() -> None:
    nearest = check(PAGES, "De raad besluit dat de brug wordt gesloopt.").nearest
    assert nearest is not None
    assert nearest.place.first.number == 1
    assert (Difference.ONLY_CITED, "gesloopt.") in nearest.runs
    assert (Difference.ONLY_THERE, "hersteld.") in nearest.runs
    assert nearest.likeness < 1


@pytest.mark.parametrize(
    ("text", "only_signs"),
    [
        ("De raad beslui-\nten dat het college “meteen” begint.", True),
        ("De Raad besluiten dat het college 'meteen' begint", True),
        ("De raad besluiten dat het college meteen eindigt.", False),
    ],
)
def test_that_only_signs_differ_is_said(text: str, only_signs: bool) -> None:
    nearest = check(document(text), "De raad besluiten dat het college meteen begint.").nearest
    assert nearest is not None
    assert nearest.only_signs is only_signs


def test_nothing_is_shown_as_nearest_when_nothing_is_near() -> None:
    assert check(PAGES, "Pinguïns vliegen niet naar Antarctica, zo blijkt uit onderzoek.").nearest is None
    assert check(document(), "De raad besluit").nearest is None


words = st.lists(
    st.sampled_from(["de", "raad", "besluit", "dat", "brug", "12", "ja,", "wordt.", "É"]), min_size=1, max_size=40
)


@given(st.lists(words, min_size=1, max_size=4), st.data())
def test_every_stretch_of_words_of_a_text_is_found_in_it_whatever_its_white_space(
    texts: list[list[str]], data: st.DataObject
) -> None:
    paper = document(*("\n ".join(words) for words in texts))
    every = [word for words in texts for word in words]
    begin = data.draw(st.integers(0, len(every) - 1))
    end = data.draw(st.integers(begin + 1, len(every)))
    citation = data.draw(st.sampled_from([" ", "\n", "\t ", "\u00a0"])).join(every[begin:end])
    assert check(paper, unicodedata.normalize("NFD", citation)).places


@given(st.text(max_size=60), st.text(min_size=1, max_size=30))
def test_no_text_breaks_the_check(text: str, citation: str) -> None:
    check(document(text), citation)
