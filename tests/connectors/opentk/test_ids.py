"""Ids, links and addresses lead to each other and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.opentk.ids import Thing, canonical, key_of, of_link
from tests.connectors.opentk.helpers import STAND_INS, key, pages

GUID = "b1000000-0000-4000-8000-00000000000a"
IDS = [
    "2026D45064",
    "2026Z14299",
    "2024A02517",
    "TZ202603-130",
    f"verslag:{GUID}",
    "oo:oep-00112233445566778899aabbccddeeff",
    f"geschenk:9001:{GUID}",
]


@pytest.mark.parametrize("upstream_id", IDS)
def test_an_id_its_page_and_the_address_of_that_page_are_the_same_thing(upstream_id: str) -> None:
    """Field report 43."""
    found = key(upstream_id)
    assert found.upstream_id == upstream_id
    assert of_link(found.page) == found
    assert of_link(f"./{found.page}") == found
    for base in ("https://berthub.eu/tkconv/", "https://opentk.nl/", "https://www.opentk.nl/tkconv/"):
        assert canonical(base + found.page) == upstream_id


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("2026d45064", "2026D45064"),
        (" 2026D45064 ", "2026D45064"),
        ("tz202603-130", "TZ202603-130"),
        (f"VERSLAG:{GUID.upper()}", f"verslag:{GUID}"),
        ("oo%3Aoep-00112233445566778899AABBCCDDEEFF", "oo:oep-00112233445566778899aabbccddeeff"),
        ("https://berthub.eu/tkconv/get/2026D45064", "2026D45064"),
        ("https://berthub.eu/tkconv/getraw/2026D45064", "2026D45064"),
        ("https://berthub.eu/tkconv/getdoc/2026D45064", "2026D45064"),
        ("https%3A%2F%2Fberthub.eu%2Ftkconv%2Fdocument.html%3Fnummer%3D2026D45064", "2026D45064"),
    ],
)
def test_other_spellings_of_an_id_are_accepted(spelling: str, expected: str) -> None:
    assert canonical(spelling) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026D1",
        "2026X45064",
        "2026D45064x",
        "ECLI:NL:HR:2024:1",
        "verslag:1",
        "oo:../../etc/passwd",
        "geschenk:0:" + GUID,
        "https://example.nl/tkconv/get/2026D45064",
        "https://berthub.eu.example.nl/get/2026D45064",
        "ftp://berthub.eu/tkconv/get/2026D45064",
        "https://berthub.eu/tkconv/search.html?q=2026D45064",
        "https://[",
        "2026D45064" + " " * 600,
    ],
)
def test_what_is_no_id_here_is_refused(text: str) -> None:
    assert canonical(text) is None


@given(st.text(max_size=120))
def test_any_text_is_an_id_that_stays_itself_or_none(text: str) -> None:
    found = canonical(text)
    assert found is None or (canonical(found) == found and key_of(found) is not None)
    of_link(text)


def test_the_official_page_is_cited_and_that_of_opentk_stands_beside_it() -> None:
    live, trial = pages(), pages(STAND_INS)
    paper = key("2026D45064")
    assert live.of(paper, "2026Z14299") == "https://www.tweedekamer.nl/kamerstukken/detail?id=2026Z14299&did=2026D45064"
    assert live.also(paper) == "https://berthub.eu/tkconv/document.html?nummer=2026D45064"
    assert live.of(key("2026Z14299")) == "https://www.tweedekamer.nl/kamerstukken/detail?id=2026Z14299"
    report = key(f"verslag:{GUID}")
    assert live.of(report) == live.here(report) == f"https://berthub.eu/tkconv/verslag.html?vergaderingid={GUID}"
    assert live.also(report) is None
    assert trial.of(paper) == live.of(paper)
    made_up = key("2025D90001")
    assert (trial.of(made_up), trial.also(made_up), trial.file(made_up)) == (
        "http://127.0.0.1:2/document/opentk/2025D90001",
        None,
        None,
    )
    assert live.file(made_up) == "https://berthub.eu/tkconv/getraw/2025D90001"
    assert live.file(report) is None


def test_every_thing_has_a_page_of_its_own() -> None:
    assert {key(one).thing for one in IDS} == set(Thing)
    assert len({key(one).page for one in IDS}) == len(IDS)
