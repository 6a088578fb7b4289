"""The English of the pages is complete, and is what was compiled."""

from __future__ import annotations

import ast
import gettext
import io
import re

import pytest

from connectors.platforms import Origin
from connectors.records import DateMeaning, Group, Kind, Sort
from search.same import Differs
from tests.support.catalogue import MO, PO, ROOT, compiled, read, refresh, texts, without_english

_VALUE = re.compile(r"\{\w*\}")
_TAG = re.compile(r"</?[a-z]+|(?:href|rel|datetime|class)=\"[^\"]*\"")
COMMAND = "run `python -m tests.support.catalogue`"


def forms() -> list[tuple[str, str]]:
    """Every text with its English; of a plural the second form with that of two."""
    found = []
    for message in read():
        if isinstance(message.id, str) and isinstance(message.string, str):
            found.append((message.id, message.string))
        elif message.string:
            found += list(zip(message.id, message.string, strict=True))
    return [(dutch, english) for dutch, english in found if dutch]


def test_every_text_of_the_code_stands_in_the_catalogue_and_no_other() -> None:
    kept = {message.id if isinstance(message.id, str) else tuple(message.id) for message in read() if message.id}
    assert kept == {found.id for found in texts()}, COMMAND


def test_every_text_has_an_english_one_and_nobody_doubts_it() -> None:
    """Eis V10."""
    assert without_english(read()) == []
    assert [message.id for message in read() if message.fuzzy and message.id] == []


@pytest.mark.parametrize(("dutch", "english"), forms())
def test_the_english_has_the_same_values_and_the_same_markup(dutch: str, english: str) -> None:
    assert set(_VALUE.findall(english)) == set(_VALUE.findall(dutch))
    assert sorted(_TAG.findall(english)) == sorted(_TAG.findall(dutch))
    assert english == english.strip()
    assert dutch[-1:] == english[-1:] or dutch[-1] not in ".?:!"


def test_what_is_compiled_is_what_is_written() -> None:
    written = gettext.GNUTranslations(io.BytesIO(compiled(read())))
    shipped = gettext.GNUTranslations(io.BytesIO(MO.read_bytes()))
    assert {dutch: shipped.gettext(dutch) for dutch, _ in forms()} == {
        dutch: written.gettext(dutch) for dutch, _ in forms()
    }, COMMAND
    assert [message.id for message in refresh()] == [message.id for message in read()], COMMAND


@pytest.mark.parametrize("word", [*Kind, *Sort, *Group, *DateMeaning, *Differs, Origin.PUBLISHED, Origin.OBSERVED])
def test_every_word_of_a_closed_list_has_english(word: str) -> None:
    assert str(word) in dict(forms())


def test_the_product_reads_translations_without_what_makes_them() -> None:
    """Babel is for the house that builds: nothing that ships imports it."""
    for room in ("assistants", "besluitbron", "connectors", "search", "throttling"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                assert not any(name.partition(".")[0] == "babel" for name in names), path


def test_the_catalogue_is_written_for_people_to_read() -> None:
    assert PO.read_text(encoding="utf-8").startswith("# The English of the pages.")


def test_the_word_list_and_the_catalogue_say_the_same() -> None:
    words = (ROOT / "docs" / "woordenlijst.md").read_text(encoding="utf-8").partition("## Nederlands en Engels")[2]
    listed = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", words.partition("\n\nWoorden")[0], re.MULTILINE)[1:])
    assert len(listed) > 20
    catalogue = dict(forms())
    assert {word: catalogue[word] for word in listed if word in catalogue} == {
        word: english for word, english in listed.items() if word in catalogue
    }
