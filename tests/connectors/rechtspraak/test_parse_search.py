from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from connectors.exceptions import Defect, NotAnAnswerError, OverLimitError, RefusedError
from connectors.rechtspraak.parse_atom import AtomPage, AtomRow, parse_atom
from connectors.rechtspraak.parse_website import WebsitePage, WebsiteRow, parse_website, plain_fragment
from connectors.rechtspraak.titles import Title, read_title
from tests.connectors.rechtspraak.helpers import answer, sample

GONE = ("ECLI:NL:RBARN:2006:876543", "ECLI:NL:RBARN:2006:876544")
AMSTERDAM = AtomRow(
    "ECLI:NL:RBAMS:2021:8211",
    Title("Rechtbank Amsterdam, 29-06-2021, C/13/702999 / KG ZA 21-458", "Rechtbank Amsterdam", date(2021, 6, 29)),
    "",
)
HORSES = (
    "Beroep tegen de afwijzing van een handhavingsverzoek. Kern van het verzoek is dat op een manege onvoldoende rekening "
    "wordt gehouden met de behoefte van paarden aan beweging en onderling sociaal en fysiek contact. Het onderzoek dat de "
    "minister bij de manege heeft gedaan was onvoldoende. De minister had ook de bepalingen 1.6, eerste en tweede lid, van "
    "het Bhd en 2.2, achtste lid, van de Wet dier..."
)
HORSES_TITLE = Title(
    "College van Beroep voor het bedrijfsleven, 26-11-2024, 22/496",
    "College van Beroep voor het bedrijfsleven",
    date(2024, 11, 26),
)


@pytest.mark.parametrize(
    ("name", "page"),
    [
        (
            "zoeken-one.recorded.xml",
            AtomPage(
                3199182,
                (
                    AtomRow(
                        "ECLI:NL:RVS:2000:AA5654",
                        Title("Raad van State, 20-04-2000, 19990054111", "Raad van State", date(2000, 4, 20)),
                        "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
                    ),
                ),
                1,
                0,
            ),
        ),
        ("zoeken-two.mixed.xml", AtomPage(2, (AMSTERDAM, AtomRow("ECLI:NL:CBB:2024:853", HORSES_TITLE, HORSES)), 2, 0)),
        ("zoeken-page-past-end.recorded.xml", AtomPage(3199182, (), 0, 0)),
        ("zoeken-empty.constructed.xml", AtomPage(0, (), 0, 0)),
        ("zoeken-deleted.constructed.xml", AtomPage(3, (AMSTERDAM,), received=3, withdrawn=2, gone=GONE)),
    ],
)
def test_a_feed_is_read_to_the_last_field(name: str, page: AtomPage) -> None:
    assert parse_atom(answer(sample(name))) == page


def test_a_feed_of_2016_with_line_breaks_in_its_titles_is_read() -> None:
    page = parse_atom(answer(sample("zoeken-2016.reindented.xml")))
    assert (page.total, page.received, page.left_out) == (2209491, 10, 0)
    assert page.rows[2] == AtomRow(
        "ECLI:NL:RBASS:2004:2180",
        Title(
            "Rechtbank Assen, 23-07-2004, AWB 04/12500 MVV A S1 en AWB 04/12498 MVV A S2",
            "Rechtbank Assen",
            date(2004, 7, 23),
        ),
        "",
    )
    assert page.rows[9].title.text == "Rechtbank Assen, 25-01-2005, AWB 04/12984, 04/12988, 04/12991, 04/1"


def test_a_recorded_answer_of_the_website_is_read_to_the_last_field() -> None:
    aruba = "Gerecht in Eerste Aanleg van Aruba"
    fragment = json.loads(sample("api-zoek-hits.mixed.json"))["Results"][0]["Tekstfragment"]
    assert fragment.startswith("Arbeid. Ontslag nietig.")
    assert parse_website(answer(sample("api-zoek-hits.mixed.json"), media_type="application/json")) == WebsitePage(
        2,
        (
            WebsiteRow(
                "ECLI:NL:OGEAA:2021:125",
                Title(f"{aruba}, 06-04-2021, UA202000260", aruba, date(2021, 4, 6)),
                "uitspraak",
                date(2021, 4, 6),
                fragment,
            ),
            WebsiteRow("ECLI:NL:CBB:2024:853", HORSES_TITLE, "uitspraak", date(2024, 11, 26), HORSES),
        ),
        2,
    )


