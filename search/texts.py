"""Every sentence that search says to people, in one place, in plain Dutch: what happened, what it means, what you can do.

Codes and data come in, sentences go out; nothing here knows a template.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
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
from connectors.language import later, say, say_number
from connectors.records import Certainty, Filter, Hit, Moment, Note, NoteCode, Operator, SearchResult, Total
from search.answers import PlatformAnswer, State
from search.note_words import NOTES
from search.question import Remark
from search.trial import is_ours, place_words
from search.wording import FILTER_NAMES, clock, clock_not_before, day, joined, listed, number

__all__ = [
    "ALIKE",
    "FILTER_NAMES",
    "OWN_FAULT",
    "START_HINT",
    "UNKNOWN_DATE",
    "alike",
    "archived",
    "clock",
    "coverage",
    "day",
    "failure",
    "ignored",
    "leads_to",
    "listed",
    "moment",
    "no_document",
    "not_supported",
    "note",
    "notes",
    "number",
    "planned",
    "remark",
    "state",
    "state_word",
    "still_waiting",
    "total",
]

_SOON: Final = 10
"""A start within so many seconds is "in a moment"."""
UNKNOWN_DATE: Final = later("datum onbekend")
ALIKE: Final = later("lijkt erop, niet alle woorden")
"""What is said of a hit that shows only a part of the words, and of a source that has nothing else."""
OWN_FAULT: Final = later("BesluitBron zelf heeft nu een storing: zij kan niet bij haar eigen wachtrij.")
"""What is said when a source cannot be asked because our own store of turns cannot be used."""
START_HINT: Final = "Draait ./start wel, met dezelfde map (BESLUITBRON_DATA)? Start het, en vraag het opnieuw."

_OPERATOR_HINTS: Final[Mapping[Operator, str]] = MappingProxyType(
    {
        Operator.OR: later("Zoeken met OR kan hier niet. Stel twee losse vragen."),
        Operator.NOT: later("Woorden uitsluiten met NOT of een minteken kan hier niet. Laat dat woord weg."),
        Operator.WILDCARD: later("Een sterretje voor een deel van een woord kan hier niet. Typ het hele woord."),
        Operator.SLOP: later(
            "Zoeken op woorden die dicht bij elkaar staan (met ~) kan hier niet. "
            "Zet de woorden tussen aanhalingstekens, of laat het teken ~ en het getal weg."
        ),
    }
)
_DEFECTS: Final[Mapping[Defect, str]] = MappingProxyType(
    {
        Defect.EMPTY: later("Van {name} kwam een leeg antwoord. Daarom weten we niet wat de bron heeft."),
        Defect.HTML: later(
            "Van {name} kwam een webpagina in plaats van een antwoord. Daarom weten we niet wat de bron heeft."
        ),
        Defect.CUT_OFF: later("Van {name} kwam een antwoord dat niet heel is. Daarom weten we niet wat de bron heeft."),
        Defect.WRONG_TYPE: later(
            "Van {name} kwam een antwoord in een onbekende vorm. Daarom weten we niet wat de bron heeft."
        ),
        Defect.WRONG_SHAPE: later(
            "Van {name} kwam een antwoord in een onbekende vorm. Daarom weten we niet wat de bron heeft."
        ),
        Defect.DIAGNOSTICS: later(
            "Van {name} kwam een foutmelding in plaats van een antwoord. Daarom weten we niet wat de bron heeft."
        ),
        Defect.ERROR_IN_200: later(
            "Van {name} kwam een foutmelding in plaats van een antwoord. Daarom weten we niet wat de bron heeft."
        ),
        Defect.TOO_LARGE: later(
            "Van {name} kwam een antwoord dat te groot is om te lezen. Daarom weten we niet wat de bron heeft."
        ),
        Defect.REDIRECTED: later(
            "Van {name} kwam een doorverwijzing naar een andere plek. Daarom weten we niet wat de bron heeft."
        ),
        Defect.MAINTENANCE: later(
            "Van {name} kwam het bericht dat er onderhoud is. Daarom weten we niet wat de bron heeft."
        ),
    }
)


def moment(value: Moment | None) -> str:
    """The day of a date and, where a time is known, its clock time; "datum onbekend" where there is none."""
    if value is None:
        return say(UNKNOWN_DATE)
    return f"{day(value.day)}, {clock(value.at)}" if value.at else day(value.day)


def total(value: Total) -> str:
    """A total in honest words. An estimate is never shown as exact (field report 4)."""
    if value.value is None:
        return say("aantal resultaten onbekend")
    words = say_number("{count} resultaat", "{count} resultaten", value.value, count=number(value.value))
    match value.certainty:
        case Certainty.ESTIMATE:
            return say("ongeveer {count}", count=words)
        case Certainty.AT_LEAST:
            return say("minstens {count}", count=words) if value.value else say("nog geen resultaten gezien")
        case _:
            return words


def found(result: SearchResult) -> str:
    """How much a source found: its total, or that what it gives only looks like what was asked."""
    return say(ALIKE) if result.partly and not result.fitting else total(result.total)


def alike(hit: Hit) -> str:
    """That a hit only looks like what was asked; empty where it has all of it."""
    return say(ALIKE) if hit.partly else ""


def coverage(searched: int | None, in_all: int | None) -> str:
    """How much of a document was searched, when that is not all of it: "908 pagina's, 40 doorzocht" (field report 22)."""
    if searched is None or in_all is None or searched >= in_all:
        return ""
    return say("{pages} pagina's, {searched} doorzocht", pages=number(in_all), searched=number(searched))


def archived(copy: ArchivedCopy | None) -> str:
    """That a source keeps a copy, since when, and whether the original is gone; empty where it keeps none."""
    if copy is None:
        return ""
    made = copy.made_on
    kept = say("De bron bewaarde op {day} een kopie.", day=day(made)) if made else say("De bron bewaarde een kopie.")
    return f"{say('Het origineel staat niet meer op zijn adres.')} {kept}" if copy.original_gone else kept


def leads_to(name: str, address: str, original: str | None, copy: ArchivedCopy | None) -> str:
    """What stands at the address of an item of the source ``name``: its own page, the original elsewhere, or a page of ours."""
    if copy and copy.original_gone:
        return say("oud adres van het origineel")
    if is_ours(address):
        return place_words(name)
    return say("origineel") if copy or original == address else say("bij {name}", name=name)


def planned(answer: PlatformAnswer, now: datetime) -> str:
    """That a source waits for a free place, and about when it starts: a clock time, which changes seldom."""
    starts = answer.starts_at
    soon = starts is None or (starts - now).total_seconds() < _SOON
    ahead = (answer.place or 1) - 1
    sentences = (
        say("{name} wacht op een vrije plek.", name=answer.platform.name),
        say_number("Er is nog 1 voor u.", "Er zijn nog {count} voor u.", ahead, count=number(ahead)) if ahead else "",
        say("De vraag start zo meteen.")
        if soon or starts is None
        else say("De vraag start rond {time}.", time=clock_not_before(starts)),
        say("U kunt deze pagina open laten staan."),
    )
    return " ".join(filter(None, sentences))


def still_waiting(name: str, ready_at: datetime) -> str:
    """That a document still waits for a free place when its page has waited long enough, and when it will probably be there."""
    return say(
        "Het is nu druk bij {name}. Uw vraag houdt haar plek in de rij. Rond {time} is het "
        "antwoord er waarschijnlijk: open deze pagina dan opnieuw.",
        name=name,
        time=clock_not_before(ready_at),
    )


def still_asked(name: str) -> str:
    """That a source did not answer in the page's time and is asked on: its answer is kept."""
    return say(
        "{name} heeft meer tijd nodig en wordt nog gevraagd. Het antwoord komt hier te staan. Komt het niet vanzelf? "
        "Ververs dan de pagina.",
        name=name,
    )


