"""How the daily question that must always find something went, in the words of ``/status`` (field report 31)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final

from connectors.canaries import TOO_OLD
from connectors.language import later, say
from connectors.lists import Trouble
from connectors.moments import AMSTERDAM
from connectors.platforms import PLATFORMS
from search import texts
from search.kept import KeptCanary

_NAMES: Final = {platform.key: platform.name for platform in PLATFORMS}
_TROUBLE: Final[Mapping[str, str]] = MappingProxyType(
    {
        Trouble.UNREACHABLE.value: later("de bron was niet bereikbaar"),
        Trouble.TOO_SLOW.value: later("de bron antwoordde niet op tijd"),
        Trouble.OVER_LIMIT.value: later("de bron zei dat we te veel vroegen"),
        Trouble.QUEUE_FULL.value: later("onze eigen wachtrij voor deze bron was vol"),
        Trouble.CLOSED.value: later("de bron stond uit, of wij konden niet bij onze eigen wachtrij"),
        Trouble.REFUSED.value: later("de bron weigerde de vraag"),
        Trouble.NOT_AN_ANSWER.value: later("wat de bron stuurde, was geen antwoord"),
        Trouble.BROKEN.value: later("aan onze kant ging iets mis"),
    }
)
_OTHER: Final = later("de bron kon deze vraag niet beantwoorden")


def canary_alarms(canaries: Sequence[KeptCanary], at: datetime) -> Iterator[str]:
    """What asks for attention: a question that found nothing, one without an answer, and of whom nothing is known of now."""
    for one in canaries:
        if said := _alarm(one, at):
            yield say("{platform}: {said}", platform=_NAMES[one.platform], said=said)
    if never := [_NAMES[one.platform] for one in canaries if one.at is None]:
        yield say("Aan deze bronnen stelden we hier nog geen proefvraag: {names}.", names=", ".join(never))


def canary_words(one: KeptCanary | None) -> str:
    """How it went at one platform; empty where none is asked."""
    if one is None:
        return ""
    if one.at is None:
        return say("Er is hier nog geen proefvraag gesteld.")
    if one.found is None:
        return say("De proefvraag van {moment} kreeg geen antwoord: {why}.", moment=_when(one.at), why=_why(one))
    if not one.found:
        return say("De proefvraag van {moment} vond niets, en dat kan niet kloppen.", moment=_when(one.at))
    return say("De proefvraag van {moment} vond stukken, zoals het hoort.", moment=_when(one.at))


def _alarm(one: KeptCanary, at: datetime) -> str:
    if one.at is None:
        return ""
    moment = _when(one.at)
    if one.found is None:
        return say("de proefvraag van {moment} kreeg geen antwoord: {why}.", moment=moment, why=_why(one))
    if not one.found:
        return say(
            "de proefvraag van {moment} vond niets, en dat kan niet. Andere vragen vinden er misschien ook te weinig.",
            moment=moment,
        )
    if at - one.at > TOO_OLD:
        return say("de laatste proefvraag is van {moment}. Hoe het nu is, weten we niet.", moment=moment)
    return ""


def _why(one: KeptCanary) -> str:
    return say(_TROUBLE.get(one.trouble, _OTHER))


def _when(moment: datetime) -> str:
    return f"{texts.day(moment.astimezone(AMSTERDAM).date())}, {texts.clock(moment)}"
