"""The connector with scripted answers."""

from __future__ import annotations

from datetime import date

import pytest

from connectors.exceptions import (
    Defect,
    GoneError,
    NotAnAnswerError,
    OverLimitError,
    RefusedError,
    TooSlowError,
    UnreachableError,
)
from connectors.opentk.requests import HEAVY, LIGHT
from connectors.records import Certainty, Kind, Note, NoteCode, Sort, TextState, Total
from connectors.voting import Votes
from tests.connectors.opentk.helpers import (
    LIVE,
    Script,
    answer,
    connector,
    facts,
    page,
    row,
    rows,
    sample,
    sample_answer,
    words,
)

pytestmark = pytest.mark.anyio
PAPER = (
    "<hblock><h2>Motie van het lid Kröger over restwarmte</h2><h4>Warmtewet</h4><p><em>Motie</em></p></hblock>"
    "<p>Nummer: <b>2026D33299</b>, datum: <b>2026-07-02</b>, bijgewerkt: <b>2026-07-03T06:14:55Z</b>, versie: 1</p>"
    '<p><a href="getraw/2026D33299">Directe link</a> (docx), <a href="https://www.tweedekamer.nl/x">link</a>, '
    '<a href="https://zoek.officielebekendmakingen.nl/kst-36045-299.html">officiële HTML versie</a> (kst-36045-299).</p>'
    "Gerelateerde personen: <ul><li>Eerste ondertekenaar: "
    '<a href="persoon.html?nummer=9002">S. Kröger</a>, Tweede Kamerlid (GL)'
    "</li></ul>"
    'Bijlagen: <ul><li><a href="./document.html?nummer=2026D33300">Een bijlage</a></li></ul>'
    '<p>Onderdeel van kamerstukdossier 36045 VII-299 <a href="ksd.html?ksd=36045">Situatie</a>.</p>'
    '<p>Onderdeel van zaak <a href="zaak.html?nummer=2026Z14299">2026Z14299</a>:</p>'
    "<ul><li> Indiener: S. Kröger, lid </li></ul>"
    '<p>Bijlage bij: <a href="document.html?nummer=2026D33001">Brief</a> (2026D33001)</p>'
    "Onderdeel van activiteiten: <ul><li>2026-07-07: "
    '<a href="activiteit.html?nummer=2026A04321">Stemmingen</a> (Stemmingen), TK'
    "</li></ul>"
)
PREVIEW = (
    '<div style="border: 1px"><h4>Preview document (🔗 <a href="getraw/2026D33299">origineel</a>)</h4><hr/>'
    '<h1>Motie</h1><p>De Kamer, zie <a href="document.html?nummer=2020D00001">elders</a>,</p></div>'
)


async def test_fewer_hits_than_the_limit_are_all_there_are() -> None:
    """Field report 4."""
    result = await connector().search(words("klimaat"), Script(rows(row(1), row(2))))
    assert (len(result.hits), result.total, result.has_more, result.notes) == (2, Total(2, Certainty.EXACT), False, ())


async def test_at_the_limit_the_total_is_at_least_and_the_order_is_said_to_be_ours() -> None:
    """Field report 4."""
    many = rows(*(row(n) for n in range(280)))
    by_score = await connector().search(words("klimaat"), Script(many))
    assert (by_score.total, by_score.has_more, len(by_score.hits)) == (Total(280, Certainty.AT_LEAST), True, 25)
    assert by_score.notes == (Note(NoteCode.FILTERED_BY_US, ("sorteer",)),)
    newest = await connector().search(words("klimaat", sort=Sort.NEWEST), Script(many))
    assert newest.notes == ()
    last = await connector().search(words("klimaat", sort=Sort.NEWEST, page=12), Script(many))
    assert (len(last.hits), last.has_more, last.notes) == (5, False, (Note(NoteCode.BEYOND_REACH),))


async def test_a_page_behind_everything_costs_no_call_and_neither_does_an_impossible_period() -> None:
    """Field report 2."""
    ask = Script()
    far = await connector().search(words("klimaat", page=13), ask)
    assert (far.total.certainty, far.notes) == (Certainty.UNKNOWN, (Note(NoteCode.BEYOND_REACH),))
    empty = await connector().search(words("klimaat", date_from=date(2026, 2, 1), date_until=date(2026, 1, 1)), ask)
    assert (empty.total, empty.notes[0].code) == (Total(0, Certainty.EXACT), NoteCode.FILTERED_BY_US)
    assert ask.calls == []


