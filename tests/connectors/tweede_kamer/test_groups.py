"""A party or a committee: which rows name it, what that costs the service, and what it may not be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from connectors.exceptions import NotSupportedError, Unsupported
from connectors.kamer_corpus.schema import EntityType, schema
from connectors.records import Group, Kind
from connectors.tweede_kamer.filters import MOST_NODES
from connectors.tweede_kamer.ids import Entity
from connectors.tweede_kamer.plan import make_plan
from connectors.tweede_kamer.standin_filter import RefusedFilterError, filter_test
from connectors.tweede_kamer.versions import V4
from tests.connectors.tweede_kamer.helpers import words

Row = dict[str, Any]
SCHEMA = schema("v4/2.0")


def related(entity: EntityType, name: str) -> tuple[EntityType, Callable[[Row], list[Row]]] | None:
    """Rows that hold what they lead to themselves."""
    navigation = entity.navigations.get(name)
    return (SCHEMA[navigation.target], lambda row: row.get(name, [])) if navigation else None


def test_a_party_is_asked_of_who_acts_in_the_case_of_a_paper() -> None:
    (stream,) = make_plan(words("energie", groups=((Group.PARTY, "D'66"),))).streams
    assert stream.entity is Entity.DOCUMENT
    assert "Zaak/any(z:z/ZaakActor/any(a:a/ActorFractie eq 'D''66'))" in stream.condition.text
    assert stream.condition.nodes <= MOST_NODES
    test = filter_test(stream.condition.text, SCHEMA["Document"], related)
    paper = {"Verwijderd": False, "Onderwerp": "Energie", "Titel": None}
    assert test(paper | {"Zaak": [{"ZaakActor": [{"ActorFractie": "VVD"}, {"ActorFractie": "D'66"}]}]}) is True
    assert test(paper | {"Zaak": [{"ZaakActor": [{"ActorFractie": "VVD"}]}]}) is not True
    assert test(paper) is not True


@pytest.mark.parametrize("field", ["Voortouwnaam", "VoortouwCommissieNaam"])
def test_a_committee_is_asked_of_activities_by_a_part_of_its_name(field: str) -> None:
    (stream,) = make_plan(words("energie", groups=((Group.COMMITTEE, "klimaat"),)), (), field).streams
    assert stream.entity is Entity.ACTIVITY
    assert f"contains({field},'klimaat')" in stream.condition.text


def test_what_no_row_can_be_is_asked_of_nobody() -> None:
    both = ((Group.PARTY, "D66"), (Group.COMMITTEE, "klimaat"))
    assert make_plan(words("energie", groups=both)).streams == ()
    assert make_plan(words("energie", kinds=frozenset({Kind.TOEZEGGING}), groups=both[:1])).streams == ()


def test_a_committee_of_two_letters_is_not_sent() -> None:
    with pytest.raises(NotSupportedError) as caught:
        make_plan(words("energie", groups=((Group.COMMITTEE, "EZ"),)), (), V4.lead_committee)
    assert caught.value.reason is Unsupported.NO_SUCH_FUNCTION


@pytest.mark.parametrize(
    "text",
    [
        "Zaak/any(z:z/Nergens eq 'x')",
        "Nergens/any(z:z/Soort eq 'x')",
        "Zaak/any(z:z/ZaakActor/any(a:a/Zaak/any(b:b/Soort eq 'x')))",
        "Zaak/any(z:z/Soort eq 'x'",
        "Zaak/any(z/Soort eq 'x')",
    ],
)
def test_the_stand_in_refuses_what_the_service_does_not_know(text: str) -> None:
    with pytest.raises(RefusedFilterError):
        filter_test(text, SCHEMA["Document"], related)


def test_the_stand_in_knows_two_steps_also_between_brackets() -> None:
    text = "((Zaak/any(z:z/ZaakActor/any(a:a/ActorFractie eq 'x'))) or Soort eq 'y')"
    assert filter_test(text, SCHEMA["Document"], related)({"Soort": "Y"}) is True
