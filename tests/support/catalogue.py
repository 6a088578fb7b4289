"""The catalogue of translations from the texts in the code: ``python -m tests.support.catalogue`` brings it up to date.

New texts are added without a translation, texts that are gone are dropped, and the compiled file is written. ``--leeg`` lists
what still has no English.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from search.templatetags.language import placeholder

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "locale" / "en" / "LC_MESSAGES"
PO, MO = FOLDER / "django.po", FOLDER / "django.mo"
ROOMS = ("admission", "assistants", "besluitbron", "connectors", "reports", "search", "throttling")
CALLS = {
    "_kind": (1, 2, 3),
    "say": (0,),
    "later": (0,),
    "Detail": (0,),
    "Kind": (3, 4, 5),
    "Recipe": (1, 3),
    "Snippet": (0,),
}
"""Where the texts stand among the arguments. ``Detail`` has the label of a fact, ``Kind`` the words of a problem."""
NAMED = {"Platform": ("about",), "Tool": ("title",), "Prompt": ("title",)}
LISTS = {
    "connectors/records.py": ("Kind", "Sort", "Group", "DateMeaning"),
    "connectors/platforms.py": ("Origin",),
    "search/same.py": ("Differs",),
}
"""Closed lists of words that pages show, by file."""
_DAY = datetime(2026, 11, 30, tzinfo=UTC)
"""In the head of the file, which says nothing: a new text must not change lines that are not about it."""
_SAY = re.compile(r"\{% zeg %\}(.*?)\{% endzeg %\}", re.DOTALL)
_VALUE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"\|zeg\b')
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Found:
    """A text, its plural where it has one, and the file in which it stands."""

    one: str
    many: str
    file: str

    @property
    def id(self) -> str | tuple[str, str]:
        """As a catalogue knows it."""
        return (self.one, self.many) if self.many else self.one


def texts() -> list[Found]:
    """All texts of the product that pages say, in the order of files and lines."""
    return [
        found for found in (*_in_code(), *_in_templates(), *_in_statement(), *_in_losses()) if _LETTER.search(found.one)
    ]


def _in_code() -> Iterator[Found]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if {"migrations", "management", "running"} & set(path.parts):
                continue  # a terminal speaks Dutch
            name = path.relative_to(ROOT).as_posix()
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    yield from _in_call(node, name)
                elif isinstance(node, ast.ClassDef) and node.name in LISTS.get(name, ()):
                    yield from (Found(words, "", name) for words in _members(node))


def _in_call(node: ast.Call, name: str) -> Iterator[Found]:
    called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if called == "say_number":
        one, many = (_constant(argument) for argument in node.args[:2])
        if one and many:
            yield Found(one, many, name)
        return
    for place in CALLS.get(called, ()):
        if place < len(node.args):
            yield from (Found(words, "", name) for words in _constants(node.args[place]))
    for keyword in node.keywords:
        if keyword.arg in NAMED.get(called, ()):
            yield from (Found(words, "", name) for words in _constants(keyword.value))


def _members(node: ast.ClassDef) -> Iterator[str]:
    for statement in node.body:
        if isinstance(statement, ast.Assign) and (words := _constant(statement.value)):
            yield words


def _constants(node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return [words for part in parts if (words := _constant(part))]


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _in_templates() -> Iterator[Found]:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        name, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        for match in sorted([*_SAY.finditer(source), *_WORD.finditer(source)], key=lambda found: found.start()):
            yield Found(_VALUE.sub(lambda value: f"{{{placeholder(value[1])}}}", match[1]), "", name)


def _in_statement() -> Iterator[Found]:
    """The statement on accessibility stands in a file of its own."""
    path = ROOT / "docs" / "toegankelijkheid.toml"
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    faults = (value for fault in read["gebreken"] for value in fault.values() if isinstance(value, str))
    for words in (read["norm"], read["status_tekst"], *read["methode"], *faults):
        yield Found(words, "", path.relative_to(ROOT).as_posix())


def _in_losses() -> Iterator[Found]:
    """Why questions of the bank are lost is said on its page."""
    path = ROOT / "docs" / "vragenbank.json"
    read = json.loads(path.read_text(encoding="utf-8"))
    for row in (*read["vragen"], *read["anderen"]["verloren"].values()):
        for lost in row["verloren"].values():
            yield Found(lost["uitleg"], "", path.relative_to(ROOT).as_posix())


def read() -> Catalog:
    """The catalogue as it is kept."""
    with PO.open("rb") as file:
        return read_po(file, locale="en")


def compiled(catalogue: Catalog) -> bytes:
    """The compiled form, the same bytes for the same catalogue."""
    written = io.BytesIO()
    write_mo(written, catalogue)
    return written.getvalue()


def refresh() -> Catalog:
    """The catalogue with every text of the code and no other, translations kept."""
    kept = read() if PO.exists() else Catalog(locale="en")
    fresh = Catalog(
        locale="en",
        project="BesluitBron",
        creation_date=_DAY,
        revision_date=_DAY,
        fuzzy=False,
        header_comment="# The English of the pages. Texts come from the code: docs/doen/tekst-toevoegen.md.",
    )
    for found in texts():
        known = kept.get(found.one)
        string = known.string if known is not None and isinstance(known.string, tuple) == bool(found.many) else None
        fresh.add(found.id, string or (("", "") if found.many else ""), locations=[(found.file, 0)])
    return fresh


def without_english(catalogue: Catalog) -> list[str]:
    """The texts that have no translation."""
    return [
        message.id if isinstance(message.id, str) else message.id[0]
        for message in catalogue
        if message.id and not (all(message.string) if isinstance(message.string, tuple) else message.string)
    ]


def main() -> int:
    """Write both files; 1 when a text has no English."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    catalogue = refresh()
    with PO.open("wb") as file:
        write_po(file, catalogue, width=120, omit_header=False)
    MO.write_bytes(compiled(catalogue))
    empty = without_english(catalogue)
    if "--leeg" in sys.argv:
        sys.stdout.write("".join(f"{words}\n" for words in empty))
    sys.stdout.write(f"{len(list(catalogue))} texts, {len(empty)} without English\n")
    return 1 if empty else 0


if __name__ == "__main__":
    raise SystemExit(main())