async def test_hits_stand_in_the_asked_order_and_those_without_a_date_at_the_end() -> None:
    """Field report 12."""
    given = rows(
        row(1, datum="", score=-1.0),
        row(2, datum="2026-01-01T00:00:00", score=-3.0),
        row(3, datum="2026-05-01T00:00:00", score=-2.0),
        row(4, datum="1899-12-30T00:00:00", score=-0.5),
        row(5, datum="0001-01-01T00:00:00", score=-0.1),
    )

    async def order(sort: Sort) -> list[str]:
        result = await connector().search(words("klimaat", sort=sort), Script(given))
        return [hit.upstream_id[-1] for hit in result.hits]

    assert await order(Sort.RELEVANCE) == ["2", "3", "1", "4", "5"]
    assert await order(Sort.NEWEST) == ["3", "2", "4", "1", "5"]
    assert await order(Sort.OLDEST) == ["4", "2", "3", "1", "5"]


async def test_a_period_is_chosen_by_us_by_the_day_in_the_netherlands_and_said() -> None:
    """Field reports 10 and 11."""
    given = rows(
        row(1, datum="2026-03-31T23:30:00Z"),
        row(2, datum="2026-03-31T23:30:00"),
        row(3, datum="2026-04-01T00:30:00+02:00"),
        row(4, datum=""),
    )
    query = words("klimaat", date_from=date(2026, 4, 1), date_until=date(2026, 4, 1))
    result = await connector().search(query, Script(given))
    assert {hit.upstream_id[-1] for hit in result.hits} == {"1", "3"}
    assert result.total == Total(2, Certainty.EXACT)
    assert result.notes == (Note(NoteCode.FILTERED_BY_US, ("van", "tot")),)


async def test_a_choice_of_kinds_leaves_the_total_open_where_the_kind_follows_from_a_title() -> None:
    given = rows(
        row(1, onderwerp="Motie van het lid Kröger"),
        row(2, onderwerp="Stand van zaken moties"),
        row(3, category="Toezegging", relurl="toezegging.html?nummer=TZ202603-130", onderwerp="zegt toe"),
    )
    motions = await connector().search(words("klimaat", kinds=frozenset({Kind.MOTIE})), Script(given))
    assert ([hit.upstream_id for hit in motions.hits], motions.total) == (["2026D00001"], Total(1, Certainty.AT_LEAST))
    assert motions.notes == (Note(NoteCode.FILTERED_BY_US, ("soort",)),)
    promises = await connector().search(words("klimaat", kinds=frozenset({Kind.TOEZEGGING})), Script(given))
    assert promises.total == Total(1, Certainty.EXACT)


async def test_a_choice_of_questions_learns_from_a_second_search_which_they_are() -> None:
    everything = rows(row(1, onderwerp="Het bericht"), row(2, onderwerp="Antwoord op vragen van het lid X"), row(3))
    questions = rows(row(1), row(2))
    ask = Script(questions, everything)
    result = await connector().search(words("klimaat", kinds=frozenset({Kind.VRAAG})), ask)
    assert [(hit.upstream_id, hit.kind) for hit in result.hits] == [("2026D00001", Kind.VRAAG)]
    assert len(ask.calls) == 2


async def test_a_row_that_cannot_be_read_is_counted_and_one_that_comes_twice_counts_once() -> None:
    given = rows(row(1), row(1), row(2, relurl="onbekend.html?nummer=1"), row(3, category=""), row(4, relurl=None))
    result = await connector().search(words("klimaat"), Script(given))
    assert (len(result.hits), result.total) == (1, Total(1, Certainty.AT_LEAST))
    assert result.notes == (Note(NoteCode.ROWS_SKIPPED, ("3",)),)


