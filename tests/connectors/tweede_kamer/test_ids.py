from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.tweede_kamer.ids import Entity, canonical, id_of, key_of

GUID = "462144d8-9742-4baa-bf07-4523b849e6eb"


@pytest.mark.parametrize(
    ("text", "upstream_id"),
    [
        ("2026D45064", "2026D45064"),
        ("2026d45064", "2026D45064"),
        (" 2025Z22235 ", "2025Z22235"),
        ("2024a02517", "2024A02517"),
        ("tz202603-130", "TZ202603-130"),
        (f"vergadering:{GUID}", f"vergadering:{GUID}"),
        (f"VERGADERING:{GUID.upper()}", f"vergadering:{GUID}"),
        (f"document%3A{GUID}", f"document:{GUID}"),
        ("https://www.tweedekamer.nl/kamerstukken/detail?id=2025Z22235&did=2025D43338", "2025D43338"),
        ("https://www.tweedekamer.nl/kamerstukken/moties/detail?id=2025Z22235", "2025Z22235"),
        ("http://tweedekamer.nl/downloads/document?id=2025D43338", "2025D43338"),
        (
            "https://www.tweedekamer.nl/debat_en_vergadering/plenaire_vergaderingen/details/activiteit?id=2024A02517",
            "2024A02517",
        ),
    ],
)
def test_every_spelling_of_an_id_leads_to_the_same_one(text: str, upstream_id: str) -> None:
    """Field reports 30 and 43."""
    assert canonical(text) == upstream_id
    assert canonical(quote(upstream_id, safe="")) == upstream_id


@pytest.mark.parametrize(
    "text",
    [
        "",
        "823",
        "2026D4506",
        "12026D45064",
        "2026D45064x",
        "2026P01291",
        "TZ2026-1",
        f"stemming:{GUID}",
        "document:1234",
        "https://voorbeeld.nl/detail?id=2025Z22235",
        "https://www.tweedekamer.nl.kwaad.nl/detail?id=2025Z22235",
        "javascript://www.tweedekamer.nl/?id=2025Z22235",
        "https://[kapot?id=2025Z22235",
        "2026D45064\n2026D45065",
        "２０２６D45064",
        "2026D45064" * 100,
    ],
)
def test_anything_else_is_no_id(text: str) -> None:
    assert canonical(text) is None


def test_a_row_is_called_by_its_number_and_else_by_its_guid() -> None:
    assert id_of(Entity.DOCUMENT, "2026D45064", GUID) == "2026D45064"
    assert id_of(Entity.DOCUMENT, None, GUID) == f"document:{GUID}"
    assert id_of(Entity.DOCUMENT, "2026Z45064", GUID) == f"document:{GUID}"
    assert id_of(Entity.MEETING, None, GUID) == f"vergadering:{GUID}"
    assert id_of(Entity.DOCUMENT, None, None) is None


@given(st.text(max_size=120))
def test_any_text_is_an_id_that_stays_the_same_or_none(text: str) -> None:
    found = canonical(text)
    assert found is None or (canonical(found) == found and key_of(found) is not None)
