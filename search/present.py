"""From answers and documents to what a template prints: words, links and marks, no markup."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import blake2s
from urllib.parse import quote

from connectors.exceptions import ClosedError, SwitchedOffError
from connectors.language import here, say, say_number
from connectors.moments import AMSTERDAM
from connectors.platforms import PLATFORMS
from connectors.records import Certainty, Hit, Moment, Total
from search import texts
from search.answers import PlatformAnswer, State
from search.foreign import language_of
from search.own_search import own_search
from search.parameters import Asked
from search.seen import Copy, Seen

_NAMES = {platform.key: platform.name for platform in PLATFORMS}


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of a snippet, and whether it is a word of the question."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HitView:
    """One hit as the page prints it.

    ``datetime`` is the machine form of the date, empty when unknown; ``address_words`` say what stands at ``address``;
    ``language`` is that of the title when it is plainly not Dutch, else empty.
    """

    anchor: str
    title: str
    language: str
    link: str
    organisation: str
    kind: str
    kind_at_source: str
    date: str
    date_meaning: str
    datetime: str
    snippet: tuple[Segment, ...]
    page: int | None
    coverage: str
    address: str
    address_words: str
    original: str | None
    kept: str
    kept_at: str | None


@dataclass(frozen=True, slots=True)
class CopyView:
    """A hit that stands on the page already: where, at which source, and what the sources say otherwise."""

    hit: HitView
    first_name: str
    first_anchor: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """One source's section. ``state`` and ``key`` stand in ``data-staat`` and ``data-bron``.

    ``copies``: hits that another source gave first; ``elsewhere``: the address of the source's own search, empty when unknown;
    ``again``: how to ask this source alone once more, where it may answer then.
    """

    key: str
    name: str
    state: str
    state_word: str
    heading: str
    message: str
    remarks: tuple[str, ...]
    fetched: str
    fetched_at: str
    busy: bool
    hits: tuple[HitView, ...]
    copies: tuple[CopyView, ...]
    page: int
    more: str
    back: str
    again: str
    elsewhere: str


def document_path(platform: str, upstream_id: str) -> str:
    """The path of our own page of a document."""
    return here(f"/document/{platform}/{quote(upstream_id, safe=':')}")


def machine_date(moment: Moment | None) -> str:
    """The date for a ``datetime`` attribute; empty when unknown."""
    if moment is None:
        return ""
    return (moment.at or moment.day).isoformat()


def fetched(moment: datetime, today: date) -> str:
    """From when an answer is: the clock time, with the day when it is not today."""
    local = moment.astimezone(AMSTERDAM)
    if local.date() == today:
        return say("opgehaald om {time}", time=texts.clock(moment))
    return say("opgehaald op {day} om {time}", day=texts.day(local.date()), time=texts.clock(moment))


def marked(text: str, words: Iterable[str]) -> tuple[Segment, ...]:
    """``text`` cut at the words of the question, whatever their case and accents."""
    wanted = {_bare(word) for word in words}
    segments: list[Segment] = []
    last = 0
    for match in re.finditer(r"[^\W_]+", text):
        if _bare(match[0]) in wanted:
            segments += [Segment(text[last : match.start()], marked=False), Segment(match[0], marked=True)]
            last = match.end()
    segments.append(Segment(text[last:], marked=False))
    return tuple(segment for segment in segments if segment.text)


def _bare(word: str) -> str:
    if word.isascii():
        return word.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)).casefold()


def hit_view(hit: Hit, words: Iterable[str]) -> HitView:
    """One hit."""
    return HitView(
        anchor=anchor(hit),
        title=hit.title,
        language=language_of(hit.title),
        link=document_path(hit.platform, hit.upstream_id),
        organisation=hit.organisation,
        kind=hit.kind.value,
        kind_at_source=hit.kind_at_source if hit.kind_at_source.lower() != hit.kind.value else "",
        date=texts.moment(hit.date),
        date_meaning=hit.date.meaning.value if hit.date else "",
        datetime=machine_date(hit.date),
        snippet=marked(hit.snippet, words),
        page=hit.page,
        coverage=texts.coverage(hit.pages_searched, hit.pages_in_all),
        address=hit.address,
        address_words=texts.leads_to(_NAMES.get(hit.platform, hit.platform), hit.address, hit.original, hit.archived),
        original=hit.original if hit.original != hit.address else None,
        kept=texts.archived(hit.archived),
        kept_at=hit.archived.address if hit.archived else None,
    )


def anchor(hit: Hit) -> str:
    """The place of a hit on a page: the same wherever that hit is shown."""
    return f"stuk-{blake2s(hit.id.encode(), digest_size=6).hexdigest()}"


def _copy_view(copy: Copy, words: tuple[str, ...]) -> CopyView:
    return CopyView(
        hit=hit_view(copy.hit, words),
        first_name=_NAMES.get(copy.first.platform, copy.first.platform),
        first_anchor=anchor(copy.first),
        warnings=tuple(one.warning for one in copy.disagreements),
    )


def section_view(answer: PlatformAnswer, asked: Asked, now: datetime, seen: Seen | None = None) -> SectionView:
    """One source's section in its state at this moment. ``seen``: what stands on its page already."""
    result = answer.result
    key = answer.platform.key
    page = asked.query.page
    words = asked.query.text.words
    split = (seen or Seen()).split(result.hits if result else ())
    more = "?" + asked.address(platform=key, pagina=page + 1) if result and result.has_more else ""
    back = "?" + asked.address(platform=key, pagina=page - 1) if page > 1 else ""
    return SectionView(
        key=key,
        name=answer.platform.name,
        state=answer.state.value,
        state_word=texts.state_word(answer),
        heading=texts.total(answer.total) if result else "",
        message="" if answer.state is State.READY else texts.state(answer, now),
        remarks=texts.notes(result) if result else (),
        fetched=fetched(result.fetched_at, now.astimezone(AMSTERDAM).date()) if result else "",
        fetched_at=result.fetched_at.isoformat(timespec="seconds") if result else "",
        busy=not answer.state.is_final,
        hits=tuple(hit_view(hit, words) for hit in split.new),
        copies=tuple(_copy_view(copy, words) for copy in split.copies),
        page=page,
        more=more,
        back=back,
        again="?" + asked.address(platform=key) if _may_do_better(answer) else "",
        elsewhere=own_search(answer.platform, asked.query.text),
    )


