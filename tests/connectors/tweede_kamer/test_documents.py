from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from connectors.exceptions import Defect, GoneError, NotAnAnswerError, WithdrawnError
from connectors.records import DateMeaning, Kind, NoteCode, Related, TextState
from connectors.tweede_kamer.answers import one_row
from connectors.tweede_kamer.ids import Entity
from connectors.tweede_kamer.official import html_passages, xml_passages
from connectors.tweede_kamer.sources import Form, sources_of, text_from
from connectors.tweede_kamer.vlos import report_passages
from tests.connectors.tweede_kamer.helpers import (
    CORPUS,
    answer,
    facts,
    open_row,
    pages,
    sample,
    sample_answer,
    sample_json,
)


def test_a_document_with_everything_that_hangs_on_it() -> None:
    row = one_row(sample_answer("document_single_expanded.constructed.json"), "2026D33299")
    document = open_row(row, Entity.DOCUMENT, "2026D33299").document
    assert document.title.startswith("Motie van de leden Dassen en Piri over niet bezuin")
    assert (document.kind, document.kind_at_source) == (Kind.MOTIE, "Motie")
    assert facts(document)["Kamerstuk"] == "36045, nr. 299"
    assert facts(document)["Eerste ondertekenaar"] == "L.A.J.M. Dassen (Volt)"
    assert facts(document)["Officiële publicatie"] == "kst-36045-299"
    assert document.address == "https://www.tweedekamer.nl/kamerstukken/detail?id=2026Z14299&did=2026D33299"
    assert Related("Zaak", document.title, "2026Z14299") in document.related
    assert document.related[-1].address == "https://zoek.officielebekendmakingen.nl/kst-36045-299.html"
    assert [moment.meaning for moment in document.dates] == [DateMeaning.DOCUMENT, DateMeaning.CHANGE]
    assert document.dates[0].day == date(2026, 7, 2)


def test_a_motion_shows_the_outcome_and_the_opinion_of_the_cabinet() -> None:
    """Field report 27."""
    case = sample_json("zaak_single_expanded_votes.constructed.json")
    row = sample_json("document_single_expanded.constructed.json") | {"Zaak": [case]}
    document = open_row(row, Entity.DOCUMENT, "2026D33299").document
    assert document.votes is not None
    assert document.votes.result in {"aangenomen", "verworpen"}
    assert sum(group.in_favour + group.against for group in document.votes.groups) > 100
    assert facts(document)["Oordeel van het kabinet"] == "Ontraden"
    opened = open_row(case, Entity.CASE, "2026Z14299")
    assert opened.document.votes == document.votes
    assert [related.upstream_id for related in opened.document.related] == ["2026D33299"]
    assert opened.sources[-1].guid == "5b1f6f1c-0d0a-4f0e-9a51-000000033299"


def test_a_question_says_whether_it_was_answered() -> None:
    """Field report 28."""
    case = sample_json("kamervragen_list_expanded.constructed.json")["value"][0]
    asked = case["Document"][0]
    document = open_row(asked | {"Zaak": [case]}, Entity.DOCUMENT, "2026D46001").document
    assert (document.kind, facts(document)["Beantwoord"]) == (Kind.VRAAG, "nee")
    reply = asked | {"Id": "x", "Soort": "Antwoord schriftelijke vragen", "DocumentNummer": "2026D46999"}
    answered = case | {"Document": [asked, reply]}
    document = open_row(asked | {"Zaak": [answered]}, Entity.DOCUMENT, "2026D46001").document
    assert facts(document)["Beantwoord"] == "ja"
    assert Related("Antwoord schriftelijke vragen", document.title, "2026D46999") in document.related
    opened = open_row(case, Entity.CASE, "2026Z21771").document
    assert facts(opened)["Indiener"] == "B.C. Kathmann (GroenLinks-PvdA)"
    assert facts(opened)["Afgedaan"] == "nee"


