"""The printable form: for everybody, whole, and deaf to whatever a source wrote. The real typesetter sets it."""

from __future__ import annotations

import io
import json
import shutil
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from reports.exports import pressing
from reports.exports.pressing import NotPrintedError, Press
from reports.exports.printable import _RARE, _WITHOUT, BOX, as_input, contents, printed, web
from reports.page import Subject
from reports.records import Report
from search.choices import Chip
from tests.support.reports import VOTES, a_big_report, a_hit, a_reading, a_report

pytestmark = pytest.mark.anyio
SITE = "https://besluitbron.example"
ABOUT = Subject("warmtenet", (Chip("organisatie", "Gemeente Ede", ""),), "/zoeken?vraag=warmtenet", ("warmtenet",))
HOSTILE = (
    '#read("/etc/passwd")',
    '#import "@preview/cetz:0.3.0"',
    "#panic() $x^2$ *vet* _cursief_ = Kop <label> @ref",
    '"]) #sys.inputs ([{"',
    "`#raw` \\ \\u{41} // weg /* weg */ ~ --- '",
    "\u202eomgekeerd\u202c \u0000\u0007\ufeff\u200b",
    "🎉 中文 العربية \ud83c ﷽",
    "W" * 10_000,
    "",
)


async def read(report: Report, about: Subject = ABOUT) -> PdfReader:
    return PdfReader(io.BytesIO(await Press().set(as_input(report, about, SITE))))


def text_of(pdf: PdfReader) -> str:
    return " ".join(" ".join(page.extract_text() for page in pdf.pages).split())


