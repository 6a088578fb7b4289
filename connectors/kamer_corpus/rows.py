"""What the stand-ins hold: the real rows of ``corpus/``, what hangs on what, and a few rows that were made for it.

Rows that were made begin their id with eight zeros. Of a real document whose file is not in the corpus the file is made, and
says so in its first line. Links between a case and its document that the recordings do not tell follow from the same subject
on the same day.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from lxml import etree

from connectors.kamer_corpus import made, people
from connectors.kamer_corpus.files import docx_of, pages_of, pdf_of
from connectors.kamer_corpus.schema import CORPUS, V5_NAMES, EntityType, schema

Row = dict[str, Any]
PDF: Final = "application/pdf"
DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_V4: Final = "v4/2.0"
_READING: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class File:
    """A file behind a row. ``media_type`` is what the service says, which is not always what it is (section 6)."""

    media_type: str
    make: Callable[[], bytes]


@dataclass(slots=True)
class Store:
    """Rows by entity set and id, with their links. ``links`` leads from (entity set, id, navigation) to ids.

    ``texts`` holds the recorded text of documents whose own file was not kept.
    """

    tables: dict[str, dict[str, Row]] = field(default_factory=dict)
    links: dict[tuple[str, str, str], list[str]] = field(default_factory=dict)
    files: dict[tuple[str, str], File] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def put(self, entity: str, row: Row) -> Row:
        """Add a row with what is expanded in it. A row that is there already keeps its fields."""
        described = schema(_V4)[entity]
        scalars = {name: row.get(name) for name in described.fields}
        scalars["Verwijderd"] = row.get("Verwijderd") is True
        held = self.tables.setdefault(entity, {}).setdefault(str(row["Id"]), scalars)
        for name, navigation in described.navigations.items():
            value = row.get(name)
            for child in value if isinstance(value, list) else [value] if isinstance(value, dict) else []:
                self.put(navigation.target, child)
                self.link(described, str(row["Id"]), name, str(child["Id"]))
        return held

    def link(self, entity: EntityType, row: str, navigation: str, other: str) -> None:
        """Join two rows, and back where the other has a navigation by the name of this one."""
        target = entity.navigations[navigation].target
        _once(self.links.setdefault((entity.name, row, navigation), []), other)
        if entity.name in schema(_V4)[target].navigations and navigation in {target, "HuidigeDocumentVersie"}:
            _once(self.links.setdefault((target, other, entity.name), []), row)


def store(version: str) -> Store:
    """What one version serves; v5 has the same rows under its own names. Read once, whoever asks first."""
    with _READING:
        return _store(version)


@cache
def _store(version: str) -> Store:
    if version == _V4:
        return _filled()
    old = _filled()
    tables = {
        entity: {
            guid: {V5_NAMES.get(entity, {}).get(name, name): value for name, value in row.items()}
            for guid, row in rows.items()
        }
        if entity in V5_NAMES
        else rows
        for entity, rows in old.tables.items()
    }
    return Store(tables, old.links, old.files, old.texts)


@cache
def _filled() -> Store:
    held = Store()
    for row in _read("documenten.json"):
        held.put("Document", row)
    for row in _read("moties-2023-01.json"):
        held.put("Document", row)
        if row.get("text"):
            held.texts[row["Id"]] = str(row["text"])
            held.files["Document", row["Id"]] = File(PDF, _text_file(str(row["text"])))
    for name in ("zaken-met-stukken.json", "moties-met-stemmingen.json", "zaken.json"):
        for row in _read(name):
            held.put("Zaak", row | {"Soort": row.get("Soort", "Motie")})
    for entity, name in (("Activiteit", "activiteiten"), ("Vergadering", "vergaderingen"), ("Fractie", "fracties")):
        for row in _read(f"{name}.json"):
            held.put(entity, row)
    for entity, row in (*made.rows(held.tables, _publications()), *people.rows(held.tables)):
        held.put(entity, row)
    _join_cases(held)
    _add_files(held)
    return held


def _join_cases(held: Store) -> None:
    """Join each case that has no documents to those with its subject and day."""
    case = schema(_V4)["Zaak"]
    by_subject: dict[tuple[str, str], list[str]] = {}
    for guid, row in held.tables["Document"].items():
        by_subject.setdefault((_plain(row["Onderwerp"]), _plain(row["Datum"])[:10]), []).append(guid)
    for guid, row in held.tables["Zaak"].items():
        if ("Zaak", guid, "Document") not in held.links and row["Onderwerp"]:
            for other in by_subject.get((_plain(row["Onderwerp"]), _plain(row["GestartOp"])[:10]), ()):
                held.link(case, guid, "Document", other)


def _add_files(held: Store) -> None:
    official = {name: (CORPUS / "xml" / f"{name}.xml").read_bytes for name in _publications()}
    for guid, row in held.tables["DocumentPublicatie"].items():
        read = official.get(str(row["Identifier"]))
        if read and row["DocumentType"] == "Xml":
            held.files["DocumentPublicatie", guid] = File("application/xml", read)
    for guid, row in held.tables["Document"].items():
        if row["Verwijderd"] or ("Document", guid) in held.files or guid in made.WITHOUT_FILE:
            continue
        held.files["Document", guid] = _file_of(guid, row)
    held.files["Verslag", made.REPORT] = File("text/xml", (CORPUS / "verslag-2014-10-15.xml").read_bytes)


def _file_of(guid: str, row: Row) -> File:
    """The file of a document: one of the odd ones, or one that repeats what the row says."""
    pages = made.PAGES.get(guid)
    if pages is not None:
        media_type = made.WRONG_TYPES.get(guid, PDF)
        return File(media_type, cache(lambda: pdf_of(pages())))
    text = made.text_of(row)
    if row["ContentType"] == DOCX:
        return File(DOCX, cache(lambda: docx_of(text)))
    return File(PDF, _text_file(text))


def text_of(held: Store, guid: str) -> str:
    """The plain text of a document of v4: of its official XML where there is one, else what its file says. A scan has none."""
    official = _official_text(held, guid)
    if official:
        return official
    if guid in made.PAGES:
        return "\n".join(filter(None, made.PAGES[guid]()))
    return held.texts.get(guid) or made.text_of(held.tables["Document"][guid])


def report_text() -> str:
    """The official XML of the one real report."""
    return (CORPUS / "verslag-2014-10-15.xml").read_text(encoding="utf-8-sig")


def _official_text(held: Store, guid: str) -> str:
    for version in held.links.get(("Document", guid, "HuidigeDocumentVersie"), ()):
        for publication in held.links.get(("DocumentVersie", version, "DocumentPublicatie"), ()):
            file = held.files.get(("DocumentPublicatie", publication))
            if file is not None:
                root = etree.fromstring(file.make())
                body = next(iter(root.iter("kamerstuk")), root)
                lines = (" ".join("".join(block.itertext()).split()) for block in _leaves(body))
                return "\n".join(filter(None, lines))
    return ""


def _leaves(root: etree._Element) -> Iterator[etree._Element]:
    """The elements that hold text of their own, outermost only."""
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        if element.text and not element.text.isspace():
            walker.skip_subtree()
            yield element


def _text_file(text: str) -> Callable[[], bytes]:
    return cache(lambda: pdf_of(pages_of(text)))


@cache
def _publications() -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in (CORPUS / "xml").glob("*.xml")))


def _read(name: str) -> Iterator[Row]:
    yield from json.loads((CORPUS / name).read_text(encoding="utf-8"))


def _plain(value: Any) -> str:
    return str(value or "").strip()


def _once(ids: list[str], one: str) -> None:
    if one not in ids:
        ids.append(one)
