"""What the page of a document prints: facts where they belong, differences between sources said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from connectors.platforms import OPENTK, TWEEDE_KAMER
from connectors.records import DateMeaning, Detail, Document, Kind, Moment, Note, NoteCode, Passage, Related, TextState
from connectors.voting import VoteGroup, Votes
from search.document_view import document_view, elsewhere_view
from search.elsewhere import Elsewhere
from search.finding import read_finder
from search.same import together

NOW = datetime(2026, 3, 12, 23, 30, tzinfo=UTC)
MOTION = Document(
    platform="tweede-kamer",
    upstream_id="2022D1",
    title="Motie over bomen",
    organisation="Tweede Kamer",
    organisation_id="tweede-kamer",
    kind=Kind.MOTIE,
    kind_at_source="Motie",
    dates=(Moment(date(2022, 3, 1), DateMeaning.DOCUMENT),),
    passages=tuple(
        Passage(number, text, is_page=True) for number, text in enumerate(("bomen", "geen", "geen", "x"), 1)
    ),
    text_state=TextState.FULL,
    address="https://example.org/motie",
    original=None,
    fetched_at=NOW,
    details=(
        Detail("Dossier", "1"),
        Detail("Stemde anders dan de fractie", "Jansen (A): tegen"),
        Detail("Vergissing bij stemming", "B: voor"),
    ),
    votes=Votes("aangenomen", "Aangenomen", 2, 1, (VoteGroup("A", 2, 1),)),
    related=(
        Related("Stemming", "Stemmingen", "2022A1"),
        Related("Vergadering", "Plenair", address="https://example.org/v"),
        Related("Stemming", "Nog een", None, None),
    ),
    same_as=("kamer:2022d1",),
)


def test_who_voted_otherwise_and_what_was_a_mistake_stand_with_the_vote() -> None:
    """Field reports 25 and 26."""
    view = document_view(MOTION, TWEEDE_KAMER, NOW)
    assert view.vote_facts == (
        ("Stemde anders dan de fractie", "Jansen (A): tegen"),
        ("Vergissing bij stemming", "B: voor"),
    )
    assert ("Dossier", "1") in view.facts
    assert not {"Stemde anders dan de fractie", "Vergissing bij stemming"} & {label for label, _ in view.facts}
    without = document_view(replace(MOTION, votes=None), TWEEDE_KAMER, NOW)
    assert "Vergissing bij stemming" in dict(without.facts)


def test_the_day_of_reading_is_the_day_in_the_netherlands() -> None:
    assert document_view(MOTION, TWEEDE_KAMER, NOW).consulted == "13 maart 2026"


def test_what_belongs_to_it_stands_by_relation_with_our_own_page_first() -> None:
    assert document_view(MOTION, TWEEDE_KAMER, NOW).related == (
        ("Stemming", (("Stemmingen", "/document/tweede-kamer/2022A1"), ("Nog een", ""))),
        ("Vergadering", (("Plenair", "https://example.org/v"),)),
    )


def test_pages_without_what_was_looked_for_are_folded_under_their_numbers() -> None:
    view = document_view(MOTION, TWEEDE_KAMER, NOW, read_finder("bomen x", 100))
    assert [(stretch.folded, len(stretch.parts)) for stretch in view.stretches] == [
        ("", 1),
        ("Pagina 2 tot en met 3: niet gevonden", 2),
        ("", 1),
    ]
    assert view.found is not None
    assert view.found.sentence == "2 keer gevonden, op 2 van 4 pagina's."
    assert [part.anchor for part in view.found.there] == ["pagina-1", "pagina-4"]


@pytest.mark.parametrize(
    ("state", "passages", "sentence"),
    [
        (
            TextState.PARTIAL,
            MOTION.passages,
            "Niet gevonden in de tekst van dit stuk. Niet alle tekst van dit stuk staat",
        ),
        (TextState.NONE, (), "Van dit stuk is hier geen tekst."),
    ],
)
def test_finding_nothing_says_what_could_not_be_looked_through(
    state: TextState, passages: tuple[Passage, ...], sentence: str
) -> None:
    """Field reports 22 and 24."""
    document = replace(MOTION, text_state=state, passages=passages)
    view = document_view(document, TWEEDE_KAMER, NOW, read_finder("struik", 100))
    assert view.found is not None
    assert view.found.sentence.startswith(sentence)


@pytest.mark.parametrize(
    "part",
    [
        replace(MOTION, passages=(MOTION.passages[0], MOTION.passages[3])),
        replace(MOTION, notes=(Note(NoteCode.PAGES_READ, ("4", "90")),)),
        replace(MOTION, details=(Detail("Gelezen door de bron", "de eerste 40 bladzijden"),)),
    ],
    ids=["pictures", "counted", "not counted"],
)
def test_what_is_found_or_not_in_a_part_of_a_text_says_nothing_of_the_rest(part: Document) -> None:
    """Field reports 22 and 24."""
    said = []
    for words in ("struik", "bomen"):
        view, whole = (document_view(one, TWEEDE_KAMER, NOW, read_finder(words, 100)) for one in (part, MOTION))
        assert view.found is not None
        assert whole.found is not None
        assert "Niet alle tekst" not in whole.found.sentence
        said.append(view.found.sentence)
    assert said[0].startswith("Niet gevonden")
    assert all("Niet alle tekst van dit stuk staat hier." in sentence for sentence in said)


def test_words_that_stand_in_a_heading_alone_are_found_there() -> None:
    passages = (Passage(1, "Iets.", heading="Over bomen"), Passage(2, "Anders.", heading="Slot"))
    view = document_view(replace(MOTION, passages=passages), TWEEDE_KAMER, NOW, read_finder("bomen", 100))
    assert view.found is not None
    assert view.found.sentence == "1 keer gevonden, in 1 van 2 delen."
    assert [part.text.heading for part in view.found.there] == ["Over <mark>bomen</mark>"]


def test_what_another_source_says_otherwise_is_a_warning() -> None:
    """Field report 10."""
    other = replace(
        MOTION, platform="opentk", title="Iets anders", dates=(Moment(date(2022, 3, 2), DateMeaning.DOCUMENT),)
    )
    (item,) = together([MOTION, other])
    view = elsewhere_view((OPENTK,), Elsewhere(item.things[1:], item.disagreements, ()))
    assert [copy.name for copy in view.copies] == ["OpenTK"]
    assert len(view.warnings) == 2
    assert "Tweede Kamer: 1 maart 2022; OpenTK: 2 maart 2022" in view.warnings[0]
