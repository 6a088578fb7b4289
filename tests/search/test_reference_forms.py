"""References as programs for references read them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.platforms import RECHTSPRAAK
from connectors.records import DateMeaning, Kind, Moment
from search.reference_forms import bibtex, csl, markdown, ris
from tests.support.scripted import hit

DAY = date(2026, 3, 12)
ITEM = replace(
    hit(RECHTSPRAAK),
    upstream_id="ECLI:NL:RVS:2023:1",
    title="Kosten & baten van 100% {groen}_gas",
    kind=Kind.UITSPRAAK,
    date=Moment(date(2023, 1, 4), DateMeaning.DECISION),
)


def test_a_record_of_ris_begins_with_its_type_and_ends_with_er() -> None:
    lines = ris(ITEM, "Rechtspraak", DAY, "Een opmerking").split("\r\n")
    assert lines[0] == "TY  - CASE"
    assert lines[-2:] == ["ER  - ", ""]
    assert {"PY  - 2023", "DA  - 2023/01/04", "Y2  - 2026/03/12"} <= set(lines)
    assert "N1  - Betekenis van de datum: uitspraakdatum." in lines
    assert "N1  - Een opmerking" in lines


def test_bibtex_escapes_what_it_would_read_as_commands() -> None:
    entry = bibtex(ITEM, "Rechtspraak", DAY)
    assert entry.startswith("@misc{rechtspraak-ECLI-NL-RVS-2023-1,")
    assert r"title = {{Kosten \& baten van 100\% \{groen\}\_gas}}" in entry
    assert "urldate = {2026-03-12}" in entry


@given(st.text(max_size=40))
def test_the_braces_of_a_bibtex_entry_are_always_in_balance(title: str) -> None:
    entry = re.sub(r"\\[{}]", "", bibtex(replace(ITEM, title=title, organisation=title), "R", DAY))
    depth = 0
    for character in entry:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0


def test_a_csl_item_has_the_fields_that_citation_styles_use() -> None:
    item = json.loads(json.dumps(csl(ITEM, "Rechtspraak", DAY)))
    assert item["type"] == "legal_case"
    assert item["issued"] == {"date-parts": [[2023, 1, 4]]}
    assert item["accessed"] == {"date-parts": [[2026, 3, 12]]}
    assert "issued" not in csl(replace(ITEM, date=None), "Rechtspraak", DAY)


@pytest.mark.parametrize("title", ["[klik](http://elders.example)", "*vet* _schuin_ `code`", "<b>kop</b>"])
def test_markdown_of_a_reference_has_one_link_and_no_marks_of_its_title(title: str) -> None:
    text = markdown(ITEM, f"Raad van State, ‘{title}’, {ITEM.address}")
    label, _, address = text.rpartition("](")
    assert address == f"<{ITEM.address}>)"
    assert not re.search(r"(?<!\\)[\[\]*_`<>]", label[1:])


def test_markdown_of_a_reference_has_no_comma_where_its_address_stood() -> None:
    text = markdown(ITEM, f"Raad van State, ‘Titel’, {ITEM.address} (geraadpleegd op 12 maart 2026)")
    assert text.startswith(r"[Raad van State, ‘Titel’ \(geraadpleegd op 12 maart 2026\)](<")
