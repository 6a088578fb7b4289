"""Where to look when nothing was found, or a document is missing: who searched, which years there are, whom to ask.

Field reports 16, 18 and 21: what a source loaded lately says nothing of what it has, and who misses something asks the griffie.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final
from urllib.parse import urlencode

from connectors.language import later, say
from connectors.load_status import LoadState
from connectors.moments import AMSTERDAM
from connectors.platforms import PLATFORMS
from connectors.records import BodyKind, Filter, Organisation, Sort
from search import texts
from search.answers import PlatformAnswer, State
from search.choices import zoeken
from search.federation import Federation
from search.fewer import fewer, is_all_nothing
from search.held import held, state_of
from search.kept import Looked
from search.organisations import Bodies, successors_now
from search.own_search import own_search
from search.parameters import Asked
from search.silence import has_no_new_paper
from search.statuses import Rows
from search.votes_stand import of_motions

_NAMES: Final = {platform.key: platform.name for platform in PLATFORMS}
BODIES_SHOWN: Final = 3
"""Of so many bodies an answer says which years there are and whom to ask."""
LATE: Final = timedelta(hours=36)
"""After this without a load that went well, a source is late with a body."""
_ON_A_PAGE: Final = 25
"""No source gives more on a page, so that there is a page for so many: the last, or one just before it."""
_OFFICES: Final[Mapping[BodyKind, tuple[str, str]]] = MappingProxyType(
    {
        BodyKind.GEMEENTE: (later("de griffie"), later("de stukken van de raad")),
        BodyKind.PROVINCIE: (later("de statengriffie"), later("de stukken van Provinciale Staten")),
        BodyKind.WATERSCHAP: (later("het bestuurssecretariaat"), later("de stukken van het algemeen bestuur")),
    }
)


@dataclass(frozen=True, slots=True)
class YearsView:
    """What the sources hold of one body: (source, sentence, address of its oldest papers there) each.

    The address is empty where the first year is known, or the source cannot put papers in order. ``late``: sentences on sources
    that loaded nothing lately.
    """

    body: str
    held: tuple[tuple[str, str, str], ...]
    late: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingView:
    """What a page says when it has no hit. ``waiting``: sources that may still find something.

    ``not_searched`` and ``ignored``: (source, why); ``elsewhere``: (source, address of its own search),
    and ``by_hand``: (source, its front page) where no address takes the words along; ``fewer``: (words, address) of the
    question without one of its words, where every source answered. ``earlier``: pages that there are, as (words, address),
    where this one lies behind the last.
    """

    heading: str
    waiting: tuple[str, ...]
    searched: tuple[str, ...]
    not_searched: tuple[tuple[str, str], ...]
    ignored: tuple[tuple[str, str], ...]
    elsewhere: tuple[tuple[str, str], ...]
    by_hand: tuple[tuple[str, str], ...]
    fewer: tuple[tuple[str, str], ...]
    tips: tuple[str, ...]
    earlier: tuple[tuple[str, str], ...] = ()


def years(
    bodies: Sequence[Organisation], rows: Rows, now: datetime, looked: Looked, federation: Federation
) -> tuple[YearsView, ...]:
    """What each source holds of these bodies, as far as anybody tells, and where to look when nobody does."""
    return tuple(_years(body, rows, now, looked, federation) for body in bodies)


def _oldest(body: Organisation, platform: str, federation: Federation) -> str:
    """The address of a body's oldest papers at a source; empty when it cannot put them in order."""
    connector = federation.connector(platform)
    if connector is None or not connector.capabilities.puts_in_order(Filter.ORGANISATION):
        return ""
    return zoeken(urlencode({"organisatie": body.id, "platform": platform, "sorteer": Sort.OLDEST.value}))


def _years(body: Organisation, rows: Rows, now: datetime, looked: Looked, federation: Federation) -> YearsView:
    today = now.astimezone(AMSTERDAM).date()
    found, late = [], []
    for one in held(body, rows, today, looked):
        name, state = _NAMES[one.platform], _state(body, one.platform, rows)
        loaded = state.last_success if state else None
        day = texts.day(loaded.astimezone(AMSTERDAM).date()) if loaded else ""
        lately = f" {say('Voor het laatst geladen op {day}.', day=day)}" if loaded else ""
        oldest = "" if one.first else _oldest(body, one.platform, federation)
        found.append((name, f"{one.sentence}{lately}", oldest))
        if body.ended is None and state and (said := _late(body, name, state, rows.get(one.platform, ()), now)):
            late.append(said)
    return YearsView(body.name, tuple(found), tuple(late))


