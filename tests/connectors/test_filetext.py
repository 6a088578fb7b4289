from __future__ import annotations

import io
import itertools
import zipfile
from copy import deepcopy

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject, NumberObject

from connectors.bodies import MOST_PIECES
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.filetext import Bounds, FileKind, file_text, kind_of
from connectors.kamer_corpus.files import pdf_of
from connectors.letters import mended
from connectors.records import Note, NoteCode, TextState
from search.texts import note


def word_file(*paragraphs: tuple[str, str | None]) -> bytes:
    document = docx.Document()
    for text, style in paragraphs:
        document.add_paragraph(text, style)
    kept = io.BytesIO()
    document.save(kept)
    return kept.getvalue()


def test_a_pdf_gives_its_text_by_page() -> None:
    read = file_text("p", pdf_of(["Eerste pagina", "", "Derde (pagina)\nmet twee regels"]))
    assert [(p.number, p.text, p.is_page) for p in read.passages] == [
        (1, "Eerste pagina", True),
        (3, "Derde (pagina)\nmet twee regels", True),
    ]
    assert (read.pages_read, read.pages_in_all, read.state, read.notes) == (3, 3, TextState.FULL, ())


def test_a_long_report_says_how_far_it_was_read() -> None:
    """Field report 22."""
    read = file_text("p", pdf_of([f"Pagina {n}" for n in range(1, 909)]))
    assert (read.pages_read, read.pages_in_all, read.state) == (40, 908, TextState.PARTIAL)
    assert read.passages[-1].text == "Pagina 40"
    assert read.notes == (Note(NoteCode.PAGES_READ_BY_US, ("40", "908")),)
    assert note(read.notes[0]).startswith("908 pagina's, 40 gelezen.")


def test_a_scan_says_that_it_has_no_text_layer() -> None:
    """Field report 24."""
    read = file_text("p", pdf_of(["", ""]))
    assert (read.passages, read.has_text_layer, read.state) == ((), False, TextState.NONE)
    assert "geen tekstlaag" in note(read.notes[0])


def with_a_scanned_page(pdf: bytes) -> bytes:
    """The file with one more page, which draws a picture and holds no text."""
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    page = writer.add_blank_page(200, 200)
    picture = DecodedStreamObject()
    picture.set_data(b"\x00")
    sizes = {"/Width": 1, "/Height": 1, "/BitsPerComponent": 8}
    picture.update({NameObject(name): NumberObject(value) for name, value in sizes.items()})
    picture.update({NameObject("/Subtype"): NameObject("/Image"), NameObject("/ColorSpace"): NameObject("/DeviceGray")})
    drawing = DecodedStreamObject()
    drawing.set_data(b"q 200 0 0 200 0 0 cm /Im0 Do Q")
    pictures = DictionaryObject({NameObject("/Im0"): writer._add_object(picture)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): pictures})
    page[NameObject("/Contents")] = writer._add_object(drawing)
    kept = io.BytesIO()
    writer.write(kept)
    return kept.getvalue()


def test_a_scanned_page_behind_pages_with_text_makes_the_text_partial() -> None:
    """Field report 24."""
    read = file_text("p", with_a_scanned_page(pdf_of(["Eerste pagina"])))
    assert [passage.text for passage in read.passages] == ["Eerste pagina"]
    assert (read.state, read.has_text_layer) == (TextState.PARTIAL, True)
    assert read.notes == (Note(NoteCode.PARTS_LEFT_OUT),)


def test_characters_beyond_the_bound_are_left_out_and_that_is_said() -> None:
    read = file_text("p", pdf_of(["abcdef", "ghijkl", "mnopqr"]), Bounds(characters=8))
    assert [p.text for p in read.passages] == ["abcdef", "gh"]
    assert (read.state, read.notes) == (TextState.PARTIAL, (Note(NoteCode.PARTS_LEFT_OUT),))


def test_a_word_file_gives_its_text_by_part_with_headings_and_tables() -> None:
    document = docx.Document()
    document.add_paragraph("Vooraf")
    document.add_heading("Vraag 1", level=1)
    document.add_paragraph("Kent u het bericht?")
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Jaar", "2026"
    kept = io.BytesIO()
    document.save(kept)
    read = file_text("p", kept.getvalue())
    assert [(p.number, p.heading, p.text, p.is_page) for p in read.passages] == [
        (1, "", "Vooraf", False),
        (2, "Vraag 1", "Kent u het bericht?\nJaar | 2026", False),
    ]
    assert (read.pages_in_all, read.state) == (None, TextState.FULL)


def test_a_word_file_of_many_paragraphs_is_read_up_to_a_bound() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("alinea")._p
    for _ in range(20_500):
        paragraph.addnext(deepcopy(paragraph))
    kept = io.BytesIO()
    document.save(kept)
    read = file_text("p", kept.getvalue())
    assert (read.passages[0].text.count("alinea"), read.state) == (20_000, TextState.PARTIAL)
    assert read.notes == (Note(NoteCode.PARTS_LEFT_OUT),)


def test_a_word_file_without_text_says_so() -> None:
    assert file_text("p", word_file(("", None))).state is TextState.NONE


@pytest.mark.parametrize(
    ("body", "defect", "where"),
    [
        (b"", Defect.EMPTY, "bestand"),
        (b"\x89PNG\r\n\x1a\n", Defect.WRONG_TYPE, "bestand"),
        (b"<html>", Defect.WRONG_TYPE, "bestand"),
        (b"%PDF-1.4\nniets meer", Defect.CUT_OFF, "pdf"),
        (pdf_of([]), Defect.CUT_OFF, "pdf"),
        (b"PK\x03\x04 word/ en dan niets", Defect.CUT_OFF, "docx"),
        (word_file(("tekst", None))[:-400], Defect.CUT_OFF, "docx"),
    ],
)
def test_a_damaged_file_is_a_failure_with_a_name(body: bytes, defect: Defect, where: str) -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        file_text("p", body)
    assert (caught.value.defect, caught.value.where) == (defect, where)


