"""Ids: every spelling of one, and nothing that is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.officiele_bekendmakingen.ids import canonical, is_canonical, page_address

OWN = [
    "gmb-2024-216934",
    "prb-2017-1003",
    "stcrt-2015-47076",
    "Stcrt-2001-130-CAO1965",
    "stcrt-1997-166-p10-SC10448",
    "trb-2008-oktober",
    "kst-36045-299",
    "kst-37020-IX-40",
    "kst-30800-IXB-25",
    "kst-21501-02-3174",
    "kst-32123-XIV-A-b1",
    "kst-26643-144-h1",
    "kst-20082009-32024-C",
    "kst-CXXI-I",
    "kst-34173-2-n1",
    "h-tk-20242025-87-15",
    "h-tk-19981999-2741-2768",
    "h-ek-20092010-1_2",
    "h-ek-20142015-34-3-n1",
    "h-vv-19971998-VV-1-VV-2",
    "h-36554",
    "ah-tk-20192020-4046",
    "kv-tk-2010Z06025",
    "kv-2060706280",
    "kv-ek-214150010",
    "blg-929493",
    "blg-26241-10F",
    "nds-ocw0400097-b2",
    "nds-tk-2010D20512",
    "ag-ek-2017-10-26",
    "ag-tk-12-03-2010",
    "ag-17535",
]


@pytest.mark.parametrize("identifier", OWN)
def test_an_id_in_the_platforms_own_spelling_is_kept(identifier: str) -> None:
    assert canonical(identifier) == identifier


@pytest.mark.parametrize("identifier", [own for own in OWN if not own.startswith("Stcrt")])
def test_an_id_in_lower_or_upper_case_finds_its_own_spelling(identifier: str) -> None:
    """The exact search of the platform is case sensitive."""
    assert canonical(identifier.lower()) == identifier
    assert canonical(identifier.upper()) == identifier


@pytest.mark.parametrize(
    "text",
    [
        " gmb-2024-216934 ",
        "gmb%2D2024%2D216934",
        "gmb 2024 216934",
        "gmb\u20112024\u2011216934",
        '"gmb-2024-216934".',
        "https://zoek.officielebekendmakingen.nl/gmb-2024-216934.html",
        "zoek.officielebekendmakingen.nl/gmb-2024-216934",
        "https://zoek.officielebekendmakingen.nl/gmb-2024-216934/metadata.xml",
        "https://zoek.officielebekendmakingen.nl/gmb-2024-216934.pdf?pk_campaign=x#top",
        "https://repository.overheid.nl/frbr/officielepublicaties/gmb/2024/gmb-2024-216934/1/xml/gmb-2024-216934.xml",
    ],
)
def test_other_spellings_and_addresses_lead_to_the_id(text: str) -> None:
    assert canonical(text) == "gmb-2024-216934"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "gmb",
        "gmb-2024",
        "gmb-24-1",
        "ECLI:NL:HR:2024:1",
        "kst-",
        "gmb-2024-216934/../x",
        "gmb-2024-216934 en meer",
        "https://elders.example/gmb-2024-216934.html/..",
        "c12f14b0382927dc0dcfaacb64ffaf15",
        "subsidie-2024-1",
        "gmb-2024-" + "1" * 400,
        "gmb-２０２４-1x",
    ],
)
def test_anything_else_is_no_id(text: str) -> None:
    assert canonical(text) is None


@pytest.mark.parametrize(
    "text", ["kst-" + "i-" * 140, "kst-1" + "-c" * 140, "gmb-2024-1" + "-b1" * 90 + "x", "-" * 290, "1" * 299]
)
def test_a_text_made_to_keep_us_busy_is_refused_at_once(text: str) -> None:
    assert canonical(text) is None


@given(st.text(max_size=60))
def test_whatever_is_accepted_is_stable_and_safe_in_a_path(text: str) -> None:
    found = canonical(text)
    if found is not None:
        assert canonical(found) == found
        assert is_canonical(found)
        assert page_address(found) == f"https://zoek.officielebekendmakingen.nl/{found}.html"
