"""What goes in (a query) and what comes out (hits, documents, organisations). Frozen values, no behaviour that asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from connectors.archived import ArchivedCopy
from connectors.voting import Votes


class Kind(StrEnum):
    """The closed list of kinds that BesluitBron knows; each hit also keeps the platform's own word."""

    AGENDA = "agenda"
    VERGADERING = "vergadering"
    VERSLAG = "verslag"
    VOORSTEL = "voorstel"
    BESLUIT = "besluit"
    MOTIE = "motie"
    AMENDEMENT = "amendement"
    VRAAG = "vraag"
    ANTWOORD = "antwoord"
    BRIEF = "brief"
    TOEZEGGING = "toezegging"
    STEMMING = "stemming"
    BEKENDMAKING = "bekendmaking"
    WET = "wet"
    UITSPRAAK = "uitspraak"
    CONCLUSIE = "conclusie"
    DOCUMENT = "document"


class BodyKind(StrEnum):
    """What kind of body of government or court an organisation is; ``OVERIG``: agencies, regions, high councils of state."""

    GEMEENTE = "gemeente"
    PROVINCIE = "provincie"
    WATERSCHAP = "waterschap"
    STADSDEEL = "stadsdeel"
    GERECHT = "gerecht"
    PARLEMENT = "parlement"
    MINISTERIE = "ministerie"
    OVERIG = "overig"


class Sort(StrEnum):
    """How hits are ordered; the values are those of the parameter ``sorteer``."""

    RELEVANCE = "relevantie"
    NEWEST = "nieuwste"
    OLDEST = "oudste"


class Filter(StrEnum):
    """The filters of a query, named as the parameters of page, terminal and API."""

    ORGANISATION = "organisatie"
    KIND = "soort"
    FROM = "van"
    UNTIL = "tot"
    SORT = "sorteer"
    PAGE = "pagina"


class Group(StrEnum):
    """What part of a body may be chosen where a platform gives it; the values are those of the parameters of the page."""

    PARTY = "fractie"
    COMMITTEE = "commissie"


class Operator(StrEnum):
    """What a question may hold beside words and phrases. A connector says which of these its platform knows."""

    OR = "OR"
    NOT = "NOT"
    WILDCARD = "*"
    SLOP = "~"


class Certainty(StrEnum):
    """How sure a total is; the values are those of the data form."""

    EXACT = "exact"
    ESTIMATE = "schatting"
    AT_LEAST = "minstens"
    UNKNOWN = "onbekend"


class DateMeaning(StrEnum):
    """What a date of a hit or document stands for."""

    MEETING = "vergaderdatum"
    MEETING_OR_CHANGE = "datum van behandeling of wijziging"
    MEETING_OR_MOTION = "datum van behandeling of indiening"
    MOTION = "datum van de motie"
    DECISION = "uitspraakdatum"
    CONCLUSION = "datum conclusie"
    DOCUMENT = "datum van het stuk"
    COMMITMENT = "datum van de toezegging"
    PUBLICATION = "publicatiedatum"
    CHANGE = "wijzigingsdatum"


class TextForm(StrEnum):
    """How the text of a passage is written down."""

    PLAIN = "plat"
    MARKDOWN = "markdown"


class TextState(StrEnum):
    """How much of a document's text there is."""

    FULL = "volledig"
    PARTIAL = "deels"
    NONE = "geen"


@dataclass(frozen=True, slots=True)
class Term:
    """One word, or the words of a phrase. Never empty; words hold letters and digits of any script.

    ``written``: a phrase with the signs between its words ("WHO-normen"), for a platform that compares letter by letter.
    """

    words: tuple[str, ...]
    phrase: bool = False
    written: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class SearchText:
    """All of ``terms`` must occur; ``operators`` are the asker's; ``ecli``: it is nothing else. ``repr`` hides the words."""

    terms: tuple[Term, ...] = field(default=(), repr=False)
    operators: frozenset[Operator] = frozenset()
    ecli: str | None = field(default=None, repr=False)

    @property
    def words(self) -> tuple[str, ...]:
        """All words, in order."""
        return tuple(word for term in self.terms for word in term.words)

    def __bool__(self) -> bool:
        return bool(self.terms)


