"""The parts of an answer page: what stands above the answers, each source's section as it comes, and what stands below."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string

from connectors.language import later, say
from connectors.moments import now
from connectors.records import Kind, Sort
from search import texts
from search.answers import PlatformAnswer
from search.choices import Offer, chips, fitting, lives, not_everywhere, nothing_chosen, readings, understood, zoeken
from search.federation import Federation
from search.forms import FormValues, as_asked
from search.missing import offices, years
from search.parameters import Asked
from search.periods import Period
from search.present import document_path, section_view, shared_views
from search.seen import Seen
from search.statuses import Statuses
from search.straight import Detour, Led
from search.whole import later_address, whole
from throttling.callers import Caller

HEAD: Final = "search/_head.html"
BODIES_SHOWN: Final = 3
"""Of so many bodies a page says which years there are and whom to ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One answer page: the question as typed, where it was led in vain, and what answers it."""

    request: HttpRequest
    federation: Federation
    statuses: Statuses
    caller: Caller
    typed: Asked
    led: Led
    form: dict[str, Any]


async def pieces(page: Page) -> AsyncIterator[str]:
    """The page in pieces, each as soon as it is there."""
    found = understood(page.typed, page.federation)
    asked, register = found.asked, page.federation.register
    bodies = asked.query.organisations[:BODIES_SHOWN]
    rows = await page.statuses.rows() if bodies else {}
    offers = (*_detour(page.led), *readings(page.typed, found), *lives(asked, register))
    context = (
        page.form
        | _head(asked)
        | {
            "waarden": as_asked(asked),
            "getypt": page.typed.question.typed,
            "filters": chips(asked),
            "alles_wissen": nothing_chosen(asked),
            "aanbod": offers,
            "jaren": years(bodies, rows, now()),
            "gevraagd": bool(page.federation.chosen(asked.platforms)),
            "passend": texts.listed(fitting(asked, page.federation)),
            "opmerkingen": [
                *(texts.remark(one) for one in page.typed.question.remarks),
                *not_everywhere(asked, page.federation),
            ],
            "niet_gekozen": [key for key in asked.platforms if page.federation.connector(key) is None],
        }
    )
    yield render_to_string("search/answers_begin.html", context, page.request)
    last: dict[str, PlatformAnswer] = {}
    seen = Seen()
    async with aclosing(page.federation.ask(asked.broad(register), asked.platforms, page.caller)) as answers:
        async for answer in answers:
            last[answer.platform.key] = answer
            section = {"bron": section_view(answer, asked, now(), seen)}
            yield render_to_string("search/section.html", section, page.request)
    typed = page.typed.question.typed
    now_known = whole((answer.while_it_may_come for answer in last.values()), asked, typed, seen.copies)
    end = {
        "samenvatting": now_known.summary,
        "titel_af": now_known.title,
        "gedeeld": shared_views(seen),
        "uitvoer": exports(asked),
        "niets": now_known.nothing,
        "jaren": context["jaren"],
        "griffies": offices(bodies, register),
        "stroom": later_address(asked, typed, last.values()),
    }
    yield render_to_string("search/answers_end.html", end, page.request)


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
        (say("Tabel (CSV)"), f"/zoeken.csv?{query}", "text/csv"),
        (say("Verwijzingen (RIS)"), f"/zoeken.ris?{query}", "application/x-research-info-systems"),
        (say("Gegevens (JSON)"), f"/zoeken.json?{query}", "application/json"),
        (say("Feed, nieuwste eerst (Atom)"), f"/zoeken.atom?{newest}", "application/atom+xml"),
    ]


def _head(asked: Asked) -> dict[str, str]:
    feed = asked.address(pagina=None, sorteer="nieuwste")
    return {"canoniek": f"{settings.SITE_ADDRESS}{zoeken(asked.address())}", "feed": f"/zoeken.atom?{feed}"}


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