def summary(answers: Iterable[PlatformAnswer], copies: int = 0) -> str:
    """What came of the question over all sources, in a few sentences. ``answers``: the last of each source.

    ``copies``: how many results count twice, because another source has the document too.
    """
    last = tuple(answers)
    if not last:
        return say("Geen van de gekozen bronnen vragen we al.")
    asked = [answer for answer in last if answer.state is not State.NOT_SUPPORTED]
    ready = [answer for answer in asked if answer.state.has_answered]
    waiting = [answer.platform.name for answer in asked if not answer.state.is_final]
    sentences = [_answered(ready, asked, still=bool(waiting)) if asked else _nobody_asked(last)]
    if copies:
        sentences.append(
            say_number(
                "{count} daarvan staat al bij een andere bron.",
                "{count} daarvan staan al bij een andere bron.",
                copies,
                count=copies,
            )
        )
    if len(asked) < len(last):
        left_out = [_not_asked(answer) for answer in last if answer not in asked]
        sentences.append(say("Niet gevraagd: {names}.", names=texts.listed(left_out)))
    if waiting:
        sentences.append(
            say_number(
                "Nog {count} bron wordt gevraagd: {names}. Daar kan nog iets te vinden zijn.",
                "Nog {count} bronnen worden gevraagd: {names}. Daar kan nog iets te vinden zijn.",
                len(waiting),
                count=len(waiting),
                names=texts.listed(waiting),
            )
        )
        sentences.append(say("Komt het antwoord niet vanzelf? Ververs dan de pagina."))
    return " ".join(sentences)


@dataclass(frozen=True, slots=True)
class SharedView:
    """One thing that more than one source on the page has: its title, and its place under the name of each source."""

    title: str
    places: tuple[tuple[str, str], ...]


def shared_views(seen: Seen) -> tuple[SharedView, ...]:
    """What stands on the page at more than one source, each with all of its places."""
    return tuple(
        SharedView(
            item.first.title, tuple((_NAMES.get(hit.platform, hit.platform), anchor(hit)) for hit in item.things)
        )
        for item in seen.shared
    )


