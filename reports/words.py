"""Every sentence that reports say to people, in one place, in plain Dutch: what happened, what it means, what you can do."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Final

from connectors.language import Language, later, say, say_number, spoken
from connectors.moments import AMSTERDAM, MONTHS, MONTHS_IN_ENGLISH
from connectors.platforms import PLATFORMS
from connectors.records import TextState
from connectors.voting import Votes
from reports.doors import Terms
from reports.records import Cut, CutReason, Reading, Reason, ReportStatus, Standing
from search import texts, wording

NAMES: Final = {platform.key: platform.name for platform in PLATFORMS}
_SOON: Final = 60
"""A start within so many seconds is "in less than a minute"."""

_LONGEST_NAME: Final = 300
"""Characters of a title or a name on the page and on paper; the table and the data have all of them."""

_STATES: Final[Mapping[ReportStatus, str]] = MappingProxyType(
    {
        ReportStatus.REQUESTED: later("aangevraagd"),
        ReportStatus.WAITS: later("wacht"),
        ReportStatus.UNMANNED: later("wacht op de machine"),
        ReportStatus.BUSY: later("bezig"),
        ReportStatus.READY: later("klaar"),
        ReportStatus.REFUSED: later("geweigerd"),
        ReportStatus.FAILED: later("mislukt"),
        ReportStatus.CANCELLED: later("geannuleerd"),
    }
)
_HEADS: Final[Mapping[ReportStatus, str]] = MappingProxyType(
    {
        ReportStatus.REQUESTED: later("Uw rapport is aangevraagd"),
        ReportStatus.WAITS: later("Uw rapport wacht op zijn beurt"),
        ReportStatus.UNMANNED: later("Uw rapport wacht op de machine die rapporten maakt"),
        ReportStatus.BUSY: later("We maken uw rapport"),
        ReportStatus.READY: later("Uw rapport is klaar"),
        ReportStatus.REFUSED: later("Rapport wegens grote drukte geweigerd"),
        ReportStatus.FAILED: later("Het rapport is mislukt"),
        ReportStatus.CANCELLED: later("Het rapport is geannuleerd"),
    }
)
_SENTENCES: Final[Mapping[ReportStatus, str]] = MappingProxyType(
    {
        ReportStatus.REQUESTED: later("Uw rapport is aan de beurt. We beginnen zo meteen."),
        ReportStatus.UNMANNED: later(
            "De machine die rapporten maakt, neemt nu geen werk aan. Waarom niet, is hier niet te zien; het ligt niet aan u. "
            "Uw rapport gaat vanzelf verder als zij dat op tijd weer doet. Bewaar het adres en kijk later nog eens, of "
            "annuleer het."
        ),
        ReportStatus.READY: later("Uw rapport is klaar. U leest het op zijn eigen adres."),
        ReportStatus.CANCELLED: later(
            "Dit rapport is geannuleerd, en wordt niet gemaakt. Wilt u het toch? Vraag het opnieuw aan."
        ),
    }
)
_REASONS: Final[Mapping[Reason, str]] = MappingProxyType(
    {
        Reason.HOUR: later(
            "U vroeg het afgelopen uur al zo veel rapporten als kan. Wat u eerder vroeg, staat nog op zijn adres."
        ),
        Reason.FULL: later("Het is nu zo druk dat we geen rapporten maken. Zoeken kan gewoon."),
        Reason.WAIT: later(
            "Het is zo druk dat uw rapport langer op zijn beurt zou wachten dan hier mag. Zoeken kan gewoon."
        ),
        Reason.NO_WORKER: later(
            "De machine die rapporten maakt, nam te lang geen werk aan. Dat ligt niet aan u. Zoeken kan gewoon."
        ),
        Reason.QUEUE: later("Er zijn al zo veel rapporten gevraagd dat er nu geen meer bij kan. Zoeken kan gewoon."),
        Reason.NOTHING: later(
            "Er is niets om een rapport van te maken. Zoek eerst op een of meer woorden, of kies een soort, een periode of "
            "een deel van de organisaties. Wie alle organisaties kiest, kiest er geen."
        ),
        Reason.TOO_LONG: later("De zoekvraag is te lang voor een rapport. Gebruik minder woorden of minder keuzes."),
        Reason.WORKERS: later("Het maken is een paar keer afgebroken. Dat ligt niet aan u."),
        Reason.NO_SOURCE: later(
            "Geen van de bronnen gaf antwoord. Er is dus niets om een rapport van te maken. We weten niet of er iets te "
            "vinden is."
        ),
        Reason.STORE: later("We zijn kwijt dat dit rapport gevraagd was. Dat ligt niet aan u."),
        Reason.DISK: later("Het rapport kon niet worden bewaard. Dat ligt niet aan u."),
        Reason.STOPPED: later("Een beheerder van deze website heeft het maken gestopt. Dat ligt niet aan u."),
        Reason.DURATION: later(
            "Het maken duurde langer dan hier mag, bijvoorbeeld omdat een bron traag antwoordt. Met minder bronnen, minder "
            "organisaties of een kortere periode lukt het eerder."
        ),
        Reason.BROKEN: later("Bij het maken ging bij ons iets mis. Dat ligt niet aan u."),
        Reason.UNKNOWN: later("Waarom er geen rapport kwam, kunnen we nu niet zeggen. Dat ligt niet aan u."),
    }
)
_WAITED: Final = later("Het was zo druk dat uw rapport langer op zijn beurt wachtte dan hier mag. Zoeken kan gewoon.")
"""Of a report that was taken on, and was not refused at once."""
_NEVER_BY_WAITING: Final = frozenset({Reason.NOTHING, Reason.TOO_LONG})


def state(status: ReportStatus) -> str:
    """A state in one word."""
    return say(_STATES[status])


def head(standing: Standing) -> str:
    """The heading of the page of a report that cannot be read (yet)."""
    if standing.status is ReportStatus.REFUSED and standing.reason in _NEVER_BY_WAITING:
        return say("Dit rapport kan niet")
    if standing.status is ReportStatus.REFUSED and standing.reason in {Reason.NO_WORKER, Reason.UNKNOWN}:
        return say("Dit rapport kon niet worden gemaakt")
    return say(_HEADS[standing.status])


def sentence(standing: Standing) -> str:
    """How it stands, in a few sentences; the same for eyes and for who hears the page."""
    match standing.status:
        case ReportStatus.WAITS:
            return wording.joined(_place(standing), _start(standing))
        case ReportStatus.BUSY:
            return wording.joined(_progress(standing), _silence(standing))
        case ReportStatus.UNMANNED:
            return wording.joined(say(_SENTENCES[standing.status]), _longest(standing.longest_wait))
        case ReportStatus.REFUSED | ReportStatus.FAILED:
            why = say(_WAITED) if standing.reason is Reason.WAIT else reason(standing.reason)
            return wording.joined(why, come_back(standing.reason, standing.come_back_at, standing.now))
        case _:
            return say(_SENTENCES[standing.status])


def _place(standing: Standing) -> str:
    return say("U bent nummer {place} in de rij.", place=texts.number(standing.place)) if standing.place else ""


def _start(standing: Standing) -> str:
    """About how long still, and about when: a clock time changes seldom."""
    if standing.start_in is None or standing.start_at is None:
        return say("Wanneer uw rapport begint, is nu niet te zeggen.")
    at = texts.clock(standing.start_at)
    if standing.start_in < _SOON:
        return say("Uw rapport begint over minder dan een minuut, rond {time}.", time=at)
    minutes = math.ceil(standing.start_in / 60)
    return say_number(
        "Uw rapport begint over ongeveer {count} minuut, rond {time}.",
        "Uw rapport begint over ongeveer {count} minuten, rond {time}.",
        minutes,
        count=minutes,
        time=at,
    )


def _longest(minutes: int) -> str:
    """What becomes of a report that waits longer than may be."""
    return say_number(
        "Wacht het langer dan 1 minuut, dan weigeren we het.",
        "Wacht het langer dan {count} minuten, dan weigeren we het.",
        minutes,
        count=texts.number(minutes),
    )


def _silence(standing: Standing) -> str:
    """What is known of a worker that is silent: when it was heard last, and nothing more."""
    if standing.last_sign is None:
        return ""
    at = standing.last_sign.astimezone(AMSTERDAM)
    return say("Het laatste teken van leven van de machine die het maakt, kwam om {time}.", time=f"{at:%H:%M:%S}")


def _progress(standing: Standing) -> str:
    if not standing.size:
        return say("We zijn begonnen.")
    return say(
        "Klaar: {done} van de {size} delen.",
        size=texts.number(standing.size),
        done=texts.number(min(standing.done, standing.size)),
    )


def reason(why: Reason | None) -> str:
    """Why there is no report, and what that means."""
    return say(_REASONS[why or Reason.BROKEN])


def come_back(why: Reason | None, at: datetime | None, now: datetime) -> str:
    """When asking again may help; empty where it never does."""
    if why in _NEVER_BY_WAITING:
        return ""
    if at is None or at <= now:
        return say("Vraag het later opnieuw aan.")
    local = at.astimezone(AMSTERDAM)
    if local.date() == now.astimezone(AMSTERDAM).date():
        return say("Vraag het na {time} opnieuw aan.", time=wording.clock_not_before(at))
    return say(
        "Vraag het na {day} om {time} opnieuw aan.", day=texts.day(local.date()), time=wording.clock_not_before(at)
    )


def in_short(given: Terms) -> str:
    """What a report is, and that it may wait or be refused, in a few sentences beside the button."""
    return say(
        "Een overzicht met hooguit {hits} treffers, en de tekst van hooguit {texts} stukken. Het maken duurt seconden tot "
        "minuten. Is het druk, dan wacht het; is het heel druk, dan kunnen we het weigeren.",
        hits=texts.number(given.most_hits),
        texts=texts.number(given.most_texts),
    )


def terms(given: Terms) -> tuple[str, ...]:
    """What a report is, what it holds at most, and that it may wait or be refused: told before anybody asks for one."""
    return (
        say(
            "Een rapport is een overzicht van alles wat de bronnen op deze vraag vinden: per organisatie en maand, met "
            "grafieken, stemmingen en de plekken waar uw woorden staan. U kunt het lezen, afdrukken en bewaren."
        ),
        say(
            "Er staan hooguit {hits} treffers in, en van hooguit {texts} stukken lezen we de tekst. Wat niet past, staat "
            "in het rapport.",
            hits=texts.number(given.most_hits),
            texts=texts.number(given.most_texts),
        ),
        wording.joined(
            say("Een rapport maken duurt seconden tot minuten. Is het druk, dan wacht het, en u ziet hoe lang nog."),
            say(
                "Is het heel druk, dan kunnen we het meteen weigeren. U leest dan wanneer u het opnieuw kunt vragen, "
                "en hoeft niets opnieuw te typen."
            ),
            _longest(given.longest_wait),
            say_number(
                "U kunt hooguit 1 rapport per uur vragen.",
                "U kunt hooguit {count} rapporten per uur vragen.",
                given.per_hour,
                count=texts.number(given.per_hour),
            ),
        ),
        say(
            "We bewaren het rapport {days} dagen, met uw vraag erin. Het staat op een adres dat niemand kan raden. "
            "Wie dat adres van u krijgt, kan het rapport lezen.",
            days=texts.number(given.days),
        ),
    )


_CUTS: Final[Mapping[CutReason, Callable[[str, str], str]]] = MappingProxyType(
    {
        CutReason.FAILED: lambda name, _: say("{name} gaf geen antwoord. Wat deze bron heeft, ontbreekt.", name=name),
        CutReason.NOT_ASKED: lambda name, _: say(
            "{name} is niet gevraagd: deze bron past niet bij de vraag.", name=name
        ),
        CutReason.FAILED_LATER: lambda name, _: say(
            "{name} gaf na een tijd geen antwoord meer. Wat deze bron daarna nog had, ontbreekt.", name=name
        ),
        CutReason.MOST_HITS: lambda name, _: say("{name} heeft meer treffers dan in dit rapport passen.", name=name),
        CutReason.NOTHING_NEW: lambda name, _: say(
            "{name} zegt dat er meer is, maar gaf telkens niets nieuws. Wat deze bron nog had, ontbreekt.", name=name
        ),
        CutReason.MOST_PAGES: lambda name, count: say(
            "{name} heeft meer dan de {count} bladzijden die we van één bron vragen. De rest ontbreekt.",
            count=texts.number(_int(count)),
            name=name,
        ),
        CutReason.ALIKE: lambda name, count: say_number(
            "Bij {name} lijkt 1 stuk er alleen op: titel en fragment tonen niet alle woorden. Dat staat niet in dit rapport.",
            "Bij {name} lijken {count} stukken er alleen op: titel en fragment tonen niet alle woorden. Die staan niet in dit "
            "rapport.",
            _int(count),
            count=texts.number(_int(count)),
            name=name,
        ),
        CutReason.MOST_TEXTS: lambda name, count: say_number(
            "Van 1 stuk van {name} is de tekst niet gelezen, omdat een rapport niet meer teksten leest.",
            "Van {count} stukken van {name} is de tekst niet gelezen, omdat een rapport niet meer teksten leest.",
            _int(count),
            count=texts.number(_int(count)),
            name=name,
        ),
        CutReason.UNREAD: lambda name, count: say_number(
            "Van 1 stuk van {name} konden we de tekst niet lezen.",
            "Van {count} stukken van {name} konden we de tekst niet lezen.",
            _int(count),
            count=texts.number(_int(count)),
            name=name,
        ),
        CutReason.WITHOUT_TEXT: lambda name, count: say_number(
            "1 stuk van {name} heeft geen tekst die te lezen is, bijvoorbeeld omdat het een plaatje is.",
            "{count} stukken van {name} hebben geen tekst die te lezen is, bijvoorbeeld omdat het plaatjes zijn.",
            _int(count),
            count=texts.number(_int(count)),
            name=name,
        ),
    }
)


def lacks(forms: Collection[str]) -> str:
    """Of which of its forms a report has no file, and what can be done; empty where it has all."""
    if not forms:
        return ""
    return say(
        "Als {forms} is dit rapport er niet: dat bestand kon niet worden gemaakt of bewaard. U kunt deze pagina zelf "
        "afdrukken, of een ander bestand kiezen.",
        forms=texts.listed([form.upper() for form in sorted(forms)]),
    )


_QUOTES: Final = frozenset({CutReason.FAILED, CutReason.FAILED_LATER, CutReason.NOT_ASKED})


def cut(value: Cut) -> tuple[str, str]:
    """What is not there and why, and what the source itself said of it (in Dutch), where it did."""
    name, first = NAMES.get(value.platform, value.platform), value.values[0] if value.values else ""
    said = first if value.reason in _QUOTES else ""
    return _CUTS[value.reason](name, first), said


def read(reading: Reading | None, *, searched: bool) -> str:
    """What is to be said of the text of a document; empty when it was read whole and words were found in it.

    ``searched``: whether there were words to look for.
    """
    if reading is None:
        return say("De tekst is niet gelezen voor dit rapport.")
    if reading.failure:
        return say("De tekst kon niet worden gelezen.")
    if reading.state is TextState.NONE:
        return say("Er is geen tekst die te lezen is.")
    part = say("Alleen een deel van de tekst is gelezen.") if reading.state is TextState.PARTIAL else ""
    return wording.joined(part, _where(reading) if searched else "")


def _where(reading: Reading) -> str:
    if not reading.passages:
        return say("In de tekst staan uw woorden niet.")
    more = reading.passages - len({excerpt.number for excerpt in reading.excerpts})
    if more <= 0:
        return ""
    return say_number(
        "Uw woorden staan in nog 1 deel van de tekst.",
        "Uw woorden staan in nog {count} delen van de tekst.",
        more,
        count=texts.number(more),
    )


def vote(votes: Votes) -> str:
    """The outcome of a vote in one line."""
    result = say(votes.result)
    if votes.in_favour is None or votes.against is None:
        return say("Stemming: {result}.", result=result)
    return say(
        "Stemming: {result}, {favour} voor en {against} tegen.",
        result=result,
        favour=texts.number(votes.in_favour),
        against=texts.number(votes.against),
    )


def month(first: date | None) -> str:
    """A month as people write it: maart 2026, March 2026."""
    if first is None:
        return say("Zonder datum")
    months = MONTHS if spoken() is Language.DUTCH else MONTHS_IN_ENGLISH
    return f"{months[first.month - 1]} {first.year}"


def short(name: str) -> str:
    """A title or a name that ends, whatever a source made of it."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME].rstrip()}…"


def things(count: int) -> str:
    """So many documents."""
    return say_number("{count} stuk", "{count} stukken", count, count=texts.number(count))


def moment(at: datetime) -> str:
    """A day with its clock time."""
    return say("{day} om {time}", day=texts.day(at.astimezone(AMSTERDAM).date()), time=texts.clock(at))


def sources(keys: Sequence[str]) -> str:
    """The names of platforms, listed."""
    return texts.listed([NAMES.get(key, key) for key in keys])


def _int(text: str) -> int:
    return int(text) if text.isdecimal() else 0
