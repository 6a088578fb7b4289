"""Every sentence that search says to people, in one place, in plain Dutch: what happened, what it means, what you can do.

Codes and data come in, sentences go out; nothing here knows a template.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Final

from connectors.archived import ArchivedCopy
from connectors.exceptions import (
    ClosedError,
    Defect,
    NotAnAnswerError,
    NotSupportedError,
    OperatorError,
    RefusedError,
    UnreachableError,
    Unsupported,
)
from connectors.moments import AMSTERDAM, MONTHS
from connectors.records import Certainty, Filter, Moment, Note, NoteCode, Operator, SearchResult, Sort, Total
from search.answers import PlatformAnswer, State
from search.question import Remark

UNKNOWN_DATE: Final = "datum onbekend"
OWN_FAULT: Final = "BesluitBron zelf heeft nu een storing: zij kan niet bij haar eigen wachtrij."
"""What is said when a source cannot be asked because our own store of turns cannot be used."""
START_HINT: Final = "Draait ./start wel, met dezelfde map (BESLUITBRON_DATA)? Start het, en vraag het opnieuw."

FILTER_NAMES: Final[Mapping[Filter, str]] = MappingProxyType(
    {
        Filter.ORGANISATION: "organisatie",
        Filter.KIND: "soort",
        Filter.FROM: "begindatum",
        Filter.UNTIL: "einddatum",
        Filter.SORT: "volgorde",
        Filter.PAGE: "pagina",
    }
)
_OPERATOR_HINTS: Final[Mapping[Operator, str]] = MappingProxyType(
    {
        Operator.OR: "Zoeken met OR kan hier niet. Stel twee losse vragen.",
        Operator.NOT: "Woorden uitsluiten met NOT of een minteken kan hier niet. Laat dat woord weg.",
        Operator.WILDCARD: "Een sterretje voor een deel van een woord kan hier niet. Typ het hele woord.",
        Operator.SLOP: "Zoeken op woorden die dicht bij elkaar staan (met ~) kan hier niet. "
        "Zet de woorden tussen aanhalingstekens, of laat het teken ~ en het getal weg.",
    }
)
_DEFECTS: Final[Mapping[Defect, str]] = MappingProxyType(
    {
        Defect.EMPTY: "kwam een leeg antwoord",
        Defect.HTML: "kwam een webpagina in plaats van een antwoord",
        Defect.CUT_OFF: "kwam een antwoord dat niet heel is",
        Defect.WRONG_TYPE: "kwam een antwoord in een onbekende vorm",
        Defect.WRONG_SHAPE: "kwam een antwoord in een onbekende vorm",
        Defect.DIAGNOSTICS: "kwam een foutmelding in plaats van een antwoord",
        Defect.ERROR_IN_200: "kwam een foutmelding in plaats van een antwoord",
        Defect.TOO_LARGE: "kwam een antwoord dat te groot is om te lezen",
        Defect.REDIRECTED: "kwam een doorverwijzing naar een andere plek",
        Defect.MAINTENANCE: "kwam het bericht dat er onderhoud is",
    }
)


def day(value: date) -> str:
    """A day as people write it: 12 maart 2026."""
    return f"{value.day} {MONTHS[value.month - 1]} {value.year}"


def clock(value: datetime) -> str:
    """A clock time in the Netherlands: 14:32 uur."""
    return f"{value.astimezone(AMSTERDAM):%H:%M} uur"


def moment(value: Moment | None) -> str:
    """The day of a date and, where a time is known, its clock time; "datum onbekend" where there is none."""
    if value is None:
        return UNKNOWN_DATE
    return f"{day(value.day)}, {clock(value.at)}" if value.at else day(value.day)


def number(value: int) -> str:
    """A number with points between thousands: 2.500."""
    return f"{value:,}".replace(",", ".")


def total(value: Total, singular: str = "resultaat", plural: str = "resultaten") -> str:
    """A total in honest words. An estimate is never shown as exact (field report 4)."""
    if value.value is None:
        return f"aantal {plural} onbekend"
    words = f"{number(value.value)} {singular if value.value == 1 else plural}"
    match value.certainty:
        case Certainty.ESTIMATE:
            return f"ongeveer {words}"
        case Certainty.AT_LEAST:
            return f"minstens {words}" if value.value else f"nog geen {plural} gezien"
        case _:
            return words


def coverage(searched: int | None, in_all: int | None) -> str:
    """How much of a document was searched, when that is not all of it: "908 pagina's, 40 doorzocht" (field report 22)."""
    if searched is None or in_all is None or searched >= in_all:
        return ""
    return f"{number(in_all)} pagina's, {number(searched)} doorzocht"


def archived(copy: ArchivedCopy | None) -> str:
    """That a source keeps a copy, since when, and whether the original is gone; empty where it keeps none."""
    if copy is None:
        return ""
    kept = f" op {day(copy.made_on)}" if copy.made_on else ""
    if copy.original_gone:
        return f"Het origineel staat niet meer op zijn adres. De bron bewaarde{kept} een kopie."
    return f"De bron bewaarde{kept} een kopie."


def leads_to(name: str, address: str, original: str | None, copy: ArchivedCopy | None) -> str:
    """What stands at the address of an item of the source ``name``: its own page, or the original that stands elsewhere."""
    if copy and copy.original_gone:
        return "oud adres van het origineel"
    return "origineel" if copy or original == address else f"bij {name}"


def planned(answer: PlatformAnswer, now: datetime) -> str:
    """That a source waits for a free place, and about when it starts: a clock time, which changes seldom."""
    name = answer.platform.name
    if answer.starts_at is None or (answer.starts_at - now).total_seconds() < 10:  # noqa: PLR2004 - "in a moment"
        start = "De vraag start zo meteen."
    else:
        start = f"De vraag start rond {clock(answer.starts_at)}."
    ahead = (answer.place or 1) - 1
    before = f" Er {'is' if ahead == 1 else 'zijn'} nog {number(ahead)} voor u." if ahead else ""
    return f"{name} wacht op een vrije plek.{before} {start} U kunt deze pagina open laten staan."


def still_waiting(name: str, ready_at: datetime) -> str:
    """That a document still waits for a free place when its page has waited long enough, and when it will probably be there."""
    return (
        f"Het is nu druk bij {name}. Uw vraag houdt haar plek in de rij. "
        f"Rond {clock(ready_at)} is het antwoord er waarschijnlijk: open deze pagina dan opnieuw."
    )


def state(answer: PlatformAnswer, now: datetime) -> str:
    """One or two sentences on the state of a source that has no hits to show."""
    name = answer.platform.name
    match answer.state:
        case State.PLANNED | State.BUSY:
            return planned(answer, now) if answer.state is State.PLANNED else f"{name} is bezig met zoeken."
        case State.EMPTY:
            return _nothing(answer)
        case State.TOO_LATE:
            return (
                f"{name} antwoordt nu niet op tijd.{_of_the_others(answer)} Probeer het over een paar minuten opnieuw."
            )
        case State.REFUSED:
            after = f" na {clock(answer.retry_at)}" if answer.retry_at else " later"
            return f"Het is nu te druk bij {name}. Probeer het{after} opnieuw."
        case State.NOT_SUPPORTED if isinstance(answer.failure, NotSupportedError):
            return not_supported(name, answer.failure)
        case _:
            return failure(answer)


def _nothing(answer: PlatformAnswer) -> str:
    """That a source answered and gave nothing: on this page, or at all."""
    name, result = answer.platform.name, answer.result
    if result and result.has_more:
        return f"Op deze bladzijde van {name} past niets bij uw keuze. Blader verder voor meer."
    if result and any(value.code is NoteCode.TOTAL_WITHOUT_HITS for value in result.notes):
        return f"{name} gaf geen stukken, en dat klopt niet. Probeer het later opnieuw, of zoek bij de bron zelf."
    if result and result.total.value:
        return f"Op deze bladzijde van {name} staat niets meer. Ga terug naar een eerdere bladzijde."
    return f"Geen resultaten bij {name}."


_STATE_WORDS: Final[Mapping[State, str]] = MappingProxyType(
    {
        State.BUSY: "bezig",
        State.PLANNED: "wacht",
        State.READY: "klaar",
        State.EMPTY: "niets gevonden",
        State.TOO_LATE: "te laat",
        State.FAILED: "geen antwoord",
        State.REFUSED: "te druk",
        State.NOT_SUPPORTED: "niet gevraagd",
    }
)


def state_word(answer: PlatformAnswer) -> str:
    """The state of a source in a word or two, to stand beside its name."""
    if isinstance(answer.failure, ClosedError):
        return _STATE_WORDS[State.NOT_SUPPORTED]
    return _STATE_WORDS[answer.state]


def failure(answer: PlatformAnswer) -> str:
    """What went wrong at a source, and what it means for the other sources. An operator says by himself when to come back."""
    if isinstance(answer.failure, ClosedError) and answer.failure.is_ours:
        return f"{_what_went_wrong(answer)} Probeer het later opnieuw."
    sentences = f"{_what_went_wrong(answer)}{_of_the_others(answer)}"
    if isinstance(answer.failure, ClosedError) and answer.failure.text:
        return sentences
    return f"{sentences} Probeer het{f' na {clock(answer.retry_at)}' if answer.retry_at else ' later'} opnieuw."


def _of_the_others(answer: PlatformAnswer) -> str:
    """That the results of other sources are right, where there are any."""
    return "" if answer.is_alone else " De resultaten van de andere bronnen kloppen wel."


def no_document(answer: PlatformAnswer) -> str:
    """What went wrong when one document was asked for."""
    if answer.state is State.TOO_LATE:
        return f"{answer.platform.name} antwoordt nu niet op tijd."
    return _what_went_wrong(answer)


def _what_went_wrong(answer: PlatformAnswer) -> str:
    name = answer.platform.name
    match answer.failure:
        case UnreachableError():
            return f"{name} is nu niet bereikbaar."
        case ClosedError(is_ours=True):
            return f"{OWN_FAULT} {name} is daarom niet gevraagd. Aan die bron ligt het niet."
        case ClosedError(text=text):
            return _sentence(text) or f"{name} vragen we nu even niet."
        case NotAnAnswerError(defect=defect):
            return f"Van {name} {_DEFECTS[defect]}. Daarom weten we niet wat de bron heeft."
        case RefusedError(status=status):
            return f"{name} kon dit nu niet beantwoorden (code {status})."
        case _:
            return f"Bij het vragen aan {name} ging aan onze kant iets mis."


def _sentence(text: str) -> str:
    """What somebody wrote, with an end."""
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def not_supported(name: str, failure: NotSupportedError) -> str:
    """Why a source cannot answer this question at all, with a hint."""
    if isinstance(failure, OperatorError):
        return " ".join(_OPERATOR_HINTS[operator] for operator in sorted(failure.operators))
    match failure.reason:
        case Unsupported.NO_SUCH_BODY:
            return f"{name} heeft geen stukken van deze organisatie. Deze bron is daarom niet gevraagd."
        case Unsupported.NO_SUCH_KIND:
            return f"{name} heeft geen stukken van deze soort. Deze bron is daarom niet gevraagd."
        case Unsupported.NEEDS_WORDS_OR_FILTER:
            return f"{name} heeft een zoekwoord of een organisatie nodig. Vul er een in om hier te zoeken."
        case Unsupported.SWITCHED_OFF:
            return (
                f"{name} staat hier uit. Deze bron heeft geen openbaar adres voor programma's, en de beheerder van deze "
                "website heeft er geen opgegeven. U kunt wel zelf zoeken op de website van de bron."
            )
        case _:
            return f"{name} kan deze vraag niet beantwoorden."


_NOTES: Final[Mapping[NoteCode, Callable[[tuple[str, ...]], str]]] = MappingProxyType(
    {
        NoteCode.FILTERED_BY_US: lambda v: (
            f"Deze bron kan niet zelf kiezen op {listed(_filter_names(v))}. We hebben haar antwoorden nagekeken."
        ),
        NoteCode.SORTED_BY_DATE: lambda _: "De resultaten staan op datum, niet op relevantie.",
        NoteCode.TOO_MANY_ORGANISATIONS: lambda v: (
            f"Meer dan {v[-1] if v else '6'} organisaties tegelijk vragen we deze bron niet. We hebben één vraag gesteld en de "
            "antwoorden zelf nagekeken."
        ),
        NoteCode.ORGANISATIONS_FAILED: lambda v: f"Geen antwoord voor {listed(v)}. De andere resultaten kloppen wel.",
        NoteCode.ORGANISATIONS_NOT_HERE: lambda v: f"Deze bron heeft geen stukken van {listed(v)}.",
        NoteCode.TOTAL_WITHOUT_HITS: lambda _: "De bron noemt een aantal, maar gaf geen stukken. Dat ligt aan de bron.",
        NoteCode.ASKED_WITHOUT_PERIOD: lambda _: (
            "We hebben de bron nog eens zonder datums gevraagd en zelf op datum gekozen."
        ),
        NoteCode.WITHDRAWN_LEFT_OUT: lambda v: (
            f"Wat de bron introk of verving, staat er niet bij ({_count(v, 'stuk', 'stukken')})."
        ),
        NoteCode.TAKEN_DOWN_LEFT_OUT: lambda v: (
            f"Wat de beheerder van deze website weghaalde, staat er niet bij ({_count(v, 'stuk', 'stukken')})."
        ),
        NoteCode.BEYOND_REACH: lambda _: "Verder dan dit laat de bron niet bladeren. Maak de vraag smaller.",
        NoteCode.SHORT_PAGES: lambda _: (
            "De bron gaf minder stukken per keer dan we vroegen. Er kunnen stukken ontbreken. Maak de vraag smaller."
        ),
        NoteCode.WITHOUT_TEXT: lambda _: "Van dit stuk geeft de bron geen tekst.",
        NoteCode.PAGES_READ: lambda v: f"{v[1]} pagina's, {v[0]} gelezen door de bron." if len(v) > 1 else "",
        NoteCode.REPLACED: lambda v: f"Dit stuk is vervangen door {listed(v)}.",
        NoteCode.ROWS_SKIPPED: lambda v: (
            f"Wat niet leesbaar was, staat er niet bij ({_count(v, 'resultaat', 'resultaten')})."
        ),
        NoteCode.LOOKED_UP: lambda _: "Uw vraag is een ECLI-nummer. We hebben die uitspraak opgezocht.",
        NoteCode.INCOMPLETE: lambda _: (
            "De bron kon een deel van haar stukken nu niet doorzoeken. Er kunnen resultaten ontbreken."
        ),
        NoteCode.NO_TEXT_LAYER: lambda _: (
            "Dit bestand heeft geen tekstlaag: de bladzijden zijn plaatjes. Open het origineel om het te lezen."
        ),
        NoteCode.PAGES_READ_BY_US: lambda v: (
            f"{v[1]} pagina's, {v[0]} gelezen. Open het origineel voor de rest." if len(v) > 1 else ""
        ),
        NoteCode.PARTS_LEFT_OUT: lambda _: (
            "Een deel van dit stuk is hier niet gelezen. Open het origineel voor de rest."
        ),
        NoteCode.OLD_VERSION: lambda v: (
            f"Deze bron is gevraagd bij een oude versie van haar dienst ({listed(v)}). "
            "Die kan stoppen, en er kan iets ontbreken."
        ),
        NoteCode.TITLES_ONLY: lambda _: (
            "Deze bron zoekt in titels en onderwerpen en in toezeggingen, niet in de tekst van de stukken."
        ),
        NoteCode.ANY_WORD: lambda v: (
            "Deze bron geeft ook stukken waarin maar een deel van uw woorden staat."
            + (" Stukken met de meeste woorden staan bovenaan." if v == (Sort.RELEVANCE.value,) else "")
        ),
        NoteCode.GROUPS_IGNORED: lambda v: f"Deze bron kan niet kiezen op {listed(v)}. Dat is hier niet gebruikt.",
        NoteCode.WORDS_APART: lambda _: (
            "Een woordgroep tussen aanhalingstekens kan deze bron niet zoeken. De woorden zijn los gezocht."
        ),
    }
)


_OWN_FILTERS: Final = frozenset(
    {NoteCode.FILTERED_BY_US, NoteCode.TOO_MANY_ORGANISATIONS, NoteCode.ASKED_WITHOUT_PERIOD}
)


def note(value: Note) -> str:
    """The sentence of a remark on an answer."""
    return _NOTES[value.code](value.values)


def notes(result: SearchResult) -> tuple[str, ...]:
    """The sentences on a search answer: its remarks, that there may be more than we saw, and what was not applied."""
    sentences = [note(value) for value in result.notes]
    filtered = any(value.code in _OWN_FILTERS for value in result.notes)
    if filtered and result.total.certainty is not Certainty.EXACT:
        sentences.append("Er kunnen er meer zijn dan we zagen.")
    sentences.append(ignored(result.ignored))
    return tuple(filter(None, sentences))


def ignored(filters: tuple[Filter, ...]) -> str:
    """That filters were not applied; empty when all were."""
    if not filters:
        return ""
    names = listed(tuple(FILTER_NAMES[name] for name in filters))
    return f"Deze bron kan niet kiezen op {names}. Dat is hier niet gebruikt."


def _count(values: tuple[str, ...], singular: str, plural: str) -> str:
    """How many, in words: 1 stuk, 3 stukken; "enkele" where nobody counted."""
    if not values:
        return f"enkele {plural}"
    return f"{values[0]} {singular if values[0] == '1' else plural}"


def _filter_names(values: tuple[str, ...]) -> tuple[str, ...]:
    known = {name.value: words for name, words in FILTER_NAMES.items()}
    return tuple(known.get(value, value) for value in values)


def listed(names: Sequence[str]) -> str:
    """Names as people list them: a, b en c."""
    return " en ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


_REMARKS: Final[Mapping[Remark, str]] = MappingProxyType(
    {Remark.QUOTE_DROPPED: "Er stond een aanhalingsteken zonder tweede in uw vraag. Dat teken is weggelaten."}
)


def remark(value: Remark) -> str:
    """What was done to a question."""
    return _REMARKS[value]
