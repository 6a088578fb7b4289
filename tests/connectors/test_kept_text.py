"""A file is read once: what is kept of it is its text."""

from __future__ import annotations

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response

from connectors.calls import Answer, Call, CallKind
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.filetext import FileKind, file_text, kind_of
from connectors.kamer_corpus.files import pdf_of
from connectors.kept_text import MARK, FileText, kept_form, read_kept_form
from connectors.reading import slow
from connectors.records import Passage, TextForm
from tests.support.journeys import PLATFORM, Server, Shelf, ask_of
from tests.support.scripted import client_of
from tests.support.turns import InstantTurns

CALL = Call(platform=PLATFORM.key, service="api", path="/zoek", kind=CallKind.DOCUMENT)
texts = st.text(st.characters(exclude_categories=()), max_size=30)
passages = st.builds(Passage, st.integers(1, 999), texts, texts, st.sampled_from(TextForm), st.booleans())
file_texts = st.builds(
    FileText,
    st.lists(passages, max_size=4).map(tuple),
    st.integers(0, 999),
    st.none() | st.integers(0, 999),
    st.booleans(),
    st.booleans(),
)


@slow
def text_from(answer: Answer) -> FileText:
    return file_text(PLATFORM.key, answer.body)


@given(file_texts)
def test_a_text_comes_back_as_it_was_kept(text: FileText) -> None:
    kept = kept_form(text)
    assert kind_of(kept) is FileKind.READ
    assert file_text("p", kept) == text


@given(
    st.binary(max_size=60)
    | st.sampled_from([b"[]", b"[[1,2,true,false],[[1]]]", b'[[1,2,true,false],[[1,"","","?",1]]]'])
)
def test_anything_else_under_the_mark_is_no_answer(body: bytes) -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        read_kept_form("p", MARK + body)
    assert caught.value.defect is Defect.CUT_OFF


@pytest.mark.anyio
async def test_a_pdf_is_read_when_it_comes_and_not_again_when_it_is_asked_for_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shelf = Shelf()
    pdf = pdf_of([f"Bladzijde {number} van het besluit" for number in range(1, 30)])
    async with client_of({PLATFORM: Server(Response(pdf))}, turns=InstantTurns(), buffer=shelf) as client:
        first = await ask_of(client)(CALL, text_from)
        kept = shelf.there["/zoek"]
        monkeypatch.delattr(pypdf, "PdfReader")
        second = await ask_of(client)(CALL, text_from)
    assert len(first.value.passages) == 29
    assert second.value == first.value
    assert (first.buffered, second.buffered) == (False, True)
    assert kept.answer.body.startswith(MARK)
    assert len(kept.answer.body) < len(pdf)


@pytest.mark.anyio
async def test_a_file_that_cannot_be_read_is_not_kept_in_any_form() -> None:
    shelf = Shelf()
    async with client_of({PLATFORM: Server(Response(b"%PDF-1.7 stuk"))}, turns=InstantTurns(), buffer=shelf) as client:
        with pytest.raises(NotAnAnswerError):
            await ask_of(client)(CALL, text_from)
    assert shelf.kept == []
