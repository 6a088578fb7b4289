"""One document by script: gone, another than was asked, with text by page and without."""

from __future__ import annotations

from typing import Any

import pytest

from connectors.exceptions import GoneError, NotAnAnswerError
from connectors.records import NoteCode, TextState
from tests.connectors.open_archivaris.support import CONNECTOR, Script, answer, row

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("status", [404, 410])
async def test_a_document_that_is_not_there_or_was_withdrawn_is_gone(status: int) -> None:
    """Field report 19."""
    with pytest.raises(GoneError):
        await CONNECTOR.document("oa-0001", Script(answer({"error": {"code": "withdrawn"}}, status)))


async def test_another_document_than_was_asked_is_no_answer() -> None:
    with pytest.raises(NotAnAnswerError):
        await CONNECTOR.document("oa-0002", Script(answer({"item": row(1), "text": []})))


@pytest.mark.parametrize(
    ("text", "state", "notes", "numbers"),
    [
        ([], TextState.NONE, (NoteCode.WITHOUT_TEXT,), []),
        (None, TextState.NONE, (NoteCode.WITHOUT_TEXT,), []),
        (7, TextState.NONE, (NoteCode.WITHOUT_TEXT,), []),
        ([{"number": 1, "text": " "}, {"number": 2, "text": ""}], TextState.NONE, (NoteCode.NO_TEXT_LAYER,), []),
        ([{"number": 1, "text": "a"}, {"number": 3, "text": "b"}], TextState.FULL, (), [1, 3]),
        ([{"number": 2, "text": "a"}, {"number": 2, "text": "b"}, {"text": "c"}], TextState.FULL, (), [2, 3, 4]),
        (["a", "b"], TextState.FULL, (), [1, 2]),
        ("alles", TextState.FULL, (), [1]),
        ([None, 3, {"text": "c"}], TextState.FULL, (), [3]),
    ],
)
async def test_text_comes_by_page_and_where_there_is_none_that_is_said(
    text: Any, state: TextState, notes: tuple[NoteCode, ...], numbers: list[int]
) -> None:
    """Field report 24."""
    found = await CONNECTOR.document("oa-0001", Script(answer({"item": row(1), "text": text})))
    assert (found.text_state, tuple(note.code for note in found.notes)) == (state, notes)
    assert [passage.number for passage in found.passages] == numbers


async def test_a_scan_whose_original_is_gone_sends_nobody_there() -> None:
    body = {"item": row(1, originalGone=True), "text": [{"number": 1, "text": ""}]}
    found = await CONNECTOR.document("oa-0001", Script(answer(body)))
    assert [note.code for note in found.notes] == [NoteCode.WITHOUT_TEXT]


async def test_a_long_text_in_one_piece_is_cut_into_parts() -> None:
    body = {"item": row(1), "text": "\n\n".join(["Een alinea van enige lengte."] * 1000)}
    found = await CONNECTOR.document("oa-0001", Script(answer(body)))
    assert [passage.number for passage in found.passages] == [1, 2, 3, 4, 5]
    assert (found.text_state, found.passages[0].is_page) == (TextState.FULL, False)


async def test_letters_spaced_apart_are_mended_where_that_is_certain() -> None:
    """Field report 23."""
    body = {"item": row(1), "text": [{"number": 1, "text": "De T weede Kamer. V A N HET LID"}]}
    found = await CONNECTOR.document("oa-0001", Script(answer(body)))
    assert found.passages[0].text == "De Tweede Kamer. VAN HET LID"