def test_an_encrypted_pdf_is_a_failure_with_a_name() -> None:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_of(["geheim"]))))
    writer.encrypt("wachtwoord", algorithm="RC4-128")
    kept = io.BytesIO()
    writer.write(kept)
    with pytest.raises(NotAnAnswerError):
        file_text("p", kept.getvalue())


def test_a_word_file_that_unpacks_to_too_much_is_refused_before_it_is_unpacked() -> None:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", b" " * (41 * 1024 * 1024))
    with pytest.raises(NotAnAnswerError) as caught:
        file_text("p", kept.getvalue())
    assert caught.value.defect is Defect.TOO_LARGE


@pytest.mark.parametrize("part", ["word/document.xml", "word/styles.xml"])
def test_a_word_file_of_more_elements_than_fit_in_memory_is_refused_before_they_are_read(part: str) -> None:
    """Six million empty paragraphs are 50 kB over the wire, and 800 MB as elements."""
    kept = io.BytesIO(word_file(("tekst", None)))
    with zipfile.ZipFile(kept) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    with zipfile.ZipFile(kept := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as packed:
        for name, written in members.items():
            packed.writestr(
                name, written.replace(b">", b">" + b"<w:p/>" * (MOST_PIECES + 1), 2) if name == part else written
            )
    with pytest.raises(NotAnAnswerError) as caught:
        file_text("p", kept.getvalue())
    assert (caught.value.defect, caught.value.where) == (Defect.TOO_LARGE, "docx")


@pytest.mark.parametrize("flag", [b"\x01\x00", b"\x00\x00"])
def test_a_word_file_of_which_a_part_cannot_be_unpacked_is_a_failure_with_a_name(flag: bytes) -> None:
    """Locked with a password, or with its packing damaged."""
    body = bytearray(word_file(("tekst " * 500, None)))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = body.find(mark)
        while place >= 0:
            body[place + at : place + at + 2] = flag
            place = body.find(mark, place + 4)
    if flag == b"\x00\x00":
        place = body.index(b"word/document.xml") + len("word/document.xml")
        body[place : place + 40] = b"\xff" * 40
    with pytest.raises(NotAnAnswerError) as caught:
        file_text("p", bytes(body))
    assert (caught.value.defect, caught.value.where) == (Defect.CUT_OFF, "docx")


def test_pages_that_keep_the_processor_too_long_end_the_reading_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A drawing that draws itself ten times, and that again, has few bytes: counting them says nothing of its cost."""
    seconds = itertools.count(0, 8)
    monkeypatch.setattr("connectors.filetext.thread_time", lambda: float(next(seconds)))
    read = file_text("p", pdf_of(["Een", "Twee", "Drie", "Vier"]))
    assert ([p.number for p in read.passages], read.pages_read, read.pages_in_all) == ([1, 2], 2, 4)
    assert read.notes == (Note(NoteCode.PAGES_READ_BY_US, ("2", "4")),)


def test_a_page_that_is_one_huge_drawing_is_left_out_and_counted() -> None:
    body = pdf_of(["Tekst", "x" * (2 * 1024 * 1024 + 1)])
    read = file_text("p", body)
    assert ([p.number for p in read.passages], read.state) == ([1], TextState.PARTIAL)


def test_pages_that_are_too_much_work_together_end_the_reading_and_that_is_said() -> None:
    drawing = "x" * (2 * 1024 * 1024 + 1)
    read = file_text("p", pdf_of(["Tekst", drawing, drawing, drawing, drawing, "Nooit gelezen"]))
    assert ([p.number for p in read.passages], read.pages_read, read.pages_in_all) == ([1], 5, 6)
    assert read.notes == (Note(NoteCode.PAGES_READ_BY_US, ("5", "6")),)


@given(st.binary(max_size=400), st.integers(0, 700))
def test_any_bytes_are_text_or_a_failure_with_a_name(noise: bytes, at: int) -> None:
    good = pdf_of(["Een pagina", "Nog een"])
    for body in (noise, good[:at] + noise + good[at + len(noise) :]):
        try:
            read = file_text("p", body)
        except NotAnAnswerError:
            continue
        assert kind_of(body) is not FileKind.OTHER
        assert read.pages_read <= 40


@pytest.mark.parametrize(
    ("spaced", "whole"),
    [
        ("T weede Kamer der Staten-Generaal", "Tweede Kamer der Staten-Generaal"),
        ("MOTIE V A N HET LID", "MOTIE VAN HET LID"),
        ("De W aterschappen. Alle waterschappen.", "De Waterschappen. Alle waterschappen."),
        ("Kolommen A B C en D E F", "Kolommen A B C en D E F"),
        ("Vitamine D is gezond", "Vitamine D is gezond"),
        ("U weet dat", "U weet dat"),
        ("Plan B aan de orde. Baan.", "Plan B aan de orde. Baan."),
        ("W oordonbekend", "W oordonbekend"),
    ],
)
def test_letters_spaced_apart_are_mended_only_where_that_is_certain(spaced: str, whole: str) -> None:
    """Field report 23."""
    assert mended([spaced]) == [whole]


@given(st.text("TWAVNHETLIDtweedkamrs .,\n", max_size=200))
def test_mending_changes_nothing_but_blanks(text: str) -> None:
    (whole,) = mended([text])
    assert "".join(whole.split()) == "".join(text.split())
