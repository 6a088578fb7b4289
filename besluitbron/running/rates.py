"""Rates from the environment: so many in so many seconds, and so many at once; refused by name when they cannot be."""

from __future__ import annotations

import re
from typing import Final

from besluitbron.running.faults import OptionsError
from throttling.incoming_rules import LONGEST_WAIT, Rate

_RATE: Final = re.compile(r"(?P<units>[0-9]{1,7})(?:/(?P<seconds>[0-9]{1,5}))?(?::(?P<burst>[0-9]{1,7}))?")
_MOST: Final = 100_000
_DAY: Final = 86_400


def read_rate(setting: str, name: str, text: str) -> Rate:
    """The rate in ``text``: ``20`` a second, ``30/60`` in a minute, ``20:60`` with a burst. Raises ``OptionsError``."""
    found = _RATE.fullmatch(text) if text.isascii() else None
    if found is None:
        message = (
            f"{setting} zegt {text!r} bij {name!r}, maar moet een heel getal per seconde zijn, of zo veel in zo veel seconden, "
            f"met eventueel hoeveel er ineens mogen: 20, 30/60 of 20:60."
        )
        raise OptionsError(message)
    units, seconds, burst = (int(found[part] or 1) for part in ("units", "seconds", "burst"))
    if not (0 < units <= _MOST and 0 < seconds <= _DAY and 0 < burst <= _MOST):
        message = (
            f"{setting} zegt {text!r} bij {name!r}: elk getal moet van 1 tot en met {_MOST} zijn, seconden tot {_DAY}."
        )
        raise OptionsError(message)
    rate = Rate(units, seconds, burst if found["burst"] else 0)
    if rate.wait(rate.room) > LONGEST_WAIT * 1_000_000:
        message = (
            f"{setting} zegt {text!r} bij {name!r}: dan moet iemand soms langer dan {LONGEST_WAIT} seconden wachten, "
            f"en zo lang wacht bijna geen programma. Sta er minstens 1 per minuut toe."
        )
        raise OptionsError(message)
    if rate.room > _DAY * 1_000_000:
        message = (
            f"{setting} zegt {text!r} bij {name!r}: het zou langer dan een dag duren voor er weer zo veel ineens mogen."
        )
        raise OptionsError(message)
    return rate