async def test_the_paper_has_a_title_a_language_tags_and_bookmarks() -> None:
    pdf = await read(a_report())
    root: Any = pdf.trailer["/Root"]
    assert pdf.metadata is not None
    assert pdf.metadata.title == "Rapport: warmtenet"
    assert root["/Lang"] == "nl-NL"
    assert root["/MarkInfo"]["/Marked"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert "/StructTreeRoot" in root
    assert b"pdfuaid" in root["/Metadata"].get_data()
    marks = [str(one["/Title"]) for one in pdf.outline if not isinstance(one, list)]
    assert marks == [
        *("Wat er niet in staat", "Wat er is gevraagd", "Aantallen"),
        *("Gemeente Ede (2 stukken)", "Gemeente Soest (2 stukken)", "Tweede Kamer (1 stuk)", "Bronnen van dit rapport"),
    ]


async def test_everything_of_the_report_is_on_the_paper_what_is_missing_first() -> None:
    text = text_of(await read(a_report()))
    for words in (
        "Rechtspraak gaf geen antwoord. Wat deze bron heeft, ontbreekt.",
        "Organisatie Gemeente Ede",
        "5 stukken van 3 organisaties.",
        "Stemming: aangenomen, 20 voor en 11 tegen.",
        "pagina 3 – Besluit",
        "Zonder datum",
        "https://bron.example/stukken/1",
        "ongeveer 1.200 resultaten",
        "Bladzijde 1 van",
    ):
        assert words in text
    assert text.index("gaf geen antwoord") < text.index("Aantallen") < text.index("Voorstel warmtenet 1")


async def test_links_on_the_paper_lead_to_the_sources() -> None:
    pdf = await read(a_report())
    found = {
        str(note.get_object()["/A"]["/URI"])
        for page in pdf.pages
        for note in page.get("/Annots", [])
        if "/URI" in note.get_object().get("/A", {})
    }
    assert {"https://bron.example/stukken/1", f"{SITE}/document/openbesluitvorming/stuk-1"} <= found
    assert f"{SITE}/zoeken?vraag=warmtenet" in found


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_what_a_source_wrote_is_text_and_never_a_command(text: str) -> None:
    """Eis 6.12."""
    hit = a_hit(1, title=text, organisation=text, kind_at_source=text, snippet=text, address=f"javascript:{text[:50]}")
    reading = a_reading(hit, failure="", votes=replace(VOTES, result="overig"))
    reading = replace(
        reading, excerpts=tuple(replace(one, text=text, heading=text, found=(text,)) for one in reading.excerpts)
    )
    pdf = await read(a_report([hit], [reading]), replace(ABOUT, typed=text))
    shown = text_of(pdf).replace(" ", "")
    plain = printed(text).replace("\u200b", "").replace(" ", "")
    assert plain[:60] in shown
    assert "root:" not in shown
    links = [
        str(note.get_object()["/A"]["/URI"])
        for page in pdf.pages
        for note in page.get("/Annots", [])
        if "/A" in note.get_object() and "/URI" in note.get_object()["/A"]
    ]
    assert links
    assert all(one.startswith(SITE) for one in links)


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_what_is_printed_is_on_one_line_and_has_no_sign_that_the_letters_lack(text: str) -> None:
    line = printed(text)
    assert "\n" not in line
    assert not any("\ud800" <= sign <= "\udfff" or sign in "\u202e\u0000\ufeff" for sign in line)
    json.dumps(line).encode()


@settings(max_examples=12, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
async def test_any_title_can_be_printed(text: str) -> None:
    pdf = await read(a_report([a_hit(1, title=text)], []), replace(ABOUT, typed=text))
    assert len(pdf.pages) >= 1


SCRIPTS = {
    "Fryslân, Súdwest-Fryslân, skûtsje": None,
    "İstanbul, ığdır, şehir": None,
    "Łódź, ąęćńśźż": None,
    "Київ і Ўзбекистан, ё": None,
    "Ἀθῆναι, ΰ, Ελλάδα": None,
    "x\u0304 en g\u0303, а\u0301": None,
    "Tiếng Việt": None,
    "e\u0301e\u0301n": "één",
    "中文 stuk": f"{BOX}{BOX} stuk",
    "👨\u200d👩\u200d👧 en 👍\U0001f3fd en ❤\ufe0f": f"{BOX} en {BOX} en {BOX}",
    "🇳🇱 en 🇫🇷": f"{BOX} en {BOX}",
    "مُحَمَّد": "محمد",
}


@pytest.mark.parametrize(("text", "shown"), SCRIPTS.items(), ids=range(len(SCRIPTS)))
async def test_names_in_other_letters_are_printed_as_they_are_or_plainly_as_a_box(text: str, shown: str | None) -> None:
    line = printed(text)
    assert line == (text if shown is None else shown)
    pdf = await read(a_report([a_hit(1, title=text, organisation=text)], []), replace(ABOUT, typed=text))
    root: Any = pdf.trailer["/Root"]
    assert b"pdfuaid" in root["/Metadata"].get_data()
    assert f"staat er als {BOX}" in text_of(pdf)
    assert str(pdf.metadata.title if pdf.metadata else "") == f"Rapport: {line}"


async def test_words_with_any_letters_can_be_found_and_copied_from_the_paper() -> None:
    names = ["Súdwest-Fryslân", "İstanbul", "Łódź", "Київ", "Ἀθῆναι", "Tiếng Việt", "één"]
    text = text_of(await read(a_report([a_hit(1, title=" – ".join(names))], [])))
    assert [name for name in names if name not in text] == []


def test_no_sign_that_only_steers_is_overlooked() -> None:
    """The ranges in which they are looked for hold all of them."""
    steering = [chr(number) for number in range(sys.maxunicode + 1) if unicodedata.category(chr(number)) in _WITHOUT]
    assert [hex(ord(sign)) for sign in steering if not _RARE.match(sign)] == []


def test_long_words_may_be_broken_and_long_texts_end() -> None:
    assert max(len(part) for part in printed("W" * 500).split("\u200b")) <= 24
    assert printed("https://bron.example/een/heel/lang/adres?met=vragen").count("\u200b") >= 6
    assert len(printed("woord " * 1000)) < 2_100
    assert printed("🎉 feest") == f"{BOX} feest"


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://bron.example/a?b=c#d", "https://bron.example/a?b=c#d"),
        ("https://bron.example/é ü", "https://bron.example/%C3%A9%20%C3%BC"),
        ("javascript:alert(1)", ""),
        ("file:///etc/passwd", ""),
        ("//bron.example", ""),
        ("https://[", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_only_addresses_of_the_web_are_links(address: str | None, kept: str) -> None:
    assert web(address) == kept


async def test_the_largest_report_is_set_within_its_bounds() -> None:
    made = await Press().set(as_input(a_big_report(), ABOUT, SITE))
    assert len(PdfReader(io.BytesIO(made)).pages) > 40
    assert len(made) < 10 * 1024**2


async def test_who_asks_while_others_are_set_waits_and_when_too_many_wait_hears_so() -> None:
    import asyncio  # noqa: PLC0415 - only here

    press, given_ = Press(), as_input(a_report(), ABOUT, SITE)
    outcomes = await asyncio.gather(*(press.set(given_) for _ in range(6)), return_exceptions=True)
    failed = [one for one in outcomes if isinstance(one, NotPrintedError)]
    assert [one.busy for one in failed] == [True, True]
    assert sum(isinstance(one, bytes) for one in outcomes) == 4
    assert await press.set(given_)


async def test_setting_that_takes_too_long_is_ended_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "rapport.typ").write_text(
        '#set document(title: "x")\n#for i in range(100000) { for j in range(100000) { let _ = i * j } }\n'
    )
    press = Press(seconds=1.0, folder=tmp_path)
    for _ in range(2):
        with pytest.raises(NotPrintedError) as caught:
            await press.set(b"{}")
        assert not caught.value.busy


async def test_what_cannot_be_set_at_all_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotPrintedError) as caught:
        await Press().set(b"{}")
    assert not caught.value.busy
    shutil.copy(pressing._FOLDER / "rapport.typ", tmp_path / "rapport.typ")
    assert await Press(folder=tmp_path).set(as_input(a_report(), ABOUT, SITE))


async def test_what_cannot_be_for_everybody_is_still_set(tmp_path: Path) -> None:
    (tmp_path / "rapport.typ").write_text("Zonder titel, met een teken zonder letter: 🎉", "utf-8")
    pdf = PdfReader(io.BytesIO(await Press(folder=tmp_path).set(b"{}")))
    assert "Zonder titel" in text_of(pdf)


async def test_a_title_in_another_language_says_which() -> None:
    hit = a_hit(1, title="Report on the state of the heat network for the council")
    made = contents(a_report([hit], []), ABOUT, SITE)
    assert made["bodies"][0]["months"][0]["entries"][0]["language"] == "en"
    root: Any = (await read(a_report([hit], []))).trailer["/Root"]
    assert "en" in languages(root["/StructTreeRoot"])


def languages(node: Any) -> set[str]:
    """The languages in a tree of tags."""
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        return {one for child in node for one in languages(child)}
    if not isinstance(node, dict):
        return set()
    own = {str(node["/Lang"])} if "/Lang" in node else set()
    return own | (languages(node["/K"]) if "/K" in node else set())


@settings(max_examples=12, deadline=None)
@given(st.lists(st.text(st.characters(max_codepoint=0x2C00), min_size=1, max_size=40), min_size=20, max_size=20))
async def test_whatever_signs_stand_together_the_paper_is_for_everybody(given_: list[str]) -> None:
    pdf = await read(a_report([a_hit(n, title=text) for n, text in enumerate(given_)], []))
    root: Any = pdf.trailer["/Root"]
    assert b"pdfuaid" in root["/Metadata"].get_data()


def test_the_typesetter_is_given_everything_as_data() -> None:
    made = contents(a_report(), ABOUT, SITE)
    assert json.loads(as_input(a_report(), ABOUT, SITE)) == made
    assert sys.executable