def test_no_results_is_an_answer() -> None:
    assert parse_website(answer(sample("api-zoek-empty.constructed.json"))) == WebsitePage(0, (), 0)


@pytest.mark.parametrize("parse", [parse_atom, parse_website])
@pytest.mark.parametrize(
    ("body", "defect"),
    [
        (b"", Defect.EMPTY),
        (b"\xef\xbb\xbf \n", Defect.EMPTY),
        (sample("html-error-200.constructed.html"), Defect.HTML),
        (sample("site-shell.html"), Defect.HTML),
    ],
)
def test_a_body_that_is_no_answer_fails_by_name_and_is_never_zero_hits(parse: Any, body: bytes, defect: Defect) -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        parse(answer(body, media_type="text/html"))
    assert caught.value.defect is defect


@pytest.mark.parametrize(
    ("body", "defect", "where"),
    [
        (sample("zoeken-two.mixed.xml")[:900], Defect.CUT_OFF, ""),
        (sample("content-empty.constructed.xml"), Defect.WRONG_SHAPE, "root"),
        (b'<feed xmlns="http://www.w3.org/2005/Atom"/>', Defect.WRONG_SHAPE, "subtitle"),
        (b"<feed><subtitle>veel</subtitle></feed>", Defect.WRONG_SHAPE, "subtitle"),
        (b"<feed><subtitle>x: 2</subtitle><entry><id>x</id></entry></feed>", Defect.WRONG_SHAPE, "entry"),
        (b'{"Results": []}', Defect.WRONG_TYPE, ""),
    ],
)
def test_half_a_feed_or_another_document_fails_by_name(body: bytes, defect: Defect, where: str) -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        parse_atom(answer(body))
    assert (caught.value.defect, caught.value.where) == (defect, where)


@pytest.mark.parametrize(
    ("body", "defect", "where"),
    [
        (sample("api-zoek-hits.mixed.json")[:500], Defect.CUT_OFF, ""),
        (b"[]", Defect.WRONG_SHAPE, "root"),
        (b"{}", Defect.WRONG_SHAPE, "ResultCount"),
        (b'{"Results": [], "ResultCount": true}', Defect.WRONG_SHAPE, "ResultCount"),
        (b'{"Results": [], "ResultCount": -1}', Defect.WRONG_SHAPE, "ResultCount"),
        (b'{"Results": [], "ResultCount": "2"}', Defect.WRONG_SHAPE, "ResultCount"),
        (b'{"Results": {}, "ResultCount": 1}', Defect.WRONG_SHAPE, "Results"),
        (b'{"Results": [{}, 3], "ResultCount": 2}', Defect.WRONG_SHAPE, "Results[]"),
    ],
)
def test_half_an_object_or_another_one_fails_by_name(body: bytes, defect: Defect, where: str) -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        parse_website(answer(body, media_type="application/json"))
    assert (caught.value.defect, caught.value.where) == (defect, where)


def test_a_status_that_says_no_is_a_refusal_with_its_status() -> None:
    with pytest.raises(RefusedError) as caught:
        parse_atom(answer(sample("zoeken-400.constructed.txt"), 400, "text/plain"))
    assert caught.value.status == 400
    with pytest.raises(OverLimitError):
        parse_website(answer(b"", 429))


def test_an_entry_that_cannot_be_read_is_not_counted_as_withdrawn() -> None:
    body = sample("zoeken-deleted.constructed.xml").replace(b"<id>ECLI:NL:RBAMS:2021:8211</id>", b"<id>ECLI:NL</id>")
    with pytest.raises(NotAnAnswerError):
        parse_atom(answer(body))
    two = sample("zoeken-two.mixed.xml").replace(b"<id>ECLI:NL:RBAMS:2021:8211</id>", b"<id>ECLI:NL</id>")
    page = parse_atom(answer(two))
    assert (page.received, page.withdrawn, page.left_out) == (2, 0, 1)


