"""What the stand-in serves: the real publications of ``corpus/`` and the generated notices, read once.

It reads the files with code of its own, not with the connector's parsers, so that it cannot share their mistakes.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from lxml import etree

from connectors.officiele_bekendmakingen.standin_notices import WITHDRAWN_PAGE, Notice, notices, withdrawn

CORPUS: Final = Path(__file__).parent / "corpus"
PRODUCT_AREA: Final = "officielepublicaties"
_ENDINGS: Final = re.compile(r"(?<=\w{3})(?:en|s)$")
_WORD: Final = re.compile(r"\w+")
_FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "dt.identifier": "identifier",
        "dt.title": "title",
        "dt.type": "type",
        "dt.creator": "creator",
        "dt.subject": "subject",
        "dt.abstract": "abstract",
        "dt.available": "available",
        "dt.date": "date",
        "dt.issued": "issued",
        "dt.modified": "modified",
        "ot.authority": "creator",
        "w.organisatietype": "organisatietype",
        "w.publicatienaam": "publicatienaam",
        "w.jaargang": "jaargang",
        "w.publicatienummer": "publicatienummer",
        "w.dossiernummer": "dossiernummer",
        "w.ondernummer": "ondernummer",
        "w.vergaderjaar": "vergaderjaar",
        "w.indiener": "indiener",
        "w.datumVergadering": "datumVergadering",
    }
)
DATES: Final = frozenset({"dt.available", "dt.date", "dt.issued", "dt.modified", "w.datumVergadering"})
INDEXES: Final = frozenset({*_FIELDS, "c.product-area", "c.content-area", "cql.textAndIndexes", "cql.serverChoice"})


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One publication: its metadata by element name, its files by manifestation, and the words of its text."""

    identifier: str
    area: str
    group: str
    fields: Mapping[str, tuple[str, ...]] = field(repr=False)
    type_scheme: str
    creator_scheme: str
    files: Mapping[str, bytes] = field(repr=False)
    is_generated: bool
    words: str = field(repr=False)
    folds: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @property
    def content_area(self) -> str:
        """The collection it is in: ``officielepublicaties/gmb/2024``."""
        return f"{PRODUCT_AREA}/{self.area}/{self.group}"

    def values(self, index: str) -> tuple[str, ...]:
        """The values of an index as they stand."""
        if index == "c.product-area":
            return (PRODUCT_AREA,)
        return (self.content_area,) if index == "c.content-area" else self.fields.get(_FIELDS.get(index, ""), ())

    def folded(self, index: str) -> tuple[str, ...]:
        """The values of an index as words between blanks; made once."""
        if index in {"cql.textAndIndexes", "cql.serverChoice"}:
            return (self.words,)
        if index not in self.folds:
            self.folds[index] = tuple(folded(value) for value in self.values(index))
        return self.folds[index]

    def path(self, manifestation: str) -> str:
        """The path of a file below the repository."""
        names = {"metadata": "metadata.xml", "metadataowms": "metadata_owms.xml"}
        name = names.get(manifestation, f"{self.identifier}.{manifestation}")
        return f"/frbr/{PRODUCT_AREA}/{self.area}/{self.group}/{self.identifier}/1/{manifestation}/{name}"


@cache
def items() -> tuple[Item, ...]:
    """All publications that the search finds, in the order of their ids."""
    rows = json.loads((CORPUS / "records.json").read_text(encoding="utf-8"))
    found = [*(_real(row) for row in rows), *(_generated(notice) for notice in notices())]
    return tuple(sorted(found, key=lambda item: item.identifier))


def file_at(path: str) -> bytes | None:
    """The file at a path of the repository. Of what was withdrawn there is the page that says so, and nothing else."""
    return _files().get(path)


@cache
def _files() -> Mapping[str, bytes]:
    served = {item.path(name): body for item in items() for name, body in item.files.items()}
    gone = withdrawn()
    area, year, _ = gone.split("-")
    served[f"/frbr/{PRODUCT_AREA}/{area}/{year}/{gone}/1/html/{gone}.html"] = WITHDRAWN_PAGE.encode()
    return MappingProxyType(served)


def _real(row: dict[str, Any]) -> Item:
    identifier = row["identifier"]
    folder = CORPUS / "documents"
    files = {name: (folder / f"{identifier}.{name}").read_bytes() for name in row["files"]}
    for name, ending in (("metadata", "metadata.xml"), ("metadataowms", "metadata_owms.xml")):
        if (file := folder / f"{identifier}.{ending}").is_file():
            files[name] = file.read_bytes()
    return _item(row, files, is_generated=False)


def _generated(notice: Notice) -> Item:
    return _item(dict(notice.row), dict(notice.files), is_generated=True)


def _item(row: dict[str, Any], files: dict[str, bytes], *, is_generated: bool) -> Item:
    known = {*_FIELDS.values(), "documenttitel", "dossiertitel", "subrubriek", "hoofddocument", "aanhangselnummer"}
    known |= {"vraagnummer", "handelingenitemnummer", "externeBijlage", "source"}
    fields = {
        name: tuple(value) if isinstance(value, list) else (str(value),)
        for name, value in row.items()
        if name in known and value
    }
    texts = [text for values in fields.values() for text in values]
    texts += [piece for name in ("xml", "html") if name in files for piece in _pieces(files[name], name)]
    return Item(
        identifier=row["identifier"],
        area=row["area"],
        group=row["group"],
        fields=MappingProxyType(fields),
        type_scheme=row.get("type_scheme", ""),
        creator_scheme=row.get("creator_scheme", ""),
        files=MappingProxyType(files),
        is_generated=is_generated,
        words=folded(" ".join((*texts, row.get("words", "")))),
    )


def _pieces(body: bytes, name: str) -> Iterator[str]:
    """The text of a file; of a page only that of the publication, not of the site around it."""
    body = body.removeprefix(b"\xef\xbb\xbf").strip()
    if name == "xml":
        return etree.fromstring(body, etree.XMLParser(no_network=True, resolve_entities=False)).itertext("*")
    root = etree.fromstring(body, etree.HTMLParser(no_network=True, encoding="utf-8", remove_comments=True))
    found = next((node for node in root.iter("div") if node.get("id") == "broodtekst"), root)
    return found.itertext("*")


def folded(text: str) -> str:
    """The words of a text between blanks, without case, accents and plural endings: the service finds both numbers."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return f" {' '.join(_ENDINGS.sub('', word) for word in _WORD.findall(plain))} "