def state(answer: PlatformAnswer, now: datetime) -> str:
    """One or two sentences on the state of a source that has no hits to show."""
    name = answer.platform.name
    match answer.state:
        case State.PLANNED | State.BUSY:
            return (
                planned(answer, now) if answer.state is State.PLANNED else say("{name} is bezig met zoeken.", name=name)
            )
        case State.EMPTY:
            return _nothing(answer)
        case State.TOO_LATE:
            late = say("{name} antwoordt nu niet op tijd.", name=name)
            return joined(late, _of_the_others(answer), say("Probeer het over een paar minuten opnieuw."))
        case State.REFUSED:
            return joined(say("Het is nu te druk bij {name}.", name=name), _again(answer))
        case State.NOT_SUPPORTED if isinstance(answer.failure, NotSupportedError):
            return not_supported(name, answer.failure)
        case _:
            return failure(answer)


def _nothing(answer: PlatformAnswer) -> str:
    """That a source answered and gave nothing: on this page, or at all."""
    name, result = answer.platform.name, answer.result
    if result and result.has_more:
        return say("Op deze bladzijde van {name} past niets bij uw vraag. Blader verder voor meer.", name=name)
    if result and any(value.code is NoteCode.TOTAL_WITHOUT_HITS for value in result.notes):
        return say(
            "{name} gaf geen stukken, en dat klopt niet. Probeer het later opnieuw, of zoek bij de bron zelf.",
            name=name,
        )
    if result and result.total.value:
        return say("Op deze bladzijde van {name} staat niets meer. Ga terug naar een eerdere bladzijde.", name=name)
    return say("Geen resultaten bij {name}.", name=name)


