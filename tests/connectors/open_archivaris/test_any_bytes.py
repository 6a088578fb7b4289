"""Readers that never raise anything but our own failures, whatever bytes come."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.calls import Answer
from connectors.exceptions import ConnectorError
from connectors.open_archivaris import contract
from connectors.open_archivaris.documents import document
from connectors.open_archivaris.field_map import FieldMapError, proposed, read_field_map
from connectors.open_archivaris.health import lists, load_status
from connectors.open_archivaris.ids import canonical
from connectors.open_archivaris.parse import search_page
from tests.connectors.open_archivaris.support import PROPOSED, answer, field_map, reader, row

READER = reader()
READERS: tuple[Callable[[Answer], object], ...] = (
    lambda found: search_page(found, READER),
    lambda found: document(found, "oa-0001", READER),
    lambda found: load_status(found, READER),
    lambda found: lists(found, READER),
    lambda found: search_page(found, reader(field_map("woogle"))),
    lambda found: document(found, "x", reader(field_map("open-overheid"))),
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.sampled_from(["2024-02-30", "2024-01-01T00:00:00+99:00", "https://[", "http://a\u202eb", "<em>", "&#99999999;"]),
    st.sampled_from(["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "\ud800", "oa-0001"]),
)
JSON = st.recursive(ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))


def quietly(read: Callable[[Answer], object], found: Answer) -> None:
    try:
        read(found)
    except ConnectorError:
        return


@pytest.mark.parametrize("read", READERS)
@given(body=st.binary(), status=st.sampled_from([200, 204, 301, 404, 410, 429, 500, 503]))
def test_any_bytes_are_an_answer_or_a_failure_of_ours(
    read: Callable[[Answer], object], body: bytes, status: int
) -> None:
    quietly(read, answer(body, status))


@given(item=st.fixed_dictionaries({}, optional=dict.fromkeys(row(), JSON)), around=JSON, text=JSON)
def test_any_values_in_the_right_places_are_an_answer_or_a_failure_of_ours(item: Any, around: Any, text: Any) -> None:
    bodies = (
        {"items": [item, row()], "total": around, "totalIsExact": around, "nextPage": around},
        {"item": {**row(), **item, "id": "oa-0001"}, "text": text},
        {
            "generatedAt": around,
            "bodies": [item, {"label": text, "lastSuccess": around, "code": around, "documents": text}],
        },
        {"item": item, "text": [item, {"number": around, "text": text}]},
    )
    for body in bodies:
        for read in READERS[:4]:
            quietly(read, answer(json.dumps(body).encode("utf-8", "surrogatepass")))
        for look in (contract.of_search, contract.of_document, contract.of_health):
            look(proposed(), body)


@given(st.text())
def test_any_text_is_an_id_or_none(text: str) -> None:
    found = canonical(text, proposed())
    assert found is None or canonical(found, proposed()) == found


@given(st.text(), st.integers(0, len(PROPOSED)))
def test_any_text_in_a_map_is_a_map_or_refused(text: str, place: int) -> None:
    try:
        assert read_field_map(PROPOSED[:place] + text + PROPOSED[place:]).search.path
    except FieldMapError:
        return


def test_a_deep_or_long_body_takes_no_more_time_than_its_length() -> None:
    long_title = "<em>" * 200_000 + " " * 200_000 + "&" * 200_000
    (hit,) = search_page(answer({"items": [row(title=long_title, snippet=long_title)], "total": 1}), READER).hits
    assert len(hit.title) <= 20_000
    deep = b'{"items":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    with pytest.raises(ConnectorError):
        search_page(answer(deep), READER)
