"""Motions with their outcome and votes: every sample read in full."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from connectors.openbesluitvorming.documents import document
from connectors.records import (
    DateMeaning,
    Detail,
    Document,
    Kind,
    Moment,
    Note,
    NoteCode,
    Passage,
    Related,
    TextForm,
    TextState,
)
from connectors.voting import VoteGroup, Votes
from tests.connectors.openbesluitvorming.support import FETCHED, LIVE, good, opened

VIEW = "https://openbesluitvorming.nl/?view="


def test_a_motion_with_votes_is_read_in_full() -> None:
    identifier = "motion:ibabs:gemeente:utrecht:599efa0d-e8e0-42da-822c-00d57bb3a1fb"
    attachment = "document:ibabs:gemeente:utrecht:cc872c5d-ca9f-4d7b-828c-5816333910ff"

    assert document(good("entity_motion_ibabs_votes"), identifier, LIVE) == Document(
        platform="openbesluitvorming",
        upstream_id=identifier,
        title="M25 Vergroen Amerhof – Van stenen tapijt naar ontmoetingsplek in het groen",
        organisation="Gemeente Utrecht",
        organisation_id="gemeente-utrecht",
        kind=Kind.MOTIE,
        kind_at_source="Motie",
        dates=(Moment(date(2026, 1, 29), DateMeaning.MEETING_OR_MOTION),),
        passages=(
            Passage(
                1,
                "**Motie 25**\n\nVergroen Amerhof – van stenen tapijt naar ontmoetingsplek in het groen\n\n"
                "De gemeenteraad van Utrecht, bijeen op 29 januari 2026, verzoekt het college ...",
                "",
                TextForm.MARKDOWN,
            ),
        ),
        text_state=TextState.FULL,
        address=f"{VIEW}motion%3Aibabs%3Agemeente%3Autrecht%3A599efa0d-e8e0-42da-822c-00d57bb3a1fb",
        original="https://api1.ibabs.eu/publicdownload.aspx?site=Utrecht&id=cc872c5d-ca9f-4d7b-828c-5816333910ff",
        fetched_at=FETCHED,
        details=(
            Detail("Soort bij de bron", "Moties"),
            Detail("Indieners", "Indiener, A. (Anna) (Volt)"),
            Detail("Mede-indieners", "Mede, B. (Bas) (Partij voor de Dieren); Mede, C. (Carla) (EenUtrecht)"),
            Detail("Fracties", "Volt, Partij voor de Dieren, EenUtrecht"),
            Detail(
                "Agendapunt",
                "Gemeenteraad 29-1-2026: 23 Afrondende besluitvorming na debat over Versnellingsaanpak Groene "
                "Schaalsprong; Schriftelijke vragen Vergroening van de Amerhof",
            ),
            Detail("Bestandstype", "application/pdf"),
            Detail("Gelezen door de bron", "hooguit de eerste 40 bladzijden"),
        ),
        related=(Related("Bestand", "Bestand bij de motie", attachment),),
        votes=Votes(
            result="verworpen",
            literal="Motie verworpen",
            in_favour=3,
            against=2,
            groups=(
                VoteGroup("GroenLinks", 0, 1),
                VoteGroup("D66", 0, 1),
                VoteGroup("Partij voor de Dieren", 1, 0),
                VoteGroup("Volt", 1, 0),
                VoteGroup("CDA", 1, 0),
            ),
        ),
        same_as=("raad:ibabs:motion:gemeente-utrecht:599efa0d-e8e0-42da-822c-00d57bb3a1fb",),
    )


def test_a_motion_without_text_shows_its_outcome() -> None:
    """Field report 25."""
    found = opened("entity_motion_without_text")

    assert (found.passages, found.text_state, found.notes) == ((), TextState.NONE, (Note(NoteCode.WITHOUT_TEXT),))
    assert found.votes == Votes(
        result="aangenomen",
        literal="Aangenomen",
        summary="Stemmen voor: 23 CDA, AL, SGP, VVD, FVD\nStemmen tegen: 7 PA, CU",
    )
    assert found.details == (
        Detail("Soort bij de bron", "Moties"),
        Detail("Indieners", "Indiener Een; Indiener Twee"),
        Detail("Fracties", "CDA, SGP"),
    )
    assert found.related == (
        Related("Vergadering", "De vergadering waar dit bij hoort", "meeting:notubiz:gemeente:altena:1402200"),
    )


def test_names_of_members_who_voted_are_not_repeated() -> None:
    assert "Raadslid" not in repr(opened("entity_motion_ibabs_votes"))


def motion(**fields: Any) -> Document:
    return opened("entity_motion_without_text", motion=fields)


@pytest.mark.parametrize(
    ("fields", "result", "literal"),
    [
        ({"result": "Aangehouden", "status": "Aangehouden tot juni"}, "aangehouden", "Aangehouden tot juni"),
        ({"result": "onbekend", "status": "Controversieel verklaard"}, "overig", "Controversieel verklaard"),
        ({"status": "vergissing"}, "overig", "vergissing"),
        ({"result": "ingetrokken"}, "ingetrokken", "ingetrokken"),
    ],
)
def test_an_outcome_is_one_of_a_closed_list_beside_the_literal_words(
    fields: dict[str, str], result: str, literal: str
) -> None:
    """Field report 25."""
    votes = motion(**fields).votes

    assert votes is not None
    assert (votes.result, votes.literal) == (result, literal)


def test_a_motion_of_which_no_outcome_is_known_has_no_votes() -> None:
    assert motion(name="x").votes is None


def test_votes_are_summed_per_party_as_it_is_written_and_never_made_into_a_tally() -> None:
    """Field report 15."""
    cast = [
        {"option": "voor", "group_name": "CDA"},
        {"option": "Voor", "group_name": "CDA"},
        {"option": "tegen", "group_name": "Fractie CDA"},
        {"option": "voor"},
        {"option": "afwezig", "group_name": "VVD"},
        "onleesbaar",
    ]
    votes = motion(votes=cast).votes

    assert votes is not None
    assert votes.groups == (VoteGroup("CDA", 2, 0), VoteGroup("Fractie CDA", 0, 1), VoteGroup("Fractie onbekend", 1, 0))
    assert (votes.in_favour, votes.against) == (None, None)
