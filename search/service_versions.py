"""How the version of a service, and its announced end, are said on ``/status`` (field report 35)."""

from __future__ import annotations

from datetime import date

from connectors.interfaces import Interface
from connectors.language import say
from search import texts


def version_words(one: Interface) -> str:
    """What we speak, until when as far as anybody said, and what else was announced."""
    version = (
        say("versie {version}", version=one.version)
        if one.version
        else say("geen versienummer: de dienst kan zonder bericht veranderen")
    )
    end = (
        say("Aangekondigd einde: {day}.", day=texts.day(one.ends)) if one.ends else say("Een einddatum is niet bekend.")
    )
    return " ".join(part for part in (f"{version}.", end, say(one.remark) if one.remark else "") if part)


def ending_words(one: Interface, today: date) -> str:
    """That the version ends soon, or should have ended; empty when it does not, or when nobody said so."""
    left = one.days_left(today)
    if left is None or one.ends is None:
        return ""
    if left >= 0:
        return say(
            "versie {version} stopt op {day} (dagen te gaan: {left}). Stel voor die dag een nieuwere versie in.",
            version=one.version,
            day=texts.day(one.ends),
            left=left,
        )
    return say(
        "versie {version} zou op {day} stoppen. Antwoordt zij nog, dan kan dat elk moment ophouden. "
        "Stel een nieuwere versie in.",
        version=one.version,
        day=texts.day(one.ends),
    )
