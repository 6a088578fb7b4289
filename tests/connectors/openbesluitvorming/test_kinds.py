"""Kinds from the platform's types and from titles."""

from __future__ import annotations

import pytest

from connectors.council_kinds import MOTION_KINDS, PAPER_KINDS
from connectors.openbesluitvorming.ids import EntityType
from connectors.openbesluitvorming.kinds import KINDS, kind_of, kinds_in, types_for
from connectors.records import Kind


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Raadsvoorstel Bestemmingsplan Buitengebied", Kind.VOORSTEL),
        ("Statenvoorstel 2024-12 Regionale energiestrategie", Kind.VOORSTEL),
        ("AB-voorstel waterbeheerprogramma", Kind.VOORSTEL),
        ("12.a Raadsvoorstel en raadsbesluit grondexploitatie", Kind.VOORSTEL),
        ("Besluitenlijst raadsvergadering 12 maart 2026", Kind.BESLUIT),
        ("Getekend raadsbesluit belastingverordening", Kind.BESLUIT),
        ("Lijst van besluiten 3 april", Kind.BESLUIT),
        ("Notulen gemeenteraad 5 juni", Kind.VERSLAG),
        ("Conceptverslag commissie Ruimte", Kind.VERSLAG),
        ("Agenda gemeenteraad 22 januari 2026", Kind.AGENDA),
        ("Voorlopige agenda commissie Bestuur", Kind.AGENDA),
        ("Schriftelijke vragen VVD over parkeren", Kind.VRAAG),
        ("Art. 36-vragen over de busbaan", Kind.VRAAG),
        ("Artikel 42 vragen D66", Kind.VRAAG),
        ("Beantwoording schriftelijke vragen over parkeren", Kind.ANTWOORD),
        ("Antwoord op art. 36-vragen", Kind.ANTWOORD),
        ("Antwoordbrief jeugdzorg", Kind.ANTWOORD),
        ("Raadsbrief beantwoording toezegging", Kind.BRIEF),
        ("Collegebrief stand van zaken warmtenet", Kind.BRIEF),
        ("Raadsinformatiebrief opvang", Kind.BRIEF),
        ("Brief van het Rijk over een besluit", Kind.BRIEF),
        ("Toezegging wethouder over de sporthal", Kind.TOEZEGGING),
        ("Motie vreemd aan de orde van de dag", Kind.MOTIE),
        ("A3 Amendement bij het raadsvoorstel", Kind.AMENDEMENT),
        ("Vragen fractie CDA", Kind.VRAAG),
        ("Vragen VVD over het zwembad", Kind.VRAAG),
        ("Vragen en antwoorden warmtenet", Kind.ANTWOORD),
        ("Gewijzigde motie M3 Groen dak", Kind.MOTIE),
        ("Fractie van CDA motie over groen", Kind.MOTIE),
        ("Memo over motie", Kind.DOCUMENT),
        ("Uitvoering motie 12", Kind.DOCUMENT),
        ("Preadvies amendement 3", Kind.DOCUMENT),
        ("Reactie college op motie 4", Kind.DOCUMENT),
        ("Moties raad 12 maart 2026", Kind.DOCUMENT),
        ("Bijlage 2 bij raadsvoorstel", Kind.DOCUMENT),
        ("Overzicht moties en toezeggingen", Kind.DOCUMENT),
        ("Jaarverslag 2023", Kind.DOCUMENT),
        ("Nieuwsbrief juni", Kind.DOCUMENT),
        ("Uitvoeringsagenda economie", Kind.DOCUMENT),
        ("Besluitvorming over de tunnel", Kind.DOCUMENT),
        ("Ingekomen stukken raad 12 maart 2026", Kind.DOCUMENT),
        ("13165092.pdf", Kind.DOCUMENT),
        ("", Kind.DOCUMENT),
    ],
)
def test_a_paper_is_what_its_title_says_first(title: str, kind: Kind) -> None:
    assert kind_of(EntityType.DOCUMENT, title) is kind


@pytest.mark.parametrize(
    ("title", "motion_type", "kind"),
    [
        ("Vergunningverlening rond geitenhouderijen", "Moties", Kind.MOTIE),
        ("15-A-1 Amendement - GL PvdA - Geotechnisch onderzoek", "Moties", Kind.AMENDEMENT),
        ("Een Jongerenraad met stem en mandaat", "Amendement", Kind.AMENDEMENT),
        ("Meer groen", "Moties en amendementen", Kind.MOTIE),
        ("Motie bij amendement 3", "", Kind.MOTIE),
    ],
)
def test_a_motion_is_an_amendment_when_its_title_or_type_says_so(title: str, motion_type: str, kind: Kind) -> None:
    assert kind_of(EntityType.MOTION, title, motion_type) is kind


@pytest.mark.parametrize("entity_type", [EntityType.MEETING, EntityType.RECORDING])
def test_a_meeting_is_a_meeting_whatever_its_title(entity_type: EntityType) -> None:
    assert kind_of(entity_type, "Agenda en besluitenlijst") is Kind.VERGADERING


MEETING, MOTION, PAPER = EntityType.MEETING, EntityType.MOTION, EntityType.DOCUMENT


@pytest.mark.parametrize(
    ("kinds", "types", "all_of_them"),
    [
        (set(), (), False),
        ({Kind.VERGADERING}, (MEETING,), True),
        ({Kind.MOTIE, Kind.AMENDEMENT}, (MOTION, PAPER), False),
        ({Kind.MOTIE}, (MOTION, PAPER), False),
        ({Kind.VOORSTEL}, (PAPER,), False),
        ({Kind.VOORSTEL, Kind.BRIEF}, (PAPER,), False),
        ({Kind.MOTIE, Kind.BRIEF}, (MOTION, PAPER), False),
        ({Kind.VERGADERING, Kind.AGENDA}, (MEETING, PAPER), False),
        ({Kind.VERGADERING, Kind.MOTIE}, (), False),
        (PAPER_KINDS, (MOTION, PAPER), True),
        (KINDS, (), True),
    ],
)
def test_kinds_are_looked_for_in_every_type_that_may_hold_them(
    kinds: set[Kind], types: tuple[EntityType, ...], all_of_them: bool
) -> None:
    assert types_for(frozenset(kinds)) == types
    assert (kinds_in(types) == kinds) is all_of_them


def test_a_motion_may_be_a_paper_as_well() -> None:
    assert kinds_in((EntityType.DOCUMENT,)) >= MOTION_KINDS
    assert kinds_in(()) == KINDS


def test_kinds_of_courts_parliament_and_gazettes_are_not_held_here() -> None:
    foreign = {Kind.UITSPRAAK, Kind.CONCLUSIE, Kind.WET, Kind.BEKENDMAKING, Kind.STEMMING}

    assert set(Kind) - KINDS == foreign
