"""What the environment asks of the buffer: how much of each platform, how long, and how long anybody waits for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from besluitbron.running.faults import OptionsError
from besluitbron.running.numbers import number
from connectors.buffering.rules import MEGABYTE, Lifetimes
from connectors.platforms import PLATFORMS

SERVER_MEGABYTES: Final = 512
"""What the server holds at most. The shares of all platforms together stay below it."""
_SPARE_MEGABYTES: Final = 64  # its allocator rounds every item up, by a tenth on average
_SHARE: Final = 60
_SHARES, _WAIT = "BESLUITBRON_BUFFER_MB", "BESLUITBRON_BUFFER_WAIT_MS"
_LIFETIMES: Final[Mapping[str, tuple[str, Callable[[int], timedelta]]]] = MappingProxyType(
    {
        "BESLUITBRON_BUFFER_LIST_DAYS": ("lists", lambda days: timedelta(days=days)),
        "BESLUITBRON_BUFFER_SEARCH_MINUTES": ("searches", lambda minutes: timedelta(minutes=minutes)),
        "BESLUITBRON_BUFFER_TEXT_DAYS": ("texts", lambda days: timedelta(days=days)),
        "BESLUITBRON_BUFFER_RECHECK_DAYS": ("recheck", lambda days: timedelta(days=days)),
        "BESLUITBRON_BUFFER_GONE_HOURS": ("gone", lambda hours: timedelta(hours=hours)),
    }
)


def _equal_shares() -> Mapping[str, int]:
    return {platform.key: _SHARE * MEGABYTE for platform in PLATFORMS}


@dataclass(frozen=True, slots=True, kw_only=True)
class BufferOptions:
    """Shares in bytes by platform, lifetimes, and the patience with the cache in seconds.

    ``given`` is what the environment says, so that every part of a run can be told the same.
    """

    shares: Mapping[str, int] = field(default_factory=_equal_shares)
    lifetimes: Lifetimes = field(default_factory=Lifetimes)
    patience: float = 0.25
    given: Mapping[str, str] = field(default_factory=dict)


def read_buffer_options(environment: Mapping[str, str]) -> BufferOptions:
    """The options of the buffer in ``environment``; unset or empty means the default. Raises ``OptionsError``."""
    given = {name: environment[name] for name in (_SHARES, _WAIT, *_LIFETIMES) if environment.get(name)}
    lives = {field: unit(number(given, name)) for name, (field, unit) in _LIFETIMES.items() if name in given}
    patience = number(given, _WAIT) / 1000 if _WAIT in given else 0.25
    return BufferOptions(
        shares=_shares(given.get(_SHARES, "")), lifetimes=Lifetimes(**lives), patience=patience, given=given
    )


def _shares(text: str) -> Mapping[str, int]:
    """One number for all, or ``platform=number`` for some, with commas in between."""
    megabytes = {platform.key: _SHARE for platform in PLATFORMS}
    for part in filter(None, map(str.strip, text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if equals and key not in megabytes:
            message = f"{_SHARES} noemt {key!r}, maar die bron bestaat niet. Kies uit: {', '.join(megabytes)}."
            raise OptionsError(message)
        share = number({_SHARES: value if equals else key}, _SHARES)
        megabytes |= {key: share} if equals else dict.fromkeys(megabytes, share)
    most = SERVER_MEGABYTES - _SPARE_MEGABYTES
    if sum(megabytes.values()) > most:
        message = f"{_SHARES} geeft alle bronnen samen {sum(megabytes.values())} MB, en er is {most} MB te verdelen."
        raise OptionsError(message)
    return {key: share * MEGABYTE for key, share in megabytes.items()}
