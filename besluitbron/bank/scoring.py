"""From what a door showed to right or lost, and where it was lost. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Final

from besluitbron.bank.questions import Door, Expected
from besluitbron.bank.seen import Seen, SeenSource, words
from connectors.language import later
from search import texts

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_VOTES: Final = re.compile(r"(\d+) voor, (\d+) tegen")
_ANSWERED: Final = frozenset({"klaar", "leeg"})


class Step(StrEnum):
    """The steps of an answer, in their order; the value is what a loss at it is called."""

    ANSWER = later("geen antwoord")
    READING = later("vraag verkeerd gelezen")
    ASKING = later("bron niet gevraagd of niet beantwoord")
    FINDING = later("niet in het antwoord")
    ORDER = later("niet bovenaan")
    WRONG = later("een verkeerd stuk in het antwoord")
    TOTAL = later("verkeerd aantal")
    VALUE = later("gevonden, maar de waarde staat er niet")
    ODD = later("in het stuk staat wat er niet hoort")
    REASON = later("de reden staat er niet")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question at a door. ``lost``: the first step that went wrong, None when all is right."""

    id: str
    door: Door
    lost: Step | None = None
    detail: str = ""


def paper_in(seen: Seen, expected: Expected) -> str | None:
    """The id of the paper in this answer that was to be found."""
    for one in seen.straight:
        if one in expected.papers:
            return one
    for hit in seen.hits(expected.sources):
        if hit.id in expected.papers or (expected.title and _holds(hit.title, expected.title)):
            return hit.id
    return seen.straight[0] if expected.title and seen.straight else None


def judge_answer(seen: Seen, expected: Expected) -> tuple[Step, str] | None:
    """What is wrong with an answer, the first step first."""
    if expected.read_as and not _holds(seen.said, expected.read_as):
        return Step.READING, expected.read_as
    paper = paper_in(seen, expected)
    if expected.wants_paper and paper is None:
        return _not_found(seen, expected)
    lacking = [key for key in expected.sources if expected.everywhere and not _has_paper(seen, expected, key)]
    if lacking:
        return Step.FINDING, f"{lacking[0]} vond het niet"
    wrong = sorted({hit.id for hit in seen.hits()} & set(expected.never))
    if wrong:
        return Step.WRONG, wrong[0]
    if expected.first and paper not in seen.straight and not {paper, *expected.papers} & set(_first_ones(seen)):
        return Step.ORDER, str(paper)
    return _counted(seen, expected) or judge_reason(seen.remarks, expected)


def _has_paper(seen: Seen, expected: Expected, source: str) -> bool:
    return paper_in(seen, replace(expected, sources=(source,))) is not None


def judge_paper(text: str, expected: Expected) -> tuple[Step, str] | None:
    """What a paper does not show of what it should."""
    missing = [value for value in expected.values if not shows(text, value)]
    if missing:
        return Step.VALUE, missing[0]
    odd = [value for value in expected.without if _holds(text, value)]
    return (Step.ODD, odd[0]) if odd else None


def judge_reason(remarks: Sequence[str], expected: Expected) -> tuple[Step, str] | None:
    """Whether one of the reasons is said: as whole sentences, in one of the remarks, not just somewhere."""
    if expected.reasons and not any(_says(remark, reason) for remark in remarks for reason in expected.reasons):
        return Step.REASON, expected.reasons[0]
    return None


def shows(text: str, value: str) -> bool:
    """Whether a text shows a value: a day in figures or in words, and both counts of a vote in the form of any door."""
    if counts := _VOTES.fullmatch(value):
        return _counts(text, counts[1], "voor") and _counts(text, counts[2], "tegen")
    if _DAY.fullmatch(value):
        day = date.fromisoformat(value)
        return any(_holds(text, spelling) for spelling in (value, texts.day(day), f"{day:%d-%m-%Y}"))
    return _holds(text, value)


def _counts(text: str, number: str, side: str) -> bool:
    """Whether a text says how many were for or against: "12 voor", "voor 12", or as data."""
    return re.search(rf'\b{number} (?:stemmen )?{side}\b|\b{side}"?:? {number}\b', text, re.IGNORECASE) is not None


def _not_found(seen: Seen, expected: Expected) -> tuple[Step, str]:
    silent = [key for key in expected.sources if not _has_answered(seen.sources.get(key))]
    if silent and not seen.straight:
        found = seen.sources.get(silent[0])
        return Step.ASKING, f"{silent[0]}: {found.state if found else 'niet genoemd'}"
    empty = [key for key in expected.sources if (one := seen.sources.get(key)) and not one.hits]
    return Step.FINDING, f"{empty[0]} vond niets" if empty else "andere stukken"


def _has_answered(source: SeenSource | None) -> bool:
    return source is not None and source.state in _ANSWERED


def _first_ones(seen: Seen) -> Sequence[str]:
    return [source.hits[0].id for source in seen.sources.values() if source.hits]


def _counted(seen: Seen, expected: Expected) -> tuple[Step, str] | None:
    for key, state in expected.states.items():
        found = seen.sources.get(key)
        if found is None or found.state != state:
            return Step.ASKING, f"{key}: {found.state if found else 'niet genoemd'}, niet {state}"
    for key, number in expected.totals.items():
        found = seen.sources.get(key)
        total = None if found is None else found.total if found.total is not None else len(found.hits)
        if total != number:
            return Step.TOTAL, f"{key}: {total}, niet {number}"
    return None


def _says(remark: str, sentence: str) -> bool:
    """Whether a remark has a sentence whole: from where one begins to where one ends."""
    return re.search(rf"(?:^|[.?!:] ){re.escape(_folded(sentence))}(?:$| )", _folded(remark)) is not None


def _holds(text: str, piece: str) -> bool:
    return _folded(piece) in _folded(text)


def _folded(text: str) -> str:
    return words(text.replace("\u00a0", " ").replace("\u00ad", "")).casefold()
