"""Where to look when nothing was found, or a document is missing: who searched, which years there are, whom to ask.

Field reports 16, 18 and 21: what a source loaded lately says nothing of what it has, and who misses something asks the griffie.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from connectors.language import later, say
from connectors.moments import AMSTERDAM
from connectors.platforms import PLATFORMS
from connectors.records import BodyKind, Organisation
from search import texts
from search.answers import PlatformAnswer, State
from search.held import held, state_of
from search.organisations import Bodies, successors_now
from search.own_search import own_search
from search.parameters import Asked
from search.statuses import Rows

_NAMES: Final = {platform.key: platform.name for platform in PLATFORMS}
LATE: Final = timedelta(hours=36)
"""After this without a load that went well, a source is late with a body."""
_OFFICES: Final[Mapping[BodyKind, tuple[str, str]]] = MappingProxyType(
    {
        BodyKind.GEMEENTE: (later("de griffie"), later("de stukken van de raad")),
        BodyKind.PROVINCIE: (later("de statengriffie"), later("de stukken van Provinciale Staten")),
        BodyKind.WATERSCHAP: (later("het bestuurssecretariaat"), later("de stukken van het algemeen bestuur")),
    }
)


@dataclass(frozen=True, slots=True)
class YearsView:
    """What the sources hold of one body: (source, sentence) each. ``late``: sentences on sources that loaded nothing lately."""

    body: str
    held: tuple[tuple[str, str], ...]
    late: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingView:
    """What a page says when it has no hit. ``waiting``: sources that may still find something.

    ``not_searched`` and ``ignored``: (source, why); ``elsewhere``: (source, address of its own search).
    """

    heading: str
    waiting: tuple[str, ...]
    searched: tuple[str, ...]
    not_searched: tuple[tuple[str, str], ...]
    ignored: tuple[tuple[str, str], ...]
    elsewhere: tuple[tuple[str, str], ...]
    tips: tuple[str, ...]


def years(bodies: Sequence[Organisation], rows: Rows, now: datetime) -> tuple[YearsView, ...]:
    """What each source holds of these bodies, as far as anybody tells."""
    return tuple(_years(body, rows, now) for body in bodies)


def _years(body: Organisation, rows: Rows, now: datetime) -> YearsView:
    today = now.astimezone(AMSTERDAM).date()
    found, late = [], []
    for one in held(body, rows, today):
        name, loaded = _NAMES[one.platform], _last_loaded(body, one.platform, rows)
        day = texts.day(loaded.astimezone(AMSTERDAM).date()) if loaded else ""
        lately = f" {say('Voor het laatst geladen op {day}.', day=day)}" if loaded else ""
        found.append((name, f"{one.sentence}{lately}"))
        if loaded and now - loaded > LATE and body.ended is None:
            late.append(
                say(
                    "{name} laadde stukken van {body} voor het laatst op {day}. Nieuwere kunnen ontbreken.",
                    name=name,
                    body=body.name,
                    day=day,
                )
            )
    return YearsView(body.name, tuple(found), tuple(late))


def _last_loaded(body: Organisation, platform: str, rows: Rows) -> datetime | None:
    """When a source last loaded a body without trouble, as far as its Laadstatus tells."""
    key = body.key_at(platform)
    state = state_of(rows.get(platform, ()), key, body) if key is not None else None
    return state.last_success if state else None


def offices(bodies: Iterable[Organisation], register: Bodies) -> tuple[str, ...]:
    """Whom to ask for a document that is missing. We know no addresses of offices, and say where they stand."""
    said = []
    for body in bodies:
        if body.kind not in _OFFICES:
            continue
        office, papers = _OFFICES[body.kind]
        now_there = successors_now(body, register) if body.ended else (body,)
        whose = f" {say('of')} ".join(one.name for one in now_there) or body.name
        said.append(
            say(
                "Mist u een stuk van {body}? Vraag ernaar bij {office} van {whose}: daar zijn {papers}. Wij "
                "hebben geen adres; u vindt het op de website van de organisatie zelf.",
                body=body.name,
                office=say(office),
                whose=whose,
                papers=say(papers),
            )
        )
    return tuple(said)


def nothing(answers: Iterable[PlatformAnswer], asked: Asked) -> NothingView | None:
    """What to say when no source gave a hit; None when one did, or none was asked. ``answers``: the last of each source."""
    last = tuple(answers)
    if not last or any(answer.result and answer.result.hits for answer in last):
        return None
    searched = [answer for answer in last if answer.state.has_answered]
    waiting = tuple(answer.platform.name for answer in last if not answer.state.is_final)
    failed = [answer for answer in last if answer.state.is_final and not answer.state.has_answered]
    elsewhere = ((answer.platform.name, own_search(answer.platform, asked.query.text)) for answer in last)
    return NothingView(
        heading=_heading(waiting, searched),
        waiting=waiting,
        searched=tuple(answer.platform.name for answer in searched),
        not_searched=tuple((answer.platform.name, texts.state_word(answer)) for answer in failed),
        ignored=tuple(
            (answer.platform.name, words)
            for answer in searched
            if answer.result and (words := texts.ignored(answer.result.ignored))
        ),
        elsewhere=tuple((name, address) for name, address in elsewhere if address),
        tips=tips(asked, last),
    )


def _heading(waiting: Sequence[str], searched: Sequence[PlatformAnswer]) -> str:
    if waiting:
        return say("Nog niet elke bron gaf antwoord")
    return say("Niets gevonden") if searched else say("Niet gezocht")


def tips(asked: Asked, answers: Sequence[PlatformAnswer]) -> tuple[str, ...]:
    """What may help, of what was asked alone: nobody is told to leave out what is not there."""
    query = asked.query
    found = []
    if query.text.ecli is None and len(query.text.words) > 1:
        found.append(say("Gebruik minder woorden, of een ander woord voor hetzelfde."))
    elif query.text:
        found.append(say("Controleer de spelling, of gebruik een ander woord voor hetzelfde."))
    if any(term.phrase for term in query.text.terms) and query.text.ecli is None:
        found.append(say("Laat de aanhalingstekens weg: dan hoeven de woorden niet naast elkaar te staan."))
    if query.has_period:
        found.append(say("Kies een langere periode. Sommige bronnen hebben maar een paar jaar."))
    if query.kinds:
        found.append(say("Kies alle soorten. Een bron noemt een soort soms anders."))
    if query.organisations:
        found.append(say("Laat de organisatie weg. Een stuk staat soms onder een andere naam."))
    if asked.platforms:
        found.append(say("Vraag alle bronnen."))
    if any(answer.state in {State.TOO_LATE, State.FAILED, State.REFUSED} for answer in answers):
        found.append(say("Probeer het later opnieuw: niet elke bron gaf antwoord."))
    return tuple(found)
