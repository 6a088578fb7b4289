"""Which years a platform holds of a body, as far as anybody tells: never a guess (field report 18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from connectors.language import later, say
from connectors.load_status import LoadState
from connectors.moments import AMSTERDAM
from connectors.platforms import PLATFORMS
from connectors.records import Organisation
from search.kept import NOT_LOOKED, Looked
from search.lives import first_papers

NOT_KNOWN = later("Welke jaren deze bron van deze organisatie heeft, is niet bekend.")
NOT_LOOKED_UP = later("Welke jaren deze bron van deze organisatie heeft, is nog niet nagegaan.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What one platform holds of one body. ``first`` and ``last``: the days of its first and newest papers, None unknown.

    ``documents`` counts what it holds; ``state`` is the platform's own word in its Laadstatus, empty without one, and
    ``loaded`` the day on which it last loaded this body without trouble. ``looked_up``: whether somebody ever asked it
    for its years.
    """

    platform: str
    first: date | None = None
    last: date | None = None
    documents: int | None = None
    state: str = ""
    loaded: date | None = None
    looked_up: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the first or the last year is known."""
        return self.first is not None or self.last is not None

    @property
    def sentence(self) -> str:
        """The years in Dutch, and what of them is not known."""
        if self.first and self.last:
            return say("Deze bron heeft stukken van {years}.", years=_years(self.first.year, self.last.year))
        if self.first:
            return say("Deze bron heeft stukken vanaf {year}. Tot wanneer is niet bekend.", year=self.first.year)
        if self.last and self.looked_up:
            return say(
                "Het nieuwste stuk is van {year}. Vanaf welk jaar deze bron stukken heeft, is niet bekend.",
                year=self.last.year,
            )
        if self.last:
            return say(
                "Het nieuwste stuk is van {year}. Vanaf welk jaar deze bron stukken heeft, is nog niet nagegaan.",
                year=self.last.year,
            )
        return say(NOT_KNOWN if self.looked_up else NOT_LOOKED_UP)


def held(
    body: Organisation, statuses: Mapping[str, Sequence[LoadState]], today: date, looked: Looked = NOT_LOOKED
) -> tuple[Held, ...]:
    """What each platform that knows the body holds of it, in the order of the platforms.

    ``statuses`` has the rows of the Laadstatus of each platform that has one, ``looked`` what was looked up at any door.
    Newest papers are often of meetings to come: no later day than ``today`` counts as held.
    """
    found = []
    for platform in (one.key for one in PLATFORMS):
        key = body.key_at(platform)
        if key is None:
            continue
        state = state_of(statuses.get(platform, ()), key, body)
        years = looked.get((platform, body.id))
        lasts = (
            state.last_content.astimezone(AMSTERDAM).date() if state and state.last_content else None,
            years.last if years else None,
        )
        last = max(filter(None, lasts), default=None)
        found.append(
            Held(
                platform=platform,
                first=first_day(platform, body.id, looked),
                last=min(last, today) if last else None,
                documents=state.documents if state else None,
                state=state.state if state else "",
                loaded=state.last_success.astimezone(AMSTERDAM).date() if state and state.last_success else None,
                looked_up=years is not None,
            )
        )
    return tuple(found)


def first_day(platform: str, body: str, looked: Looked) -> date | None:
    """The day of the first paper that a platform has of a body: the earliest of what our list says and what was looked up."""
    years = looked.get((platform, body))
    days = (first_papers().get((platform, body)), years.first if years else None)
    return min(filter(None, days), default=None)


def state_of(rows: Sequence[LoadState], key: str, body: Organisation) -> LoadState | None:
    """The row of a body: by the platform's key for it, else by its whole name where the platform gives no keys but names."""
    by_key = next((row for row in rows if row.key == key), None)
    return by_key or next((row for row in rows if row.label == body.name), None)


def _years(first: int, last: int) -> str:
    return str(first) if first == last else say("{first} tot en met {last}", first=first, last=last)
