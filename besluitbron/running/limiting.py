"""What the environment says of the limits: units, calls at once, spreading, and how many may wait."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from besluitbron.limits import MOST_OF_SESSION, MOST_WAITING, Bound, LimitOptions, queue_name, queue_rules
from besluitbron.running.faults import OptionsError
from connectors.platforms import PLATFORMS
from throttling.rules import BadLimitError

_UNITS: Final = "BESLUITBRON_LIMIET_EENHEDEN"
_IN_FLIGHT: Final = "BESLUITBRON_LIMIET_TEGELIJK"
_SPACED: Final = "BESLUITBRON_LIMIET_SPREIDEN"
_OF_SESSION: Final = "BESLUITBRON_LIMIET_WACHTEND_PER_VRAGER"
_WAITING: Final = "BESLUITBRON_LIMIET_WACHTEND"
_NAMES: Final = (_UNITS, _IN_FLIGHT, _SPACED, _OF_SESSION, _WAITING)
_WORDS: Final = MappingProxyType({"": True, "ja": True, "nee": False})
_BOUND: Final = re.compile(r"(?P<units>[0-9]{1,6})(?:/(?P<seconds>[0-9]{1,5}))?")
_USUAL: Final = "60"
_LONGEST: Final = 86_400
_MOST: Final = 100_000
_MOST_AT_ONCE: Final = 32


def read_limit_options(environment: Mapping[str, str]) -> LimitOptions:
    """The options in ``environment``; unset or empty means what we know of each service. Raises ``OptionsError``."""
    given = {name: environment[name].strip() for name in _NAMES if environment.get(name, "").strip()}
    options = LimitOptions(
        bounds={name: _bound(text) for name, text in _by_queue(given, _UNITS)},
        in_flight={name: _number(_IN_FLIGHT, text, _MOST_AT_ONCE) for name, text in _by_queue(given, _IN_FLIGHT)},
        spaced=_spaced(given.get(_SPACED, "")),
        most_of_session=_number(_OF_SESSION, given.get(_OF_SESSION, str(MOST_OF_SESSION)), _MOST),
        most=_number(_WAITING, given.get(_WAITING, str(MOST_WAITING)), _MOST),
        given=given,
    )
    try:
        queue_rules(PLATFORMS, options)
    except BadLimitError as failure:
        message = f"{_UNITS} kan niet voor {failure.service}: {failure.wrong}."
        raise OptionsError(message) from None
    return options


def _by_queue(given: Mapping[str, str], setting: str) -> Iterator[tuple[str, str]]:
    """Each queue that ``setting`` names, with its text: ``platform/dienst=…``, or ``platform=…`` for all its services."""
    services = {p.key: [queue_name(p, service) for service in p.services] for p in PLATFORMS}
    for part in filter(None, map(str.strip, given.get(setting, "").split(","))):
        name, equals, text = (piece.strip() for piece in part.partition("="))
        platform = name.partition("/")[0]
        if platform not in services:
            message = f"{setting} noemt {name!r}, maar die bron bestaat niet. Kies uit: {', '.join(services)}."
            raise OptionsError(message)
        queues = services[platform] if "/" not in name else [q for q in services[platform] if q == name]
        if not queues:
            message = (
                f"{setting} noemt {name!r}, maar die dienst bestaat niet. Kies uit: {', '.join(services[platform])}."
            )
            raise OptionsError(message)
        if not equals:
            message = f"{setting} zegt niets bij {name!r}. Schrijf bijvoorbeeld {name}=30."
            raise OptionsError(message)
        yield from ((queue, text) for queue in queues)


def _bound(text: str) -> Bound:
    found = _BOUND.fullmatch(text)
    units, seconds = (int(found["units"]), int(found["seconds"] or _USUAL)) if found else (0, 0)
    if found and units and 0 < seconds <= _LONGEST:
        return Bound(units, seconds if found["seconds"] else None)
    message = (
        f"{_UNITS} zegt {text!r}, maar moet een heel getal zijn vanaf 1, of zo veel in zo veel seconden, zoals 30/60."
    )
    raise OptionsError(message)


def _number(setting: str, text: str, most: int) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text[:9]) <= most:
        return int(text)
    message = f"{setting} zegt {text!r}, maar moet een heel getal zijn van 1 tot en met {most}."
    raise OptionsError(message)


def _spaced(text: str) -> bool:
    spaced = _WORDS.get(text)
    if spaced is None:
        message = f"{_SPACED} is {text!r}, maar moet ja of nee zijn."
        raise OptionsError(message)
    return spaced
