"""What was said in a meeting, from the recordings that an answer holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.openbesluitvorming.documents import document
from connectors.openbesluitvorming.transcripts import MOST_CHARACTERS, transcript_passages
from connectors.records import Document, Note, NoteCode, Passage, TextState
from tests.connectors.openbesluitvorming.support import LIVE, answer, sample


def recording(*segments: Any, **fields: Any) -> dict[str, Any]:
    return {"name": "Raad 22 januari", "transcript_kind": "asr", "segments": list(segments)} | fields


def segment(start: Any, text: Any) -> dict[str, Any]:
    return {"start_seconds": start, "end_seconds": start, "text": text}


def meeting(*recordings: Any, agenda: Any = ()) -> Document:
    whole = sample("entity_meeting") | {"recordings": list(recordings), "agenda": list(agenda)}
    return document(answer(whole), whole["entityId"], LIVE)


def test_a_transcript_is_lines_with_the_time_at_which_they_begin_and_says_what_made_it() -> None:
    found, whole = transcript_passages([recording(segment(0, " goedenavond\n"), segment(3725.9, "ik open"))], 4)

    assert whole
    assert found == (
        Passage(
            4,
            "[0:00:00] goedenavond\n[1:02:05] ik open",
            "Opname: Raad 22 januari (automatische ondertiteling)",
        ),
    )


@pytest.mark.parametrize(
    ("fields", "heading"),
    [
        ({"transcript_kind": "corrected"}, "Opname: Raad 22 januari"),
        ({"transcript_kind": None}, "Opname: Raad 22 januari"),
        ({"name": None}, "Opname (automatische ondertiteling)"),
    ],
)
def test_only_what_a_machine_heard_is_called_automatic(fields: dict[str, Any], heading: str) -> None:
    found, _ = transcript_passages([recording(segment(0, "tekst"), **fields)], 1)

    assert found[0].heading == heading


def test_a_passage_begins_at_each_chapter_in_the_order_of_time() -> None:
    chapters = [
        {"start_seconds": 100, "title": "2. Warmtenet"},
        {"start_seconds": 14, "title": "1. Opening"},
        {"start_seconds": 15, "title": "Korte stilte"},
        {"start_seconds": "x", "title": "Kapot"},
    ]
    segments = (segment(0, "stemmen"), segment(14, "welkom"), segment(90, "stil"), segment(100, "dan nu"))
    found, _ = transcript_passages([recording(*segments, chapters=chapters)], 1)

    name = "Opname: Raad 22 januari (automatische ondertiteling)"
    assert [(part.heading, part.text) for part in found] == [
        (name, "[0:00:00] stemmen"),
        (f"{name} › 1. Opening", "[0:00:14] welkom"),
        (f"{name} › Korte stilte", "[0:01:30] stil"),
        (f"{name} › 2. Warmtenet", "[0:01:40] dan nu"),
    ]


def test_a_long_transcript_is_in_parts_and_no_word_of_it_is_lost() -> None:
    segments = [segment(number, f"woord{number} " * 20) for number in range(300)]
    found, whole = transcript_passages([recording(*segments)], 1)

    assert whole
    assert [part.number for part in found] == list(range(1, len(found) + 1))
    assert max(len(part.text) for part in found) < 12_000
    assert sum(part.text.count("woord") for part in found) == 6_000


def test_a_transcript_without_end_is_cut_and_the_document_says_that_it_is_not_whole() -> None:
    found = meeting(recording(*(segment(number, "woord " * 1_000) for number in range(400))))

    assert sum(len(part.text) for part in found.passages) <= MOST_CHARACTERS + 100
    assert found.passages[-1].text == "De rest van de ondertiteling is weggelaten, omdat zij te lang is."
    assert found.text_state is TextState.PARTIAL


def test_what_was_said_comes_after_the_agenda() -> None:
    found = meeting(recording(segment(5, "welkom")), agenda=[{"number": "1.", "title": "Opening"}])

    assert [(part.number, part.heading) for part in found.passages] == [
        (1, "1. Opening"),
        (2, "Opname: Raad 22 januari (automatische ondertiteling)"),
    ]
    assert found.text_state is TextState.FULL


def test_a_recording_without_a_transcript_is_no_text() -> None:
    found = meeting(recording(), recording(segments=None), "kapot", recording(segment(0, " "), "x", segment(0, None)))

    assert (found.passages, found.text_state) == ((), TextState.NONE)
    assert found.notes == (Note(NoteCode.WITHOUT_TEXT),)


def test_a_segment_without_a_time_keeps_its_words() -> None:
    found, _ = transcript_passages(
        [recording(segment("x", "wel gezegd"), segment(-1, "eerder"), segment(None, "ook"))], 1
    )

    assert found[0].text == "wel gezegd\neerder\nook"


@given(st.lists(st.tuples(st.floats() | st.integers() | st.booleans() | st.none(), st.text())))
def test_no_time_and_no_text_makes_it_fail(rows: list[tuple[Any, str]]) -> None:
    chapters = [{"start_seconds": start, "title": text} for start, text in rows]
    found, _ = transcript_passages([recording(*(segment(*row) for row in rows), chapters=chapters)], 1)

    assert all(part.text for part in found)
