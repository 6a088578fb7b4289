"""Base64url and JSON have one spelling each."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admission.proofs import strict


@given(st.binary(max_size=64))
def test_bytes_come_back_from_their_one_spelling(data: bytes) -> None:
    assert strict.decode(strict.encode(data)) == data


@pytest.mark.parametrize(
    "text", ["YQ==", "YR", "+/8", "a", "aaaaa", "YQ ", "YQ\n", " YQ", "Y\u00fcQ", "YWJ", "\uff39Q"]
)
def test_a_second_spelling_of_base64url_is_refused(text: str) -> None:
    """Attack 9: padding, the other alphabet, white space, bits that are left over."""
    assert strict.decode(text) is None


@given(st.text(max_size=40))
def test_any_text_decodes_to_what_encodes_back_or_not_at_all(text: str) -> None:
    data = strict.decode(text)
    assert data is None or strict.encode(data) == text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b'"x"',
        b'{"a":1,"a":1}',
        b'{"a":1,"\\u0061":2}',
        b'{"x":{"a":1,"a":2}}',
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":12345678901234567}',
        b'{"a":' + b"9" * 5_000 + b"}",
        b'{"a":1.' + b"0" * 5_000 + b"}",
        b'{"a":"\\ud800"}',
        b'{"\\udfff":1}',
        b'{"a":["\\ud800"]}',
        b'{"a":"\xff"}',
        b'\xef\xbb\xbf{"a":1}',
        b'{"a":1}{"b":2}',
        b'{"a":1,}',
        b"{'a':1}",
        b'{"a":"\n"}',
        b'{"a":' * 9 + b"1" + b"}" * 9,
        b'{"a":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        b'{"a":' * 60_000,
    ],
)
def test_json_that_readers_could_read_apart_is_refused(data: bytes) -> None:
    assert strict.members(data) is None


def test_eight_levels_and_signs_outside_the_first_plane_are_read() -> None:
    assert strict.members(b'{"a":' * 8 + b"1" + b"}" * 8) is not None
    assert strict.members('{"a":"\U0001f600"}'.encode()) == {"a": "\U0001f600"}
    assert strict.members(b'{"a":"\\ud83d\\ude00"}') == {"a": "\U0001f600"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=4), inside, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_any_json_is_read_as_it_is_or_not_at_all(value: Any) -> None:
    found = strict.members(json.dumps(value).encode("utf-8", "surrogatepass"))
    assert found is None or found == value


@given(st.binary(max_size=200))
def test_any_bytes_are_an_object_or_nothing(data: bytes) -> None:
    assert strict.members(data) is None or data.lstrip().startswith(b"{")
