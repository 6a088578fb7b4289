"""What the platform says of its indices and their fields."""

from __future__ import annotations

from typing import Any

import pytest

from connectors.exceptions import ConnectorError, NotAnAnswerError
from connectors.open_raadsinformatie.indices import ASKED, Index, fields, indices, wrong_fields
from connectors.open_raadsinformatie.requests import indices_call, mapping_call
from tests.connectors.open_raadsinformatie.support import (
    CONNECTOR,
    Script,
    answer,
    asking,
    good,
    listed_aliases,
    refusal,
    sample,
)

ASK = asking()


def test_every_index_is_listed_with_how_much_is_in_it_old_copies_too() -> None:
    found = indices(good("cat_indices"))
    assert found[:3] == (
        Index("ori_eindhoven_20250413114006", 412_008),
        Index("ori_heemskerk_20250506181303", 61_234),
        Index("ori_heemskerk_20251120105722", 61_234),
    )
    assert len(found) == 6


@pytest.mark.parametrize(("count", "read"), [("12", 12), (12, None), ("-1", None), (None, None), ("9" * 20, None)])
def test_a_count_that_is_none_is_unknown(count: object, read: int | None) -> None:
    assert indices(answer([{"index": "ori_ede_1", "docs.count": count}, {"docs.count": "1"}, 7])) == (
        Index("ori_ede_1", read),
    )


def test_the_fields_of_an_index_are_what_our_questions_need() -> None:
    found = fields(good("mapping_excerpt"))
    assert (found["text_pages.text"], found["committee.keyword"], found["was_generated_by"]) == (
        "text",
        "keyword",
        "object",
    )
    assert wrong_fields(found) == ()


def test_a_field_that_is_gone_or_has_become_something_else_is_named() -> None:
    body: dict[str, Any] = sample("mapping_excerpt")
    properties = body["ori_rotterdam_20250629013104"]["mappings"]["properties"]
    del properties["md_text"]
    properties["last_discussed_at"] = {"type": "text"}
    assert wrong_fields(fields(answer(body))) == ("md_text", "last_discussed_at (text)")


@pytest.mark.parametrize("body", [{}, {"ori_ede": {}}, {"ori_ede": {"mappings": {"properties": {}}}}, []])
def test_a_description_without_fields_is_no_answer(body: object) -> None:
    with pytest.raises(NotAnAnswerError):
        fields(answer(body))


@pytest.mark.parametrize("body", [[], {}, [{"docs.count": "1"}]])
def test_a_list_without_indices_is_no_answer(body: object) -> None:
    with pytest.raises(NotAnAnswerError):
        indices(answer(body))


@pytest.mark.parametrize("read", [indices, fields])
def test_a_refusal_is_a_failure_of_our_own_tree(read: Any) -> None:
    with pytest.raises(ConnectorError):
        read(refusal("error_502_bad_gateway"))


def test_fields_nested_without_end_are_read_to_a_depth() -> None:
    deep: dict[str, Any] = {"type": "text"}
    for _ in range(200):
        deep = {"properties": {"a": deep}}
    assert len(fields(answer({"i": {"mappings": {"properties": {"a": deep}}}}))) < 10


@pytest.mark.anyio
async def test_the_stand_in_has_the_fields_that_our_questions_name() -> None:
    found = (await ASK(mapping_call("ori_ede"), fields)).value
    assert wrong_fields(found) == ()
    assert {name: found[name] for name in ASKED} == dict(ASKED)
    assert len((await ASK(indices_call(), indices)).value) == 331


@pytest.mark.anyio
async def test_the_check_names_an_index_that_is_lost_behind_an_alias() -> None:
    lost = sample("cat_indices")[1:]
    replies = [listed_aliases(), answer(lost), good("mapping_excerpt"), good("search_hits"), good("search_hits")]
    results = await CONNECTOR.check(Script(*replies))
    assert (results[1].name, results[1].ok) == ("Indexen", False)
    assert results[1].seen.endswith("1 zoek")
