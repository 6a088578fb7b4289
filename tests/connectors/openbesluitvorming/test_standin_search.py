"""The stand-in's search: how words are read, what filters do, in which order, how far one can page."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from connectors.council_papers import council_papers, oddities
from connectors.openbesluitvorming.standin_entities import Entities
from connectors.openbesluitvorming.standin_parameters import BadParameterError, parameters
from connectors.openbesluitvorming.standin_search import Search

ENTITIES = Entities(council_papers(), "http://127.0.0.1:8000")
SEARCH = Search(ENTITIES)
EMPTY = {"results": [], "totalCount": 0, "totalIsApproximate": False, "hasMore": False}


def ask(**given: str) -> dict[str, Any]:
    return SEARCH.answer(parameters(given))


def total(query: str, **given: str) -> int:
    return int(ask(query=query, **given)["totalCount"])


def ids(**given: str) -> list[str]:
    return [result["entityId"] for result in ask(limit="100", **given)["results"]]


@pytest.mark.parametrize(
    ("word", "least"),
    [
        ("subsidie", 40),
        ("vergunning", 30),
        ("warmtenet", 20),
        ("parkeren", 20),
        ("energie", 30),
        ("klimaat", 25),
        ("begroting", 50),
        ("motie", 100),
    ],
)
def test_the_words_that_people_ask_have_many_hits(word: str, least: int) -> None:
    assert total(word) >= least


def test_the_warm_house_of_ede_is_found_after_2023() -> None:
    assert total("warmtenet", organization="ede", dateFrom="2023-01-01") >= 3


def test_nothing_asked_gives_the_empty_answer_and_a_type_alone_too() -> None:
    assert ask() == ask(entityType="Motion") == ask(dateFrom="2020-01-01") == EMPTY


def test_an_organisation_without_words_is_browsed() -> None:
    found = ask(organization="ede", limit="100")
    assert {result["organization"] for result in found["results"]} == {"Ede"}
    assert {result["entityType"] for result in found["results"]} == {"Meeting", "Document", "Motion"}
    assert found["totalCount"] == len(found["results"])


def test_an_aggregate_passes_and_selects_nothing() -> None:
    assert ask(query="subsidie", organization="all_ibabs") == EMPTY


def test_words_are_anded_and_case_does_not_count() -> None:
    both = set(ids(query="warmtenet riool"))
    assert both
    assert both <= set(ids(query="WARMTENET")) & set(ids(query="riool"))


def test_there_is_no_stemming_and_accents_count() -> None:
    assert total("gemeenteraden") == 0
    assert total("coordinatie") == total("coördinatie") == 0
    assert total("financiele") == 0 < total("financiële")


def test_quotes_make_a_phrase_and_an_unbalanced_quote_is_dropped() -> None:
    assert 0 < total('"van het warmtenet"') < total("van het warmtenet")
    assert total('"warmtenet het"') < total("warmtenet het")
    assert total('het "warmtenet') == total("het warmtenet")
    assert total('"warmtenet"') == total("warmtenet")


@pytest.mark.parametrize("query", ["...", "?!", '""', "~ * /", "\u200f", "😀"])
def test_only_punctuation_finds_nothing_not_even_within_an_organisation(query: str) -> None:
    """Field report 5."""
    assert total(query) == total(query, organization="ede") == 0


@pytest.mark.parametrize("query", ["14:30", "kosten/baten", "a+b", "begroting\\", "title:begroting", "begroting OR *"])
def test_punctuation_in_words_is_harmless(query: str) -> None:
    """Field report 5."""
    assert total(query) >= 0


def test_the_name_of_an_organisation_also_stands_for_the_organisation() -> None:
    """Field report 9."""
    assert set(ids(query="begroting", organization="soest")) <= set(ids(query="begroting soest"))
    assert set(ids(query="waterkwaliteit", organization="aa-en-maas")) <= set(ids(query="waterkwaliteit aa en maas"))


def test_a_word_for_a_meeting_is_widened_except_beside_a_phrase() -> None:
    assert set(ids(query="vergadering", entityType="Meeting")) <= set(
        ids(query="raadsvergadering", entityType="Meeting")
    )
    assert total("raadsvergadering") > total('"raadsvergadering"')


def test_types_and_dates_filter_and_both_days_are_included() -> None:
    days = {
        result["sortDate"][:10]
        for result in ask(query="begroting", dateFrom="2024-11-07", dateTo="2024-11-07")["results"]
    }
    assert days == {"2024-11-07"}
    kinds = {result["entityType"] for result in ask(query="motie", entityType="Motion", limit="100")["results"]}
    assert kinds == {"Motion"}
    assert total("subsidie", entityType="Recording") == 0


def test_what_has_no_date_comes_last_in_both_directions_and_passes_no_date_filter() -> None:
    """Field report 12."""
    undated = f"document:notubiz:gemeente:baarn:{oddities.UNDATED}"
    newest, oldest = ids(organization="baarn", sort="date_desc"), ids(organization="baarn", sort="date_asc")
    assert newest[-1] == oldest[-1] == undated
    assert undated not in ids(organization="baarn", dateFrom="1900-01-01")
    result = ask(organization="baarn", sort="date_asc", offset=str(len(oldest) - 1))["results"][0]
    assert (result["date"], "sortDate" in result) == ("Datum onbekend", False)


def test_results_are_ordered_by_date_title_or_fit() -> None:
    dates = [result["sortDate"] for result in ask(query="subsidie", limit="100")["results"] if "sortDate" in result]
    assert dates == sorted(dates, reverse=True)
    titles = [result["title"].casefold() for result in ask(query="subsidie", sort="title_asc", limit="100")["results"]]
    assert titles == sorted(titles)
    best = ask(query="parkeren", sort="relevance", limit="3")["results"]
    assert all("parkeren" in result["title"].lower() for result in best)


def test_pages_follow_each_other_and_more_than_a_hundred_is_cut() -> None:
    whole = ids(query="motie")
    assert len(whole) == 100
    parts = [r["entityId"] for start in (0, 24, 48, 72) for r in ask(query="motie", offset=str(start))["results"]]
    assert parts == whole[:96]
    assert len(ask(query="motie", limit="5000")["results"]) == 100
    last = ask(query="warmtenet", offset="24")
    assert (last["hasMore"], ask(query="warmtenet")["hasMore"]) == (False, True)


def test_beyond_the_scan_budget_the_total_is_an_estimate_and_the_rest_out_of_reach() -> None:
    small = Search(ENTITIES, scan_budget=60)
    first = small.answer(parameters({"query": "motie", "limit": "100"}))
    assert first["totalIsApproximate"]
    assert len(first["results"]) < 60 < first["totalCount"]
    assert not first["hasMore"]
    beyond = small.answer(parameters({"query": "motie", "offset": "500"}))
    assert beyond == {"results": [], "totalCount": first["totalCount"], "totalIsApproximate": True, "hasMore": False}
    browsed = small.answer(parameters({"organization": "ede", "limit": "100"}))
    assert not browsed["totalIsApproximate"], "browsing has no budget"


def test_a_snippet_needs_four_characters_and_marks_only_what_was_asked() -> None:
    short = ask(query="bus")["results"]
    assert short
    assert not any("summaryHtml" in result for result in short)
    for result in ask(query="warmtenet", limit="100")["results"]:
        if "summaryHtml" in result:
            assert re.search("<b>warmtenet</b>", result["summaryHtml"], re.IGNORECASE)
            assert html.unescape(re.sub("</?b>", "", result["summaryHtml"])) == result["summary"]


def test_without_a_snippet_the_summary_is_the_beginning() -> None:
    found = ask(organization="ede", entityType="Document")["results"]
    assert all(result["summary"].startswith("Voorbeeldstuk, geen echt besluit.") for result in found)
    assert all(len(result["summary"]) <= 240 for result in found)
    office = next(r for r in ask(organization="texel", limit="100")["results"] if r["title"].endswith(".pptx"))
    assert office["summary"] == "Geen samenvatting beschikbaar."


def test_one_paper_shows_html_escaped_twice() -> None:
    """The quirk of platform issue 213."""
    hits = ask(query='"kosten & baten"', organization="ede", entityType="Document")["results"]
    found = next(hit for hit in hits if hit["entityId"].endswith(oddities.ESCAPED_TWICE))
    assert "&amp;amp;" in found["summaryHtml"]
    assert "&amp; " in found["summary"]


def test_a_page_hit_names_the_page_and_a_long_report_its_true_length() -> None:
    """Field report 22."""
    report = ask(query='"deelonderzoek archeologie"', organization="alkmaar", entityType="Document")["results"][0]
    assert (report["matchedPage"], report["pageCount"], report["sourcePageCount"]) == (6, 40, 908)


def test_meetings_and_motions_have_no_file_and_no_pages() -> None:
    for result in ask(query="begroting", limit="100")["results"]:
        if result["entityType"] != "Document":
            assert not {"downloadUrl", "matchedPage", "pageCount", "sourcePageCount"} & set(result)


def test_a_meeting_just_after_midnight_shows_its_own_day_and_is_filtered_by_the_day_before() -> None:
    """Field report 10: shown in Amsterdam, filtered in UTC."""
    found = ask(organization="rotterdam", dateFrom="2024-11-07", dateTo="2024-11-07", entityType="Meeting")["results"]
    assert [(result["date"], result["sortDate"]) for result in found] == [("8 november 2024", "2024-11-07T23:30:00Z")]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"entityType": "motie", "organization": "Soest", "sort": "x", "limit": "0"}, "unknown_entity_type"),
        ({"organization": "Soest", "query": '"a b"~10', "sort": "x", "dateFrom": "x"}, "unknown_organization"),
        ({"query": '"a b"~10', "sort": "x", "dateFrom": "x"}, "unsupported_phrase_slop"),
        ({"sort": "newest", "dateFrom": "x", "limit": "0"}, "unknown_sort"),
        ({"dateFrom": "2026-01-01T00:00:00Z", "limit": "0"}, "invalid_date"),
        ({"dateTo": "2026-02-30", "offset": "-1"}, "invalid_date"),
        ({"limit": "0", "offset": "-1"}, "invalid_limit"),
        ({"limit": "veel"}, "invalid_limit"),
        ({"offset": "-1"}, "invalid_offset"),
    ],
)
def test_the_first_wrong_parameter_in_the_platforms_order_is_named(given: dict[str, str], code: str) -> None:
    with pytest.raises(BadParameterError) as refused:
        parameters(given)
    assert refused.value.body["code"] == code


def test_an_unknown_parameter_is_ignored() -> None:
    """Field report 8: the reason why a caller must know its own parameters."""
    assert ask(query="subsidie", q="niets") == ask(query="subsidie")
