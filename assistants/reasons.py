"""Why an answer is empty or thin: what sources hold, what they could not do, what failed, and what else may be asked.

Nothing is asked of a platform for it: what is kept here, and what the answers themselves say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from assistants.tool import Visit
from assistants.years import looked_up
from connectors.exceptions import NotSupportedError
from connectors.load_status import LoadState
from connectors.moments import AMSTERDAM, now
from connectors.records import (
    Certainty,
    Organisation,
    Query,
)
from search import texts
from search.answers import PlatformAnswer, State
from search.held import Held, held
from search.kept import KeptUnreadableError, Looked
from search.lives import first_papers
from search.load_words import in_dutch
from search.missing import offices
from search.organisations import Bodies, successors_now, with_predecessors
from search.parameters import Asked
from search.votes_stand import AT_MOTIONS, of_motions

_THIN: Final = 3
_MOST_BODIES: Final = 5
_NOTHING: Final = "Geen van de gevraagde bronnen heeft stukken die hierbij passen."


async def reasons(asked: Asked, answers: Sequence[PlatformAnswer], visit: Visit) -> list[str]:
    """The reasons: none for an answer that is rich enough, never none for one that is empty.

    What happened to a body, and where votes stand, is said with every answer.
    """
    query, register = asked.query, visit.federation.register
    found = [*_fates(query.organisations, register), *_votes(asked)]
    count = sum(answer.fitting for answer in answers)
    empty = [answer for answer in answers if answer.state is not State.READY]
    if count > _THIN and not (empty and query.organisations):
        return found
    found += _out_of_reach(answers)
    found += _not_answered(answers)
    found += _uncertain(answers)
    if query.organisations or (query.has_period and not count):
        found += await _holdings(query, answers, visit)
    if not count:
        found += _own_words(answers)
    if count <= _THIN:
        found += _wider(query, answers)
    if empty:
        found += offices(query.organisations[:_MOST_BODIES], register)
    return list(dict.fromkeys(found)) or ([] if count else [_NOTHING])


def _fates(bodies: Iterable[Organisation], register: Bodies) -> Iterator[str]:
    """That a body is no more and what it went to, or what went into it: their papers stand under their own names."""
    today = now().astimezone(AMSTERDAM).date()
    for body in bodies:
        if body.ended and body.ended <= today:
            found = successors_now(body, register)
            heirs, is_one = _named(found), len(found) == 1
            more = "die is ook gevraagd" if is_one else "vraag die ook voor nieuwere stukken"
            said = f" Opgegaan in {heirs}: {more}." if heirs else ""
            yield f"{body.name} bestaat niet meer sinds {texts.day(body.ended)}.{said}"
        before = [one for one in with_predecessors((body,), register) if one.id != body.id]
        if before:
            yield f"In {body.name} gingen op: {_named(before)}. Die zijn ook gevraagd."


def _votes(asked: Asked) -> Iterator[str]:
    """That votes stand at the motions, which are another kind."""
    if of_motions(asked):
        yield f'{AT_MOTIONS} Vraag hetzelfde met `soorten` = ["motie"] en `lees` het stuk.'


def _named(bodies: Iterable[Organisation]) -> str:
    return ", ".join(f"{body.name} (`{body.id}`)" for body in bodies)


def _out_of_reach(answers: Iterable[PlatformAnswer]) -> Iterator[str]:
    for answer in answers:
        if answer.state is State.NOT_SUPPORTED and isinstance(answer.failure, NotSupportedError):
            yield f"Buiten bereik: {texts.not_supported(answer.platform.name, answer.failure)}"


def _not_answered(answers: Iterable[PlatformAnswer]) -> Iterator[str]:
    """That nothing can be concluded from the silence of a source."""
    for answer in answers:
        if answer.state in {State.FAILED, State.REFUSED, State.TOO_LATE, State.PLANNED}:
            when = f" na {texts.clock(answer.retry_at)}" if answer.retry_at else " later"
            yield f"{answer.platform.name} gaf geen antwoord: daar kan wel iets staan. Probeer die bron{when} opnieuw."


def _uncertain(answers: Iterable[PlatformAnswer]) -> Iterator[str]:
    for answer in answers:
        if answer.state.has_answered and answer.total.certainty in {Certainty.ESTIMATE, Certainty.AT_LEAST}:
            yield f"Het aantal bij {answer.platform.name} is geen telling: {texts.total(answer.total)}."
        if answer.result and answer.result.ignored:
            yield f"{answer.platform.name}: {texts.ignored(answer.result.ignored)}"


async def _holdings(query: Query, answers: Sequence[PlatformAnswer], visit: Visit) -> list[str]:
    """Which years each source that found nothing holds: of the bodies that were asked for, else of all that it holds."""
    quiet = {answer.platform.key: answer.platform.name for answer in answers if answer.state is State.EMPTY}
    statuses: Mapping[str, Sequence[LoadState]] = {}
    said = []
    try:
        statuses = {one.platform: one.organisations for one in await visit.kept.load_status(list(quiet))}
    except KeptUnreadableError:
        said.append("De Laadstatus is nu niet te lezen.")
    looked = await looked_up(visit.kept)
    today = now().astimezone(AMSTERDAM).date()
    if not query.organisations:
        return [*said, *_in_all(query, quiet, statuses, today, looked)]
    for body in query.organisations[:_MOST_BODIES]:
        told = (one for one in held(body, statuses, today, looked) if one.platform in quiet)
        said += [f"{quiet[one.platform]}, {body.name}: {_holding(one, query)}" for one in told]
    return said


def _in_all(
    query: Query,
    quiet: Mapping[str, str],
    statuses: Mapping[str, Sequence[LoadState]],
    today: date,
    looked: Looked,
) -> Iterator[str]:
    """That the period lies outside all that is known of a source, or that nothing of its years is known here."""
    if query.date_from and query.date_from > today:
        yield "Uw periode begint na vandaag: daarvan kan een bron alleen hebben wat al gepland is."
    unknown = []
    for platform, name in quiet.items():
        known = [one for (key, _), one in looked.items() if key == platform]
        firsts = [day for (key, _), day in first_papers().items() if key == platform]
        firsts += [one.first for one in known if one.first]
        lasts = [
            row.last_content.astimezone(AMSTERDAM).date() for row in statuses.get(platform, ()) if row.last_content
        ]
        lasts += [one.last for one in known if one.last]
        first, last = min(firsts, default=None), min(max(lasts), today) if lasts else None
        if beside := _beside(first, last, query):
            years = " en ".join(
                f"het {words} stuk waarvan we weten, is van {texts.day(day)}"
                for words, day in (("oudste", first), ("nieuwste", last))
                if day
            )
            yield f"{name}: {years}.{beside}"
        elif not (first or last):
            unknown.append(name)
    if unknown:
        yield f"Van welke jaren {texts.listed(unknown)} stukken {_have(unknown)}, is hier niet bekend."


def _have(names: Sequence[str]) -> str:
    return "heeft" if len(names) == 1 else "hebben"


def _own_words(answers: Iterable[PlatformAnswer]) -> Iterator[str]:
    """What sources that found nothing said of their own answer, and that hits stand on another page of theirs."""
    empty = [answer for answer in answers if answer.state is State.EMPTY and answer.result]
    if plain := [answer.platform.name for answer in empty if not _is_odd(answer)]:
        yield f"Bij {texts.listed(plain)} is geen stuk gevonden dat bij deze vraag past."
    for answer in empty:
        if _is_odd(answer):
            yield texts.state(answer, now())
        yield from (f"{answer.platform.name}: {note}" for note in (texts.notes(answer.result) if answer.result else ()))


def _is_odd(answer: PlatformAnswer) -> bool:
    """Whether a source that gave no hits has hits all the same, on another page or by its own count."""
    return bool(answer.result and (answer.result.has_more or answer.result.total.value))


def _holding(one: Held, query: Query) -> str:
    since = f", voor het laatst geladen op {texts.day(one.loaded)}" if one.loaded else ""
    state = f" Laadstatus bij de bron: {in_dutch(one.state)}{since}." if one.state else ""
    ask = "" if one.first or one.looked_up else " Vraag het met `organisaties` en `jaren` = true."
    return f"{one.sentence}{ask}{_beside(one.first, one.last, query)}{state}"


def _beside(first: date | None, last: date | None, query: Query) -> str:
    """That the period that was asked for lies before or after what is held."""
    if first and query.date_until and query.date_until < first:
        return " Uw periode ligt daarvoor."
    if last and query.date_from and query.date_from > last:
        return " Uw periode ligt daarna."
    return ""


def _wider(query: Query, answers: Sequence[PlatformAnswer]) -> Iterator[str]:
    """What may be asked instead."""
    if not any(answer.state.has_answered for answer in answers):
        return
    yield from _other_words(query)
    if query.kinds or query.has_period or query.groups:
        yield "Er is gekozen op soort, datum, fractie of commissie. Probeer het zonder."
    if query.page > 1:
        yield "Dit is niet de eerste pagina. Vraag `pagina` 1."


def _other_words(query: Query) -> Iterator[str]:
    """What may be changed about the words."""
    terms = query.text.terms
    if query.text.ecli:
        yield "Controleer het ECLI-nummer, of zoek op woorden."
        return
    if len(terms) > 1:
        yield "Alle woorden moeten in een stuk voorkomen. Probeer minder of andere woorden."
    elif terms and not terms[0].phrase:
        yield "Controleer de spelling, of probeer een ander woord voor hetzelfde."
    if any(term.phrase for term in terms):
        yield "Een woordgroep moet precies zo in een stuk staan. Probeer de woorden los."
