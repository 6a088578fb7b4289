"""The text of publications: all of it, in the order of the page, with its headings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from connectors.cutting import PART_SIZE
from connectors.exceptions import Defect, NotAnAnswerError, OverLimitError, RefusedError, WithdrawnError
from connectors.officiele_bekendmakingen.parse_files import WITHDRAWN, parse_html, parse_xml
from connectors.officiele_bekendmakingen.text import NOTES_HEADING
from connectors.records import Passage
from tests.connectors.officiele_bekendmakingen.helpers import CORPUS, answer, sample

DECREE = (
    "Besluit van 9 maart 2018, houdende vaststelling van de bestanddelen van de beeldenaar van de munten van vijf en tien "
    "euro die worden uitgegeven ter viering van Leeuwarden-Fryslân als culturele hoofdstad van Europa"
)
DOCUMENTS = CORPUS / "documents"
XML = sorted(file for file in DOCUMENTS.glob("*.xml") if "metadata" not in file.name)
HTML = sorted(DOCUMENTS.glob("*.html"))


def xml(name: str) -> tuple[Passage, ...]:
    return parse_xml(answer((DOCUMENTS / name).read_bytes()), name)


def of(body: str) -> tuple[Passage, ...]:
    return parse_xml(answer(f"<officiele-publicatie>{body}</officiele-publicatie>".encode()), "gmb-2024-1")


def letters(text: str) -> int:
    return len(re.findall(r"\w", text))


def written(passages: tuple[Passage, ...]) -> str:
    own = [p.heading for p in passages if p.heading != NOTES_HEADING and not p.heading.endswith("(vervolg)")]
    return " ".join((*own, *(re.sub(r"^\[\d+\]|\[\d+\]", "", p.text) for p in passages)))


def test_no_letter_of_any_xml_edition_is_lost_or_doubled() -> None:
    assert len(XML) >= 120
    for file in XML:
        root = etree.fromstring(file.read_bytes().removeprefix(b"\xef\xbb\xbf").strip())
        passages = parse_xml(answer(file.read_bytes()), file.stem)
        assert letters("".join(root.itertext("*"))) == letters(written(passages)), file.name
        assert all(passage.text.strip() for passage in passages)


def test_no_letter_of_any_html_edition_is_lost_or_doubled() -> None:
    for file in HTML:
        body = file.read_bytes().removeprefix(b"\xef\xbb\xbf").strip()
        root = etree.fromstring(body, etree.HTMLParser(encoding="utf-8", remove_comments=True))
        text = next(div for div in root.iter("div") if div.get("id") == "broodtekst")
        assert letters("".join(text.itertext("*"))) == letters(written(parse_html(answer(body), file.stem))), file.name


def test_a_decree_is_cut_at_its_articles() -> None:
    passages = xml("stb-2018-84.xml")
    assert [passage.heading for passage in passages] == [
        DECREE,
        "Artikel 1",
        "Artikel 2",
        "Artikel 3",
    ]
    assert passages[1].text.split("\n\n")[1].startswith("a. op de voorzijde, overeenkomstig onderstaande afbeelding")


def test_a_motion_reads_as_it_was_put() -> None:
    assert xml("kst-33576-433.xml")[0].text.split("\n\n") == [
        "Vergaderjaar 2024-2025 Tweede Kamer der Staten-Generaal 2 Kamerstukken",
        "33 576 Natuurbeleid",
        "Nr. 433 MOTIE VAN HET LID EERDMANS",
        "Voorgesteld 25 maart 2025",
        "De Kamer,",
        "gehoord de beraadslaging,",
        "spreekt uit dat de wolf niet in Nederland thuishoort,",
        "en gaat over tot de orde van de dag.",
        "Eerdmans",
    ]


def test_a_debate_names_its_speakers_and_cuts_no_passage_at_a_motion_in_it() -> None:
    passages = xml("h-tk-20142015-33-13.xml")
    assert "Mevrouw Cegerek (PvdA): Voorzitter. Ik dien een aantal moties in." in passages[1].text
    assert {passage.heading.removesuffix(" (vervolg)") for passage in passages} == {"", "Grondstoffen en afval"}
    assert max(len(passage.text) for passage in passages) < PART_SIZE + 2000


def test_a_table_keeps_its_columns_and_a_note_its_place() -> None:
    notes = xml("bgr-2024-715.xml")[-1]
    assert notes.heading == NOTES_HEADING
    assert "Naam regeling/bevoegdheden | Mandaatverlening | Ondergemandateerde" in notes.text


def test_a_bullet_stands_before_its_item() -> None:
    """In HTML the bullet is a span of its own, with the paragraph in a block behind it."""
    passages = parse_html(answer((DOCUMENTS / "gmb-2024-216934.html").read_bytes()), "gmb-2024-216934")
    assert "• door Voetbalvereniging Yerseke op het adres Hogeweg 15" in passages[0].text


def test_a_number_without_text_behind_it_is_kept() -> None:
    assert (
        of("<lijst><li><li.nr>1.</li.nr></li><li><li.nr>2.</li.nr><al>twee</al></li></lijst>")[0].text
        == "1.\n\n2. twee"
    )


def test_xml_that_holds_metadata_alone_has_no_text() -> None:
    assert parse_xml(answer(sample("documents/empty-body.constructed.xml")), "blg-134645") == ()


def test_the_page_with_technical_information_is_no_text_in_either_form() -> None:
    page = sample("documents/h-tk-20132014-82-5.technical-information-page.html")
    assert parse_html(answer(page), "h-tk-20132014-82-5") == ()
    assert parse_xml(answer(page), "h-tk-20132014-82-5") == ()


def test_a_page_that_holds_no_publication_is_no_answer_instead_of_one_without_text() -> None:
    for parse in (parse_xml, parse_html):
        with pytest.raises(NotAnAnswerError) as caught:
            parse(answer(b"<!DOCTYPE html><html><body><h1>Even geduld</h1></body></html>"), "gmb-2024-1")
        assert caught.value.defect is Defect.HTML


@pytest.mark.parametrize("name", ["bgr-2024-715.html.wget-log.txt", "h-tk-20172018-70-1.prettified-mojibake.xml"])
def test_a_file_that_a_keeper_spoiled_is_no_answer(name: str) -> None:
    with pytest.raises(NotAnAnswerError):
        parse_xml(answer(sample(f"odd/{name}")), "bgr-2024-715")


def test_a_missing_file_has_no_text_and_the_other_forms_are_tried() -> None:
    assert parse_html(answer(sample("document-404.constructed.html"), 404, "text/html"), "gmb-2024-1") == ()
    assert parse_xml(answer(b"", 404), "gmb-2024-1") == ()


def test_a_withdrawn_publication_is_said_to_be_in_either_form() -> None:
    """Field report 19."""
    page = f'<html><body><div id="broodtekst"><p>{WITHDRAWN}</p></div></body></html>'
    text = f"<officiele-publicatie><gemeenteblad><al>{WITHDRAWN}</al></gemeenteblad></officiele-publicatie>"
    with pytest.raises(WithdrawnError):
        parse_html(answer(page.encode(), 200, "text/html"), "gmb-2024-1")
    with pytest.raises(WithdrawnError):
        parse_xml(answer(text.encode()), "gmb-2024-1")


def test_a_publication_that_quotes_that_sentence_is_not_gone() -> None:
    long = " ".join(["woord"] * 1000)
    assert of(f"<gemeenteblad><al>{WITHDRAWN}</al><al>{long}</al></gemeenteblad>")


def test_a_file_service_that_says_too_much_or_fails_has_a_name() -> None:
    with pytest.raises(OverLimitError):
        parse_xml(answer(sample("http-503-throttled.constructed.html"), 503, "text/html"), "gmb-2024-1")
    with pytest.raises(RefusedError):
        parse_xml(answer(sample("http-500.constructed.html"), 500, "text/html"), "gmb-2024-1")


def test_nesting_deeper_than_any_publication_is_refused() -> None:
    deep = "<a>" * 200 + "x" + "</a>" * 200
    with pytest.raises(NotAnAnswerError):
        of(deep)
    cells = "<entry>" * 20 + "x" + "</entry>" * 20
    with pytest.raises(NotAnAnswerError):
        of(cells)
    with pytest.raises(NotAnAnswerError):
        parse_html(answer(b'<div id="broodtekst">' + b"<div>" * 50_000), "gmb-2024-1")


def test_more_elements_than_any_publication_has_are_refused() -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        of("<al/>" * 300_001)
    assert (caught.value.defect, caught.value.where) == (Defect.TOO_LARGE, "elements")


def test_real_files_are_served_as_they_stand() -> None:
    """BOM and CRLF, LF alone, declarations in either case: all are read."""
    starts = {Path(file).read_bytes()[:3] == b"\xef\xbb\xbf" for file in XML}
    assert starts == {True, False}
