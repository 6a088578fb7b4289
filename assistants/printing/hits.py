"""What stands in a list of found papers, and what a source says about itself: as data and in Dutch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assistants.printing.quoting import quoted
from connectors.archived import ArchivedCopy
from connectors.records import Document, Hit, Moment
from search import citations, serialise, texts
from search.answers import PlatformAnswer, State
from search.same import SameItem


def copy_data(copy: ArchivedCopy | None) -> dict[str, Any] | None:
    """A copy that the source keeps."""
    if copy is None:
        return None
    made = copy.made_on.isoformat() if copy.made_on else None
    return {"adres": copy.address, "gemaaktOp": made, "origineelWeg": copy.original_gone}


def when_data(when: Moment | None) -> dict[str, Any]:
    """A date with its meaning."""
    return {
        "datum": when.day.isoformat() if when else None,
        "tijdstip": serialise.utc(when.at) if when and when.at else None,
        "datumBetekenis": when.meaning.value if when else None,
        "datumInWoorden": texts.moment(when),
    }


def hit_data(hit: Hit, began: datetime) -> dict[str, Any]:
    """One hit. What was fetched before the call ``began`` comes from the buffer."""
    return {
        "id": hit.id,
        "platform": hit.platform,
        "bronId": hit.upstream_id,
        "titel": hit.title,
        "organisatie": hit.organisation,
        "organisatieId": hit.organisation_id,
        "soort": hit.kind.value,
        "soortBijBron": hit.kind_at_source,
        **when_data(hit.date),
        "adres": hit.address,
        "origineel": hit.original,
        "bewaardeKopie": copy_data(hit.archived),
        "verwijzing": citations.reference(hit),
        "opgehaald": serialise.utc(hit.fetched_at),
        "uitBuffer": hit.fetched_at < began,
        "fragment": hit.snippet,
        "pagina": hit.page,
        "dekking": texts.coverage(hit.pages_searched, hit.pages_in_all),
        "lijktErop": hit.partly,
    }


@dataclass(frozen=True, slots=True)
class Part:
    """Which of the hits on a page are shown: part ``number`` (from 1), of ``size`` hits of each source."""

    number: int
    size: int

    @property
    def end(self) -> int:
        """How many hits of the page stand in this part and those before it."""
        return self.number * self.size

    def of(self, hits: Sequence[Hit]) -> Sequence[Hit]:
        """The hits of this part."""
        return hits[self.end - self.size : self.end]


def source_data(answer: PlatformAnswer, began: datetime, now: datetime, part: Part) -> dict[str, Any]:
    """The answer of one source."""
    result = answer.result
    return {
        "platform": answer.platform.key,
        "naam": answer.platform.name,
        "staat": answer.state.value,
        "melding": _shown_before(answer, part) or message(answer, now),
        "totaal": {
            "waarde": answer.total.value,
            "zekerheid": answer.total.certainty.value,
            "inWoorden": texts.found(result) if result else texts.total(answer.total),
        },
        "genegeerdeFilters": [name.value for name in result.ignored] if result else [],
        "opmerkingen": list(texts.notes(result)) if result else [],
        "opgehaald": serialise.utc(result.fetched_at) if result else None,
        "uitBuffer": bool(result and result.fetched_at < began),
        "verwachteStart": serialise.utc(answer.starts_at) if answer.starts_at else None,
        "plaatsInRij": answer.place,
        "opnieuwNa": serialise.utc(answer.retry_at) if answer.retry_at else None,
        "opDezePagina": len(result.hits) if result else 0,
        "meer": bool(result and (result.has_more or len(result.hits) > part.end)),
        "treffers": [hit_data(hit, began) for hit in part.of(result.hits)] if result else [],
    }


def _shown_before(answer: PlatformAnswer, part: Part) -> str:
    """That the hits of this page stand in parts before this one: without a word, none here looks like nothing found."""
    hits = answer.result.hits if answer.result else ()
    if not hits or part.of(hits):
        return ""
    last = -(-len(hits) // part.size)
    return f"De resultaten van deze pagina staan in deel {'1' if last == 1 else f'1 tot en met {last}'}."


def message(answer: PlatformAnswer, now: datetime) -> str:
    """What a source without hits says; that one waits is said for a program, not for a reader of a page."""
    if answer.state is State.READY:
        return ""
    return waiting(answer, now) if answer.state is State.PLANNED else texts.state(answer, now)


def waiting(answer: PlatformAnswer, now: datetime) -> str:
    """That a source waits for its turn, as the how manieth, and about when it starts."""
    seconds = (answer.starts_at - now).total_seconds() if answer.starts_at else 0
    if seconds < 10 or answer.starts_at is None:  # noqa: PLR2004 - "in a moment"
        start = "De vraag start zo meteen."
    else:
        start = f"De vraag start over ongeveer {round(seconds)} seconden, rond {texts.clock(answer.starts_at)}."
    place = f" De vraag is nummer {answer.place} in de rij." if answer.place else ""
    return f"{answer.platform.name} wacht op een vrije plek.{place} {start}"


def source_lines(source: dict[str, Any]) -> Iterable[str]:
    """The answer of one source in words, from its data."""
    kept = ", bewaard antwoord" if source["uitBuffer"] else ""
    fetched = f" (opgehaald {source['opgehaald']}{kept})" if source["opgehaald"] else ""
    count = source["totaal"]["inWoorden"] if source["opgehaald"] else source["staat"]
    yield f"## {source['naam']}: {count}{fetched}"
    yield from filter(None, (source["melding"], *source["opmerkingen"]))
    for hit in source["treffers"]:
        yield from hit_lines(hit)


def hit_lines(hit: dict[str, Any]) -> Iterable[str]:
    """One hit in words, from its data."""
    at_page = f", pagina {hit['pagina']}" if hit["pagina"] else ""
    coverage = f" ({hit['dekking']})" if hit["dekking"] else ""
    alike = " (lijkt erop, niet alle woorden: telt niet mee)" if hit["lijktErop"] else ""
    yield f"- {quoted(hit['titel'])}{at_page}{coverage}{alike}"
    meaning = f" ({hit['datumBetekenis']})" if hit["datumBetekenis"] else ""
    yield f"  {hit['soort']}, {hit['datumInWoorden']}{meaning}, {quoted(hit['organisatie'])}"
    if hit["fragment"]:
        yield f"  {quoted(hit['fragment'])}"
    yield f"  id: {hit['id']}"
    yield f"  verwijzing: {quoted(hit['verwijzing'])}"
    yield f"  adres: {hit['adres']}"


def shared_data(item: SameItem[Hit] | SameItem[Document]) -> dict[str, Any]:
    """One thing that several sources have, with what they do not agree on."""
    return {
        "ids": [thing.id for thing in item.things],
        "verschillen": [
            {
                "over": one.on.value,
                "gezegd": [{"platform": platform, "tekst": words} for platform, words in one.said],
            }
            for one in item.disagreements
        ],
    }


def shared_lines(shared: dict[str, Any]) -> Iterable[str]:
    """That sources have the same thing, and a warning where they differ, from its data."""
    yield f"Hetzelfde bij meer bronnen: {' = '.join(shared['ids'])}"
    for one in shared["verschillen"]:
        said = "; ".join(f"{each['platform']}: {quoted(each['tekst'])}" for each in one["gezegd"])
        yield f"  Let op: de bronnen noemen een andere {one['over']}. {said}. Kijk bij de organisatie zelf wat klopt."