def test_a_commitment_says_what_was_promised_and_whether_it_was_kept() -> None:
    """Field report 28."""
    kept = open_row(sample_json("toezegging_expanded.constructed.json"), Entity.COMMITMENT, "TZ202603-131").document
    assert (kept.text_state, len(kept.passages)) == (TextState.FULL, 1)
    assert (facts(kept)["Status"], facts(kept)["Nagekomen op"]) == ("Voldaan", "30-06-2026")
    assert {related.upstream_id for related in kept.related} == {"2024A02517", "2026D45064"}
    open_one = sample_json("toezeggingen_list.constructed.json")["value"][0]
    for value in ("0001-01-01T00:00:00Z", None):
        document = open_row(open_one | {"DatumNakoming": value}, Entity.COMMITMENT).document
        assert "Nagekomen op" not in facts(document)
    named = open_row(open_one | {"KamerbriefNakoming": "2026D45064"}, Entity.COMMITMENT).document
    assert facts(named)["Kamerbrief"] == "2026D45064"


def test_a_meeting_leads_to_its_newest_report_and_never_to_an_empty_one() -> None:
    row = sample_json("vergaderingen_with_verslag.constructed.json")["value"][0]
    report = row["Verslag"][0]
    newer = report | {"Id": "b", "Status": "Gecorrigeerd", "ApiGewijzigdOp": "2026-08-01T00:00:00Z"}
    empty = report | {"Id": "c", "Status": "Casco", "ApiGewijzigdOp": "2026-09-01T00:00:00Z"}
    opened = open_row(row | {"Verslag": [report, newer, empty], "Sluiting": "0001-01-01T00:00:00Z"}, Entity.MEETING)
    assert [one.guid for one in opened.reports] == ["b", report["Id"]]
    assert "Gesloten op" not in facts(opened.document)
    assert facts(opened.document)["Vergadering"] == "96"


def test_an_activity_shows_its_remark_and_its_agenda() -> None:
    row = sample_json("activiteiten_list.constructed.json")["value"][0]
    points = [{"Onderwerp": " Opening "}, {"Onderwerp": "Rondvraag"}, {"Onderwerp": "Weg", "Verwijderd": True}]
    document = open_row(row | {"Noot": "<p>Let&nbsp;op</p>", "Agendapunt": points}, Entity.ACTIVITY).document
    assert [(p.heading, p.text) for p in document.passages] == [
        ("Toelichting", "Let op"),
        ("Agenda", "1. Opening\n2. Rondvraag"),
    ]
    bare = open_row(row, Entity.ACTIVITY).document
    assert (bare.text_state, [note.code for note in bare.notes]) == (TextState.NONE, [NoteCode.WITHOUT_TEXT])


def test_the_official_xml_goes_first_then_html_then_files() -> None:
    """Field report 23."""
    publications = sample_json("documentpublicatie_list.constructed.json")["value"]
    row = sample_json("document_single_expanded.constructed.json")
    row["HuidigeDocumentVersie"]["DocumentPublicatie"] = publications
    assert [(source.entity, source.form) for source in sources_of(row)] == [
        ("DocumentPublicatie", Form.XML),
        ("DocumentPublicatie", Form.HTML),
        ("DocumentPublicatie", Form.FILE),
        ("Document", Form.FILE),
    ]
    assert [source.form for source in sources_of({"Id": "x"})] == [Form.FILE]
    assert sources_of({}) == ()


def test_a_recorded_official_xml_is_read_whole() -> None:
    passages = xml_passages(sample("document_fulltext_kst-36045-299.recorded.xml"))
    text = " ".join(f"{passage.heading} {passage.text}" for passage in passages)
    derived = sample("document_fulltext_kst-36045-299.derived.txt").decode()
    wanted = {word for word in derived.split() if len(word) > 3}
    assert wanted - set(text.split()) == set()
    assert not any(passage.is_page for passage in passages)


@pytest.mark.parametrize("file", sorted((CORPUS / "xml").glob("*.xml")), ids=lambda file: file.stem)
def test_every_official_publication_of_the_corpus_gives_its_text(file: Path) -> None:
    passages = xml_passages(file.read_bytes())
    text = "\n".join(passage.text for passage in passages)
    assert "De Kamer" in text
    assert "OVERHEIDop" not in text
    assert passages[0].number == 1


def test_lists_notes_and_unknown_elements_of_an_official_xml_are_kept() -> None:
    body = (
        b"<officiele-publicatie><metadata><meta name='a'/></metadata><x><kop><label>Artikel</label> <nr>1</nr></kop>"
        b"<al>Zie<noot><noot.nr>1</noot.nr><noot.al>Bron.</noot.al></noot> dit.</al>"
        b"<lijst><li><li.nr>a.</li.nr><al>een</al></li><li><li.nr>b.</li.nr><al>twee</al></li></lijst>"
        b"<iets-nieuws>Los woord</iets-nieuws>"
        b"<table><row><entry>x</entry><entry>y</entry></row></table></x></officiele-publicatie>"
    )
    (passage,) = xml_passages(body)
    assert passage.heading == "Artikel 1"
    assert passage.text == "Zie [noot 1 Bron.] dit.\na. een\nb. twee\nLos woord\nx | y"


