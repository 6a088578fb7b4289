"""The field map: read strictly, and held against answers so that a change over there is loud."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from connectors.open_archivaris import contract
from connectors.open_archivaris.contract import Deviations
from connectors.open_archivaris.field_map import ITEM_FIELDS, FieldMapError, proposed, read_field_map
from connectors.open_archivaris.paths import ABSENT, at, path
from connectors.open_archivaris.requests import Wanted, search_call
from connectors.records import Sort
from tests.connectors.open_archivaris.support import PROPOSED, asking, page, row
from tests.support.asking import as_is

pytestmark = pytest.mark.anyio


def test_the_proposed_map_has_a_place_for_every_field_but_the_page_of_a_hit() -> None:
    assert set(proposed().item) == ITEM_FIELDS - {"page"}


@pytest.mark.parametrize(
    ("before", "after", "where"),
    [
        ('title = "title"', 'titel = "title"', "item.titel"),
        ('title = "title"', "", "item.title"),
        ('title = "title"', "title = 3", "item.title"),
        ('title = "title"', 'title = "a..b"', "item.title"),
        ('title = "title"', f'title = "{".".join("a" * 13)}"', "item.title"),
        ('original_url = "originalUrl"', "", "item.original_url"),
        ('pattern = "oa-[0-9]{4,12}"', 'pattern = "oa-["', "ids.pattern"),
        ('pattern = "oa-[0-9]{4,12}"', "", "ids.pattern"),
        ('path = "/search"', 'path = "search"', "search.path"),
        ('path = "/search"', 'path = "/search?x=1"', "search.path"),
        ('path = "/search"', 'path = "/../search"', "search.path"),
        ('path = "/search"', 'path = "/v1/.."', "search.path"),
        ('path = "/search"', 'path = "//elders.example.org/search"', "search.path"),
        ('path = "/documents/{id}"', 'path = "/documents/./{id}"', "document.path"),
        ('path = "/documents/{id}"', 'path = "/documents"', "document.path"),
        ("page_size = 25", "page_size = 0", "search.page_size"),
        ("page_size = 25", "page_size = true", "search.page_size"),
        ('match = "any"', 'match = "some"', "search.match"),
        ("phrases = false", 'phrases = "no"', "search.phrases"),
        ('page = "page"\n', 'page = "page"\nstart = "start"\n', "search.parameters"),
        ('words = "words"', "", "search.parameters"),
        ('items = "items"', "", "search.answer.items"),
        ('oudste = "oldest"', 'ooit = "oldest"', "search.orders"),
        ('last_success = "lastSuccess"', "", "health.last_success"),
        ('gemeente = "gemeente"', 'gemeente = "stad"', "body_kinds"),
        ("absent = []", 'absent = "x"', "allowed.absent"),
        ("[allowed]", "[toegestaan]", "toegestaan"),
        ("[allowed]", "[allowed", "bestand"),
        ("[body_kinds]", "[[body_kinds]]", "body_kinds"),
    ],
)
def test_a_map_with_a_mistake_is_refused_and_the_place_is_named(before: str, after: str, where: str) -> None:
    """Field report 8: a name that is not known is never dropped in silence."""
    assert before in PROPOSED
    with pytest.raises(FieldMapError) as refused:
        read_field_map(PROPOSED.replace(before, after, 1))
    assert refused.value.where == where


def test_a_map_without_a_state_of_the_platform_can_be_used() -> None:
    without = PROPOSED[: PROPOSED.index("[health]")] + PROPOSED[PROPOSED.index("[body_kinds]") :]
    assert read_field_map(without).health.path == ""


def test_a_parameter_that_the_map_does_not_have_is_not_sent() -> None:
    fields = read_field_map(PROPOSED.replace('order = "order"\n', ""))
    assert "order" not in dict(search_call(fields, Wanted(words="x", order=Sort.NEWEST)).params)


@pytest.mark.parametrize(
    ("value", "place", "expected"),
    [
        ({"a": {"b": 1}}, "a.b", 1),
        ({"a": {"b": None}}, "a.b", None),
        ({"a": {}}, "a.b", ABSENT),
        ({"a": [1, 2]}, "a.*", 1),
        ({"a": {"7": {"c": 2}, "8": {}}}, "a.*.c", 2),
        ({"a": []}, "a.*", ABSENT),
        ({"a": {}}, "a.*", ABSENT),
        ("text", "a", ABSENT),
        ({"a": 1}, "", {"a": 1}),
    ],
)
def test_a_place_leads_to_what_stands_there(value: Any, place: str, expected: Any) -> None:
    assert at(value, path(place)) == expected


def broken(**changes: Any) -> dict[str, Any]:
    item = row(1)
    for name, value in changes.items():
        if value is ABSENT:
            del item[name]
        else:
            item[name] = value
    found: dict[str, Any] = json.loads(page(item, row(2)).body)
    return found


@pytest.mark.parametrize("name", sorted(row().keys() - {"body"}))
def test_a_field_that_one_item_lacks_is_missing(name: str) -> None:
    assert contract.of_search(proposed(), broken(**{name: ABSENT})) == Deviations(missing=(name,))


@pytest.mark.parametrize(
    ("changes", "unknown"),
    [
        ({"classified": True}, "classified"),
        ({"body": {"code": "GM0228", "label": "Ede", "kind": "gemeente", "tooi": "gm0228"}}, "body.tooi"),
    ],
)
def test_a_field_that_the_map_does_not_know_is_unknown(changes: dict[str, Any], unknown: str) -> None:
    assert contract.of_search(proposed(), broken(**changes)) == Deviations(unknown=(unknown,))


def test_a_renamed_field_is_both_and_an_operator_reads_so() -> None:
    found = contract.of_search(proposed(), broken(title=ABSENT, titel="Stuk"))
    assert found.words == "ontbreekt: title; onbekend: titel"


def test_an_empty_field_is_there() -> None:
    assert not contract.of_search(proposed(), broken(author=None, createdOn=None))


def test_a_changed_envelope_is_seen() -> None:
    body = json.loads(page(row()).body)
    changed = {"items": body["items"], "count": 1, "totalIsExact": True, "nextPage": None}
    assert contract.of_search(proposed(), changed) == Deviations(("total",), ("count",))


def test_what_the_map_allows_is_no_deviation() -> None:
    fields = read_field_map(
        PROPOSED.replace("absent = []", 'absent = ["author"]').replace("unused = []", 'unused = ["x"]')
    )
    assert not contract.of_search(fields, broken(author=ABSENT, x=1))


@pytest.mark.parametrize("body", [None, [], "x", 3, {"items": None}, {"items": [None, 1, "x"]}])
def test_what_is_no_answer_at_all_is_missing_everything_and_breaks_nothing(body: Any) -> None:
    assert contract.of_search(proposed(), body).missing
    assert contract.of_document(proposed(), body).missing
    assert contract.of_health(proposed(), body).missing


async def test_the_stand_in_keeps_the_contract_in_every_answer() -> None:
    """The contract test: what the only counterpart says, held against the map, field by field."""
    ask, fields = asking(), proposed()
    answer = await ask(search_call(fields, Wanted(words="raad", page_size=100)), as_is)
    body = json.loads(answer.value.body)
    assert len(body["items"]) == 100
    assert contract.of_search(fields, body) == Deviations()


def test_very_many_odd_names_are_joined_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    handled = 0
    once = contract._once

    def counted(*names: Iterable[str]) -> tuple[str, ...]:
        nonlocal handled
        lists = [list(some) for some in names]
        handled += sum(map(len, lists))
        return once(*lists)

    monkeypatch.setattr(contract, "_once", counted)
    body = {"items": [row(number, **{f"odd{number}": 1}) for number in range(300)], "total": 1}
    assert len(contract.of_search(proposed(), body).unknown) == 300
    assert handled < 10 * 300
