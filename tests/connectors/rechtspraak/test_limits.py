"""Bodies that no court ever sent: too large, swelling when read, or with a document type. And texts that were escaped twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from connectors import reading
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.rechtspraak import connector as module
from connectors.rechtspraak.elements import at_most, readable
from connectors.rechtspraak.parse_atom import parse_atom
from connectors.rechtspraak.parse_content import Ruling, parse_content
from connectors.rechtspraak.parse_lists import parse_court_list, parse_value_list
from connectors.records import Query, SearchText
from tests.connectors.rechtspraak.helpers import CORPUS, SAMPLES, Script, answer, connector, court, sample, words

ECLI = "ECLI:NL:HR:2024:1"
KNOWN = "ECLI:NL:RBMNE:2016:1780"


def _ruling(body: str, facts: str = "", doctype: str = "") -> Ruling:
    register = f"<RDF><Description><identifier>{ECLI}</identifier>{facts}</Description></RDF>"
    xml = f"{doctype}<open-rechtspraak>{register}<uitspraak>{body}</uitspraak></open-rechtspraak>"
    return parse_content(answer(xml.encode()), ECLI)


def test_nothing_that_the_platform_sent_has_a_document_type() -> None:
    files = [file for folder in (CORPUS, CORPUS.parent / "lists", SAMPLES) for file in folder.rglob("*.xml")]
    assert len(files) > 150
    assert [file.name for file in files if b"<!DOCTYPE" in file.read_bytes()] == []


def test_a_document_type_is_refused_by_name_because_its_entities_would_vanish() -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        _ruling("<para>voor &x; na</para>", doctype='<!DOCTYPE open-rechtspraak [<!ENTITY x "midden">]>')
    assert (caught.value.defect, caught.value.where) == (Defect.WRONG_SHAPE, "doctype")


@pytest.mark.parametrize(
    "parse",
    [
        parse_atom,
        lambda given: parse_content(given, ECLI),
        parse_court_list,
        lambda given: parse_value_list(given, "Rechtsgebieden"),
    ],
)
def test_what_passes_the_limits_of_the_parser_is_too_large_and_not_cut_off(parse: Callable[[Answer], Any]) -> None:
    for body, defect in ((b"<a>" + b"x" * 10_100_000 + b"</a>", Defect.TOO_LARGE), (b"<a>x", Defect.CUT_OFF)):
        with pytest.raises(NotAnAnswerError) as caught:
            parse(answer(body))
        assert caught.value.defect is defect


@pytest.mark.parametrize(
    ("body", "facts", "where"),
    [
        ("<section>a</section>" * 5001, "", "passages"),
        (f"<para>{'x' * 6001}</para>" * 1600, "", None),
        ("<para>a</para>", "<subject>a</subject>" * 20_001, "RDF"),
    ],
)
def test_more_parts_or_facts_than_any_decision_are_refused_and_long_ones_are_not(
    body: str, facts: str, where: str | None
) -> None:
    if where is None:
        assert len(_ruling(body).passages) == 1600
        return
    with pytest.raises(NotAnAnswerError) as caught:
        _ruling(body, facts)
    assert (caught.value.defect, caught.value.where) == (Defect.TOO_LARGE, where)


def test_a_list_without_end_is_refused() -> None:
    body = b"<Rechtsgebieden>" + b"<a><Identifier>x</Identifier></a>" * 20_001 + b"</Rechtsgebieden>"
    with pytest.raises(NotAnAnswerError) as caught:
        parse_value_list(answer(body), "Rechtsgebieden")
    assert caught.value.defect is Defect.TOO_LARGE


def test_a_limit_is_included_and_nothing_beyond_it_is_looked_at() -> None:
    assert at_most(2, iter("ab"), "x") == ("a", "b")
    seen = iter("abcd")
    with pytest.raises(NotAnAnswerError):
        at_most(2, seen, "x")
    assert next(seen) == "d"


def test_a_heading_of_a_whole_page_is_a_paragraph_and_stands_above_no_part() -> None:
    ruling = _ruling(f"<section role='beslissing'><title>{'x' * 501}</title><para>a</para></section>")
    assert [(passage.heading, passage.text) for passage in ruling.passages] == [("Beslissing", f"{'x' * 501}\n\na")]


def test_the_label_of_a_note_is_not_repeated_when_it_is_a_text() -> None:
    note = f"<footnote id='n' label='{'x' * 21}'><para>a</para></footnote>"
    assert [passage.text for passage in _ruling(f"<para>Zie<footnote-ref linkend='n'/></para>{note}").passages] == [
        "Zie[1]",
        "[1] a",
    ]


def test_the_marks_of_a_long_list_stay_short() -> None:
    items = "<listitem><para>a</para></listitem>" * 5000
    text = "".join(p.text for p in _ruling(f"<orderedlist numeration='lowerroman'>{items}</orderedlist>").passages)
    assert max(map(len, text.split())) == len("mmmdccclxxxviii.")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("parse", "query", "given"),
    [
        ("parse_website", words("a"), answer(sample("api-zoek-hits.mixed.json"), media_type="application/json")),
        ("parse_atom", Query(organisations=(court("Hoge Raad"),)), answer(sample("zoeken-two.mixed.xml"))),
        (
            "parse_content",
            Query(text=SearchText(ecli=KNOWN)),
            answer(sample("content/ECLI_NL_RBMNE_2016_1780.xml")),
        ),
    ],
)
async def test_a_large_answer_is_read_beside_the_event_loop(
    monkeypatch: pytest.MonkeyPatch, parse: str, query: Query, given: Answer
) -> None:
    monkeypatch.setattr(reading, "LARGE_BYTES", 10)
    threads: list[bool] = []
    original = getattr(module, parse)

    def watched(*args: Any) -> Any:
        threads.append(threading.current_thread() is threading.main_thread())
        return original(*args)

    monkeypatch.setattr(module, parse, watched)
    assert (await connector().search(query, Script(given))).hits
    assert threads == [False]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Capital Renting &amp; Leasing ltd", "Capital Renting & Leasing ltd"),
        ("ontwikkeling. &lt;&gt;", "ontwikkeling. <>"),
        ("&lt;a target=&quot;_blank&quot;&gt;3&lt;/a&gt;", '<a target="_blank">3</a>'),
        ("5&nbsp;euro &euro; caf&eacute; &#39;n &#x2013;", "5 euro € café 'n –"),
        ("&amp;lt;", "&lt;"),
        ("R&D; A & B &lt R&amp &onbekend; &notit;", "R&D; A & B &lt R&amp &onbekend; &notit;"),
        ("&#0; &#xD800; &#9999999; &shy;&#8206;", "&#0; &#xD800; &#9999999; &shy;&#8206;"),
    ],
)
def test_whole_references_are_decoded_once_and_everything_else_stays(written: str, plain: str) -> None:
    assert readable(written) == plain


@pytest.mark.parametrize(
    ("ecli", "plain"),
    [
        ("ECLI:NL:RVS:2005:AU8740", '<a target="_blank" href=\'http://www.raadvanstate.nl/verdicts/'),
        ("ECLI:NL:GHDHA:2013:2023", "Capital Renting & Leasing ltd"),
        ("ECLI:NL:HR:1996:AA1797", "rechtsontwikkeling. <>"),
    ],
)
def test_the_rulings_that_were_escaped_twice_are_read_as_they_were_meant(ecli: str, plain: str) -> None:
    file = CORPUS / "content" / f"{ecli.replace(':', '_')}.xml"
    text = "\n".join(f"{p.heading}\n{p.text}" for p in parse_content(answer(file.read_bytes()), ecli).passages)
    assert plain in text
    assert "&amp;" not in text
    assert "&lt;" not in text


def test_what_was_escaped_twice_is_decoded_in_every_place_and_never_two_times() -> None:
    twice = "&amp;amp;lt;"  # in the XML: "&amp;lt;" in the text, which means "&lt;"
    ruling = _ruling(
        f"<section><title>{twice}</title><nr>{twice}</nr><para>{twice}</para>"
        f"<informaltable><row><entry>{twice}</entry></row></informaltable></section>"
        f"<footnote><para>{twice}</para></footnote>",
        f"<subject>{twice}</subject>",
    )
    assert [(p.heading, p.text) for p in ruling.passages] == [
        ("&lt;", "&lt; &lt;\n\n&lt;"),
        ("Noten", "[1] &lt;"),
    ]
    assert ruling.subjects == ("&lt;",)
