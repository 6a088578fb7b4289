"""Which body meets when, and about what: meetings over 2012 to 2026, and each subject about as often as any other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random

from connectors.council_papers.bodies import BODIES, BODY_BY_KEY, Body, BodyType
from connectors.council_papers.topics import Topic, topics
from connectors.moments import AMSTERDAM

FIRST_YEAR, LAST_YEAR = 2012, 2026
_OFTEN = frozenset({"ede", "utrecht", "amsterdam", "rotterdam", "groningen", "soest", "ermelo", "zeewolde"})
_MONTHS = (1, 2, 3, 4, 5, 6, 9, 10, 11)
_TIMES = (time(19, 0), time(19, 30), time(20, 0))
_SUBJECTS_A_MEETING = 2
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Planned:
    """One meeting to be made: the moments with the offset of Amsterdam, the subjects, and a name where it is not the usual."""

    body: Body
    start: datetime
    end: datetime
    topics: tuple[Topic, ...]
    name: str


_NAMES = {
    BodyType.GEMEENTE: ("Gemeenteraad", "Raadsvergadering"),
    BodyType.PROVINCIE: ("Provinciale Staten", "Statenvergadering"),
    BodyType.WATERSCHAP: ("Algemeen bestuur", "Vergadering algemeen bestuur"),
}

_FIXED: tuple[tuple[str, datetime, str, tuple[str, ...]], ...] = (
    # The nights in which the clock changes, and a meeting that went on after midnight (field report 10).
    ("alkmaar", datetime(2025, 10, 25, 19, 30, tzinfo=AMSTERDAM), "Gemeenteraad", ()),
    ("alkmaar", datetime(2025, 10, 26, 2, 30, fold=1, tzinfo=AMSTERDAM), "Open raadsnacht", ()),
    ("alkmaar", datetime(2026, 3, 28, 19, 30, tzinfo=AMSTERDAM), "Gemeenteraad", ()),
    ("alkmaar", datetime(2026, 3, 29, 19, 30, tzinfo=AMSTERDAM), "Gemeenteraad", ()),
    (
        "rotterdam",
        datetime(2024, 11, 8, 0, 30, tzinfo=AMSTERDAM),
        "Voortzetting begrotingsraad",
        ("begroting", "klimaatbeleid"),
    ),
    # A body without a name for its meeting (platform page, section 6), and one that left the import list (field report 20).
    ("schagen", datetime(2026, 8, 19, 19, 30, tzinfo=AMSTERDAM), "", ()),
    ("dongen", datetime(2026, 4, 23, 19, 30, tzinfo=AMSTERDAM), "Gemeenteraad", ()),
    # What is asked most: a warm house and a parking place in Ede, the budget of Soest (field report 1).
    ("ede", datetime(2024, 2, 15, 19, 30, tzinfo=AMSTERDAM), "Gemeenteraad", ("warmtenet", "parkeren")),
    ("soest", datetime(2024, 11, 7, 19, 30, tzinfo=AMSTERDAM), "Raadsvergadering", ("begroting", "belastingen")),
    ("groningen", datetime(2023, 6, 28, 20, 0, tzinfo=AMSTERDAM), "Gemeenteraad", ("warmtenet", "klimaatadaptatie")),
)
# Subjects that are asked more often than others come back more often.
_POPULAR = frozenset(
    {
        "warmtenet",
        "parkeren",
        "vergunningen",
        "energietransitie",
        "klimaatadaptatie",
        "klimaatbeleid",
        "isolatiesubsidie",
        "subsidiebeleid",
    }
)
_TWICE_AS_OFTEN = 2


def plan(dice: Random) -> tuple[Planned, ...]:
    """All meetings, in the order of time."""
    moments = [(BODY_BY_KEY[key], start, name, keys) for key, start, name, keys in _FIXED]
    fixed_bodies = {key for key, _, _, _ in _FIXED}
    regular = (body for body in BODIES if body.key in _OFTEN or body.key not in fixed_bodies)
    for place, body in enumerate(regular):
        rounds = range(_ROUNDS if body.key in _OFTEN else 1)
        moments += [(body, _evening(dice, body, place * 4 + n * 5), dice.choice(_NAMES[body.type]), ()) for n in rounds]
    moments.sort(key=lambda row: (row[1].timestamp(), row[0].key))
    used: Counter[str] = Counter()
    return tuple(
        Planned(
            body=body,
            start=start,
            end=start + timedelta(minutes=dice.randrange(120, 225, 5)),
            topics=_chosen(keys, used) or _subjects(dice, used, body, start),
            name=name,
        )
        for body, start, name, keys in moments
    )


def _chosen(keys: tuple[str, ...], used: Counter[str]) -> tuple[Topic, ...]:
    """The subjects of a meeting whose subjects are fixed."""
    used.update(keys)
    return tuple(topic for key in keys for topic in topics() if topic.key == key)


def _evening(dice: Random, body: Body, turn: int) -> datetime:
    """An evening in the years in which the body existed."""
    first = max(FIRST_YEAR, body.began.year if body.began else FIRST_YEAR)
    last = min(LAST_YEAR, body.ended.year - 1 if body.ended else LAST_YEAR)
    year = first + turn % (last - first + 1)
    day = date(year, dice.choice(_MONTHS), dice.randrange(1, 26))
    while day.weekday() not in (1, 2, 3):
        day += timedelta(days=1)
    return datetime.combine(day, dice.choice(_TIMES), AMSTERDAM)


def _subjects(dice: Random, used: Counter[str], body: Body, start: datetime) -> tuple[Topic, ...]:
    """The subjects that fit the body and the year, least used first."""
    fitting = [topic for topic in topics() if body.type in topic.kinds and topic.since <= start.year]
    dice.shuffle(fitting)
    fitting.sort(key=lambda topic: used[topic.key] // (_TWICE_AS_OFTEN if topic.key in _POPULAR else 1))
    chosen = tuple(fitting[:_SUBJECTS_A_MEETING])
    used.update(topic.key for topic in chosen)
    return chosen
