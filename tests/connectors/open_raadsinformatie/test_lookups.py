"""Addresses that lead to a record without saying of which organisation."""

from __future__ import annotations

import json

import pytest

from connectors.open_raadsinformatie.lookups import Wanted, query_of, wanted
from connectors.open_raadsinformatie.requests import look_up_call

UUID = "9214b173-1229-476c-b38d-308674d09744"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://id.openraadsinformatie.nl/7900100", Wanted(number="7900100")),
        (
            "https://zoek.openraadsinformatie.nl/?showResource=https%253A%252F%252Fid.openraadsinformatie.nl%252F12",
            Wanted("12"),
        ),
        ("https://api.notubiz.nl/document/123/2", Wanted(originals=("https://api.notubiz.nl/document/123/2",))),
        ("http://api.notubiz.nl/document/123", Wanted(originals=("https://api.notubiz.nl/document/123/1",))),
        (
            "https://api.openraadsinformatie.nl/v1/resolve/api.notubiz.nl/document/123",
            Wanted(originals=("https://api.notubiz.nl/document/123/1",)),
        ),
        (
            "http://raad.example.org/stukken/besluit.pdf?x=1",
            Wanted(
                originals=(
                    "https://raad.example.org/stukken/besluit.pdf?x=1",
                    "http://raad.example.org/stukken/besluit.pdf?x=1",
                )
            ),
        ),
        ("https://example.org/", None),
        ("https://localhost/stukken/1", None),
        ("ftp://example.org/stukken/1", None),
        ("https://zoek.openraadsinformatie.nl/zoeken", None),
        ("https://id.openraadsinformatie.nl/0", None),
        ("gemeente ede", None),
        ("http://[", None),
        ("x" * 3000, None),
    ],
)
def test_an_address_says_what_to_look_for(text: str, found: Wanted | None) -> None:
    assert wanted(text) == found


def test_the_site_of_a_supplier_is_looked_for_in_the_cases_that_people_write() -> None:
    found = wanted(f"https://api1.ibabs.eu/publicdownload.aspx?site=ede&id={UUID.upper()}")
    assert found is not None
    assert f"https://api1.ibabs.eu/publicdownload.aspx?site=Ede&id={UUID}" in found.originals
    assert wanted("https://api1.ibabs.eu/publicdownload.aspx?site=../x&id=1") is None


def test_everything_is_searched_once_and_little_comes_back() -> None:
    call = look_up_call(query_of(Wanted(number="12")))
    assert call.path.endswith("/ori_*,osi_*,owi_*/_search")
    body = json.loads(call.body or b"")
    assert body["query"] == {"ids": {"values": ["12"]}}
    assert body["size"] == 5
