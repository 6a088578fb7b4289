"""Why an answer is empty or thin: what sources hold, what they could not do, what failed, and what else may be asked.

Nothing is asked of a platform for it: what is kept here, and what the answers themselves say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from assistants.kept import KeptUnreadableError
from assistants.tool import Visit
from connectors.exceptions import NotSupportedError
from connectors.moments import AMSTERDAM, now
from connectors.records import Certainty, LoadState, Organisation, Query
from search import texts
from search.answers import PlatformAnswer, State
from search.held import Held, held
from search.organisations import Bodies, successors_now, with_predecessors
from search.parameters import Asked

_THIN: Final = 3
_MOST_BODIES: Final = 5


async def reasons(asked: Asked, answers: Sequence[PlatformAnswer], visit: Visit) -> list[str]:
    """The reasons, none for an answer that is rich enough; what happened to a body is said with every answer."""
    query, register = asked.query, visit.federation.register
    found = list(_fates(query.organisations, register))
    count = sum(len(answer.result.hits) for answer in answers if answer.result)
    empty = [answer for answer in answers if answer.state is not State.READY]
    if count > _THIN and not (empty and query.organisations):
        return found
    found += _out_of_reach(answers)
    found += _not_answered(answers)
    found += _uncertain(answers)
    if query.organisations:
        found += await _holdings(query, answers, visit)
    if count <= _THIN:
        found += _wider(query, answers)
    return list(dict.fromkeys(found))


def _fates(bodies: Iterable[Organisation], register: Bodies) -> Iterator[str]:
    """That a body is no more and what it went to, or what went into it: their papers stand under their own names."""
    today = now().astimezone(AMSTERDAM).date()
    for body in bodies:
        if body.ended and body.ended <= today:
            heirs = _named(successors_now(body, register))
            said = f" Opgegaan in {heirs}: vraag die ook voor nieuwere stukken." if heirs else ""
            yield f"{body.name} bestaat niet meer sinds {texts.day(body.ended)}.{said}"
        before = [one for one in with_predecessors((body,), register) if one.id != body.id]
        if before:
            yield f"In {body.name} gingen op: {_named(before)}. Die zijn ook gevraagd."


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
    """Which years each source that found nothing holds of the bodies that were asked for."""
    quiet = {answer.platform.key: answer.platform.name for answer in answers if answer.state is State.EMPTY}
    statuses: Mapping[str, Sequence[LoadState]] = {}
    said = []
    try:
        statuses = {one.platform: one.organisations for one in await visit.kept.load_status(list(quiet))}
    except KeptUnreadableError:
        said.append("De Laadstatus is nu niet te lezen.")
    today = now().astimezone(AMSTERDAM).date()
    for body in query.organisations[:_MOST_BODIES]:
        told = (one for one in held(body, statuses, today) if one.platform in quiet)
        said += [f"{quiet[one.platform]}, {body.name}: {_holding(one, query)}" for one in told]
    return said


def _holding(one: Held, query: Query) -> str:
    state = f" Laadstatus bij de bron: {one.state}." if one.state else ""
    ask = "" if one.first else " Vraag het met `organisaties` en `jaren` = true."
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
    if len(query.text.terms) > 1:
        yield "Alle woorden moeten in een stuk voorkomen. Probeer minder of andere woorden."
    if any(term.phrase for term in query.text.terms):
        yield "Een woordgroep moet precies zo in een stuk staan. Probeer de woorden los."
    if query.kinds or query.has_period:
        yield "Er is gekozen op soort of datum. Probeer het zonder."
    if query.page > 1:
        yield "Dit is niet de eerste pagina. Vraag `pagina` 1."
