"""Whatever a platform sends, a parser reads it or fails with one of our own failures."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.calls import Answer
from connectors.exceptions import ConnectorError
from connectors.openbesluitvorming.catalogue import lists, load_status
from connectors.openbesluitvorming.documents import document
from connectors.openbesluitvorming.parse import search_page
from tests.connectors.openbesluitvorming.support import LIVE, answer, good, sample

ERMELO = "document:notubiz:gemeente:ermelo:16678798"
ALKMAAR = "meeting:notubiz:gemeente:alkmaar:1391001"
UTRECHT = "motion:ibabs:gemeente:utrecht:599efa0d-e8e0-42da-822c-00d57bb3a1fb"
Parser = Callable[[Answer], object]
PARSERS: dict[str, tuple[Parser, str]] = {
    "zoeken": (lambda found: search_page(found, LIVE), "search_hits"),
    "document": (lambda found: document(found, ERMELO, LIVE), "entity_document_fulltext"),
    "vergadering": (lambda found: document(found, ALKMAAR, LIVE), "entity_meeting"),
    "motie": (lambda found: document(found, UTRECHT, LIVE), "entity_motion_ibabs_votes"),
    "bronnen": (lists, "sources"),
    "status": (load_status, "status"),
}
ODD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([10**400, "\ud800", "\x00"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
every_parser = pytest.mark.parametrize(("parse", "name"), PARSERS.values(), ids=PARSERS)


def encodable(found: object) -> None:
    """What was read can be stored and sent: no halves of characters in any text."""
    assert dataclasses.is_dataclass(found)
    assert not isinstance(found, type)
    json.dumps(dataclasses.asdict(found), ensure_ascii=False, default=str).encode()


def read(parse: Parser, found: Answer) -> None:
    try:
        encodable(parse(found))
    except ConnectorError as failure:
        assert failure.platform == "openbesluitvorming"  # noqa: PT017 - both ways out are right, this one only of our tree


@every_parser
@given(
    body=st.binary(), status=st.integers(100, 599), media=st.sampled_from(["", "application/json", "text/html", "\x00"])
)
def test_any_bytes(parse: Parser, name: str, body: bytes, status: int, media: str) -> None:
    del name
    read(parse, answer(body, status, {"content-type": media, "retry-after": media}))


@every_parser
@given(body=ODD)
def test_any_json(parse: Parser, name: str, body: Any) -> None:
    del name
    read(parse, answer(json.dumps(body).encode()))


@every_parser
@given(data=st.data())
def test_a_sample_in_which_something_was_replaced(parse: Parser, name: str, data: st.DataObject) -> None:
    body = small(sample(name))
    for _ in range(data.draw(st.integers(1, 4))):
        replace_somewhere(body, data)
    read(parse, answer(json.dumps(body).encode()))


@every_parser
@given(data=st.data())
def test_a_sample_that_was_cut_off(parse: Parser, name: str, data: st.DataObject) -> None:
    whole = good(name)
    end = data.draw(st.integers(0, len(whole.body.rstrip()) - 1))

    with pytest.raises(ConnectorError):
        parse(replace(whole, body=whole.body[:end]))


@every_parser
def test_a_body_nested_deeper_than_can_be_read(parse: Parser, name: str) -> None:
    del name
    with pytest.raises(ConnectorError):
        parse(answer(b'{"results":' + b"[" * 200_000))


def small(body: dict[str, Any]) -> dict[str, Any]:
    """A copy with few sources, so that a change hits something that is read."""
    kept = copy.deepcopy(body)
    if "sources" in kept:
        kept["sources"] = kept["sources"][:6]
    return kept


def replace_somewhere(body: Any, data: st.DataObject) -> None:
    """Walk down to some place in ``body`` and put something odd there, or take it away."""
    place = body
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if isinstance(inner, (dict, list)) and inner and data.draw(st.booleans()):
            place = inner
            continue
        if data.draw(st.booleans()):
            place[key] = data.draw(ODD)
        else:
            del place[key]
        return
