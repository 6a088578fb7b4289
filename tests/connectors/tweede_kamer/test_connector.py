"""The connector against scripted answers: what goes wrong, and what is said of it."""

from __future__ import annotations

from datetime import date

import pytest

from connectors.calls import Answer
from connectors.connector import Connector
from connectors.exceptions import (
    GoneError,
    NotAnAnswerError,
    NotSupportedError,
    RefusedError,
    TooSlowError,
    UnreachableError,
)
from connectors.kamer_corpus.files import pdf_of
from connectors.records import Certainty, Filter, Kind, Note, NoteCode, Sort, TextState, Total
from connectors.tweede_kamer.versions import V4, V5
from tests.connectors.tweede_kamer.helpers import (
    LIVE,
    Script,
    answer,
    connector,
    sample,
    sample_answer,
    sample_json,
    words,
)

pytestmark = pytest.mark.anyio
OLD = Note(NoteCode.OLD_VERSION, ("v4/2.0",))
MOTIONS = frozenset({Kind.MOTIE})


def hits_answer(count: int | None, *numbers: int) -> Answer:
    rows = [
        {
            "Id": f"{n:08x}-0000-4000-8000-000000000000",
            "Nummer": f"2026D{n:05d}",
            "Soort": "Motie",
            "Onderwerp": f"Motie {n}",
        }
        for n in numbers
    ]
    return answer({"value": rows} | ({} if count is None else {"@odata.count": count}))


def publications(*kinds: str) -> list[dict[str, str]]:
    return [{"Id": f"pub-{kind.lower()}", "DocumentType": kind} for kind in kinds]


def document_answer(*kinds: str) -> Answer:
    row = sample_json("document_single_expanded.constructed.json")
    row["HuidigeDocumentVersie"]["DocumentPublicatie"] = publications(*kinds)
    return answer({"value": [row]})


def test_it_is_a_connector_that_says_what_it_can() -> None:
    held: Connector = connector()
    assert [body.id for body in held.organisations()] == ["tweede-kamer"]
    assert (held.capabilities.full_text, held.capabilities.load_status) == (False, False)
    assert Filter.KIND in held.capabilities.filters
    assert Sort.RELEVANCE not in held.capabilities.sorts
    assert held.canonical_id("2026d45064") == "2026D45064"


async def test_a_total_is_the_number_that_the_platform_gives() -> None:
    ask = Script(hits_answer(60, *range(1, 26)))
    result = await connector().search(words("klimaat", kinds=MOTIONS), ask)
    assert (len(result.hits), result.total, result.has_more) == (25, Total(60, Certainty.EXACT), True)
    assert [note.code for note in result.notes] == [NoteCode.TITLES_ONLY, NoteCode.SORTED_BY_DATE]


async def test_without_a_number_the_total_is_at_least_what_came() -> None:
    """Field report 4."""
    result = await connector().search(words("klimaat", kinds=MOTIONS), Script(hits_answer(None, 1, 2)))
    assert (result.total, result.has_more) == (Total(2, Certainty.AT_LEAST), False)


async def test_pages_that_are_shorter_than_asked_and_promises_without_rows_are_said() -> None:
    """Field report 1."""
    short = await connector().search(words("klimaat", kinds=MOTIONS), Script(hits_answer(60, 1, 2)))
    assert (short.has_more, Note(NoteCode.SHORT_PAGES) in short.notes) == (True, True)
    empty = await connector().search(words("klimaat", kinds=MOTIONS), Script(hits_answer(60)))
    assert (empty.hits, empty.total.certainty, empty.has_more) == ((), Certainty.UNKNOWN, False)
    assert Note(NoteCode.TOTAL_WITHOUT_HITS) in empty.notes
    past = await connector().search(words("klimaat", kinds=MOTIONS, page=4), Script(hits_answer(60)))
    assert (past.total, past.has_more) == (Total(60, Certainty.EXACT), False)


async def test_a_filter_of_ours_makes_the_total_a_lower_bound() -> None:
    result = await connector().search(words("OV", "motie", kinds=MOTIONS), Script(hits_answer(60, *range(1, 26))))
    assert (result.hits, result.total, result.has_more) == ((), Total(0, Certainty.AT_LEAST), True)


async def test_when_one_kind_of_rows_fails_the_others_stand_and_it_is_named() -> None:
    ask = Script(
        hits_answer(1, 1),
        UnreachableError("tweede-kamer", "connect"),
        answer({"value": [], "@odata.count": 0}),
        answer(b"<html>", 200),
    )
    result = await connector().search(words("klimaat"), ask)
    assert len(result.hits) == 1
    assert result.total == Total(1, Certainty.AT_LEAST)
    assert Note(NoteCode.ORGANISATIONS_FAILED, ("toezeggingen", "verslagen van vergaderingen")) in result.notes


async def test_when_everything_fails_the_first_failure_is_raised() -> None:
    ask = Script(*(TooSlowError("tweede-kamer", 60.0) for _ in range(4)))
    with pytest.raises(TooSlowError):
        await connector().search(words("klimaat"), ask)


async def test_hits_of_several_kinds_stand_by_date_and_those_without_one_at_the_end() -> None:
    ask = Script(
        sample_answer("v5_document_search_hits.constructed-uncertain.json"),
        sample_answer("toezeggingen_list.constructed.json"),
        sample_answer("v5_activiteiten_select.constructed-uncertain.json"),
        hits_answer(0),
    )
    result = await connector().search(words("digital", sort=Sort.OLDEST), ask)
    days = [hit.date.day for hit in result.hits if hit.date]
    assert days == sorted(days)
    assert next(hit.upstream_id for hit in result.hits) == "TZ202603-130"
    assert NoteCode.SORTED_BY_DATE not in [note.code for note in result.notes]


