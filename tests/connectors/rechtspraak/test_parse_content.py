from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest

from connectors.exceptions import Defect, GoneError, NotAnAnswerError, RefusedError
from connectors.rechtspraak.documents import document_of, hit_of_ruling
from connectors.rechtspraak.parse_content import Ruling, parse_content
from connectors.records import DateMeaning, Detail, Document, Hit, Kind, Moment, Note, NoteCode, Related, TextState
from tests.connectors.rechtspraak.helpers import CORPUS, FETCHED, SAMPLES, answer, ecli_of, sample


def _ruling(name: str) -> Ruling:
    file = next((SAMPLES / "content").glob(f"*{name}*.xml"), None) or next((CORPUS / "content").glob(f"*{name}.xml"))
    return parse_content(answer(file.read_bytes()), ecli_of(file))


def _document(name: str) -> Document:
    return document_of(_ruling(name), FETCHED)


def test_the_day_the_ecli_was_made_is_never_taken_for_the_day_of_the_decision() -> None:
    for name, decided, registered in (
        ("CBB_2020_1", date(2020, 1, 7), date(2019, 12, 19)),
        ("RBZWB_2016_210", date(2016, 1, 19), date(2016, 1, 18)),
    ):
        document = _document(name)
        assert document.dates[0] == Moment(decided, DateMeaning.DECISION)
        assert all(moment.day != registered for moment in document.dates)
        assert Detail("ECLI vastgelegd op", f"{registered:%d-%m-%Y}") in document.details


def test_a_decision_becomes_a_document_with_its_facts_and_relations() -> None:
    document = _document("GHAMS_2014_3101")
    assert replace(document, passages=(), abstract="") == Document(
        platform="rechtspraak",
        upstream_id="ECLI:NL:GHAMS:2014:3101",
        title="Gerechtshof Amsterdam, 10-07-2014, 13/00545",
        organisation="Gerechtshof Amsterdam",
        organisation_id="gerecht-gerechtshof-amsterdam",
        kind=Kind.UITSPRAAK,
        kind_at_source="Uitspraak",
        dates=(
            Moment(date(2014, 7, 10), DateMeaning.DECISION),
            Moment(date(2014, 8, 6), DateMeaning.PUBLICATION),
            Moment(date(2014, 8, 5), DateMeaning.CHANGE),
        ),
        passages=(),
        text_state=TextState.FULL,
        address="https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:GHAMS:2014:3101",
        original="https://data.rechtspraak.nl/uitspraken/content?id=ECLI:NL:GHAMS:2014:3101",
        fetched_at=FETCHED,
        details=(
            Detail("ECLI", "ECLI:NL:GHAMS:2014:3101"),
            Detail("Zaaknummer", "13/00545"),
            Detail("Rechtsgebied", "Bestuursrecht; Belastingrecht"),
            Detail("Procedure", "Hoger beroep"),
            Detail("Zittingsplaats", "Amsterdam"),
            Detail("Periode", "2010"),
            Detail("Vindplaats", "Rechtspraak.nl"),
            Detail("Vindplaats", "FutD 2014-1891"),
            Detail("Vindplaats", "V-N 2014/52.20.19"),
            Detail("ECLI vastgelegd op", "05-08-2014"),
        ),
        related=(
            Related(
                "Eerste aanleg",
                "ECLI:NL:RBNHO:2013:7284, (Gedeeltelijke) vernietiging en zelf afgedaan",
                "ECLI:NL:RBNHO:2013:7284",
            ),
            Related(
                "Wetsverwijzing",
                "Wet waardering onroerende zaken 17",
                None,
                "https://wetten.overheid.nl/BWBR0007119",
            ),
        ),
    )
    assert document.abstract.startswith("WOZ. Waardering woon/bedrijfserf")


def test_a_conclusie_carries_its_own_kind_and_meaning_of_date() -> None:
    document = _document("PHR_2011_BP5608")
    assert (document.kind, document.kind_at_source) == (Kind.CONCLUSIE, "Conclusie")
    assert document.dates[0] == Moment(date(2011, 5, 27), DateMeaning.CONCLUSION)
    assert Detail("Vervangt", "BP5608") in document.details


def test_a_decision_without_text_says_so_and_names_its_successor() -> None:
    """Field report 32."""
    document = _document("RBAMS_2007_YB0083")
    assert (document.text_state, document.passages) == (TextState.NONE, ())
    assert document.notes == (
        Note(NoteCode.WITHOUT_TEXT),
        Note(NoteCode.REPLACED, ("ECLI:NL:TGDKG:2007:1",)),
    )
    assert document.related == (Related("Vervangen door", "ECLI:NL:TGDKG:2007:1", "ECLI:NL:TGDKG:2007:1"),)


def test_several_case_numbers_in_one_text_stay_as_they_are() -> None:
    document = _document("CBB_2020_1")
    assert Detail("Zaaknummer", "12/858, 12/859, 12/860, 15/322 en 15/329") in document.details


