"""What is said where a form or a call did not do what was wanted: that it did nothing, or that nobody can tell."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from connectors.language import later, say
from reports.forms import Wrong


class Doing(StrEnum):
    """What somebody wanted of the desk."""

    ASK = "aanvragen"
    CANCEL = "annuleren"


_FORMS: Final[Mapping[Wrong, str]] = MappingProxyType(
    {
        Wrong.EXPIRED: later("Dit formulier is verlopen, omdat de pagina lang open stond. Er is niets gebeurd."),
        Wrong.USED: later("Dit formulier is al een keer gebruikt. Er is nu niets gebeurd."),
        Wrong.FORGED: later("Dit formulier komt niet van deze website, of het is veranderd. Er is niets gebeurd."),
    }
)
_CLOSED: Final[Mapping[tuple[Doing, bool], tuple[str, str]]] = MappingProxyType(
    {
        (Doing.ASK, False): (
            later("Er is geen rapport aangevraagd."),
            later("Vraag het over een minuut opnieuw aan."),
        ),
        (Doing.ASK, True): (
            later("Of uw aanvraag is aangekomen, is niet zeker."),
            later("Vraag over een minuut hetzelfde opnieuw: u krijgt dan hetzelfde rapport, nooit twee."),
        ),
        (Doing.CANCEL, False): (
            later("Er is niets geannuleerd."),
            later("Probeer het over een minuut opnieuw."),
        ),
        (Doing.CANCEL, True): (
            later("Of het rapport is geannuleerd, is niet zeker."),
            later("Kijk over een minuut hoe het ermee staat, en annuleer het zo nodig opnieuw."),
        ),
    }
)


def closed() -> str:
    """That the desk cannot answer now."""
    return say("BesluitBron kan nu niet bij iets van zichzelf dat voor rapporten nodig is.")


def closed_means(doing: Doing, *, unsure: bool) -> tuple[str, str]:
    """What that means for what was wanted, as far as is known, and what can be done."""
    means, advice = _CLOSED[doing, unsure]
    return say(means), say(advice)


def form(wrong: Wrong) -> str:
    """What is wrong with a form."""
    return say(_FORMS[wrong])
