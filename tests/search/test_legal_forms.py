"""Papers in official series are cited as lawyers cite them, in every format alike; with a part unknown as before."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.platforms import OFFICIELE_BEKENDMAKINGEN
from connectors.records import Hit, Kind
from connectors.sameness import official_key
from search.citations import citation, reference
from search.legal_forms import legal_form
from search.notations import spellings
from search.reference_forms import bibtex, csl, markdown, ris
from tests.search.test_same import ASK, KAMER, REGISTRY
from tests.support.scripted import hit

DAY = date(2026, 3, 12)
REAL = {  # numbers of real publications in the bundled collection
    "kst-19637-3233": "Kamerstukken II 2023/24, 19637, nr. 3233",
    "kst-21501-33-1101": "Kamerstukken II 2024/25, 21501-33, nr. 1101",
    "h-tk-20142015-33-13": "Handelingen II 2014/15, nr. 33, item 13",
    "stcrt-2013-10981": "Stcrt. 2013, 10981",
    "stb-2014-296": "Stb. 2014, 296",
    "trb-2017-47": "Trb. 2017, 47",
    "gmb-2024-216934": "Gemeenteblad 2024, 216934",
    "bgr-2024-715": "Blad gemeenschappelijke regeling 2024, 715",
}


def paper(identifier: str, session: str = "", **others: object) -> Hit:
    one = replace(hit(OFFICIELE_BEKENDMAKINGEN), upstream_id=identifier, same_as=(official_key(identifier),))
    return replace(one, session=session, kind=Kind.DOCUMENT, **others)  # type: ignore[arg-type]


@pytest.mark.anyio
@pytest.mark.parametrize(("identifier", "form"), REAL.items())
async def test_a_publication_is_cited_by_its_place_and_what_is_cited_opens_it(identifier: str, form: str) -> None:
    """Eis Z16."""
    document = await REGISTRY[OFFICIELE_BEKENDMAKINGEN.key].document(identifier, ASK)
    assert reference(document) == form
    assert citation(document, DAY) == f"{form}, {document.address} (geraadpleegd op 12 maart 2026)"
    assert identifier in spellings(form)
    legal = legal_form(document)
    assert legal
    fields = (legal.series, legal.volume, legal.number)
    record, item = ris(document, "Bron", DAY).split("\r\n"), csl(document, "Bron", DAY)
    assert [f"T2  - {fields[0]}", f"VL  - {fields[1]}", f"IS  - {fields[2]}"] == [
        line for line in record if line[:2] in {"T2", "VL", "IS"}
    ]
    assert (item["container-title"], item["volume"], item["number"]) == fields
    entry = bibtex(document, "Bron", DAY)
    assert all(
        f"  {name} = {{{value}}}" in entry for name, value in zip(("series", "volume", "number"), fields, strict=True)
    )
    assert markdown(document, citation(document, DAY)).replace("\\", "").startswith(f"[{form} (geraadpleegd")


@pytest.mark.anyio
async def test_a_paper_of_the_kamer_is_cited_alike_at_the_kamer_and_in_the_official_series() -> None:
    opened = await REGISTRY[KAMER[0]].document("2025D91003", ASK)
    published = await REGISTRY[KAMER[2]].document("kst-21501-33-1101", ASK)
    assert reference(opened) == reference(published) == REAL["kst-21501-33-1101"]


@pytest.mark.parametrize(
    ("identifier", "session", "form"),
    [
        ("kst-36755-45", "2025-2026", "Kamerstukken II 2025/26, 36755, nr. 45"),
        ("kst-36600-VII-139", "2024-2025", "Kamerstukken II 2024/25, 36600 VII, nr. 139"),
        ("kst-36045-A", "2021-2022", "Kamerstukken I 2021/22, 36045, nr. A"),
        ("kst-26800-2", "1999-2000", "Kamerstukken II 1999/2000, 26800, nr. 2"),
        ("h-ek-20232024-12-3", "", "Handelingen I 2023/24, nr. 12, item 3"),
        ("ah-tk-20232024-1234", "", "Aanhangsel Handelingen II 2023/24, nr. 1234"),
        ("prb-2024-5", "", "Provinciaal blad 2024, 5"),
        ("wsb-2024-99", "", "Waterschapsblad 2024, 99"),
    ],
)
def test_every_series_has_its_form(identifier: str, session: str, form: str) -> None:
    assert reference(paper(identifier, session)) == form


@pytest.mark.parametrize(
    ("identifier", "session"),
    [
        ("kst-36755-45", ""),
        ("kst-36755-45", "2025"),
        ("kst-36755-45", "2025-2027"),
        ("kst-36755-45-n1", "2025-2026"),
        ("blg-1234567", "2025-2026"),
        ("h-tk-20092010-33-2345", ""),
        ("h-tk-20092010-33-45", ""),
        ("stcrt-2024-12345-n1", ""),
        ("nds-tk-2024D00001", "2023-2024"),
    ],
)
def test_with_a_part_unknown_the_reference_stays_as_it_was(identifier: str, session: str) -> None:
    one = paper(identifier, session)
    assert legal_form(one) is None
    assert reference(one).endswith(f", {identifier}, {one.address}")
    assert csl(one, "Bron", DAY)["number"] == identifier
    assert "container-title" not in csl(one, "Bron", DAY)


def test_a_paper_of_the_senate_from_when_it_had_numbers_is_of_the_senate() -> None:
    assert reference(paper("kst-23700-21", "1994-1995", organisation_id="eerste-kamer")).startswith("Kamerstukken I ")


def test_a_ruling_is_cited_by_court_day_and_ecli() -> None:
    one = paper("ECLI:NL:HR:2024:1")
    assert reference(replace(one, kind=Kind.UITSPRAAK, same_as=())).endswith(", ECLI:NL:HR:2024:1")


@pytest.mark.parametrize(
    ("identifier", "types"),
    [
        ("stb-2014-296", ("STAT", "legislation")),
        ("trb-2017-47", ("STAT", "treaty")),
        ("h-tk-20142015-33-13", ("HEAR", "hearing")),
        ("ah-tk-20232024-1234", ("GOVDOC", "document")),
        ("gmb-2024-216934", ("GOVDOC", "document")),
    ],
)
def test_the_type_says_what_sort_of_series_it_is(identifier: str, types: tuple[str, str]) -> None:
    one = paper(identifier)
    assert (ris(one, "Bron", DAY).split("\r\n")[0], csl(one, "Bron", DAY)["type"]) == (f"TY  - {types[0]}", types[1])
    json.dumps(csl(one, "Bron", DAY))


@given(st.text(max_size=30), st.text(max_size=12))
def test_no_number_and_no_session_makes_it_fail(identifier: str, session: str) -> None:
    assert reference(paper(identifier, session))