def test_official_html_is_read_by_heading_without_menus_and_scripts() -> None:
    page = (
        b"<!DOCTYPE html><html><head><title>t</title><script>var p = 1;</script></head><body><nav><p>Menu</p></nav>"
        b"<h1>Motie</h1><p>De Kamer,</p><table><tr><td>a</td><td>b</td></tr></table><h2>Nader</h2><ul><li>een</li></ul>"
        b"</body></html>"
    )
    assert [(p.heading, p.text) for p in html_passages(page)] == [("Motie", "De Kamer,\na | b"), ("Nader", "een")]
    with pytest.raises(NotAnAnswerError) as caught:
        html_passages(b"%PDF-1.4")
    assert caught.value.defect is Defect.WRONG_TYPE
    with pytest.raises(NotAnAnswerError):
        html_passages(b"<html>" + b"<p>x</p>" * 700_000)


@pytest.mark.parametrize("name", ["document_resource.constructed.pdf", "document_resource.constructed.docx"])
def test_files_are_judged_by_their_bytes_and_not_by_the_header(name: str) -> None:
    text = text_from(answer(sample(name), media_type="image/jpeg"), "2026D33299", Form.FILE)
    assert text.state is TextState.FULL
    assert "verzoekt" in " ".join(passage.text for passage in text.passages)
    assert text.passages[0].is_page is name.endswith("pdf")


def test_a_recorded_pdf_is_read_by_page() -> None:
    text = text_from(answer(sample("besluitenlijst.recorded.pdf")), "2025D1", Form.FILE)
    assert (text.state, text.passages[0].number, text.passages[0].is_page) == (TextState.FULL, 1, True)


def test_the_report_of_a_real_meeting_is_read_by_activity() -> None:
    passages = report_passages(answer((CORPUS / "verslag-2014-10-15.xml").read_bytes()), "v")
    headings = [passage.heading for passage in passages]
    assert headings[:2] == ["Opening", "Mededelingen"]
    assert "de agenda van de Europese Top van 23 en 24 oktober" in headings
    text = "\n".join(passage.text for passage in passages)
    assert "Voorzitter: Van Miltenburg" in text
    assert "De heer Van Haersma Buma (CDA):" in text
    assert text.count("Ik heet de minister-president van harte welkom") == 1
    assert "S-1-365867521" not in text


def test_a_constructed_report_is_read_and_anything_else_is_no_report() -> None:
    assert report_passages(answer(sample("verslag_resource_vlos.constructed.xml")), "v")
    for body in (b"<a/>", b"<!DOCTYPE html><html></html>", b"{}", b'<!DOCTYPE v [<!ENTITY x "y">]><v>&x;</v>'):
        with pytest.raises(NotAnAnswerError):
            report_passages(answer(body), "v")
    with pytest.raises(NotAnAnswerError):
        xml_passages(b"<vlosCoreDocument/>")


@pytest.mark.parametrize("status", [204, 404, 410])
def test_what_is_not_there_is_gone(status: int) -> None:
    with pytest.raises(GoneError):
        one_row(answer(b"", status), "2026D1")


def test_a_deleted_row_is_withdrawn_and_no_row_is_gone() -> None:
    """Field report 19."""
    deleted = sample_json("document_deleted_row.constructed.json")
    row = deleted.get("value", [deleted])[0]
    bodies: list[dict[str, object]] = [row, {"value": [row]}, {"value": []}]
    for body in bodies:
        with pytest.raises(GoneError) as failure:
            one_row(answer(body), "2026D1")
        assert isinstance(failure.value, WithdrawnError) == (body != {"value": []})


def test_one_document_without_expansions_is_read() -> None:
    row = one_row(sample_answer("document_single.constructed.json"), "x")
    opened = open_row(row, Entity.DOCUMENT)
    assert opened.document.title
    assert opened.document.votes is None
    assert opened.document.original is not None
    assert pages().of(row, "kapot").startswith("http://127.0.0.1:2/document/tweede-kamer/")
