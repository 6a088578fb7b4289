"""Every file that is shipped or tested with has its origin and is unchanged."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from connectors.officiele_bekendmakingen.ids import is_canonical
from connectors.officiele_bekendmakingen.journals import JOURNALS, journal_of
from tests.connectors.officiele_bekendmakingen.helpers import CORPUS, SAMPLES


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
