from __future__ import annotations

from typing import Any

from connectors.kamer_corpus.rows import store
from connectors.tweede_kamer.votes import casts, decisions_votes
from connectors.voting import VoteGroup
from tests.connectors.tweede_kamer.helpers import sample_json


def decision(*rows: dict[str, Any], **fields: Any) -> dict[str, Any]:
    base = {"BesluitSoort": "Stemmen - verworpen", "Status": "Besluit", "StemmingsSoort": "Met handopsteken"}
    return base | fields | {"Stemming": list(rows)}


def party(name: str, choice: str, seats: int, **fields: Any) -> dict[str, Any]:
    return {"ActorNaam": name, "ActorFractie": name, "Soort": choice, "FractieGrootte": seats} | fields


def member(name: str, of: str, choice: str, **fields: Any) -> dict[str, Any]:
    return {"ActorNaam": name, "ActorFractie": of, "Soort": choice, "FractieGrootte": 37, "SidActorLid": "S-1"} | fields


def test_a_show_of_hands_counts_the_seats_of_fracties() -> None:
    rows = sample_json("stemming_by_besluit_handopsteken.constructed.json")["value"]
    votes, facts = decisions_votes([decision(*rows, BesluitSoort="Stemmen - aangenomen", BesluitTekst="Aangenomen.")])
    assert votes is not None
    assert (votes.result, votes.literal, votes.summary) == (
        "aangenomen",
        "Stemmen - aangenomen – Aangenomen.",
        "Met handopsteken",
    )
    assert (votes.in_favour, votes.against) == (77, 73)
    assert votes.groups[:2] == (VoteGroup("D66", 26, 0), VoteGroup("PVV", 0, 26))
    assert facts == ()


def test_a_roll_call_counts_members_and_not_the_seats_beside_their_names() -> None:
    recorded = sample_json("besluit_hoofdelijk.recorded-rows.json")
    votes, facts = decisions_votes([recorded["decision"] | {"Stemming": recorded["votes"]}])
    assert votes is not None
    assert (votes.result, votes.summary) == ("verworpen", "Hoofdelijk")
    assert votes.literal == "Stemmen - verworpen – Verworpen. (72-74)"
    chosen = [row["Soort"] for row in recorded["votes"]]
    assert (votes.in_favour, votes.against) == (chosen.count("Voor"), chosen.count("Tegen"))
    assert {fact.label for fact in facts} >= {"Leden voor", "Leden tegen"}
    assert "Waveren van, A. (NSC)" in next(fact.value for fact in facts if fact.label == "Leden voor")


def test_members_who_deviate_are_taken_off_their_fractie_and_named() -> None:
    """Field report 26."""
    votes, facts = decisions_votes(
        [decision(party("PVV", "Voor", 37), party("SP", "Tegen", 5), member("Roon de, R.", "PVV", "Tegen"))]
    )
    assert votes is not None
    assert votes.groups == (VoteGroup("PVV", 36, 1), VoteGroup("SP", 0, 5))
    assert (votes.in_favour, votes.against) == (36, 6)
    assert [(fact.label, fact.value) for fact in facts] == [
        ("Stemde anders dan de fractie", "Roon de, R. (PVV): tegen")
    ]


def test_a_row_that_was_listed_twice_counts_once() -> None:
    """Field report 26."""
    votes, _ = decisions_votes([decision(party("SP", "Tegen", 5, Id="a"), party("SP", "Tegen", 5, Id="b"))])
    assert votes is not None
    assert (votes.in_favour, votes.against) == (0, 5)


def test_a_mistake_is_named_and_the_vote_beside_it_counts() -> None:
    """Field report 25."""
    mistaken, right = party("SP", "Voor", 5, Vergissing=True), party("SP", "Tegen", 5)
    for rows in ((mistaken, right), (right, mistaken)):
        votes, facts = decisions_votes([decision(*rows)])
        assert votes is not None
        assert (votes.in_favour, votes.against) == (0, 5)
        assert ("Vergissing bij stemming", "SP (5): voor") in [(fact.label, fact.value) for fact in facts]


def test_who_took_no_part_is_named_and_counts_for_neither_side() -> None:
    """Field report 25."""
    votes, facts = decisions_votes([decision(party("BIJ1", "Niet deelgenomen", 1), party("SP", "Voor", 5))])
    assert votes is not None
    assert votes.groups[0] == VoteGroup("BIJ1", 0, 0)
    assert [(fact.label, fact.value) for fact in facts] == [("Niet deelgenomen", "BIJ1 (1)")]


