"""How up to date the platform is: ``/lastupdates`` (section 3), and the newest papers of its feed.

Up to date says nothing about complete (field report 16): it is when the platform last ran, not what it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from connectors.bodies import json_object, require_success, xml_root
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.kamer_words import line
from connectors.load_status import LoadState, LoadStatus
from connectors.opentk.answers import KEY
from connectors.opentk.ids import canonical
from connectors.opentk.values import number

LAST_UPDATES: Final = "/lastupdates"
STATUS: Final = "/status"
FEED: Final = "/index.xml"
_YEARS: Final = range(1990, 2200)
_PARTS: Final = (
    ("tkconv", "Verwerken van stukken van de Tweede Kamer"),
    ("tkgetxml", "Ophalen bij de Tweede Kamer"),
)


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One paper in the feed. ``at`` is None where its moment cannot be read."""

    upstream_id: str
    title: str
    at: datetime | None


def load_status(answer: Answer) -> LoadStatus:
    """When each half of the loop last ran. Raises ``NotAnAnswerError`` when it names neither."""
    require_success(KEY, answer)
    body = json_object(KEY, answer)
    states = tuple(state for key, label in _PARTS if (state := _state(key, label, body.get(key))))
    if not states:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "tkconv")
    return LoadStatus(
        generated_at=answer.fetched_at,
        organisations=tuple(state for state in states if state.key == _PARTS[0][0]),
        suppliers=tuple(state for state in states if state.key != _PARTS[0][0]),
    )


def is_up(answer: Answer) -> bool:
    """Whether ``/status`` says that all is well."""
    require_success(KEY, answer)
    return number(json_object(KEY, answer).get("ok")) == 1


def feed_items(answer: Answer) -> tuple[FeedItem, ...]:
    """The papers of a feed, of the last days or of one search. One that leads to nothing here is left out."""
    require_success(KEY, answer)
    root = xml_root(KEY, answer.body)
    if root.tag != "rss":
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "rss")
    found = []
    for item in root.iter("item"):
        upstream_id = canonical(line(item.findtext("link")))
        if upstream_id:
            found.append(FeedItem(upstream_id, line(item.findtext("title")), _moment(item.findtext("pubDate"))))
    return tuple(found)


def _state(key: str, label: str, value: object) -> LoadState | None:
    if not isinstance(value, dict):
        return None
    at, age = number(value.get("absolute")), number(value.get("relative"))
    if at is None:
        return None
    try:
        moment = datetime.fromtimestamp(at, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    if moment.year not in _YEARS:
        return None
    return LoadState(key, label, f"{age} seconden geleden" if age is not None else "bijgewerkt", last_success=moment)


def _moment(text: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(text or "")
    except (ValueError, IndexError, OverflowError):
        return None