def _late(body: Organisation, source: str, state: LoadState, others: Sequence[LoadState], now: datetime) -> str:
    """That a source loaded nothing of a body lately, or has no new paper where it does not say when it loaded; else empty."""
    if state.last_success and now - state.last_success > LATE:
        words, moment = (
            later("{name} laadde stukken van {body} voor het laatst op {day}. Nieuwere kunnen ontbreken."),
            state.last_success,
        )
    elif state.last_content and has_no_new_paper(state, others, now):
        words, moment = (
            later("Het nieuwste stuk dat {name} van {body} heeft, is van {day}. Nieuwere kunnen ontbreken."),
            state.last_content,
        )
    else:
        return ""
    return say(words, name=source, body=body.name, day=texts.day(moment.astimezone(AMSTERDAM).date()))


def _state(body: Organisation, platform: str, rows: Rows) -> LoadState | None:
    """What a source's Laadstatus tells of a body."""
    key = body.key_at(platform)
    return state_of(rows.get(platform, ()), key, body) if key is not None else None


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


def nothing(
    answers: Iterable[PlatformAnswer], asked: Asked, federation: Federation | None = None
) -> NothingView | None:
    """What to say when no source gave a hit with all words; None when one did, or none was asked.

    ``answers``: the last of each source; ``federation``: by which shorter questions are read, None to offer none.
    """
    last = tuple(answers)
    if not last or any(answer.fitting for answer in last):
        return None
    if beyond := _beyond(last, asked.as_typed):
        return beyond
    searched = [answer for answer in last if answer.state.has_answered]
    waiting = tuple(answer.platform.name for answer in last if not answer.state.is_final)
    failed = [answer for answer in last if answer.state.is_final and not answer.state.has_answered]
    elsewhere = [(answer.platform, own_search(answer.platform, asked.query.text)) for answer in last]
    return NothingView(
        heading=_heading(waiting, searched, failed),
        waiting=waiting,
        searched=tuple(answer.platform.name for answer in searched),
        not_searched=tuple((answer.platform.name, texts.state_word(answer)) for answer in failed),
        ignored=tuple(
            (answer.platform.name, words)
            for answer in searched
            if answer.result and (words := texts.ignored(answer.result.ignored))
        ),
        elsewhere=tuple((one.name, address) for one, address in elsewhere if address),
        by_hand=tuple((one.name, one.home) for one, address in elsewhere if asked.query.text and not address),
        fewer=fewer(asked, federation) if federation and is_all_nothing(last) else (),
        tips=tips(asked, last),
    )


def _beyond(answers: Sequence[PlatformAnswer], asked: Asked) -> NothingView | None:
    """That there is no such page, where the sources have results on earlier ones and none waits; else None."""
    most = max((answer.total.value or 0 for answer in answers if answer.state.has_answered), default=0)
    if asked.query.page == 1 or not most or any(not answer.state.is_final for answer in answers):
        return None
    last = min(-(-most // _ON_A_PAGE), asked.query.page - 1)
    pages = [(say("Naar pagina {number}", number=last), zoeken(asked.address(pagina=last)))] if last > 1 else []
    first = (say("Naar de eerste pagina"), zoeken(asked.address(pagina=None)))
    return NothingView(
        heading=say("Pagina {number} is er niet", number=asked.query.page),
        waiting=(),
        searched=(),
        not_searched=(),
        ignored=(),
        elsewhere=(),
        by_hand=(),
        fewer=(),
        tips=(),
        earlier=(*pages, first),
    )


def _heading(waiting: Sequence[str], searched: Sequence[PlatformAnswer], failed: Sequence[PlatformAnswer]) -> str:
    """A source that gave no answer may have something: then nothing was found where was searched, and no more."""
    if waiting:
        return say("Nog niet elke bron gaf antwoord")
    if searched and any(answer.state is not State.NOT_SUPPORTED for answer in failed):
        return say("Niets gevonden bij de bronnen die antwoord gaven")
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
    if of_motions(asked):
        found.append(say("Kies de soort motie. Hoe er is gestemd, staat bij de motie zelf."))
    if query.kinds:
        found.append(say("Kies alle soorten. Een bron noemt een soort soms anders."))
    if query.organisations:
        found.append(say("Laat de organisatie weg. Een stuk staat soms onder een andere naam."))
    if asked.platforms:
        found.append(say("Vraag alle bronnen."))
    if any(answer.state in {State.TOO_LATE, State.FAILED, State.REFUSED} for answer in answers):
        found.append(say("Probeer het later opnieuw: niet elke bron gaf antwoord."))
    return tuple(found)
