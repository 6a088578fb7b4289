"""The sentences of remarks on answers and documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from connectors.language import later, say
from connectors.records import BodyKind, NoteCode, Sort
from search.wording import FILTER_NAMES, joined, listed

BODIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        BodyKind.GEMEENTE.value: later("gemeenten"),
        BodyKind.PROVINCIE.value: later("provincies"),
        BodyKind.WATERSCHAP.value: later("waterschappen"),
    }
)
"""The places of which a source may know none, by kind."""
NOTES: Final[Mapping[NoteCode, Callable[[tuple[str, ...]], str]]] = MappingProxyType(
    {
        NoteCode.FILTERED_BY_US: lambda v: say(
            "Deze bron kan niet zelf kiezen op {names}. We hebben haar antwoorden nagekeken.",
            names=listed(_filter_names(v)),
        ),
        NoteCode.SORTED_BY_DATE: lambda _: say("De resultaten staan op datum, niet op relevantie."),
        NoteCode.TOO_MANY_ORGANISATIONS: lambda v: say(
            "Meer dan {most} organisaties tegelijk vragen we deze bron niet. We hebben één vraag gesteld en de "
            "antwoorden zelf nagekeken.",
            most=v[-1] if v else "6",
        ),
        NoteCode.ORGANISATIONS_FAILED: lambda v: say(
            "Geen antwoord voor {names}. De andere resultaten kloppen wel.", names=listed(tuple(map(say, v)))
        ),
        NoteCode.ORGANISATIONS_NOT_HERE: lambda v: say("Deze bron heeft geen stukken van {names}.", names=listed(v)),
        NoteCode.TOTAL_WITHOUT_HITS: lambda _: say(
            "De bron noemt een aantal, maar gaf geen stukken. Dat ligt aan de bron."
        ),
        NoteCode.ASKED_WITHOUT_PERIOD: lambda _: say(
            "We hebben de bron nog eens zonder datums gevraagd en zelf op datum gekozen."
        ),
        NoteCode.WITHDRAWN_LEFT_OUT: lambda v: say(
            "Wat de bron introk of verving, staat er niet bij ({count}).", count=_papers(v)
        ),
        NoteCode.TAKEN_DOWN_LEFT_OUT: lambda v: say(
            "Wat de beheerder van deze website weghaalde, staat er niet bij ({count}).",
            count=_papers(v),
        ),
        NoteCode.BEYOND_REACH: lambda _: say("Verder dan dit laat de bron niet bladeren. Maak de vraag smaller."),
        NoteCode.SHORT_PAGES: lambda _: say(
            "De bron gaf minder stukken per keer dan we vroegen. Er kunnen stukken ontbreken. Maak de vraag smaller."
        ),
        NoteCode.WITHOUT_TEXT: lambda _: say("Van dit stuk geeft de bron geen tekst."),
        NoteCode.PAGES_READ: lambda v: (
            say("{pages} pagina's, {read} gelezen door de bron.", pages=v[1], read=v[0]) if len(v) > 1 else ""
        ),
        NoteCode.REPLACED: lambda v: say("Dit stuk is vervangen door {names}.", names=listed(v)),
        NoteCode.ROWS_SKIPPED: lambda v: say("Wat niet leesbaar was, staat er niet bij ({count}).", count=_results(v)),
        NoteCode.LOOKED_UP: lambda _: say("Uw vraag is een ECLI-nummer. We hebben die uitspraak opgezocht."),
        NoteCode.INCOMPLETE: lambda _: say(
            "De bron kon een deel van haar stukken nu niet doorzoeken. Er kunnen resultaten ontbreken."
        ),
        NoteCode.NO_TEXT_LAYER: lambda _: say(
            "Dit bestand heeft geen tekstlaag: de bladzijden zijn plaatjes. Open het origineel om het te lezen."
        ),
        NoteCode.PAGES_READ_BY_US: lambda v: (
            say("{pages} pagina's, {read} gelezen. Open het origineel voor de rest.", pages=v[1], read=v[0])
            if len(v) > 1
            else ""
        ),
        NoteCode.PARTS_LEFT_OUT: lambda _: say(
            "Een deel van dit stuk is hier niet gelezen. Open het origineel voor de rest."
        ),
        NoteCode.OLD_VERSION: lambda v: say(
            "Deze bron is gevraagd bij een oude versie van haar dienst ({names}). Die kan stoppen, "
            "en er kan iets ontbreken.",
            names=listed(v),
        ),
        NoteCode.TITLES_ONLY: lambda _: say(
            "Deze bron zoekt in titels en onderwerpen en in toezeggingen, niet in de tekst van de stukken."
        ),
        NoteCode.ANY_WORD: lambda v: joined(
            say("Deze bron geeft ook stukken waarin maar een deel van uw woorden staat."),
            say("Stukken met de meeste woorden staan bovenaan.") if v == (Sort.RELEVANCE.value,) else "",
        ),
        NoteCode.AS_FOUND: lambda _: say(
            "De bron kon dit stuk zelf niet geven. Hier staat alleen wat haar zoekfunctie ervan zegt."
        ),
        NoteCode.INSIDE_WORDS: lambda v: say(
            "Deze bron zoekt ook midden in woorden: niet elk resultaat gaat over {words}.",
            words=listed([f"‘{word}’" for word in v]),
        ),
        NoteCode.NAME_AS_WORD: lambda v: say(
            "Deze bron kent geen {kinds}. We zochten met ‘{name}’ als woord.",
            kinds=say(BODIES.get(v[0], v[0])),
            name=v[-1],
        ),
        NoteCode.WORDS_APART: lambda _: say(
            "Woorden die bij elkaar horen (tussen aanhalingstekens, of zoals in 14:30) kan deze bron alleen los zoeken."
        ),
    }
)


"""By code; the values of a remark go in."""


def _papers(values: tuple[str, ...]) -> str:
    """How many papers, in words: 1 stuk, 3 stukken; "enkele" where nobody counted."""
    if not values:
        return say("enkele stukken")
    return say("1 stuk") if values[0] == "1" else say("{count} stukken", count=values[0])


def _results(values: tuple[str, ...]) -> str:
    if not values:
        return say("enkele resultaten")
    return say("1 resultaat") if values[0] == "1" else say("{count} resultaten", count=values[0])


def _filter_names(values: tuple[str, ...]) -> tuple[str, ...]:
    known = {name.value: say(words) for name, words in FILTER_NAMES.items()}
    return tuple(known.get(value, value) for value in values)
