"""What was said in a meeting: the transcripts of its recordings as passages (platform page, sections 3.2 and 6).

Most are made by speech recognition and say so; one that was corrected does not. A passage begins at each chapter, and where one
grows long. Of one meeting the first 1,000,000 characters are kept: thirty times what the platform calls usual.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from connectors.json_values import count, objects
from connectors.plaintext import line
from connectors.records import Passage

MOST_CHARACTERS: Final = 1_000_000
_PART_SIZE: Final = 8_000
_ABOVE: Final = " › "  # noqa: RUF001 - the sign between the steps of a path, as in the headings of an agenda
_CUT: Final = "De rest van de ondertiteling is weggelaten, omdat zij te lang is."


def transcript_passages(recordings: list[dict[str, Any]], first_number: int) -> tuple[tuple[Passage, ...], bool]:
    """The passages, numbered from ``first_number`` on, and whether they are all there is."""
    made: list[Passage] = []
    room = MOST_CHARACTERS
    for heading, text in (part for recording in recordings for part in _parts(recording)):
        if len(text) > room:
            made.append(Passage(first_number + len(made), _CUT, heading))
            return tuple(made), False
        room -= len(text)
        made.append(Passage(first_number + len(made), text, heading))
    return tuple(made), True


def _parts(recording: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The heading and the text of each part: one line a segment, with the time at which it begins."""
    name = _name(recording)
    chapters = sorted(
        (at, title)
        for row in objects(recording.get("chapters"))
        if (at := _seconds(row.get("start_seconds"))) is not None and (title := line(row.get("title")))
    )
    heading, lines, size = name, list[str](), 0
    for row in objects(recording.get("segments")):
        text, at = line(row.get("text")), _seconds(row.get("start_seconds"))
        if not text:
            continue
        entered = False
        while chapters and at is not None and chapters[0][0] <= at:
            next_heading, entered = f"{name}{_ABOVE}{chapters.pop(0)[1]}", True
        if entered or size > _PART_SIZE:
            if lines:
                yield heading, "\n".join(lines)
            heading, lines, size = next_heading if entered else heading, [], 0
        lines.append(f"[{_clock(at)}] {text}" if at is not None else text)
        size += len(text)
    if lines:
        yield heading, "\n".join(lines)


def _name(recording: dict[str, Any]) -> str:
    name = f"Opname: {line(recording.get('name'))}" if line(recording.get("name")) else "Opname"
    return f"{name} (automatische ondertiteling)" if recording.get("transcript_kind") == "asr" else name


def _seconds(value: object) -> int | None:
    """A place in a recording in whole seconds, or None when ``value`` is none."""
    return count(value // 1) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _clock(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
