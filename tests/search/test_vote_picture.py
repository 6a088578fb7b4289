"""A vote as a picture: bars as long as their votes, nothing told by colour alone."""

from __future__ import annotations

from connectors.voting import VoteGroup, Votes
from search.vote_picture import WIDTH, vote_picture


def votes(*groups: VoteGroup) -> Votes:
    return Votes("aangenomen", "Aangenomen", groups=groups)


def test_bars_are_as_long_as_their_votes_and_fit_with_their_words() -> None:
    picture = vote_picture(votes(VoteGroup("A", 20, 0), VoteGroup("B", 5, 5), VoteGroup("C", 0, 1)))
    assert picture is not None
    first, second, third = picture.bars
    assert (first.in_favour, first.against) == (136, 0)
    assert second.in_favour == second.against == round(136 / 4)
    assert third.against >= 2
    assert [bar.words for bar in picture.bars] == ["20 voor", "5 voor, 5 tegen", "1 tegen"]
    assert max(bar.words_at + 7 * len(bar.words) for bar in picture.bars) <= WIDTH
    assert "25 voor en 6 tegen" in picture.words


def test_a_long_name_is_cut_and_a_party_that_did_not_vote_has_no_bar() -> None:
    picture = vote_picture(
        votes(VoteGroup("Een heel lange naam van een plaatselijke partij", 1, 0), VoteGroup("Weg", 0, 0))
    )
    assert picture is not None
    (bar,) = picture.bars
    assert bar.name.endswith("…")
    assert len(bar.name) <= 34


def test_without_votes_of_parties_there_is_no_picture() -> None:
    assert vote_picture(None) is None
    assert vote_picture(votes()) is None


def test_those_in_favour_stand_first_and_the_largest_of_each_side_on_top() -> None:
    given = [("B", 3, 0), ("D", 0, 30), ("Weg", 0, 0), ("A", 20, 0), ("E", 0, 2), ("C", 3, 0), ("F", 1, 4)]
    picture = vote_picture(votes(*(VoteGroup(*one) for one in given)))
    assert picture is not None
    assert [bar.name for bar in picture.bars] == ["A", "B", "C", "D", "F", "E"]
    assert [group.name for group in picture.groups] == ["A", "B", "C", "D", "F", "E", "Weg"]
