"""What a service bears, in words for a page."""

from __future__ import annotations

from connectors.language import Language, say, spoken
from search.board import ServiceNow
from throttling.limits import SlidingWindow, TokenBucket


def limit_words(service: ServiceNow) -> str:
    """The limit with its numbers, and how many calls may be under way at once."""
    match service.limit:
        case TokenBucket(capacity=most, per_second=rate):
            told = say(
                "hooguit {most} eenheden achter elkaar, daarna {rate} per seconde",
                most=_number(most),
                rate=_number(rate),
            )
        case SlidingWindow(units=most, seconds=time):
            told = say("{most} eenheden in {seconds} seconden", most=_number(most), seconds=_number(time))
        case _:
            told = say("geen getal bekend")
    if service.at_once is None:
        return told
    return f"{told}, {say('hooguit {count} tegelijk', count=service.at_once)}"


def _number(value: float) -> str:
    """At most two decimals, and none where there are none."""
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return written.replace(".", ",") if spoken() is Language.DUTCH else written
