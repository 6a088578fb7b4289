"""A motion, its text and its item of the agenda are one by body, day and whole numbered title; near-twins stay apart."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.records import Hit, Kind, Moment
from connectors.sameness import supplier_key
from search.same import together
from search.spelling import fold
from tests.support.hits import groups, hit, meeting

M5 = "Motie M5 Behoud van de bibliotheek in het Stationskwartier"
DAY = meeting(date(2026, 3, 12), 19)


def motion(platform: str, native: str, *keys: str, title: str = M5, day: Moment = DAY, **others: Any) -> Hit:
    return hit(platform, native, *keys, title=title, date=day, **({"kind": Kind.MOTIE} | others))


def number(collection: str, native: str) -> str:
    return supplier_key("notubiz", collection, "gemeente-ede", native)


ENTRY = motion("openbesluitvorming", "1", number("motion", "10"), kind_at_source="Motie")
TEXT = motion("open-raadsinformatie", "2", number("document", "77"), kind_at_source="MediaObject")


def test_a_motion_and_its_text_at_another_platform_are_one_by_body_day_and_whole_numbered_title() -> None:
    spelled = replace(TEXT, title="MOTIE M5: Behoud van de Bibliotheek in het Stationskwartier")
    item_of_agenda = motion("open-raadsinformatie", "3", kind=Kind.AGENDA, kind_at_source="AgendaItem")
    assert groups(together([ENTRY, spelled, item_of_agenda])) == [
        ["openbesluitvorming:1", "open-raadsinformatie:2", "open-raadsinformatie:3"]
    ]


@pytest.mark.parametrize(
    "twin",
    [
        replace(TEXT, title=M5.replace("M5", "M6")),
        replace(TEXT, title=f"Gewijzigde {M5}"),
        replace(TEXT, title=f"{M5} (gewijzigd)"),
        replace(TEXT, title=M5.replace("Motie M5", "Amendement A5"), kind=Kind.AMENDEMENT),
        replace(TEXT, kind=Kind.AMENDEMENT),
        replace(TEXT, kind=Kind.VERSLAG),
        replace(TEXT, organisation_id="gemeente-epe"),
        replace(TEXT, organisation_id=None),
        replace(TEXT, date=meeting(date(2026, 3, 13), 19)),
        replace(TEXT, date=None),
        replace(TEXT, same_as=(number("motion", "11"),)),
    ],
)
def test_a_near_twin_of_a_motion_is_another_paper(twin: Hit) -> None:
    assert len(together([ENTRY, twin])) == 2


@pytest.mark.parametrize(
    "title",
    [
        "Motie M5",
        "Motie vreemd aan de orde van de dag",
        "Motie 30 km per uur in de kern",
        "Motie A2 geluidsscherm bij de Heikant",
        "Motie 2026 begroting van de bibliotheek",
        "Verslag over motie M5 Behoud van de bibliotheek",
    ],
)
def test_a_title_that_does_not_number_its_motion_joins_nothing(title: str) -> None:
    assert len(together([replace(ENTRY, title=title), replace(TEXT, title=title)])) == 2


def test_two_texts_under_the_title_of_one_motion_are_joined_to_nothing_by_it() -> None:
    changed = motion("open-raadsinformatie", "4", number("document", "78"), kind_at_source="MediaObject")
    assert len(together([TEXT, changed, ENTRY])) == 3
    without_numbers = [motion("open-archivaris", native) for native in "56"]
    assert len(together([*without_numbers, ENTRY])) == 3


def test_a_title_never_brings_two_papers_together_over_a_third() -> None:
    """A motion that was put off is a second motion, also where one platform lists its text at both meetings."""
    later = meeting(date(2026, 4, 9), 19)
    text_again = replace(TEXT, upstream_id="8", date=later)
    second = replace(ENTRY, upstream_id="9", date=later, same_as=(number("motion", "11"),))
    file = motion("openbesluitvorming", "7", number("document", "77"), kind_at_source="Document")
    found = groups(together([ENTRY, TEXT, file, text_again, second]))
    assert not any({"openbesluitvorming:1", "openbesluitvorming:9"} <= set(group) for group in found)


_PAPERS = st.tuples(  # which paper it is: its title, day, sort and number; and where it stands
    st.sampled_from([M5, M5.replace("M5", "M6"), f"Gewijzigde {M5}", M5.upper()]),
    st.sampled_from([DAY, meeting(date(2026, 3, 13), 19)]),
    st.sampled_from(["motion", "document"]),
    st.sampled_from(["1", "2"]),
    st.sampled_from(["open-raadsinformatie", "openbesluitvorming", "open-archivaris"]),
)


@given(st.lists(_PAPERS, max_size=20))
def test_no_item_ever_holds_two_motions_that_differ_in_title_or_number(
    made: list[tuple[str, Moment, str, str, str]],
) -> None:
    """Eis Z9."""
    hits = [
        motion(
            platform,
            f"{place}",
            number(sort, f"{native}{fold(title)}{day.day}"),
            title=title,
            day=day,
            kind_at_source=sort,
        )
        for place, (title, day, sort, native, platform) in enumerate(made)
    ]
    for item in together(hits):
        keys = [key for thing in item.things for key in set(thing.same_as)]
        assert len({(fold(thing.title), thing.date) for thing in item.things}) == 1
        assert all(len({key for key in keys if f":{sort}:" in key}) <= 1 for sort in ("motion", "document"))
