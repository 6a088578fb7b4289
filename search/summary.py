"""What came of a question over all its sources: in a few sentences, and in the title of its page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from connectors.exceptions import ClosedError, SwitchedOffError
from connectors.language import say, say_number
from connectors.records import Certainty, Total
from search import texts
from search.answers import PlatformAnswer, State
from search.wording import joined


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
    if any(answer.total.value or answer.fitting for answer in ready):
        total = texts.total(_sum(answer.total for answer in ready))
    elif len(ready) < len(last):
        total = say("niets gevonden bij {ready} van {asked} bronnen", ready=len(ready), asked=len(last))
    else:
        total = texts.total(Total(0, Certainty.EXACT))
    return say("{typed} – {total} – BesluitBron", typed=typed, total=total)


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
    found_any = any(answer.total.value or answer.fitting for answer in ready)
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
    nothing = say_number(
        "{count} gaf antwoord en vond niets.", "{count} gaven antwoord en vonden niets.", len(ready), count=count
    )
    alike = any(answer.result and answer.result.partly for answer in ready)
    return joined(nothing, say("Wat erop lijkt, maar niet alle woorden toont, staat hieronder.") if alike else "")


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
