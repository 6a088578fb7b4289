"""The parts of an answer page: what stands above the answers, each source's section as it comes, and what stands below."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string

from connectors.language import here, later, say
from connectors.moments import now
from connectors.records import Kind, Sort
from search import texts
from search.answers import PlatformAnswer, State
from search.beside import beside, word_link
from search.choices import (
    Offer,
    Understood,
    chips,
    fitting,
    lives,
    not_everywhere,
    nothing_chosen,
    readings,
    understood,
    zoeken,
)
from search.federation import Federation
from search.forms import FormValues, as_asked
from search.missing import BODIES_SHOWN, YearsView, offices, years
from search.misspelt import misspelt
from search.parameters import Asked
from search.periods import Period
from search.present import SectionView, document_path, section_view, shared_views
from search.seen import Seen
from search.statuses import Statuses
from search.straight import Detour, Led, named_papers
from search.votes_stand import votes_stand
from search.whole import later_address, whole
from throttling.callers import Caller

HEAD: Final = "search/_head.html"
_RESULTS_FIRST: Final = 0.7
"""Seconds that a source without results waits for one that has some, so that the page begins with papers."""
_BEGIN_AFTER: Final = 0.1
"""Seconds at most that the beginning of the page waits for the sources to be asked: it is made while they work."""
Further = Callable[[Asked], Mapping[str, Any]]
"""What a room above this one offers below the answers: ``eronder``, the name of its template, and what that needs."""


def nothing_further(asked: Asked) -> Mapping[str, Any]:
    """Nothing."""
    del asked
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One answer page: the question as typed, where it was led in vain, and what answers it.

    ``unknown``: what was chosen and stands in no list.
    """

    request: HttpRequest
    federation: Federation
    statuses: Statuses
    caller: Caller
    typed: Asked
    led: Led
    form: dict[str, Any]
    further: Further = nothing_further
    unknown: tuple[Offer, ...] = ()


async def pieces(page: Page) -> AsyncIterator[str]:
    """The page in pieces, each as soon as it is there."""
    found = understood(page.typed, page.federation)
    asked, register = found.asked, page.federation.register
    last: dict[str, PlatformAnswer] = {}
    seen = Seen()
    aside: list[PlatformAnswer] = []
    async with page.federation.asking(asked.broad(register), asked.platforms, page.caller) as answers:
        await answers.leaves(_BEGIN_AFTER)
        held_years = await _years(page, asked)
        begin = page.form | _above(page, found) | {"jaren": held_years}
        yield render_to_string("search/answers_begin.html", begin, page.request)
        async for answer in answers.results_first(_RESULTS_FIRST):
            if answer.state is State.NOT_SUPPORTED and answer.platform.key not in last:
                aside.append(answer)
            else:
                yield render_to_string("search/section.html", {"bron": _section(answer, asked, seen)}, page.request)
            last[answer.platform.key] = answer
    yield _not_asked(page, asked, aside, is_all=len(aside) == len(last))
    end = _below(page, asked, last, seen) | {"jaren": held_years}
    yield render_to_string("search/answers_end.html", end, page.request)


def _section(answer: PlatformAnswer, asked: Asked, seen: Seen) -> SectionView:
    return section_view(answer, asked, now(), seen, may_come=answer.state.may_come)


def _not_asked(page: Page, asked: Asked, answers: Sequence[PlatformAnswer], *, is_all: bool) -> str:
    """The sources that cannot answer this question: folded behind the results, in the open where there is nothing else."""
    told = [
        {"bron": section_view(answer, asked, now()), "als_woord": word_link(answer, asked, page.federation.register)}
        for answer in answers
    ]
    if is_all:
        return "".join(render_to_string("search/section.html", one, page.request) for one in told)
    context = {"bronnen": told, "namen": texts.listed([answer.platform.name for answer in answers])}
    return render_to_string("search/not_asked.html", context, page.request) if told else ""


async def _years(page: Page, asked: Asked) -> tuple[YearsView, ...]:
    """What the sources hold of the bodies that were asked for."""
    bodies = asked.query.organisations[:BODIES_SHOWN]
    if not bodies:
        return ()
    rows, looked = await page.statuses.rows(), await page.statuses.looked()
    return years(bodies, rows, now(), looked, page.federation)


