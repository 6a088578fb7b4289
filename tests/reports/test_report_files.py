"""The files of a report hold the same things, say what is missing, and survive whatever a source wrote."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from reports.exports.data import data
from reports.exports.references import references
from reports.exports.table import COLUMNS, table
from reports.page import Subject
from tests.support.reports import a_big_report, a_hit, a_reading, a_report

SITE = "https://besluitbron.example"
ABOUT = Subject("warmtenet", (), "/zoeken?vraag=warmtenet", ("warmtenet",))
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def rows_of(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"), newline=""), delimiter=";"))


def test_every_form_holds_the_same_things_in_the_same_order() -> None:
    """Eis 6.11."""
    report = a_report()
    in_table = [row["nummer bij de bron"] for row in rows_of(table(report, ABOUT, SITE)) if row["titel"]]
    in_data = [one["treffer"]["bronId"] for one in json.loads(data(report, ABOUT, SITE))["stukken"]]
    in_references = re.findall(r"^SN  - (.*)\r$", references(report, ABOUT).decode(), re.MULTILINE)
    assert len(in_table) == 5
    assert in_data == in_references == in_table


def test_a_table_says_of_each_thing_its_vote_its_text_and_who_else_has_it() -> None:
    rows = {row["nummer bij de bron"]: row for row in rows_of(table(a_report(), ABOUT, SITE))}
    shared = rows["stuk-1"]
    assert (shared["stemming"], shared["voor"], shared["tegen"]) == ("aangenomen", "20", "11")
    assert (shared["tekst"], shared["delen met uw woorden"], shared["ook bij"]) == (
        "volledig",
        "4",
        "Open Raadsinformatie",
    )
    assert shared["maand"] == shared["datum"][:7]
    assert "Kosten van het Warmtenet" in shared["fragmenten"]
    assert (rows["stuk-3"]["tekst"], rows["stuk-4"]["tekst"], rows["stuk-6"]["tekst"]) == (
        *("niet gelezen", "niet gelezen"),
        "deels",
    )


def test_every_form_says_what_is_missing_when_it_was_made_and_of_which_question() -> None:
    report = a_report()
    rows = rows_of(table(report, ABOUT, SITE))
    assert [row["bron"] for row in rows if row["melding"] and not row["titel"]] == [
        "Rechtspraak",
        *["OpenBesluitvorming"] * 3,
    ]
    assert {(row["zoekvraag"], row["gemaakt"], row["versie"]) for row in rows} == {
        ("warmtenet", "2026-11-30T13:25:00Z", "0.1.0")
    }
    found = json.loads(data(report, ABOUT, SITE))
    assert [one["reden"] for one in found["ontbreekt"]] == ["mislukt", "meer-treffers", "niet-gelezen", "meer-teksten"]
    assert found["zoekopdracht"] == f"{SITE}/zoeken?vraag=warmtenet"
    for record in references(report, ABOUT).decode().split("ER  - \r\n")[:-1]:
        assert "N1  - Gevonden met BesluitBron op de vraag “warmtenet”, in een rapport van 30 november 2026" in record
        assert "N1  - Rechtspraak gaf geen antwoord." in record


def test_the_numbers_in_the_data_are_those_of_the_things_in_it() -> None:
    found = json.loads(data(a_big_report(60), ABOUT, SITE))
    assert found["aantal"] == len(found["stukken"]) == sum(one["aantal"] for one in found["perOrganisatie"])
    assert found["aantal"] == sum(one["aantal"] for one in found["perJaar"]) + found["ongedateerd"]
    assert sum(len(one["fragmenten"]) > 0 for one in found["stukken"]) == 24


@given(any_text)
def test_no_cell_is_a_formula_and_no_row_is_broken_whatever_a_source_wrote(text: str) -> None:
    """Eis 6.11."""
    hit = a_hit(1, title=text, organisation=text, kind_at_source=text, snippet=text)
    reading = a_reading(hit)
    reading = replace(reading, excerpts=tuple(replace(one, text=text, heading=text) for one in reading.excerpts))
    body = table(a_report([hit], [reading]), replace(ABOUT, typed=text), SITE)
    for row in csv.reader(io.StringIO(body.decode("utf-8-sig"), newline=""), delimiter=";"):
        assert len(row) == len(COLUMNS)
        assert not [cell for cell in row if cell.lstrip(" ").startswith(tuple("=+-@\t\r\n"))]


@given(any_text)
def test_a_record_of_a_reference_keeps_to_its_lines_whatever_a_source_wrote(text: str) -> None:
    hit = a_hit(1, title=text, organisation=text)
    lines = references(a_report([hit], []), replace(ABOUT, typed=text)).decode().split("\r\n")
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in lines if line)
