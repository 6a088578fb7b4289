from __future__ import annotations

import hashlib
import json

from lxml import etree

from connectors.rechtspraak.parse_content import parse_content
from tests.connectors.rechtspraak.helpers import CORPUS, SAMPLES, answer, ecli_of

LISTS = CORPUS.parent / "lists"


def _rows(file: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (CORPUS / file).read_text().splitlines()]


def test_every_file_of_the_corpus_has_a_row_of_origin_and_is_unchanged() -> None:
    rows = {row["file"]: row for row in _rows("manifest.jsonl")}
    files = {
        str(file.relative_to(CORPUS)): file
        for folder in ("content", "waardelijst")
        for file in (CORPUS / folder).iterdir()
    }
    assert set(rows) == set(files)
    for name, file in files.items():
        assert hashlib.sha256(file.read_bytes()).hexdigest() == rows[name]["sha256"], name
        assert rows[name]["origin"] in {"real", "normalised", "constructed"}
        assert rows[name]["source"]
        assert rows[name]["why_kept"]


def test_every_sample_and_every_shipped_list_has_a_row_of_origin() -> None:
    for folder in (SAMPLES, LISTS):
        rows = [json.loads(line) for line in (folder / "ORIGIN.jsonl").read_text().splitlines()]
        files = {str(file.relative_to(folder)) for file in folder.rglob("*.*") if file.name[0] not in ".O"}
        assert {row["file"] for row in rows} == files
        assert all(row["source"] and row["origin"] and row["why_kept"] for row in rows)


def test_the_corpus_is_varied_well_formed_and_not_too_large() -> None:
    files = sorted((CORPUS / "content").glob("*.xml"))
    assert len(files) >= 90
    assert sum(file.stat().st_size for file in files) < 4_500_000
    rulings = [parse_content(answer(file.read_bytes()), ecli_of(file)) for file in files]
    assert len({ruling.court for ruling in rulings}) >= 20
    assert {ruling.kind for ruling in rulings} == {"Uitspraak", "Conclusie"}
    assert sum(not ruling.passages for ruling in rulings) >= 7
    assert {ruling.decided.year // 10 for ruling in rulings if ruling.decided} >= {198, 199, 200, 201, 202}


def test_the_corpus_starts_with_its_declaration_so_that_it_is_served_as_it_stands() -> None:
    for file in (CORPUS / "content").glob("*.xml"):
        etree.parse(file)
        assert file.read_bytes().startswith(b"<?xml")