@dataclass(frozen=True, slots=True)
class Organisation:
    """A body of government or a court. ``id`` is of the register (``gemeente-ede``); ``keys`` holds each platform's own.

    ``names`` are further spellings under which it may be asked for. ``ended`` is the first day it no longer existed.
    """

    id: str
    name: str
    kind: BodyKind
    keys: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    code: str | None = None
    ended: date | None = None
    successor: str | None = None

    def key_at(self, platform: str) -> str | None:
        """The key under which ``platform`` knows this body, or None when it does not."""
        return dict(self.keys).get(platform)


@dataclass(frozen=True, slots=True)
class Query:
    """One question as a connector sees it. ``date_from`` and ``date_until`` are both included; ``page`` counts from 1.

    ``groups``: a party or a committee, each at most once, as its platform writes it; only those that say so choose by it.
    ``read_body``: the id of the one place that was read from the words, so that nobody chose it; empty where there is none.
    """

    text: SearchText = SearchText()
    organisations: tuple[Organisation, ...] = ()
    kinds: frozenset[Kind] = frozenset()
    date_from: date | None = None
    date_until: date | None = None
    sort: Sort = Sort.RELEVANCE
    page: int = 1
    groups: tuple[tuple[Group, str], ...] = ()
    read_body: str = ""

    @property
    def has_period(self) -> bool:
        """Whether a first or a last day is asked for."""
        return self.date_from is not None or self.date_until is not None


@dataclass(frozen=True, slots=True)
class Total:
    """How many hits a platform says it has. ``value`` is None exactly when the certainty is UNKNOWN."""

    value: int | None
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class Moment:
    """A date with its meaning. ``at`` carries its offset when a time is known, else ``day`` stands alone."""

    day: date
    meaning: DateMeaning
    at: datetime | None = None


class NoteCode(StrEnum):
    """What a connector has to say about its own answer; the words for people stand in ``search/texts.py``."""

    FILTERED_BY_US = "filtered_by_us"
    SORTED_BY_DATE = "sorted_by_date"
    TOO_MANY_ORGANISATIONS = "too_many_organisations"
    ORGANISATIONS_FAILED = "organisations_failed"
    ORGANISATIONS_NOT_HERE = "organisations_not_here"
    TOTAL_WITHOUT_HITS = "total_without_hits"
    ASKED_WITHOUT_PERIOD = "asked_without_period"
    WITHDRAWN_LEFT_OUT = "withdrawn_left_out"
    TAKEN_DOWN_LEFT_OUT = "taken_down_left_out"
    BEYOND_REACH = "beyond_reach"
    SHORT_PAGES = "short_pages"
    WITHOUT_TEXT = "without_text"
    PAGES_READ = "pages_read"
    REPLACED = "replaced"
    ROWS_SKIPPED = "rows_skipped"
    LOOKED_UP = "looked_up"
    INCOMPLETE = "incomplete"
    NO_TEXT_LAYER = "no_text_layer"
    PAGES_READ_BY_US = "pages_read_by_us"
    PARTS_LEFT_OUT = "parts_left_out"
    TITLES_ONLY = "titles_only"
    OLD_VERSION = "old_version"
    ANY_WORD = "any_word"
    WORDS_APART = "words_apart"
    AS_FOUND = "as_found"
    NAME_AS_WORD = "name_as_word"
    INSIDE_WORDS = "inside_words"


