"""Every file that is shipped or tested with has its origin and is unchanged."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path

import pytest
from lxml import etree

from connectors.officiele_bekendmakingen.ids import is_canonical
from connectors.officiele_bekendmakingen.journals import JOURNALS, journal_of
from connectors.records import DateMeaning, Moment
from tests.connectors.officiele_bekendmakingen.helpers import CORPUS, SAMPLES, StandInAsk, connector


def _rows(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_every_file_of_the_corpus_has_a_row_of_origin_and_is_unchanged() -> None:
    rows = {row["file"]: row for row in _rows(CORPUS / "manifest.jsonl")}
    files = [file for file in CORPUS.rglob("*") if file.is_file() and file.name != "manifest.jsonl"]
    assert set(rows) == {str(file.relative_to(CORPUS)) for file in files}
    for file in files:
        row = rows[str(file.relative_to(CORPUS))]
        assert hashlib.sha256(file.read_bytes()).hexdigest() == row["sha256"], file
        assert row["origin"] in {"real", "constructed"}
        assert row["source"]
        assert row["why_kept"]


def test_every_sample_and_every_list_has_a_row_of_origin() -> None:
    for folder in (SAMPLES, CORPUS.parent / "lists"):
        rows = _rows(folder / "ORIGIN.jsonl")
        files = {
            str(file.relative_to(folder))
            for file in folder.rglob("*")
            if file.is_file() and file.name != "ORIGIN.jsonl"
        }
        assert {row["file"] for row in rows} == files
        assert all(row["source"] and row["origin"] and row["why_kept"] for row in rows)


def test_every_record_has_its_files_its_journal_and_its_days() -> None:
    records = json.loads((CORPUS / "records.json").read_text(encoding="utf-8"))
    assert len(records) >= 130
    names = {journal.name for journal in JOURNALS}
    for record in records:
        assert is_canonical(record["identifier"])
        assert record["publicatienaam"] in names
        journal = journal_of(record["identifier"])
        assert journal is not None
        assert journal.name == record["publicatienaam"]
        assert record["available"] <= record["modified"]
        for form in record["files"]:
            assert (CORPUS / "documents" / f"{record['identifier']}.{form}").is_file()


@pytest.mark.anyio
async def test_both_real_files_of_metadata_say_what_the_record_says_and_so_are_never_asked() -> None:
    """One names each value in an attribute; in the other one element is really called ``dcterms.modified``."""
    folder, identifier = CORPUS / "documents", "gmb-2024-216934"
    elements = etree.parse(folder / f"{identifier}.metadata.xml").getroot().iter("metadata")
    given = {(element.get("name"), element.get("scheme")): element.get("content") for element in elements}
    owms = etree.parse(folder / f"{identifier}.metadata_owms.xml").getroot()
    named = {etree.QName(element).localname: element.text for element in owms.iter(etree.Element)}
    shown = await connector().document(identifier, StandInAsk())
    facts = {detail.label: detail.value for detail in shown.details}
    assert shown.title == given["DC.title", ""] == named["title"]
    assert shown.title.endswith("op grond van de Algemene Plaatselijke Verordening, Hogeweg 15 in Yerseke")
    assert given["DC.creator", "OVERHEID.Gemeente"] == named["creator"] == "Reimerswaal"
    assert (shown.organisation, shown.organisation_id) == ("Gemeente Reimerswaal", "gemeente-reimerswaal")
    assert shown.kind_at_source == given["DC.type", "OVERHEIDop.Rubriek"] == named["type"] == "evenementenvergunning"
    assert (
        given["DCTERMS.available", "DCTERMS.W3CDTF"] == named["available"] == named["dcterms.modified"] == "2024-05-17"
    )
    assert shown.dates[0] == Moment(date(2024, 5, 17), DateMeaning.PUBLICATION)
    subject = given["OVERHEID.category", "OVERHEID.TaxonomieBeleidsagendaDecentraal"]
    assert facts["Onderwerp"] == subject == named["category"]
