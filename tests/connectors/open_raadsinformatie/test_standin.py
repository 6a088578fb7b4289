"""The stand-in: what nginx lets through, what Elasticsearch says, and that nothing odd makes it fall over."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from connectors.council_papers import council_papers
from connectors.council_papers.papers import Availability
from connectors.open_raadsinformatie.standin import OpenRaadsinformatieStandIn
from connectors.open_raadsinformatie.standin_search import archive
from connectors.standins import Condition, StandIns
from tests.connectors.open_raadsinformatie.support import PAGES, PREFIX, refusal, sample

CLIENT = TestClient(StandIns([OpenRaadsinformatieStandIn(PAGES)]))
SMALL = TestClient(StandIns([OpenRaadsinformatieStandIn(PAGES, window=50, counted=20)]))
ELASTIC = f"{PREFIX}/v1/elastic"
EVERYWHERE = "ori_*,osi_*,owi_*"
ODD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "query",
                    "bool",
                    "must",
                    "should",
                    "filter",
                    "terms",
                    "range",
                    "match",
                    "nested",
                    "path",
                    "text_pages",
                    "inner_hits",
                    "sort",
                    "from",
                    "size",
                    "aggs",
                    "field",
                    "last_discussed_at",
                    "gte",
                    "time_zone",
                    "name",
                    "fields",
                    "highlight",
                    "_source",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def search(body: Any, indices: str = EVERYWHERE, client: TestClient = CLIENT) -> Any:
    return client.post(f"{ELASTIC}/{indices}/_search?ignore_unavailable=true", json=body).json()


def total(body: Any, indices: str = EVERYWHERE) -> int:
    return int(search({"query": body, "track_total_hits": True}, indices)["hits"]["total"]["value"])


def test_there_is_enough_to_search_in() -> None:
    assert total({"terms": {"@type": ["MediaObject", "Meeting", "AgendaItem", "Report"]}}) > 700


def test_a_body_that_is_not_there_is_no_shard_and_a_404_without_leave() -> None:
    assert search({}, "ori_land_van_cuijk")["_shards"]["total"] == 0
    answer = CLIENT.post(f"{ELASTIC}/ori_landvancuijk/_search", json={})
    assert (answer.status_code, answer.json()) == (404, sample("error_404_unknown_index")["body"])


def test_merged_municipalities_keep_their_history() -> None:
    """Field report 13."""
    assert {index: total({"term": {"@type": "Meeting"}}, index) > 0 for index in ("ori_boxmeer", "ori_weesp")} == {
        "ori_boxmeer": True,
        "ori_weesp": True,
    }


def test_all_indices_are_331_as_heemskerk_has_an_old_copy() -> None:
    assert search({"size": 0})["_shards"]["total"] == 331
    assert search({"size": 0}, "ori_heemskerk")["_shards"]["total"] == 1
    assert search({"size": 0}, "ori_heemskerk_2*")["_shards"]["total"] == 2


def test_a_bare_prefix_mixes_organisations() -> None:
    assert search({"size": 0}, "ori_bergen*")["_shards"]["total"] == 3


def test_names_are_stemmed_and_texts_are_not() -> None:
    word = {"bool": {"must": [{"match": {"name": "moties"}}]}}
    assert total(word) == total({"match": {"name": "motie"}}) > 0
    assert total({"match": {"text": "moties"}}) != total({"match": {"text": "motie"}})


def test_a_phrase_finds_less_than_its_words() -> None:
    """Field report 6."""
    asked = {"query": "college vragen", "fields": ["text"]}
    phrase, loose = {"multi_match": {**asked, "type": "phrase"}}, {"multi_match": {**asked, "operator": "and"}}
    assert total(phrase) < total(loose)


def test_a_filter_with_a_nonsense_value_changes_the_count() -> None:
    """Field report 8."""
    assert total({"term": {"@type": "mediaobject"}}) == 0


def test_totals_stop_counting_unless_asked_to_go_on() -> None:
    assert search({}, client=SMALL)["hits"]["total"] == {"value": 20, "relation": "gte"}
    assert search({"track_total_hits": True}, client=SMALL)["hits"]["total"]["relation"] == "eq"


def test_paging_ends_at_the_window_with_the_platforms_words() -> None:
    answer = SMALL.post(f"{ELASTIC}/{EVERYWHERE}/_search", json={"from": 50, "size": 1})
    assert answer.status_code == 400
    cause = answer.json()["error"]["root_cause"][0]
    assert cause["type"] == "illegal_argument_exception"
    assert cause["reason"].startswith(
        "Result window is too large, from + size must be less than or equal to: [50] but was [51]."
    )


def test_pages_follow_each_other_without_a_gap() -> None:
    def numbers(start: int, size: int) -> list[str]:
        body = {"sort": [{"last_discussed_at": {"order": "desc"}}, {"_id": "asc"}], "from": start, "size": size}
        return [hit["_id"] for hit in search(body)["hits"]["hits"]]

    assert numbers(0, 10) + numbers(10, 10) == numbers(0, 20)


def test_names_cannot_be_sorted_on() -> None:
    answer = CLIENT.post(f"{ELASTIC}/ori_ede/_search", json={"sort": [{"name": "asc"}]})
    assert answer.status_code == 400
    assert answer.json()["error"]["root_cause"] == sample("error_400_sort_on_text_field")["body"]["error"]["root_cause"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "ori_ede/_count", 403),
        ("POST", "_search/scroll", 403),
        ("PUT", "ori_ede/_doc/1", 403),
        ("DELETE", "ori_ede", 403),
        ("GET", "_cluster/health", 403),
        ("OPTIONS", "_search", 204),
        ("GET", "ori_ede/_doc/1", 404),
        ("GET", "ori_nergens/_doc/1", 404),
        ("GET", "_search", 200),
        ("GET", "_mapping", 400),
        ("GET", "ori_ede/_mapping", 200),
        ("GET", "ori_nergens/_mapping", 404),
        ("GET", "_cat/indices", 200),
        ("GET", "..%2f..%2fetc", 404),
        ("GET", "ori_ede/_doc/%00", 404),
    ],
)
def test_what_is_let_through(method: str, path: str, status: int) -> None:
    assert CLIENT.request(method, f"{ELASTIC}/{path}").status_code == status


def test_the_refusals_are_those_of_the_samples() -> None:
    forbidden = refusal("error_403_forbidden_method_or_path")
    answer = CLIENT.put(f"{ELASTIC}/ori_ede")
    assert (answer.status_code, answer.content) == (forbidden.status, forbidden.body)
    gone = refusal("error_404_resolve")
    answer = CLIENT.get(f"{PREFIX}/v1/resolve/api.notubiz.nl/document/1")
    assert (answer.status_code, answer.content) == (gone.status, gone.body)


@pytest.mark.parametrize(
    ("condition", "name"),
    [(Condition.FULL, "error_429_stand_in_only"), (Condition.MAINTENANCE, "error_502_bad_gateway")],
)
def test_when_it_is_full_or_away_it_says_so_as_the_samples_do(condition: Condition, name: str) -> None:
    client = TestClient(StandIns([OpenRaadsinformatieStandIn(PAGES)]))
    client.post("/_stand/open-raadsinformatie", json={"staat": condition.value})
    answer, wanted = client.get(f"{ELASTIC}/_aliases"), refusal(name)
    assert (answer.status_code, json.loads(answer.content) if name.startswith("error_4") else answer.content) == (
        wanted.status,
        json.loads(wanted.body) if name.startswith("error_4") else wanted.body,
    )


def test_what_was_withdrawn_or_is_secret_is_nowhere() -> None:
    """Field report 19."""
    hidden = [paper for paper in council_papers().papers if paper.availability is not Availability.PUBLIC]
    served = json.dumps([stored.source for stored in archive(PAGES).records], ensure_ascii=False)
    assert len(hidden) == 2
    assert not [paper.native for paper in hidden if paper.native in served or paper.title in served]


def test_all_links_lead_to_our_own_pages() -> None:
    for stored in archive(PAGES).records:
        for field in ("url", "original_url"):
            assert stored.source.get(field, PAGES).startswith(PAGES)


def test_every_number_that_a_record_names_exists() -> None:
    numbers = {stored.number for stored in archive(PAGES).records}
    for stored in archive(PAGES).records:
        for field in (
            "attachment",
            "parent",
            "is_referenced_by",
            "committee",
            "creator",
            "agenda",
            "has_organization_name",
        ):
            named = stored.source.get(field, [])
            named = named["@list"] if isinstance(named, dict) else [named] if isinstance(named, str) else named
            assert set(named) <= numbers


@given(ODD)
def test_any_body_is_answered_or_refused(body: Any) -> None:
    assert CLIENT.post(f"{ELASTIC}/ori_ede/_search", json=body).status_code in {200, 400}


@given(st.binary(max_size=60))
def test_any_bytes_are_answered_or_refused(body: bytes) -> None:
    assert CLIENT.post(f"{ELASTIC}/ori_ede/_search", content=body).status_code in {200, 400}


@given(st.text(max_size=40))
def test_any_path_is_answered_or_refused(path: str) -> None:
    try:
        written = quote(path, safe="/*,")
    except UnicodeEncodeError:
        return
    assert CLIENT.get(f"{ELASTIC}/x{written}").status_code in {200, 400, 403, 404}
