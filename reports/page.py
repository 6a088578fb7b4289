"""From a report to what its page prints: words, links and marks, no markup."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import parse_qs

from django.conf import settings

from connectors.language import here, say, say_number
from connectors.records import Moment
from connectors.voting import Votes
from reports import charts, words
from reports.records import BodyPart, CutReason, Entry, Excerpt, PlatformFound, Reading, Report, Wish
from search import texts
from search.choices import Chip, chips, zoeken
from search.exceptions import InvalidQuestionError
from search.organisations import Bodies
from search.parameters import MAX_VALUES, Asked, read_parameters
from search.present import HitView, Segment, hit_view, machine_date, marked

FILES: Final = ("csv", "json", "ris", "pdf")
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a report is of, as people read it: what was typed, the filters that were on, and the search page with the same.

    Without typed words ``typed`` is empty; a question that cannot be read any more has its address alone.
    """

    typed: str
    filters: tuple[Chip, ...]
    address: str
    found: tuple[str, ...]
    """The words to mark."""
    bodies: tuple[str, ...] = ()
    """The names of the chosen bodies, where there are so many that ``filters`` only has their number."""

    @property
    def title(self) -> str:
        """The report in a few words, for a heading or the name of a file."""
        return self.typed or texts.listed([chip.value for chip in self.filters]) or say("alle stukken")


def subject(wish: Wish, register: Bodies) -> Subject:
    """What ``wish`` is of. Bodies that the register does not know any more are left out of the words, not of the address."""
    asked = asked_of(wish.target, register)
    if asked is None:
        return Subject("", (), zoeken(wish.target), ())
    bodies = tuple(body.name for body in asked.query.organisations)
    return Subject(
        typed=asked.question.typed,
        filters=chips(asked),
        address=zoeken(wish.target),
        found=asked.query.text.words,
        bodies=bodies if len(bodies) > MAX_VALUES else (),
    )


def asked_of(target: str, register: Bodies) -> Asked | None:
    """The question in the query string of a search address; None when it cannot be read."""
    try:
        return read(target, register)
    except InvalidQuestionError:
        return None


def read(target: str, register: Bodies) -> Asked:
    """The question in the query string of a search address. Raises ``InvalidQuestionError`` with every fault."""
    values: Mapping[str, list[str]] = parse_qs(target, keep_blank_values=True)
    return read_parameters(values, register, max_characters=settings.QUESTION_MAX_CHARACTERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcerptView:
    """A stretch of text: where it stands, the address of that place on our own page, and its words with marks."""

    place: str
    link: str
    heading: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView:
    """One thing in the report. ``others``: the same at other platforms, name and address."""

    hit: HitView
    source: str
    others: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    dates: tuple[tuple[str, str, str], ...]
    votes: Votes | None
    vote: str
    excerpts: tuple[ExcerptView, ...]
    said: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MonthView:
    """One month of a body."""

    name: str
    entries: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True)
class BodyView:
    """One body: where it stands on the page, its name, and how many things it has."""

    anchor: str
    name: str
    number: str
    months: tuple[MonthView, ...]


def body_view(body: BodyPart, place: int, found: tuple[str, ...]) -> BodyView:
    """One body, with the words that were ``found`` marked. ``place`` is its place on the page."""
    months = (
        MonthView(words.month(month.first), tuple(entry_view(entry, found) for entry in month.entries))
        for month in body.months
    )
    return BodyView(body_anchor(place), words.short(body.name), words.things(body.number), tuple(months))


def body_anchor(place: int) -> str:
    """Where the body at this place stands on the page."""
    return f"organisatie-{place}"


def entry_view(entry: Entry, found: tuple[str, ...]) -> EntryView:
    """One thing."""
    whole, reading = hit_view(entry.hit, found), entry.reading
    shown = replace(whole, title=words.short(whole.title), kind_at_source=words.short(whole.kind_at_source))
    votes = reading.votes if reading else None
    return EntryView(
        hit=shown,
        source=words.NAMES.get(entry.hit.platform, entry.hit.platform),
        others=tuple((words.NAMES.get(one.platform, one.platform), one.address) for one in entry.item.things[1:]),
        warnings=tuple(one.warning for one in entry.item.disagreements),
        dates=tuple(_date(one) for one in _other_dates(entry)),
        votes=votes,
        vote=words.vote(votes) if votes else "",
        excerpts=tuple(_excerpt(one, shown.link, found) for one in reading.excerpts) if reading else (),
        said=words.read(reading, searched=bool(found)),
        notes=_notes(reading),
    )


def _notes(reading: Reading | None) -> tuple[str, ...]:
    return tuple(filter(None, map(texts.note, reading.notes))) if reading else ()


def _other_dates(entry: Entry) -> tuple[Moment, ...]:
    """The dates of a document beside the one that its hit has."""
    return tuple(one for one in entry.reading.dates if one != entry.hit.date) if entry.reading else ()