@pytest.mark.parametrize(
    ("given", "failure"),
    [
        (sample_answer("error_500_bad_query.constructed.html", 500), RefusedError),
        (answer(b"", 429), OverLimitError),
        (answer(b""), NotAnAnswerError),
        (answer(b'{"milliseconds":1.0,"resul'), NotAnAnswerError),
        (answer({"milliseconds": 1.0}), NotAnAnswerError),
        (answer([]), NotAnAnswerError),
        (answer(b"<!DOCTYPE html><html></html>"), NotAnAnswerError),
        (UnreachableError("opentk", "connect"), UnreachableError),
        (TooSlowError("opentk", 20.0), TooSlowError),
    ],
)
async def test_a_search_that_fails_fails_by_name_and_is_not_repeated(given: object, failure: type[Exception]) -> None:
    """Field reports 20 and 36."""
    ask = Script(given)  # type: ignore[arg-type]
    with pytest.raises(failure):
        await connector().search(words("klimaat"), ask)
    assert len(ask.calls) == 1


async def test_a_paper_with_its_text_its_facts_and_the_votes_of_its_case() -> None:
    """Field reports 25 and 27."""
    ask = Script(page(PAPER + PREVIEW), sample_answer("zaak_html_with_votes.constructed.html"))
    document = await connector(LIVE).document("2026D33299", ask)
    assert (document.title, document.kind, document.kind_at_source) == (
        "Motie van het lid Kröger over restwarmte",
        Kind.MOTIE,
        "Motie",
    )
    assert document.votes == Votes("aangenomen", "Aangenomen.", 77, 73)
    assert [(p.heading, p.text) for p in document.passages] == [("Motie", "De Kamer, zie elders,")]
    assert facts(document) == {
        "Nummer": "2026D33299",
        "Dossier": "Warmtewet",
        "Kamerstuk": "36045-VII, nr. 299",
        "Eerste ondertekenaar": "S. Kröger, Tweede Kamerlid (GL)",
        "Indiener": "S. Kröger, lid",
        "Officiële publicatie": "kst-36045-299",
        "Oordeel van het kabinet": "Ontraden",
        "Voor": "CDA; ChristenUnie; D66; DENK; GroenLinks-PvdA; PvdD; SP; Volt",
        "Tegen": "50PLUS; BBB; FVD; JA21; PVV; SGP; VVD",
    }
    assert [(one.relation, one.upstream_id or one.address) for one in document.related] == [
        ("Officiële publicatie", "https://zoek.officielebekendmakingen.nl/kst-36045-299.html"),
        ("Bijlage", "2026D33300"),
        ("Zaak", "2026Z14299"),
        ("Bijlage bij", "2026D33001"),
        ("Activiteit", "2026A04321"),
        ("Ook bij", "https://berthub.eu/tkconv/document.html?nummer=2026D33299"),
    ]
    assert document.address == "https://www.tweedekamer.nl/kamerstukken/detail?id=2026Z14299&did=2026D33299"
    assert [day.day for day in document.dates] == [date(2026, 7, 2), date(2026, 7, 3)]
    assert [(call.path, call.service) for call in ask.calls] == [("/document.html", LIGHT), ("/zaak.html", HEAVY)]


async def test_without_a_preview_the_text_comes_from_getdoc() -> None:
    """Field report 23: the page of a paper with an official edition shows that text; only another one needs the file."""
    ask = Script(
        page(PAPER + "<iframe src='./getdoc/2026D33299'></iframe>"),
        answer(sample("getdoc_fulltext_pdf_source.constructed.html")),
        sample_answer("zaak_html_with_votes.constructed.html"),
    )
    document = await connector().document("2026D33299", ask)
    assert (document.text_state, document.passages[0].is_page) == (TextState.FULL, True)
    assert ask.calls[1].path == "/getdoc/2026D33299"


@pytest.mark.parametrize(
    "failure", [answer(b"", 500), UnreachableError("opentk", "connect"), page("<p>anders</p>", 404)]
)
async def test_a_paper_opens_although_its_votes_cannot_be_had(failure: object) -> None:
    """Field report 20."""
    ask = Script(page(PAPER + PREVIEW), failure)  # type: ignore[arg-type]
    document = await connector().document("2026D33299", ask)
    assert (document.votes, document.text_state) == (None, TextState.FULL)
    assert facts(document)["Stemming"] == "kon nu niet worden opgehaald"


