"""From answers and documents to what a template prints: words and links, and markup for marked words alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import blake2s
from urllib.parse import quote

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from connectors.exceptions import ClosedError
from connectors.language import here, say
from connectors.moments import AMSTERDAM
from connectors.platforms import PLATFORMS
from connectors.records import Hit, Moment
from search import texts
from search.answers import PlatformAnswer, State
from search.as_word import name_words
from search.foreign import language_of
from search.own_search import own_search
from search.parameters import Asked
from search.seen import Copy, Seen
from search.trial import file_words

_WORD = re.compile(r"[^\W_]+")
_NAMES = {platform.key: platform.name for platform in PLATFORMS}


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of a snippet, and whether it is a word of the question."""

    text: str
    marked: bool


class Printed:
    """A value that a template prints: it asks for ``value["name"]`` first, and to be refused costs it more than an answer."""

    __slots__ = ()

    def __getitem__(self, name: str) -> object:
        """The field ``name``. Raises ``AttributeError``."""
        return getattr(self, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class HitView(Printed):
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
    alike: str
    address: str
    address_words: str
    original: str | None
    original_words: str
    kept: str
    kept_at: str | None

    @property
    def fragment(self) -> SafeString:
        """The snippet as HTML: for a template one value, where its runs would be many."""
        parts = (f"<mark>{escape(one.text)}</mark>" if one.marked else escape(one.text) for one in self.snippet)
        return mark_safe("".join(parts))  # noqa: S308 - every run was escaped


@dataclass(frozen=True, slots=True)
class CopyView(Printed):
    """A hit that stands on the page already: where, at which source, and what the sources say otherwise."""

    hit: HitView
    first_name: str
    first_anchor: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView(Printed):
    """One source's section. ``state`` and ``key`` stand in ``data-staat`` and ``data-bron``.

    ``alike``: hits that only look like what was asked; ``copies``: hits that another source gave first; ``elsewhere``: the
    address of the source's own search, empty when unknown; ``again``: how to ask this source alone once more, where it may
    answer then.
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
    alike: tuple[HitView, ...]
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
    for match in _WORD.finditer(text):
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
        alike=texts.alike(hit),
        address=hit.address,
        address_words=texts.leads_to(_NAMES.get(hit.platform, hit.platform), hit.address, hit.original, hit.archived),
        original=hit.original if hit.original != hit.address else None,
        original_words=file_words(hit.original),
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


def section_view(
    answer: PlatformAnswer, asked: Asked, now: datetime, seen: Seen | None = None, *, may_come: bool = False
) -> SectionView:
    """One source's section in its state at this moment. ``seen``: what stands on its page already.

    ``may_come``: its reader still gets what comes later, so that a source that was too late is said to be asked still.
    """
    result = answer.result
    told, key = answer.while_it_may_come if may_come else answer, answer.platform.key
    page, typed = asked.query.page, asked.as_typed
    words = (*asked.query.text.words, *name_words(result))
    split = (seen or Seen()).split(result.hits if result else ())
    more = "?" + typed.address(platform=key, pagina=page + 1) if result and result.has_more else ""
    back = "?" + typed.address(platform=key, pagina=page - 1) if page > 1 else ""
    return SectionView(
        key=key,
        name=answer.platform.name,
        state=answer.state.value,
        state_word=texts.state_word(told),
        heading=texts.found(result) if result else "",
        message=_message(answer, told, now),
        remarks=texts.notes(result) if result else (),
        fetched=fetched(result.fetched_at, now.astimezone(AMSTERDAM).date()) if result else "",
        fetched_at=result.fetched_at.isoformat(timespec="seconds") if result else "",
        busy=not told.state.is_final,
        hits=tuple(hit_view(hit, words) for hit in split.new if not hit.partly),
        alike=tuple(hit_view(hit, words) for hit in split.new if hit.partly),
        copies=tuple(_copy_view(copy, words) for copy in split.copies),
        page=page,
        more=more,
        back=back,
        again="?" + typed.address(platform=key) if _may_do_better(answer) else "",
        elsewhere=own_search(answer.platform, asked.query.text),
    )


def _message(answer: PlatformAnswer, told: PlatformAnswer, now: datetime) -> str:
    if answer.state is State.READY:
        return ""
    return texts.state(answer, now) if told is answer else texts.still_asked(answer.platform.name)


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


def _may_do_better(answer: PlatformAnswer) -> bool:
    """Whether a source may answer when it is asked once more. One that an operator switched off does not."""
    is_off = isinstance(answer.failure, ClosedError) and bool(answer.failure.text)
    return answer.state in {State.TOO_LATE, State.FAILED, State.REFUSED} and not is_off
