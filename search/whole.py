"""What is said over all sources, the same on an answer page and in what comes after it, and how the one tells the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from urllib.parse import urlencode

from connectors.exceptions import ClosedError
from connectors.language import here
from connectors.platforms import Platform
from search.answers import PlatformAnswer, State
from search.federation import Federation
from search.missing import NothingView, nothing
from search.parameters import Asked
from search.summary import page_title, summary

WAITS: Final = "wacht"
"""The sources of which the page may still get an answer."""
BESIDE: Final = "bij"
"""The sources that have answered, or have no answer to this question: asking them again costs no call."""
_CLOSED: Final = "dicht"
WITHOUT: Final[Mapping[str, State]] = MappingProxyType(
    {State.FAILED.value: State.FAILED, State.REFUSED.value: State.REFUSED, _CLOSED: State.FAILED}
)
"""The sources that gave no answer, by why. They are not asked again only to say so once more."""
BESIDE_QUESTION: Final = frozenset({WAITS, BESIDE, *WITHOUT})
"""What stands in the address of a page's script beside the question."""


@dataclass(frozen=True, slots=True)
class Whole:
    """The sentence over all sources, the title (empty: leave it), and what to say where there is no result."""

    summary: str
    title: str
    nothing: NothingView | None


def whole(answers: Iterable[PlatformAnswer], asked: Asked, federation: Federation, copies: int) -> Whole:
    """What is known now. ``answers``: the last of each source; ``copies``: how many results count twice."""
    last = tuple(answers)
    typed = asked.as_typed.question.typed
    return Whole(summary(last, copies), page_title(last, typed), nothing(last, asked, federation))


def later_address(typed: Asked, answers: Iterable[PlatformAnswer]) -> str:
    """Where a script hears what comes later, with how each source stands on the page; empty when all are done.

    ``typed``: the question as it stands in the address of the page, to be read once more in the same way.
    """
    pairs = [(_standing(answer), answer.platform.key) for answer in answers]
    if not any(standing == WAITS for standing, _ in pairs):
        return ""
    return here(f"/zoeken/stroom?{typed.address()}&{urlencode(pairs)}")


def without_answer(given: Mapping[str, Sequence[str]], platforms: Mapping[str, Platform]) -> Iterator[PlatformAnswer]:
    """The sources that gave no answer, as the address of the page's script tells. Keys that are unknown are left out."""
    for why, state in WITHOUT.items():
        for key in given.get(why, ()):
            if key in platforms:
                failure = ClosedError(key, retry_after=0.0) if why == _CLOSED else None
                yield PlatformAnswer(platform=platforms[key], state=state, failure=failure)


def _standing(answer: PlatformAnswer) -> str:
    if answer.state.may_come:
        return WAITS
    if answer.state in {State.FAILED, State.REFUSED}:
        return _CLOSED if isinstance(answer.failure, ClosedError) else answer.state.value
    return BESIDE