async def test_a_paper_of_which_the_text_is_not_there_says_so_and_a_failing_platform_is_no_missing_text() -> None:
    """Field report 24."""
    plain = PAPER.replace("2026Z14299", "x")
    gone = await connector().document("2026D33299", Script(page(plain), answer(b"", 404)))
    assert gone.notes == (Note(NoteCode.WITHOUT_TEXT),)
    scan = answer(
        b'<html><head><meta name="generator" content="pdftohtml 0.36"/></head><body><a name=1></a><hr/></body></html>'
    )
    scanned = await connector().document("2026D33299", Script(page(plain), scan))
    assert scanned.notes == (Note(NoteCode.NO_TEXT_LAYER),)
    with pytest.raises(RefusedError):
        await connector().document("2026D33299", Script(page(plain), answer(b"", 500)))


@pytest.mark.parametrize(
    ("upstream_id", "body"),
    [
        ("2026D33299", "<p>Even geduld</p>"),
        ("2026Z14299", "<h4>Iets anders</h4>"),
        ("TZ202603-130", "<p>Iets anders</p>"),
        ("verslag:b1000000-0000-4000-8000-000000000001", "<h1>Iets anders</h1>"),
        ("oo:oep-00112233445566778899aabbccddeeff", "<h1>Iets anders</h1>"),
    ],
)
async def test_a_page_of_another_kind_is_no_answer(upstream_id: str, body: str) -> None:
    """Field report 20."""
    for given in (page(body), answer(b"<!DOCTYPE html><html><body>Even geduld</body></html>")):
        with pytest.raises(NotAnAnswerError) as odd:
            await connector().document(upstream_id, Script(given))
        assert odd.value.defect is Defect.WRONG_SHAPE


async def test_an_id_of_another_platform_is_gone_without_a_call() -> None:
    ask = Script()
    with pytest.raises(GoneError):
        await connector().document("ECLI:NL:HR:2024:1", ask)
    assert ask.calls == []


async def test_a_commitment_in_the_newer_layout() -> None:
    main = (
        "<h5>Datum 2026-03-12</h5><blockquote>zegt toe te <b>komen</b><footer>De minister (EZ)</footer></blockquote>"
        '<p>Toezegging is onderdeel van activiteit <a href="activiteit.html?nummer=2024A02517">2024A02517: Debat</a>.</p>'
        '<p>Nagekomen in kamerbrief <a href="document.html?nummer=2026D00009">2026D00009: Brief</a>.</p>'
    )
    body = f"<!DOCTYPE html><html><body><h4>Toezegging TZ202603-130 (Voldaan)</h4><main>{main}</main></body></html>"
    document = await connector().document("TZ202603-130", Script(answer(body.encode())))
    assert facts(document) == {"Nummer": "TZ202603-130", "Status": "Voldaan", "Gedaan door": "De minister (EZ)"}
    assert document.passages[0].text == "zegt toe te komen"
    assert [(one.relation, one.upstream_id) for one in document.related] == [
        ("Gedaan tijdens", "2024A02517"),
        ("Kamerbrief", "2026D00009"),
    ]


async def test_the_check_names_what_is_wrong_and_raises_nothing() -> None:
    """Field reports 17, 29 and 31."""
    wrong = await connector().check(
        Script(
            answer({"ok": 0}),
            answer({"tkconv": {"absolute": 1, "relative": 9}, "tkgetxml": {"absolute": 1, "relative": 9}}),
            sample_answer("search_rss_empty.constructed.xml"),
            sample_answer("search_empty.constructed.json"),
        )
    )
    assert [one.ok for one in wrong] == [False] * 5
    assert wrong[-1].seen.startswith("overgeslagen")
    dead = await connector().check(Script(*(UnreachableError("opentk", "connect") for _ in range(4))))
    assert [one.ok for one in dead] == [False] * 5


async def test_a_list_that_came_empty_is_a_failure_and_never_a_new_list() -> None:
    """Field report 34."""
    with pytest.raises(NotAnAnswerError):
        await connector().lists(Script(page("<h4>Commissies</h4>")))
    with pytest.raises(NotAnAnswerError):
        await connector().load_status(Script(answer({})))
