"""Which of our kinds a record is: by its register, else by its name."""

from __future__ import annotations

import pytest

from connectors.open_raadsinformatie.kinds import KINDS, TYPES, WORDS_OF, kind_of, kinds_in, types_for
from connectors.records import Kind


@pytest.mark.parametrize(
    ("register", "kind"),
    [
        ("Moties", Kind.MOTIE),
        ("Amendementen", Kind.AMENDEMENT),
        ("Raadsvragen", Kind.VRAAG),
        ("Toezeggingen", Kind.TOEZEGGING),
        ("Raadsvoorstellen", Kind.VOORSTEL),
        ("Brieven B&W", Kind.BRIEF),
        ("Burgerbrieven", Kind.BRIEF),
        ("Besluiten", Kind.BESLUIT),
        ("Wijkraadadviezen", Kind.DOCUMENT),
        ("RIS", Kind.DOCUMENT),
    ],
)
def test_an_entry_is_what_its_register_holds(register: str, kind: Kind) -> None:
    assert kind_of("Report", "Warmtenet Ede", register) is kind


def test_an_entry_of_a_register_without_a_kind_is_what_its_name_says() -> None:
    assert kind_of("Report", "Motie schone lucht", "RIS") is Kind.MOTIE


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Motie M5 Schone lucht", Kind.MOTIE),
        ("[26bb001234] Motie schone lucht", Kind.MOTIE),
        ("Memo over motie M5", Kind.DOCUMENT),
        ("Bijlage 2 bij raadsvoorstel warmtenet", Kind.DOCUMENT),
        ("Raadsvoorstel warmtenet", Kind.VOORSTEL),
        ("Beantwoording schriftelijke vragen over parkeren", Kind.ANTWOORD),
        ("Schriftelijke vragen over het antwoord van het college", Kind.VRAAG),
        ("Artikel 39 vragen", Kind.VRAAG),
        ("Besluitenlijst raad 7 juli", Kind.BESLUIT),
        ("Notulen commissie Ruimte", Kind.VERSLAG),
        ("Concept-agenda raad", Kind.AGENDA),
        ("Raadsbrief over de jeugdzorg", Kind.BRIEF),
        ("Nieuwsbrief maart", Kind.DOCUMENT),
        ("Rekenkamerrapport", Kind.DOCUMENT),
        ("", Kind.DOCUMENT),
    ],
)
def test_a_file_is_what_its_name_says_first(name: str, kind: Kind) -> None:
    assert kind_of("MediaObject", name) is kind


def test_meetings_and_items_are_by_their_type() -> None:
    assert kind_of("Meeting", "Motie") is Kind.VERGADERING
    assert kind_of("AgendaItem", "Motie M5") is Kind.AGENDA


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_kind_is_looked_for_in_every_type_that_may_hold_it(kind: Kind) -> None:
    for record_type in TYPES:
        assert (record_type in types_for(frozenset({kind}))) is (kind in kinds_in((record_type,)))


@pytest.mark.parametrize("kind", sorted(WORDS_OF))
def test_the_words_by_which_a_kind_is_called_are_of_that_kind(kind: Kind) -> None:
    registers = [f"Schriftelijke {word}" if word == "vragen" else word for word in WORDS_OF[kind]]
    named = {kind_of("Report", "12 maart", register) for register in registers}
    assert named == {kind}