@dataclass(frozen=True, slots=True)
class Note:
    """One remark on an answer, as code and data. ``values`` holds what its sentence needs (names of filters, numbers)."""

    code: NoteCode
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result.

    ``upstream_id`` is the platform's own id and opens the document page; ``address`` is the page a person cites;
    ``original`` the original file. ``snippet`` is plain text, decoded once, never markup. ``date`` is None when unknown.
    ``page`` is where the words were found; ``pages_searched`` is less than ``pages_in_all`` when the platform read a part.
    ``same_as`` holds the keys that the same thing has at other platforms (see ``connectors.sameness``). ``session``: that
    of parliament which a paper belongs to and is cited by ("2023-2024"), empty where the platform does not give it.
    ``partly``: at a platform that takes any word, it shows only a part of those asked for. It only looks like an answer: every
    door that shows it says so, and none counts it.
    """

    platform: str
    upstream_id: str
    title: str
    organisation: str
    organisation_id: str | None
    kind: Kind
    kind_at_source: str
    date: Moment | None
    snippet: str
    address: str
    original: str | None
    fetched_at: datetime
    page: int | None = None
    pages_searched: int | None = None
    pages_in_all: int | None = None
    archived: ArchivedCopy | None = None
    same_as: tuple[str, ...] = ()
    session: str = ""
    partly: bool = False

    @property
    def id(self) -> str:
        """The id over all platforms: ``<platform>:<upstream id>``."""
        return f"{self.platform}:{self.upstream_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What one platform answered to one query, one page of it. ``total`` leaves out hits with a part of the words."""

    hits: tuple[Hit, ...]
    total: Total
    fetched_at: datetime
    ignored: tuple[Filter, ...] = ()
    notes: tuple[Note, ...] = ()
    has_more: bool = False

    @property
    def partly(self) -> int:
        """How many of the hits show only a part of the words."""
        return sum(hit.partly for hit in self.hits)

    @property
    def fitting(self) -> int:
        """How many of the hits count: those with all that was asked."""
        return len(self.hits) - self.partly


@dataclass(frozen=True, slots=True)
class Passage:
    """A page or part of a document's text. ``number`` counts from 1 and is its place in ``#pagina-…`` or ``#deel-…``."""

    number: int
    text: str
    heading: str = ""
    form: TextForm = TextForm.PLAIN
    is_page: bool = False


@dataclass(frozen=True, slots=True)
class Detail:
    """One fact about a document as label (Dutch) and value, for the facts list of its page."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Related:
    """A link to something that belongs to a document: ``upstream_id`` when the same platform serves it, else ``address``."""

    relation: str
    title: str
    upstream_id: str | None = None
    address: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document with its full text by page or part, as one platform gave it. ``same_as`` and ``session`` as in ``Hit``."""

    platform: str
    upstream_id: str
    title: str
    organisation: str
    organisation_id: str | None
    kind: Kind
    kind_at_source: str
    dates: tuple[Moment, ...]
    passages: tuple[Passage, ...]
    text_state: TextState
    address: str
    original: str | None
    fetched_at: datetime
    abstract: str = ""
    details: tuple[Detail, ...] = ()
    related: tuple[Related, ...] = ()
    votes: Votes | None = None
    notes: tuple[Note, ...] = ()
    archived: ArchivedCopy | None = None
    same_as: tuple[str, ...] = ()
    session: str = ""

    @property
    def id(self) -> str:
        """The id over all platforms: ``<platform>:<upstream id>``."""
        return f"{self.platform}:{self.upstream_id}"


@dataclass(frozen=True, slots=True)
class ListItem:
    """One item of a value list: the platform's identifier, its name, and the identifier of the item above it."""

    identifier: str
    name: str
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of a platform that rarely change: its organisations and its value lists by name."""

    organisations: tuple[Organisation, ...]
    values: tuple[tuple[str, tuple[ListItem, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing that ``Connector.check()`` looked at: ``name`` in Dutch, whether it is as expected, and what was seen."""

    name: str
    ok: bool
    seen: str = ""