def test_a_body_without_abstract_is_read_and_a_lone_dash_is_no_abstract() -> None:
    assert _document("RBDHA_2014_8504").abstract == ""
    assert _document("RBDHA_2014_8504").text_state is TextState.FULL
    lone = re.compile(rb"<inhoudsindicatie[^>]*>\s*<para>-</para>\s*</inhoudsindicatie>")
    dashes = [file for file in (CORPUS / "content").glob("*.xml") if lone.search(file.read_bytes())]
    assert dashes
    for file in dashes:
        assert parse_content(answer(file.read_bytes()), ecli_of(file)).abstract == ""


def test_a_decision_becomes_a_hit_with_the_title_of_the_websites_search() -> None:
    ruling = _ruling("CBB_2022_1")
    hit = hit_of_ruling(ruling, FETCHED)
    assert replace(hit, snippet="") == Hit(
        platform="rechtspraak",
        upstream_id="ECLI:NL:CBB:2022:1",
        title="College van Beroep voor het bedrijfsleven, 11-01-2022, 20/1063",
        organisation="College van Beroep voor het bedrijfsleven",
        organisation_id="gerecht-college-van-beroep-voor-het-bedrijfsleven",
        kind=Kind.UITSPRAAK,
        kind_at_source="Uitspraak",
        date=Moment(date(2022, 1, 11), DateMeaning.DECISION),
        snippet="",
        address="https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:CBB:2022:1",
        original="https://data.rechtspraak.nl/uitspraken/content?id=ECLI:NL:CBB:2022:1",
        fetched_at=FETCHED,
    )
    assert hit.snippet.startswith("Artikel 2:3, eerste lid, van de Algemene wet bestuursrecht artikel 4.5.12")


def test_an_empty_line_before_the_declaration_does_no_harm() -> None:
    body = sample("content/ECLI_NL_RBMNE_2016_1780.xml")
    assert parse_content(answer(b"\r\n\n" + body), "ECLI:NL:RBMNE:2016:1780") == _ruling("RBMNE_2016_1780")


@pytest.mark.parametrize("name", ["CBB_1996_ZG0749", "CBB_1998_AA3411", "CBB_1998_AA3430"])
def test_bytes_that_are_not_what_the_declaration_says_fail_by_name(name: str) -> None:
    file = SAMPLES / "content" / f"ECLI_NL_{name}.cp1252-bytes.xml"
    with pytest.raises(NotAnAnswerError) as caught:
        parse_content(answer(file.read_bytes()), ecli_of(file))
    assert caught.value.defect is Defect.CUT_OFF


@pytest.mark.parametrize(
    ("body", "status"), [(b"weg", 404), (b"weg", 410), (sample("content-empty.constructed.xml"), 200)]
)
def test_a_decision_that_is_not_there_is_gone(body: bytes, status: int) -> None:
    with pytest.raises(GoneError) as caught:
        parse_content(answer(body, status), "ECLI:NL:HR:2024:1")
    assert caught.value.upstream_id == "ECLI:NL:HR:2024:1"


RDF = b"<open-rechtspraak><RDF><Description><identifier>%s</identifier></Description></RDF></open-rechtspraak>"


@pytest.mark.parametrize(
    ("body", "defect", "where"),
    [
        (b"", Defect.EMPTY, ""),
        (sample("html-error-200.constructed.html"), Defect.HTML, ""),
        (b"plain text", Defect.WRONG_TYPE, ""),
        (sample("content/ECLI_NL_CBB_1997_ZG0125.xml")[:1000], Defect.CUT_OFF, ""),
        (sample("zoeken-empty.constructed.xml"), Defect.WRONG_SHAPE, "root"),
        (b"<content>iets</content>", Defect.WRONG_SHAPE, "root"),
        (b"<open-rechtspraak/>", Defect.WRONG_SHAPE, "Description"),
        (RDF % b"", Defect.WRONG_SHAPE, "identifier"),
        (RDF % b"ECLI:NL:HR:2024:2", Defect.WRONG_SHAPE, "identifier"),
    ],
)
def test_a_body_that_is_no_decision_fails_by_name(body: bytes, defect: Defect, where: str) -> None:
    """The last one is another decision than the one asked for."""
    with pytest.raises(NotAnAnswerError) as caught:
        parse_content(answer(body), "ECLI:NL:HR:2024:1")
    assert (caught.value.defect, caught.value.where) == (defect, where)


def test_a_bare_decision_is_still_a_document_of_a_known_court_without_a_date() -> None:
    ruling = parse_content(answer(RDF % b"ECLI:NL:HR:2024:1"), "ECLI:NL:HR:2024:1")
    document = document_of(ruling, FETCHED)
    assert (document.title, document.organisation, document.dates) == ("ECLI:NL:HR:2024:1", "Hoge Raad", ())
    assert hit_of_ruling(ruling, FETCHED).date is None


def test_a_refusal_keeps_its_status() -> None:
    with pytest.raises(RefusedError) as caught:
        parse_content(answer(b"stuk", 502), "ECLI:NL:HR:2024:1")
    assert caught.value.status == 502