@pytest.mark.parametrize(
    ("parse", "name"), [(parse_atom, "zoeken-two.mixed.xml"), (parse_website, "api-zoek-hits.mixed.json")]
)
def test_results_beyond_those_asked_for_belong_to_the_next_page(parse: Any, name: str) -> None:
    page = parse(answer(sample(name)), 1)
    assert (len(page.rows), page.received, page.total) == (1, 1, 2)


def test_a_row_without_an_ecli_is_left_out_and_counted() -> None:
    body = json.loads(sample("api-zoek-hits.mixed.json"))
    body["Results"][0]["TitelEmphasis"] = None
    page = parse_website(answer(json.dumps(body).encode()))
    assert [row.ecli for row in page.rows] == ["ECLI:NL:CBB:2024:853"]
    assert (page.received, page.left_out) == (2, 1)


def test_a_title_that_was_escaped_twice_is_read_once_more() -> None:
    row = {"TitelEmphasis": "ECLI:NL:HR:2024:1", "Titel": "Hoge Raad, 01-02-2024, R&amp;D &lt;b&gt;"}
    page = parse_website(answer(json.dumps({"Results": [row], "ResultCount": 1}).encode()))
    assert page.rows[0].title.text == "Hoge Raad, 01-02-2024, R&D <b>"


def test_fields_of_another_type_count_as_missing() -> None:
    row = {"TitelEmphasis": "ECLI:NL:HR:2024:1", "Titel": 3, "Uitspraakdatum": ["x"], "Tekstfragment": {"a": 1}}
    page = parse_website(answer(json.dumps({"Results": [row], "ResultCount": 1}).encode()))
    assert page.rows == (WebsiteRow("ECLI:NL:HR:2024:1", Title("", "", None), "", None, ""),)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("een <em>test</em> met <span class='x'>kleur</span>", "een test met kleur"),
        ("inkomen < 1000 en > 10", "inkomen < 1000 en > 10"),
        ("R&amp;D &amp;lt;b&amp;gt;", "R&D &lt;b&gt;"),
        ("&lt;b&gt;vet&lt;/b&gt;", "<b>vet</b>"),
        ("-", ""),
        (" \n ", ""),
        ("regel\n  twee", "regel twee"),
    ],
)
def test_fragments_lose_their_tags_and_are_decoded_once(text: str, plain: str) -> None:
    assert plain_fragment(text) == plain


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "ECLI:NL:RBMNE:2016:1780 Rechtbank Midden-Nederland , 25-03-2016 / AWB - 14 _ 5548",
            Title(
                "Rechtbank Midden-Nederland, 25-03-2016, AWB - 14 _ 5548",
                "Rechtbank Midden-Nederland",
                date(2016, 3, 25),
            ),
        ),
        (
            "Raad van Beroep voor Belastingzaken van Aruba, Curaçao en van Bonaire, 01-02-2020, 12, 13-14-2000",
            Title(
                "Raad van Beroep voor Belastingzaken van Aruba, Curaçao en van Bonaire, 01-02-2020, 12, 13-14-2000",
                "Raad van Beroep voor Belastingzaken van Aruba, Curaçao en van Bonaire",
                date(2020, 2, 1),
            ),
        ),
        ("Hoge Raad, 31-02-2020, 1", Title("Hoge Raad, 31-02-2020, 1", "Hoge Raad", None)),
        ("Hoge Raad", Title("Hoge Raad", "", None)),
        ("Hoge Raad, 01-02-2020", Title("Hoge Raad, 01-02-2020", "Hoge Raad", date(2020, 2, 1))),
        ("Hoge Raad, 01-02-20201", Title("Hoge Raad, 01-02-20201", "", None)),
        ("", Title("", "", None)),
    ],
)
def test_a_title_gives_its_court_and_its_day(text: str, title: Title) -> None:
    assert read_title(text) == title
