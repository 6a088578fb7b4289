"""Numbers, times and keys as operators read them, in Dutch. A key is shown as a short digest: no mistake shows an address."""

from __future__ import annotations

import math
from hashlib import sha256
from typing import Final

from throttling.callers import HOUSE_SESSION
from throttling.limits import Limit, SlidingWindow, TokenBucket
from throttling.rules import THOUSAND

_KEY_CHARACTERS: Final = 8
_NAME_CHARACTERS: Final = 40
_KINDS: Final = frozenset({"contract", "mcp", "adres"})
_NAMED: Final = frozenset({"aanbieder", "overspoel"})  # names that an operator or we gave
_MINUTE: Final = 60
_HOUR: Final = 3600


def short_key(session: str) -> str:
    """A session as operators see it, the same everywhere: what kind it is, and too little to find anybody by."""
    if session == HOUSE_SESSION:
        return "het huis"
    kind, _, rest = session.partition(":")
    if kind in _NAMED:
        return f"{kind} {rest[:_NAME_CHARACTERS]}"
    digest = sha256(session.encode()).hexdigest()[:_KEY_CHARACTERS]
    return f"{kind} {digest}" if kind in _KINDS else digest


def units(thousandths: float) -> str:
    """Thousandths as units: 12,5."""
    return number(thousandths / THOUSAND)


def number(value: float) -> str:
    """At most two decimals, and none where there are none."""
    return f"{round(value, 2):.2f}".rstrip("0").rstrip(".").replace(".", ",")


def percent(part: float) -> str:
    """A part of one as a whole percentage."""
    return f"{round(part * 100)} %"


def seconds(value: float) -> str:
    """A duration: 4 s, 2 min 5 s, 1 uur 3 min."""
    whole = max(math.ceil(value), 0)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return " ".join(filter(None, (f"{whole // _MINUTE} min", f"{whole % _MINUTE} s" * bool(whole % _MINUTE))))
    minutes = whole % _HOUR // _MINUTE
    return " ".join(filter(None, (f"{whole // _HOUR} uur", f"{minutes} min" * bool(minutes))))


def limit(value: Limit | None, in_flight: int | None) -> str:
    """What a service bears."""
    at_once = "" if in_flight is None else f"hooguit {in_flight} tegelijk"
    match value:
        case TokenBucket(capacity=most, per_second=rate):
            per_time = f"emmer van {number(most)} eenheden, {number(rate)} per seconde erbij"
        case SlidingWindow(units=most, seconds=time):
            per_time = f"{number(most)} eenheden in {number(time)} seconden"
        case None:
            per_time = "geen getal bekend"
    return ", ".join(filter(None, (per_time, at_once)))
