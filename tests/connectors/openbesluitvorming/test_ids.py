"""Ids: which spellings are accepted, what is never let through, and where a person is sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.addresses import web_address
from connectors.openbesluitvorming.connector import OpenBesluitvorming
from connectors.openbesluitvorming.ids import EntityType, entity_id, page_address
from tests.connectors.openbesluitvorming.support import LIVE, STAND_INS

ERMELO = "document:notubiz:gemeente:ermelo:16678798"
UTRECHT = "motion:ibabs:gemeente:utrecht:599efa0d-e8e0-42da-822c-00d57bb3a1fb"
ENCODED = "document%3Anotubiz%3Agemeente%3Aermelo%3A16678798"
CONNECTOR = OpenBesluitvorming(LIVE)


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        (ERMELO, ERMELO),
        (f"  {ERMELO}\n", ERMELO),
        (ENCODED, ERMELO),
        (f" {ENCODED} ", ERMELO),
        (ENCODED.lower(), ERMELO),
        (f"{ERMELO}/", ERMELO),
        (f"{ENCODED}/", ERMELO),
        (f"https://openbesluitvorming.nl/?view={ENCODED}/", ERMELO),
        (UTRECHT, UTRECHT),
        ("meeting:ibabs:waterschap:aa-en-maas:1", "meeting:ibabs:waterschap:aa-en-maas:1"),
        ("recording:notubiz:gemeente:alkmaar:884512", "recording:notubiz:gemeente:alkmaar:884512"),
        ("document:parlaeus:gemeente:apeldoorn:12:b", "document:parlaeus:gemeente:apeldoorn:12:b"),
        (f"https://openbesluitvorming.nl/?view={ENCODED}", ERMELO),
        (f"https://openbesluitvorming.nl/?query=water&view={ENCODED}&page=3", ERMELO),
        (f"HTTPS://beta.openbesluitvorming.nl?view={ERMELO}", ERMELO),
    ],
)
def test_every_spelling_of_an_id_becomes_the_one_id(text: str, identifier: str) -> None:
    """Field report 43."""
    assert CONNECTOR.canonical_id(text) == identifier


@pytest.mark.parametrize(
    "text",
    [
        "",
        "16678798",
        "ECLI:NL:HR:2024:1",
        "document:notubiz:gemeente:ermelo",
        "document:notubiz:gemeente:ermelo:",
        "committee:notubiz:gemeente:ermelo:1",
        "agenda_item:notubiz:gemeente:ermelo:1",
        "organization:nl:gemeente:ermelo:1",
        "Document:notubiz:gemeente:ermelo:1",
        "document:notubiz:gemeente:ermelo:../1",
        "document:notubiz:gemeente:ermelo:1/../../admin",
        "document:notubiz:gemeente:ermelo:1%2F..%2Fadmin",
        "document:notubiz:gemeente:ermelo:a..b",
        "document:notubiz:gemeente:ermelo:.",
        "document:notubiz:gemeente:ermelo:1\\2",
        "document:notubiz:gemeente:ermelo:1//",
        "document:notubiz:gemeente:ermelo:/",
        "document:notubiz:gemeente:ermelo:1?x=1",
        "document:notubiz:gemeente:ermelo:1#page=2",
        "document:notubiz:gemeente:ermelo:1 2",
        "document:notubiz:gemeente:ermelo:1\x00",
        "document:notubiz:gemeente:ermelo:1%00",
        "document:notubiz:gemeente:ermelo:1%252F",
        "document:notubiz:gemeente:ermelo:\u0661",
        "document:notubiz:gemeente:ermelo:" + "1" * 200,
        f"https://example.org/?view={ENCODED}",
        f"https://openbesluitvorming.nl.example.org/?view={ENCODED}",
        f"https://openbesluitvorming.nl/api?view={ENCODED}",
        "https://openbesluitvorming.nl/?query=water",
        f"https://[/?view={ENCODED}",
    ],
)
def test_what_is_no_id_of_this_platform_is_none(text: str) -> None:
    assert CONNECTOR.canonical_id(text) is None


@given(st.text() | st.text(alphabet="document:notubiz%2F./\\1 ").map("document:notubiz:gemeente:ede:".__add__))
def test_an_accepted_id_holds_nothing_that_leads_elsewhere_and_is_accepted_again(text: str) -> None:
    identifier = CONNECTOR.canonical_id(text)

    if identifier is not None:
        assert not set("/\\%?# \n\x00") & set(identifier)
        assert ".." not in identifier
        assert CONNECTOR.canonical_id(identifier) == identifier


def test_an_id_tells_its_type_and_its_source() -> None:
    found = entity_id(UTRECHT)

    assert found is not None
    assert (found.type, found.body_type, found.key) == (EntityType.MOTION, "gemeente", "utrecht")


def test_a_person_is_sent_to_the_platforms_own_page_opened_at_the_page_that_was_hit() -> None:
    assert page_address(LIVE, ERMELO) == f"https://openbesluitvorming.nl/?view={ENCODED}"
    assert page_address(LIVE, ERMELO, 2) == f"https://openbesluitvorming.nl/?view={ENCODED}&page=2"


def test_with_the_stand_ins_a_person_is_sent_to_our_own_page() -> None:
    assert page_address(STAND_INS, ERMELO, 2) == f"http://127.0.0.1:8000/document/openbesluitvorming/{ERMELO}"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("https://api.notubiz.nl/document/1/1", True),
        ("http://example.org/a%20b.pdf", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("//example.org/x", False),
        ("https:///x", False),
        ("https://example.org/a b", False),
        ("https://example.org/\x00", False),
        ("https://[", False),
        ("", False),
        (None, False),
        (1, False),
    ],
)
def test_only_web_addresses_are_linked_to(value: object, kept: bool) -> None:
    assert web_address(value) == (value if kept else None)
