from __future__ import annotations

import hashlib
import json

from tests.connectors.tweede_kamer.helpers import CORPUS, SAMPLES


def test_every_file_of_the_corpus_has_a_row_of_origin_and_is_unchanged() -> None:
    rows = {row["file"]: row for row in map(json.loads, (CORPUS / "ORIGIN.jsonl").read_text().splitlines())}
    files = {str(file.relative_to(CORPUS)): file for file in CORPUS.rglob("*.*") if file.name != "ORIGIN.jsonl"}
    assert set(rows) == set(files)
    for name, file in files.items():
        assert hashlib.sha256(file.read_bytes()).hexdigest() == rows[name]["sha256"], name
        assert rows[name]["origin"] == "real"
        assert rows[name]["source"]
        assert rows[name]["why_kept"]
    assert sum(file.stat().st_size for file in files.values()) < 4_500_000


def test_every_sample_has_a_row_of_origin() -> None:
    rows = [json.loads(line) for line in (SAMPLES / "ORIGIN.jsonl").read_text().splitlines()]
    assert {row["file"] for row in rows} == {file.name for file in SAMPLES.iterdir() if file.name != "ORIGIN.jsonl"}
    assert all(row["source"] and row["why_kept"] and row["origin"] in {"real", "constructed"} for row in rows)