def _above(page: Page, found: Understood) -> dict[str, Any]:
    """What stands above the answers: the question as it was read, and what may be changed about it."""
    asked, federation = found.asked, page.federation
    return _head(asked) | {
        "waarden": as_asked(page.typed),
        "getypt": page.typed.question.typed,
        "filters": chips(asked),
        "alles_wissen": nothing_chosen(asked),
        "aanbod": (
            *_detour(page.led),
            *_meant(page),
            *readings(page.typed, found),
            *beside(page.typed, federation),
            *misspelt(page.typed, found, federation.register),
            *page.unknown,
            *lives(asked, federation.register),
            *votes_stand(asked),
        ),
        "gevraagd": bool(federation.chosen(asked.platforms)),
        "passend": texts.listed(fitting(asked, federation)),
        "opmerkingen": [
            *(texts.remark(one) for one in page.typed.question.remarks),
            *not_everywhere(asked, federation),
        ],
        "niet_gekozen": [key for key in asked.platforms if federation.connector(key) is None],
    }


def _below(page: Page, asked: Asked, last: Mapping[str, PlatformAnswer], seen: Seen) -> dict[str, Any]:
    """What stands below the answers: what can be said over all of them."""
    now_known = whole((answer.while_it_may_come for answer in last.values()), asked, page.federation, seen.copies)
    return {
        "samenvatting": now_known.summary,
        "titel_af": now_known.title,
        "gedeeld": shared_views(seen),
        "uitvoer": exports(asked),
        "niets": now_known.nothing,
        "griffies": offices(asked.query.organisations[:BODIES_SHOWN], page.federation.register),
        "stroom": later_address(page.typed, last.values()),
        **page.further(asked),
    }


def form(federation: Federation, values: FormValues) -> dict[str, Any]:
    """What the search form needs: the values it shows, and its choices."""
    return {
        "kop": HEAD,
        "waarden": values,
        "soorten": [kind.value for kind in Kind],
        "volgordes": [sort.value for sort in Sort],
        "perioden": tuple((period.value, words) for period, words in zip(Period, _PERIOD_WORDS, strict=True)),
        "bronnen": [connector.platform for connector in federation.connectors],
        "uit": federation.off,
    }


_PERIOD_WORDS: Final = (later("vandaag"), later("afgelopen week"), later("afgelopen maand"), later("afgelopen jaar"))


def exports(asked: Asked) -> list[tuple[str, str, str]]:
    """The forms in which this search can be kept: name, address, media type."""
    query = asked.address(pagina=None)
    newest = asked.address(pagina=None, sorteer="nieuwste")
    return [
        (say("Tabel (CSV)"), here(f"/zoeken.csv?{query}"), "text/csv"),
        (say("Verwijzingen (RIS)"), here(f"/zoeken.ris?{query}"), "application/x-research-info-systems"),
        (say("Gegevens (JSON)"), here(f"/zoeken.json?{query}"), "application/json"),
        (say("Feed, nieuwste eerst (Atom)"), f"/zoeken.atom?{newest}", "application/atom+xml"),
    ]


def _head(asked: Asked) -> dict[str, str]:
    feed = asked.address(pagina=None, sorteer="nieuwste")
    return {"canoniek": f"{settings.SITE_ADDRESS}{zoeken(asked.address())}", "feed": f"/zoeken.atom?{feed}"}


def _meant(page: Page) -> tuple[Offer, ...]:
    """The papers whose numbers stand among other words: nobody should have to type a number once more to get there."""
    typed = page.typed
    if typed.literally or page.led.detour or not typed.question.typed:
        return ()
    links = []
    for number, paper in named_papers(typed.question.typed, page.federation, typed.platforms):
        there = zoeken(urlencode({"vraag": number}))
        if paper:
            there = document_path(paper.connector.platform.key, paper.upstream_id)
        links.append((say("Open {number}", number=number), there))
    return (Offer(say("Bedoelt u dit stuk?"), tuple(links)),) if links else ()


def _detour(led: Led) -> tuple[Offer, ...]:
    """Why a number did not lead to its document, and what was done instead."""
    if led.detour is None:
        return ()
    names = texts.listed(led.sources)
    match led.detour:
        case Detour.SEVERAL:
            links = [(one.id, document_path(one.connector.platform.key, one.upstream_id)) for one in led.choices]
            return (Offer(say("Dit kan meer dan één stuk zijn. Kies er een, of kijk hieronder."), tuple(links)),)
        case Detour.NOT_THERE:
            return (
                Offer(
                    say(
                        "Bij {names} is geen stuk (meer) met dit nummer. We hebben op de woorden gezocht.", names=names
                    ),
                    (),
                ),
            )
        case Detour.NO_ANSWER:
            return (
                Offer(
                    say(
                        "Of dit stuk bij {names} staat, weten we niet: er kwam geen antwoord. We hebben op de "
                        "woorden gezocht.",
                        names=names,
                    ),
                    (),
                ),
            )
        case Detour.UNKNOWN_ADDRESS:
            return (Offer(say("Bij dit adres vinden we geen stuk. We hebben op de woorden erin gezocht."), ()),)
