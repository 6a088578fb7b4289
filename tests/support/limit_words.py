"""How the documentation says a limit."""

from __future__ import annotations

from connectors.platforms import Service
from throttling.limits import SlidingWindow, TokenBucket


def limit_words(service: Service) -> str:
    match service.limit:
        case TokenBucket(capacity=units, per_second=rate):
            return f"hooguit {units:g} eenheden achter elkaar, daarna {rate:g} per seconde"
        case SlidingWindow(units=units, seconds=seconds):
            return f"{units:g} aanroepen in {seconds:g} seconden"
        case _:
            return "geen getal bekend"
