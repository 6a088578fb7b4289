from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from connectors.calls import CallKind
from connectors.rechtspraak.requests import (
    DateClass,
    OpenDataKind,
    OpenDataQuestion,
    WebsiteQuestion,
    WebsiteSort,
    content_call,
    open_data_search_call,
    value_list_call,
    website_search_call,
)
from tests.connectors.rechtspraak.helpers import sample

AMSTERDAM = "http://standaarden.overheid.nl/owms/terms/Rechtbank_Amsterdam"


def _body(question: WebsiteQuestion) -> Any:
    call = website_search_call(question)
    assert call.body is not None
    return json.loads(call.body)


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shape(item) for key, item in value.items()}
    return [_shape(item) for item in value] if isinstance(value, list) else type(value)


def test_the_website_gets_the_body_that_other_clients_send_but_for_the_optional_number() -> None:
    recorded = json.loads(sample("api-zoek-request.json"))
    recorded.pop("CorrelationId")
    ours = _body(WebsiteQuestion(term="waterschade", size=10))
    assert ours == recorded | {"ShouldCountFacets": False}
    assert list(ours) == list(recorded)


def test_courts_and_a_class_of_dates_have_the_recorded_shape() -> None:
    recorded = json.loads(sample("api-zoek-request-filtered.json"))
    ours = _body(
        WebsiteQuestion(
            term="x", start=48, sort=WebsiteSort.OLDEST, courts=(AMSTERDAM, "b"), date_class=DateClass.LAST_YEAR
        )
    )
    assert ours["Instanties"][0] == recorded["Instanties"][0]
    assert ours["Instanties"][1] == {"NodeType": 1, "Identifier": "b", "level": 1}
    assert ours["DatumUitspraak"] == [{"NodeType": 4, "Identifier": "VorigJaar", "level": 0}]
    assert _shape(ours["DatumUitspraak"]) == _shape(recorded["DatumPublicatie"])
    assert (ours["StartRow"], ours["PageSize"], ours["SortOrder"]) == (48, 24, "UitspraakDatumAsc")


def test_the_website_call_is_a_post_that_shows_no_words() -> None:
    call = website_search_call(WebsiteQuestion(term="geheim"))
    assert (call.queue, call.method, call.path, call.kind) == (
        "rechtspraak/zoeken",
        "POST",
        "/api/zoek",
        CallKind.SEARCH,
    )
    assert dict(call.headers) == {"content-type": "application/json", "accept": "application/json"}
    assert "geheim" not in repr(call)


def test_open_data_gets_ranges_as_two_values_and_courts_as_many() -> None:
    call = open_data_search_call(
        OpenDataQuestion(
            days=(date(2020, 1, 1), date(2020, 12, 31)), courts=("a#b", "c d"), kind=OpenDataKind.OPINION, start=24
        )
    )
    assert (call.queue, call.method, call.path) == ("rechtspraak/open-data", "GET", "/uitspraken/zoeken")
    assert call.params == (
        ("date", "2020-01-01"),
        ("date", "2020-12-31"),
        ("creator", "a#b"),
        ("creator", "c d"),
        ("type", "Conclusie"),
        ("return", "DOC"),
        ("max", "24"),
        ("from", "24"),
        ("sort", "DESC"),
    )


def test_a_question_without_a_filter_never_becomes_a_call_to_open_data() -> None:
    """Field report 8: the whole collection would answer."""
    with pytest.raises(ValueError, match="OpenDataQuestion"):
        open_data_search_call(OpenDataQuestion())


def test_a_decision_is_fetched_by_its_ecli_whole_or_as_metadata() -> None:
    assert content_call("ECLI:NL:HR:2024:1").params == (("id", "ECLI:NL:HR:2024:1"),)
    assert content_call("ECLI:NL:HR:2024:1", metadata_only=True).params == (
        ("id", "ECLI:NL:HR:2024:1"),
        ("return", "META"),
    )
    assert content_call("ECLI:NL:HR:2024:1").kind is CallKind.DOCUMENT


def test_a_value_list_is_fetched_by_its_name() -> None:
    call = value_list_call("Instanties")
    assert (call.queue, call.path, call.kind) == ("rechtspraak/open-data", "/Waardelijst/Instanties", CallKind.LIST)