def page_title(answers: Iterable[PlatformAnswer], typed: str) -> str:
    """The title of an answer page: what was asked, and how many sources are still asked or, after that, how much there is.

    Empty where nothing was typed: such a page keeps the title it has.
    """
    last = [answer for answer in answers if answer.state is not State.NOT_SUPPORTED]
    ready = [answer for answer in last if answer.state.has_answered]
    waiting = sum(not answer.state.is_final for answer in last)
    if not typed:
        return ""
    if waiting:
        return say_number(
            "{typed} – nog {count} bron wordt gevraagd – BesluitBron",
            "{typed} – nog {count} bronnen worden gevraagd – BesluitBron",
            waiting,
            typed=typed,
            count=waiting,
        )
    if not ready:
        return f"{typed} – BesluitBron"
    return say(
        "{typed} – {total} – BesluitBron", typed=typed, total=texts.total(_sum(answer.total for answer in ready))
    )


def _may_do_better(answer: PlatformAnswer) -> bool:
    """Whether a source may answer when it is asked once more. One that an operator switched off does not."""
    is_off = isinstance(answer.failure, ClosedError) and bool(answer.failure.text)
    return answer.state in {State.TOO_LATE, State.FAILED, State.REFUSED} and not is_off


def is_ours(answer: PlatformAnswer) -> bool:
    """Whether a source could not be asked because of a fault of our own."""
    return isinstance(answer.failure, ClosedError) and answer.failure.is_ours


def _is_off(answer: PlatformAnswer) -> bool:
    return isinstance(answer.failure, SwitchedOffError)


def _not_asked(answer: PlatformAnswer) -> str:
    name = answer.platform.name
    return say("{name} (staat hier uit)", name=name) if _is_off(answer) else name


def _nobody_asked(answers: Sequence[PlatformAnswer]) -> str:
    """Why no source was asked. That one is off says nothing of the question."""
    if not all(map(_is_off, answers)):
        return say("Deze vraag past bij geen van de bronnen.")
    return say_number("De gekozen bron staat hier uit.", "De gekozen bronnen staan hier uit.", len(answers))


def _answered(ready: Sequence[PlatformAnswer], asked: Sequence[PlatformAnswer], *, still: bool) -> str:
    """What came of it. While a source still waits nobody can say that there is nothing."""
    if not ready and still:
        return say("Er is nog geen antwoord.")
    if not ready and all(is_ours(answer) for answer in asked):
        return f"{say(texts.OWN_FAULT)} {say('Daarom is er geen bron gevraagd. Probeer het later opnieuw.')}"
    if not ready:
        return say("Geen van de bronnen gaf antwoord. We weten dus niet of er iets te vinden is.")
    count = say_number(
        "{ready} van {asked} gevraagde bron",
        "{ready} van {asked} gevraagde bronnen",
        len(asked),
        ready=len(ready),
        asked=len(asked),
    )
    found_any = any(answer.total.value or (answer.result and answer.result.hits) for answer in ready)
    if found_any:
        total = texts.total(_sum(answer.total for answer in ready))
        return say_number(
            "{count} gaf antwoord, {total}.", "{count} gaven antwoord, {total}.", len(ready), count=count, total=total
        )
    if still:
        return say_number(
            "{count} gaf antwoord en vond nog niets.",
            "{count} gaven antwoord en vonden nog niets.",
            len(ready),
            count=count,
        )
    return say_number(
        "{count} gaf antwoord en vond niets.", "{count} gaven antwoord en vonden niets.", len(ready), count=count
    )


def _sum(totals: Iterable[Total]) -> Total:
    """The sum of totals; as uncertain as the least certain of them."""
    found = tuple(totals)
    known = [total.value for total in found if total.value is not None]
    if len(known) < len(found):
        return Total(sum(known), Certainty.AT_LEAST)
    if any(total.certainty is Certainty.ESTIMATE for total in found):
        return Total(sum(known), Certainty.ESTIMATE)
    if any(total.certainty is Certainty.AT_LEAST for total in found):
        return Total(sum(known), Certainty.AT_LEAST)
    return Total(sum(known), Certainty.EXACT)