def _date(moment: Moment) -> tuple[str, str, str]:
    return texts.moment(moment), machine_date(moment), moment.meaning.value


def _excerpt(excerpt: Excerpt, link: str, found: tuple[str, ...]) -> ExcerptView:
    kind = "pagina" if excerpt.is_page else "deel"
    place = (
        say("pagina {number}", number=excerpt.number)
        if excerpt.is_page
        else say("deel {number}", number=excerpt.number)
    )
    marks = (*found, *(word for one in excerpt.found for word in _WORD.findall(one)))
    return ExcerptView(
        place=place,
        link=f"{link}#{kind}-{excerpt.number}",
        heading=excerpt.heading,
        segments=marked(excerpt.text, marks),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """One platform that was asked: how much it says it has, how much is here, and what it said."""

    key: str
    name: str
    total: str
    taken: str
    fetched: str
    notes: tuple[str, ...]


def sources(report: Report) -> Iterator[SourceView]:
    """Every platform that was asked, those without an answer too."""
    told = {one.platform: one for one in report.totals}
    left_out = {one.platform for one in report.cuts if one.reason is CutReason.NOT_ASKED}
    for key in report.sources:
        yield _source(key, told.get(key), say("niet gevraagd") if key in left_out else say("geen antwoord"))


def _source(key: str, found: PlatformFound | None, without: str) -> SourceView:
    name = words.NAMES.get(key, key)
    if found is None:
        return SourceView(key=key, name=name, total=without, taken="", fetched="", notes=())
    notes = (*map(texts.note, found.notes), texts.ignored(found.ignored))
    return SourceView(
        key=key,
        name=name,
        total=texts.total(found.total),
        taken=texts.number(found.taken),
        fetched=words.moment(found.fetched_at),
        notes=tuple(filter(None, notes)),
    )


def summary(report: Report) -> str:
    """How much there is, in one sentence."""
    things = words.things(report.overview.number)
    bodies = len(report.overview.bodies)
    if not report.overview.number:
        return say("De bronnen die antwoordden, vonden niets.")
    return say_number(
        "{things} van {count} organisatie.", "{things} van {count} organisaties.", bodies, things=things, count=bodies
    )


def head(report: Report, about: Subject, token: str, kept_until: str) -> dict[str, Any]:
    """All of the page above the bodies. ``kept_until``: until when it is there, in words."""
    overview = report.overview
    return {
        "over": about,
        "titel": say("Rapport: {title} – BesluitBron", title=about.title),
        "gevraagd_op": words.moment(report.asked_at),
        "gemaakt_op": words.moment(report.made_at),
        "gemaakt_machine": report.made_at.isoformat(timespec="seconds"),
        "maker": report.version,
        "bewaard_tot": kept_until,
        "ontbreekt": [(*words.cut(one), one.reason is not CutReason.NOT_ASKED) for one in report.cuts],
        "grens": say(
            "Een rapport heeft hooguit {hits} treffers, en leest de tekst van hooguit {texts} stukken.",
            hits=texts.number(report.most_hits),
            texts=texts.number(report.most_texts),
        ),
        "aantal": summary(report),
        "bronnen": list(sources(report)),
        "per_organisatie": charts.by_body(overview),
        "per_jaar": charts.by_year(overview),
        "inhoud": [
            (body_anchor(place), words.short(body.name), words.things(body.number))
            for place, body in enumerate(overview.bodies, 1)
        ],
        "bestanden": files(token, report.lacks),
        "geen_bestand": words.lacks(report.lacks),
        "vaste_link": "",  # the address is a secret: what is printed and passed on does not give it away
        "vraag_adres": "" if about.bodies else f"{settings.SITE_ADDRESS}{about.address}",
    }


def forms(lacks: Collection[str]) -> tuple[str, ...]:
    """The forms of which a report has a file, where it ``lacks`` these."""
    return tuple(form for form in FILES if form not in lacks)


def files(token: str, lacks: Collection[str] = ()) -> list[tuple[str, str, str]]:
    """The forms in which the report can be kept, without those of which it ``lacks`` the file: name, address, media type."""
    root = address(token)
    known = {
        "pdf": (say("Om af te drukken (PDF)"), f"{root}.pdf", "application/pdf"),
        "csv": (say("Tabel (CSV)"), f"{root}.csv", "text/csv"),
        "ris": (say("Verwijzingen (RIS)"), f"{root}.ris", "application/x-research-info-systems"),
        "json": (say("Gegevens (JSON)"), f"{root}.json", "application/json"),
    }
    return [file for form, file in known.items() if form not in lacks]


def address(token: str) -> str:
    """The page of a report, in the language that is spoken."""
    return here(f"/rapporten/{token}")
