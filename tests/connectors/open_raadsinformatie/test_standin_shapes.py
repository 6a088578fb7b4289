"""What the stand-in answers has the shape of the samples: the same keys, types and rules of presence."""

from __future__ import annotations

from typing import Any

import pytest

from connectors.open_raadsinformatie.kinds import TYPES
from connectors.open_raadsinformatie.requests import groups_call, people_call, registers_call, search_call, status_call
from tests.connectors.open_raadsinformatie.support import PREFIX, query, sample
from tests.connectors.open_raadsinformatie.test_standin import CLIENT, search

# Only some records have these, and the platform page names them for their type.
ALSO = {
    "MediaObject": {"date_modified"},
    "Meeting": {"committee", "attachment", "classification", "status", "location"},
    "AgendaItem": {"description", "attachment"},
    "Report": {"attachment", "result"},
}
SAMPLES = {
    "MediaObject": ("doc_mediaobject_fulltext", "doc_mediaobject_without_text"),
    "Meeting": ("doc_meeting",),
    "AgendaItem": ("doc_agendaitem", "doc_agendaitem_html_single_attachment"),
    "Report": ("doc_report_motion",),
}


def kind(value: Any) -> str:
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


def shape(value: Any) -> Any:
    """Keys and types of everything, the inner shapes of a list as one."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return kind(value)


def sent(call: Any) -> Any:
    return CLIENT.post(f"{PREFIX}{call.path}?ignore_unavailable=true", content=call.body).json()


@pytest.mark.parametrize("record_type", TYPES)
def test_records_have_the_fields_and_types_of_the_samples(record_type: str) -> None:
    samples = [sample(name)["_source"] for name in SAMPLES[record_type]]
    known = {key: {kind(one[key]) for one in samples if key in one} for one in samples for key in one}
    always = set.intersection(*(set(one) for one in samples)) - ALSO[record_type] - {"was_generated_by"}
    hits = search({"query": {"term": {"@type": record_type}}, "size": 500})["hits"]["hits"]
    assert hits
    for hit in hits:
        ours = hit["_source"]
        assert set(ours) <= set(known) | ALSO[record_type]
        wrong = {
            key
            for key, value in ours.items()
            if kind(value) not in known.get(key, {kind(value)}) and key != "attachment"
        }
        assert wrong == set()
        missing = always - set(ours)
        assert missing <= {
            "last_discussed_at",
            "is_referenced_by",
            "agenda",
        }  # of a paper or a meeting of which it is unknown


def test_a_record_by_its_number_has_the_envelope_of_the_sample() -> None:
    number = search({"query": {"term": {"@type": "Meeting"}}}, "ori_ede")["hits"]["hits"][0]["_id"]
    ours = CLIENT.get(f"{PREFIX}/v1/elastic/ori_ede/_doc/{number}").json()
    assert set(ours) == set(sample("doc_meeting"))
    assert ours["_index"] != "ori_ede"


def test_a_search_answer_has_the_envelope_of_the_sample() -> None:
    ours = sent(search_call(query("subsidie"), TYPES, (), 0, 25))
    theirs = sample("search_hits")
    assert {key: shape(value) for key, value in ours.items() if key != "hits"} == {
        key: shape(value) for key, value in theirs.items() if key != "hits"
    }
    assert set(ours["hits"]) == set(theirs["hits"])
    with_page = next(hit for hit in ours["hits"]["hits"] if hit["inner_hits"]["text_pages"]["hits"]["hits"])
    nested = sample("search_nested_page_hit")["hits"]["hits"][0]
    assert set(nested) | {"highlight", "sort"} == set(with_page)
    inner = with_page["inner_hits"]["text_pages"]["hits"]["hits"][0]
    assert set(nested["inner_hits"]["text_pages"]["hits"]["hits"][0]) - {"_source"} <= set(inner)


def test_empty_answers_are_those_of_the_samples() -> None:
    for name, indices in (("search_empty", "ori_ede"), ("search_unknown_index_ignored", "ori_nergens")):
        ours = search({"query": {"match": {"name": "qqqq"}}}, indices)
        assert {**ours, "took": 0} == {**sample(name), "took": 0}


def test_aliases_and_indices_have_the_shape_of_the_samples() -> None:
    ours = CLIENT.get(f"{PREFIX}/v1/elastic/_aliases").json()
    assert {index: ours[index] for index in sample("aliases")} == sample("aliases")
    assert len(ours) == 331
    rows = CLIENT.get(f"{PREFIX}/v1/elastic/_cat/indices?format=json").json()
    assert shape(rows) == shape(sample("cat_indices"))


def test_counts_have_the_shape_of_the_samples() -> None:
    ours = sent(status_call())["aggregations"]["per_index"]["buckets"][0]
    theirs = sample("load_status_per_index_aggregation")["aggregations"]["per_index"]["buckets"][0]
    assert shape(ours["past"]["newest"]) == shape(theirs["newest"])
    assert (ours.keys() - {"past"}, kind(ours["doc_count"])) == ({"key", "doc_count"}, "number")
    registers = sent(registers_call())["aggregations"]["registers"]
    assert shape(registers) == shape(sample("report_classifications_aggregation")["aggregations"]["soort"])


def test_committees_and_parties_have_the_shape_of_the_sample() -> None:
    ours = sent(groups_call())["hits"]["hits"][0]
    theirs = sample("committees_and_parties_search")["hits"]["hits"][0]
    assert set(ours) == set(theirs)
    assert set(ours["_source"]) == {"@type", "name", "classification"}


def test_persons_and_what_they_are_have_the_shape_of_the_sample() -> None:
    person, membership = sample("persons_memberships_search")["hits"]["hits"]
    for theirs in (person, membership):
        ours = sent(people_call(theirs["_source"]["@type"]))["hits"]["hits"][0]
        assert set(ours) == set(theirs)
        assert set(ours["_source"]) == set(theirs["_source"]) & {"@type", "name", "member", "role"}


def test_the_heavy_fields_are_left_out_where_asked() -> None:
    hits = sent(search_call(query("subsidie"), ("MediaObject",), (), 0, 25))["hits"]["hits"]
    assert hits
    assert all({"text", "md_text", "text_pages", "@context"}.isdisjoint(hit["_source"]) for hit in hits)
