"""What a record is at its supplier: the keys that it has at other platforms, whatever the platform numbers it."""

from __future__ import annotations

from typing import Any

import pytest

from connectors.open_raadsinformatie.organisations import organisation
from connectors.open_raadsinformatie.origins import same_as
from connectors.records import Kind

EDE = organisation("ori_ede")
MAPPING = "https://openbesluitvorming.nl/voc/mapping/ede/notubiz"


def record(origin: object) -> dict[str, Any]:
    return {"was_generated_by": {"same_as": origin}}


@pytest.mark.parametrize(
    ("origin", "kind", "key"),
    [
        (f"{MAPPING}/meeting/1500100", Kind.VERGADERING, "raad:notubiz:meeting:gemeente-ede:1500100"),
        (f"{MAPPING}/attachment/823", Kind.VOORSTEL, "raad:notubiz:document:gemeente-ede:823"),
        ([f"{MAPPING}/attachment/823"], Kind.VOORSTEL, "raad:notubiz:document:gemeente-ede:823"),
        (f"{MAPPING}/report/7", Kind.MOTIE, "raad:notubiz:motion:gemeente-ede:7"),
        (f"{MAPPING}/report/7", Kind.AMENDEMENT, "raad:notubiz:motion:gemeente-ede:7"),
        (f"{MAPPING}/report/7", Kind.TOEZEGGING, "raad:notubiz:document:gemeente-ede:7"),
    ],
)
def test_the_number_of_the_supplier_is_a_key_of_the_body(origin: object, kind: Kind, key: str) -> None:
    assert same_as(record(origin), kind, None, EDE) == (key,)


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "",
        7,
        {},
        f"{MAPPING}/agenda_item/9",
        f"{MAPPING}/person/9",
        f"{MAPPING}/attachment/",
        f"{MAPPING}/attachment/9/10",
        "https://openbesluitvorming.nl/voc/mapping/attachment/9",
    ],
)
def test_what_says_no_number_of_a_paper_or_meeting_gives_no_key(origin: object) -> None:
    assert same_as(record(origin), Kind.DOCUMENT, None, EDE) == ()
    assert same_as({}, Kind.DOCUMENT, None, EDE) == ()


def test_the_file_of_a_record_is_a_key_as_well_and_a_number_is_not_said_twice() -> None:
    keys = same_as(record(f"{MAPPING}/attachment/823"), Kind.DOCUMENT, "https://api.notubiz.nl/document/823/1", EDE)
    assert keys == ("raad:notubiz:document:gemeente-ede:823", "adres:api.notubiz.nl/document/823/1")


def test_without_a_known_body_there_is_no_key() -> None:
    assert same_as(record(f"{MAPPING}/attachment/823"), Kind.DOCUMENT, "https://ede.nl/a.pdf", None) == ()
