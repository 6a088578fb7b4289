"""Whatever a platform sends, a parser reads it or fails with one of our own failures."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.calls import Answer, Reply
from connectors.exceptions import ConnectorError
from connectors.open_raadsinformatie.catalogue import aliases, groups, listed_people, load_status, people, registers
from connectors.open_raadsinformatie.documents import document, neighbours, record
from connectors.open_raadsinformatie.ids import item_id
from connectors.open_raadsinformatie.parse import search_page
from tests.connectors.open_raadsinformatie.support import LIVE, answer, good, sample

Parser = Callable[[Answer], object]


def opening(identifier: str) -> Parser:
    asked = item_id(identifier)
    assert asked is not None
    around = neighbours(good("search_hits"))
    return lambda given: document(Reply(record(given, asked), given.fetched_at), asked, around, LIVE)


def of_values(parse: Callable[[Answer], Any]) -> Parser:
    return lambda given: tuple(one for _, values in parse(given) for one in values)


PARSERS: dict[str, tuple[Parser, str]] = {
    "zoeken": (lambda given: search_page(given, LIVE), "search_nested_page_hit"),
    "stuk": (opening("ori_eindhoven:7700412"), "doc_mediaobject_fulltext"),
    "vergadering": (opening("ori_eindhoven:7900100"), "doc_meeting"),
    "motie": (opening("ori_rotterdam:6191204"), "doc_report_motion"),
    "buren": (lambda given: neighbours(given).items("MediaObject"), "search_hits"),
    "organisaties": (lambda given: aliases(given).organisations(), "aliases"),
    "commissies": (of_values(groups), "committees_and_parties_search"),
    "personen": (of_values(lambda given: listed_people(people(given), people(given))), "persons_memberships_search"),
    "registers": (of_values(registers), "report_classifications_aggregation"),
    "status": (lambda given: load_status(given, None), "load_status_per_index_aggregation"),
}
ODD: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([10**400, "\ud800", "\x00", "<p" * 99]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
every_parser = pytest.mark.parametrize(("parse", "name"), PARSERS.values(), ids=PARSERS)


def encodable(found: object) -> None:
    """What was read can be stored and sent: no halves of characters in any text."""
    for one in found if isinstance(found, (tuple, list)) else (found,):
        assert dataclasses.is_dataclass(one)
        assert not isinstance(one, type)
        json.dumps(dataclasses.asdict(one), ensure_ascii=False, default=str).encode()


def read(parse: Parser, given: Answer) -> None:
    try:
        encodable(parse(given))
    except ConnectorError as failure:
        assert failure.platform == "open-raadsinformatie"  # noqa: PT017 - both ways out are right, this one only of our tree


@every_parser
@given(
    body=st.binary(), status=st.integers(100, 599), media=st.sampled_from(["", "application/json", "text/html", "\x00"])
)
def test_any_bytes(parse: Parser, name: str, body: bytes, status: int, media: str) -> None:
    read(parse, answer(body, status, {"content-type": media}))


@every_parser
@given(body=ODD)
def test_any_json(parse: Parser, name: str, body: Any) -> None:
    read(parse, answer(json.dumps(body).encode()))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, one in inner if key != "@context" for place in places(one, (*path, key)))]


@every_parser
@given(data=st.data())
def test_any_value_in_the_place_of_another(parse: Parser, name: str, data: st.DataObject) -> None:
    body = copy.deepcopy(sample(name))
    for place in data.draw(st.lists(st.sampled_from(places(body)[1:]), min_size=1, max_size=3)):
        where = body
        try:
            for key in place[:-1]:
                where = where[key]
            where[place[-1]] = data.draw(ODD)
        except (TypeError, KeyError, IndexError):
            continue  # an earlier change took this place away
    read(parse, answer(json.dumps(body).encode()))


@every_parser
@given(data=st.data())
def test_any_part_of_a_body(parse: Parser, name: str, data: st.DataObject) -> None:
    whole = json.dumps(sample(name)).encode()
    read(parse, answer(whole[: data.draw(st.integers(0, len(whole)))]))
