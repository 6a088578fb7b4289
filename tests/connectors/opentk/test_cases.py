"""The outcome of votes as the page of a case gives it: in its own words, with its own numbers."""

from __future__ import annotations

import pytest

from connectors.opentk.answers import main_of
from connectors.opentk.cases import votes_on
from connectors.opentk.kinds import kind_of_hit, kind_of_page
from connectors.records import Detail, Kind
from connectors.voting import Votes
from tests.connectors.opentk.helpers import page


def outcome(*decisions: str) -> tuple[Votes | None, tuple[Detail, ...]]:
    items = "".join(f"<li><span>2026-07-07 00:00</span> ⇒ {one}</li>" for one in decisions)
    return votes_on(main_of(page(f"<h4>Besluiten</h4><ul>{items}</ul>"), "2026Z14299"))


@pytest.mark.parametrize(
    ("literal", "result"),
    [
        ("Aangenomen.", "aangenomen"),
        ("Stemmen - verworpen", "verworpen"),
        ("Ingetrokken (zie handelingen)", "ingetrokken"),
        ("Aangehouden.", "aangehouden"),
    ],
)
def test_an_outcome_is_one_of_a_closed_list_with_the_literal_words_beside_it(literal: str, result: str) -> None:
    """Field report 25."""
    assert outcome(f"{literal} (Besluit)") == (Votes(result, literal), ())


def test_controversial_or_a_proposal_is_no_outcome() -> None:
    """Field report 25."""
    assert outcome("Controversieel verklaard (Besluit)", "Aangenomen. (Voorstel)") == (None, ())


def test_the_last_decision_with_votes_counts_also_when_a_later_one_has_none() -> None:
    voted = "Verworpen. (Besluit)<ul><li>Voor 10: SP</li><li>Tegen 140: VVD | D66</li></ul>"
    votes, details = outcome("Aangehouden. (Besluit)", voted, "Afgevoerd. (Besluit)")
    assert votes == Votes("verworpen", "Verworpen.", 10, 140)
    assert details == (Detail("Voor", "SP"), Detail("Tegen", "VVD; D66"))


def test_members_of_a_roll_call_and_who_was_absent_are_named_with_the_numbers_of_the_platform() -> None:
    """Field reports 26 and 44: deviating members are counted twice over there; the numbers are its own."""
    votes, details = outcome(
        "Aangenomen. (Besluit)<ul><li>Voor 77:  Agema, M. | Ceder, D.G.M. </li><li>Tegen 74: </li>"
        "<li>Niet deelgenomen: 2 Kuzu, T. | Simons, S.H.</li></ul>"
    )
    assert votes == Votes("aangenomen", "Aangenomen.", 77, 74)
    assert details == (
        Detail("Voor", "Agema, M.; Ceder, D.G.M."),
        Detail("Niet deelgenomen", "Kuzu, T.; Simons, S.H."),
    )


def test_the_kind_of_a_paper_follows_from_fixed_words_at_the_start_of_its_title() -> None:
    titles = {
        "MOTIE VAN HET LID TSEGGAI": Kind.MOTIE,
        "Nader gewijzigde motie van de leden X en Y": Kind.MOTIE,
        "Appreciatie van de motie van het lid X": Kind.DOCUMENT,
        "Stand van zaken moties": Kind.DOCUMENT,
        "Nader gewijzigd amendement van het lid X": Kind.AMENDEMENT,
        "Antwoord op vragen van het lid X": Kind.ANTWOORD,
        "Lijst van vragen en antwoorden over X": Kind.ANTWOORD,
        "Lijst van vragen over X": Kind.VRAAG,
        "Verslag van een commissiedebat": Kind.VERSLAG,
        "Verslag Landbouw- en Visserijraad": Kind.DOCUMENT,
        "Herziene convocatie": Kind.AGENDA,
        "Memorie van toelichting": Kind.WET,
        "Besluitenlijst procedurevergadering": Kind.BESLUIT,
        "": Kind.DOCUMENT,
    }
    assert {title: kind_of_hit("Document", title) for title in titles} == titles
    assert kind_of_hit("PersoonGeschenk", "Motie van het lid X") is Kind.DOCUMENT
    assert kind_of_page("Brief regering", "Motie van het lid X") is Kind.BRIEF
    assert kind_of_page("", "Motie van het lid X") is Kind.MOTIE