_STATE_WORDS: Final[Mapping[State, str]] = MappingProxyType(
    {
        State.BUSY: later("bezig"),
        State.PLANNED: later("wacht"),
        State.READY: later("klaar"),
        State.EMPTY: later("niets gevonden"),
        State.TOO_LATE: later("te laat"),
        State.FAILED: later("geen antwoord"),
        State.REFUSED: later("te druk"),
        State.NOT_SUPPORTED: later("niet gevraagd"),
    }
)


def state_word(answer: PlatformAnswer) -> str:
    """The state of a source in a word or two, to stand beside its name."""
    if isinstance(answer.failure, ClosedError):
        return say(_STATE_WORDS[State.NOT_SUPPORTED])
    return say(_STATE_WORDS[answer.state])


def failure(answer: PlatformAnswer) -> str:
    """What went wrong at a source, and what it means for the other sources. An operator says by himself when to come back."""
    what = _what_went_wrong(answer)
    if isinstance(answer.failure, ClosedError) and answer.failure.is_ours:
        return joined(what, say("Probeer het later opnieuw."))
    if isinstance(answer.failure, ClosedError) and answer.failure.text:
        return joined(what, _of_the_others(answer))
    return joined(what, _of_the_others(answer), _again(answer))


def _again(answer: PlatformAnswer) -> str:
    """When to come back."""
    if answer.retry_at is None:
        return say("Probeer het later opnieuw.")
    return say("Probeer het na {time} opnieuw.", time=clock_not_before(answer.retry_at))


def _of_the_others(answer: PlatformAnswer) -> str:
    """That the results of other sources are right, where there are any."""
    return "" if answer.is_alone else say("De resultaten van de andere bronnen kloppen wel.")


def no_document(answer: PlatformAnswer) -> str:
    """What went wrong when one document was asked for."""
    if answer.state is State.TOO_LATE:
        return say("{name} antwoordt nu niet op tijd.", name=answer.platform.name)
    return _what_went_wrong(answer)