async def test_an_impossible_period_and_a_far_page_cost_no_call() -> None:
    ask = Script()
    empty = await connector().search(words("klimaat", date_from=date(2026, 2, 1), date_until=date(2026, 1, 1)), ask)
    assert empty.total == Total(0, Certainty.EXACT)
    far = await connector().search(words("klimaat", page=99_999), ask)
    assert (far.total.certainty, far.notes[-1].code) == (Certainty.UNKNOWN, NoteCode.BEYOND_REACH)
    assert ask.calls == []


async def test_the_text_comes_from_the_official_xml_where_there_is_one() -> None:
    """Field report 23."""
    ask = Script(document_answer("Pdf", "Html", "Xml"), answer(sample("document_fulltext_kst-36045-299.recorded.xml")))
    document = await connector(V4, LIVE).document("2026D33299", ask)
    assert document.text_state is TextState.FULL
    assert [call.path for call in ask.calls] == [
        "/OData/v4/2.0/Document",
        "/OData/v4/2.0/DocumentPublicatie(pub-xml)/resource",
    ]


async def test_a_missing_or_damaged_text_is_passed_over_for_the_next_best() -> None:
    """Field report 34."""
    ask = Script(
        document_answer("Xml", "Html", "Pdf"),
        answer(b"", 404),
        answer(b"<html><body><p></p></body></html>"),
        answer(b"%PDF-1.4 kapot"),
        answer(pdf_of(["De T weede Kamer", "Tweede bladzijde"])),
    )
    document = await connector(V4).document("2026D33299", ask)
    assert [(p.number, p.text, p.is_page) for p in document.passages] == [
        (1, "De Tweede Kamer", True),
        (2, "Tweede bladzijde", True),
    ]
    assert len(ask.calls) == 5


async def test_a_document_whose_files_are_all_gone_says_that_it_has_no_text() -> None:
    document = await connector(V4).document("2026D33299", Script(document_answer(), answer(b"", 404)))
    assert (document.text_state, document.notes) == (TextState.NONE, (Note(NoteCode.WITHOUT_TEXT), OLD))


async def test_a_platform_that_fails_while_its_text_is_asked_is_not_a_document_without_text() -> None:
    for failure in (answer(b"", 500), UnreachableError("tweede-kamer", "connect")):
        with pytest.raises((RefusedError, UnreachableError)):
            await connector(V4).document("2026D33299", Script(document_answer(), failure))


async def test_a_scan_and_a_long_report_say_what_was_not_read() -> None:
    """Field reports 22 and 24."""
    scan = await connector(V4).document("2026D33299", Script(document_answer(), answer(pdf_of(["", ""]))))
    assert (scan.text_state, scan.notes) == (TextState.NONE, (Note(NoteCode.NO_TEXT_LAYER), OLD))
    long = await connector(V4).document("2026D33299", Script(document_answer(), answer(pdf_of(["a"] * 908))))
    assert (long.text_state, long.notes) == (
        TextState.PARTIAL,
        (Note(NoteCode.PAGES_READ_BY_US, ("40", "908")), OLD),
    )


async def test_a_document_that_is_not_there_is_gone() -> None:
    for body in (answer({"value": []}), answer(b"", 404)):
        with pytest.raises(GoneError):
            await connector().document("2026D33299", Script(body))
    with pytest.raises(GoneError):
        await connector().document("geen nummer", Script())


async def test_there_is_no_load_status() -> None:
    with pytest.raises(NotSupportedError):
        await connector().load_status(Script())


async def test_a_list_is_read_to_its_end_and_a_failing_one_is_never_half_a_list() -> None:
    """Field report 34."""
    full = answer({"value": [{"Id": f"f{n}", "NaamNL": f"Fractie {n}"} for n in range(V5.most_rows)]})
    lists = await connector().lists(
        Script(full, answer({"value": []}), answer({"value": [{"Id": "c", "NaamNL": "C"}]}), answer({"value": []}))
    )
    assert [(name, len(items)) for name, items in lists.values] == [
        ("fracties", 100),
        ("commissies", 1),
        ("kamerleden", 0),
    ]
    with pytest.raises(RefusedError):
        await connector().lists(Script(full, answer(b"", 500)))


async def test_the_check_names_what_is_wrong_and_raises_nothing() -> None:
    """Field reports 31 and 35."""
    old = (sample("search_empty.constructed.json"), b"<edmx/>")
    results = await connector().check(Script(answer(old[1]), answer(old[0])))
    assert [result.ok for result in results] == [False, False, False]
    assert "Document.Nummer" in results[0].seen
    assert "overgeslagen" in results[2].seen
    dead = await connector().check(Script(*(UnreachableError("tweede-kamer", "connect") for _ in range(2))))
    assert [result.ok for result in dead] == [False, False, False]
    assert dead[0].seen == "niet bereikbaar (connect)"


async def test_a_body_that_is_no_answer_fails_with_a_name() -> None:
    """Field report 20."""
    with pytest.raises(NotAnAnswerError):
        await connector().search(words("klimaat", kinds=MOTIONS), Script(answer(b"<html></html>")))