def test_the_decision_with_votes_goes_before_the_one_of_handing_in() -> None:
    handed_in = {"BesluitSoort": "Ingediend", "BesluitTekst": "Ingediend", "Status": "Besluit", "Stemming": []}
    voted = decision(party("SP", "Voor", 5))
    for order in ([handed_in, voted], [voted, handed_in]):
        votes, _ = decisions_votes(order)
        assert votes is not None
        assert votes.result == "verworpen"
    assert decisions_votes([handed_in]) == (None, ())
    assert decisions_votes([voted | {"Status": "Concept voorstel"}]) == (None, ())


def test_a_motion_that_is_held_over_or_withdrawn_says_so_without_votes() -> None:
    """Field report 25."""
    for word, result in (
        ("Stemmen - aangehouden", "aangehouden"),
        ("Ingetrokken", "ingetrokken"),
        ("Stemmen", "overig"),
    ):
        votes, _ = decisions_votes([decision(BesluitSoort=word)])
        assert votes is not None
        assert (votes.result, votes.literal, votes.in_favour, votes.groups) == (result, word, None, ())


def test_recorded_decisions_whose_votes_name_nobody_give_an_outcome_without_groups() -> None:
    rows = sample_json("besluiten_with_votes_list.recorded-rows.json")["value"]
    outcomes = [decisions_votes([row])[0] for row in rows]
    assert [votes.result for votes in outcomes if votes] == [
        "aangenomen",
        "aangenomen",
        "verworpen",
        "aangenomen",
        "aangenomen",
    ]
    assert all(votes and votes.groups == () for votes in outcomes)


def test_a_small_roll_call_and_a_single_recorded_decision_are_read() -> None:
    rows = sample_json("stemming_by_besluit_hoofdelijk.constructed.json")["value"]
    votes, facts = decisions_votes([decision(*rows, StemmingsSoort="Hoofdelijk")])
    assert votes is not None
    assert (votes.in_favour or 0) + (votes.against or 0) == len(
        [row for row in rows if row["Soort"] in {"Voor", "Tegen"}]
    )
    assert any(fact.label == "Leden voor" for fact in facts)
    single = sample_json("besluit_with_votes_single.recorded-row.json")
    outcome, _ = decisions_votes([single])
    assert outcome is not None
    assert outcome.literal == f"{single['BesluitSoort']} – {single['BesluitTekst']}"


def test_recorded_rows_with_everything_expanded_are_read() -> None:
    rows = sample_json("stemming_expanded_3_rows.recorded.json")["value"]
    assert len(casts({"Stemming": rows})) == 3
    assert all(not cast.is_member for cast in casts({"Stemming": rows}))


def test_odd_rows_are_no_votes() -> None:
    assert casts({"Stemming": [None, {}, {"Soort": "Voor"}, {"ActorNaam": "SP"}, {"Verwijderd": True}]}) == ()
    assert casts({"Stemming": "geen"}) == ()


def test_every_vote_at_the_source_is_counted_and_every_fractie_shown_by_its_literal_name() -> None:
    """Field reports 15 and 44: no vote of a real decision is lost, and no name is made into another."""
    held = store("v4/2.0")
    decisions = held.tables["Besluit"]
    voted = 0
    for guid, row in decisions.items():
        rows = [held.tables["Stemming"][vote] for vote in held.links.get(("Besluit", guid, "Stemming"), ())]
        rows = [vote for vote in rows if not vote["Verwijderd"]]
        roll_call = row["StemmingsSoort"] == "Hoofdelijk"
        deviating = [vote for vote in rows if vote["Persoon_Id"] or vote["SidActorLid"] or vote["Vergissing"]]
        if not rows or (deviating and not roll_call):
            continue
        votes, _ = decisions_votes([row | {"Stemming": rows, "Status": "Besluit", "Verwijderd": False}])
        assert votes is not None
        assert {group.name for group in votes.groups} == {vote["ActorFractie"] for vote in rows}
        chosen = [vote for vote in rows if vote["Soort"] in {"Voor", "Tegen"}]
        seats = len(chosen) if roll_call else sum(vote["FractieGrootte"] for vote in chosen)
        assert (votes.in_favour or 0) + (votes.against or 0) == seats
        voted += 1
    assert voted > 50