def _what_went_wrong(answer: PlatformAnswer) -> str:
    name = answer.platform.name
    match answer.failure:
        case UnreachableError():
            return say("{name} is nu niet bereikbaar.", name=name)
        case ClosedError(is_ours=True):
            return joined(say(OWN_FAULT), say("{name} is daarom niet gevraagd. Aan die bron ligt het niet.", name=name))
        case ClosedError(text=text):
            return _sentence(text) or say("{name} vragen we nu even niet.", name=name)
        case NotAnAnswerError(defect=defect):
            return say(_DEFECTS[defect], name=name)
        case RefusedError(status=status):
            return say("{name} kon dit nu niet beantwoorden (code {status}).", name=name, status=status)
        case _:
            return say("Bij het vragen aan {name} ging aan onze kant iets mis.", name=name)


def _sentence(text: str) -> str:
    """What somebody wrote, with an end."""
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def not_supported(name: str, failure: NotSupportedError) -> str:
    """Why a source cannot answer this question at all, with a hint."""
    if isinstance(failure, OperatorError):
        return " ".join(say(_OPERATOR_HINTS[operator]) for operator in sorted(failure.operators))
    return say(_UNSUPPORTED.get(failure.reason, later("{name} kan deze vraag niet beantwoorden.")), name=name)


_UNSUPPORTED: Final[Mapping[Unsupported, str]] = {
    Unsupported.NO_SUCH_BODY: later(
        "{name} heeft geen stukken van deze organisatie. Deze bron is daarom niet gevraagd."
    ),
    Unsupported.NO_SUCH_KIND: later("{name} heeft geen stukken van deze soort. Deze bron is daarom niet gevraagd."),
    Unsupported.NO_SUCH_GROUP: later(
        "{name} kan niet kiezen op een fractie of commissie. Deze bron is daarom niet gevraagd."
    ),
    Unsupported.NEEDS_WORDS_OR_FILTER: later(
        "{name} heeft een zoekwoord of een organisatie nodig. Vul er een in om hier te zoeken."
    ),
    Unsupported.SWITCHED_OFF: later(
        "{name} staat hier uit. Deze bron heeft geen openbaar adres voor programma's, en de beheerder van deze website "
        "heeft er geen opgegeven. U kunt wel zelf zoeken op de website van de bron."
    ),
}
_OWN_FILTERS: Final = frozenset(
    {NoteCode.FILTERED_BY_US, NoteCode.TOO_MANY_ORGANISATIONS, NoteCode.ASKED_WITHOUT_PERIOD}
)


def note(value: Note) -> str:
    """The sentence of a remark on an answer."""
    return NOTES[value.code](value.values)


def notes(result: SearchResult) -> tuple[str, ...]:
    """The sentences on a search answer: its remarks, that there may be more than we saw, and what was not applied."""
    sentences = [note(value) for value in result.notes]
    filtered = any(value.code in _OWN_FILTERS for value in result.notes)
    if filtered and result.total.certainty is not Certainty.EXACT:
        sentences.append(say("Er kunnen er meer zijn dan we zagen."))
    if result.partly:
        sentences.append(
            say_number(
                "Lijkt erop, niet alle woorden: in titel en fragment van {count} stuk zien we niet alle woorden van uw vraag. "
                "Dat telt niet mee.",
                "Lijkt erop, niet alle woorden: in titel en fragment van {count} stukken zien we niet alle woorden van uw "
                "vraag. Die tellen niet mee.",
                result.partly,
                count=result.partly,
            )
        )
    sentences.append(ignored(result.ignored))
    return tuple(filter(None, sentences))


def ignored(filters: tuple[Filter, ...]) -> str:
    """That filters were not applied; empty when all were."""
    if not filters:
        return ""
    names = listed(tuple(say(FILTER_NAMES[name]) for name in filters))
    return say("Deze bron kan niet kiezen op {names}. Dat is hier niet gebruikt.", names=names)


_REMARKS: Final[Mapping[Remark, str]] = MappingProxyType(
    {Remark.QUOTE_DROPPED: later("Er stond een aanhalingsteken zonder tweede in uw vraag. Dat teken is weggelaten.")}
)


def remark(value: Remark) -> str:
    """What was done to a question."""
    return say(_REMARKS[value])
