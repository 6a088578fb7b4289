"""What each queue keeps to: what we know of the service's limit, with what the operator changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from connectors.platforms import Origin, Platform, Service
from throttling.limits import Limit, SlidingWindow, TokenBucket
from throttling.rules import NOMINAL, BadLimitError, QueueRules

MOST_OF_SESSION: Final = 200
MOST_WAITING: Final = 2000


@dataclass(frozen=True, slots=True)
class Bound:
    """``units`` in so many ``seconds`` (None: in the time of the limit as we know it, or a minute)."""

    units: int
    seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOptions:
    """What the operator wants of the limits; ``bounds`` and ``in_flight`` by ``platform/service``.

    ``spaced``: grants of a window are spread over its time while calls wait. ``most_of_session`` and ``most``: how many
    calls may wait (rule R14). ``given`` is what the environment says, so that every part of a run can be told the same.
    """

    bounds: Mapping[str, Bound] = field(default_factory=dict)
    in_flight: Mapping[str, int] = field(default_factory=dict)
    spaced: bool = True
    most_of_session: int = MOST_OF_SESSION
    most: int = MOST_WAITING
    given: Mapping[str, str] = field(default_factory=dict)


def queue_name(platform: Platform, service: Service) -> str:
    """What the queue of a service is called, everywhere."""
    return f"{platform.key}/{service.key}"


def queue_rules(platforms: Iterable[Platform], options: LimitOptions) -> Mapping[str, QueueRules]:
    """The rules of every queue by its name. Raises ``BadLimitError`` for a limit that cannot be kept."""
    rules = {
        queue_name(platform, service): _rules(platform, service, options)
        for platform in platforms
        for service in platform.services
    }
    for name, wanted in rules.items():
        wanted.check(name)
    return rules


def _rules(platform: Platform, service: Service, options: LimitOptions) -> QueueRules:
    name = queue_name(platform, service)
    return QueueRules(
        limit=_limit(name, service, options.bounds.get(name)),
        in_flight=options.in_flight.get(name, service.in_flight),
        deadline=platform.deadline,
        spaced=options.spaced,
        most_of_session=options.most_of_session,
        most=options.most,
    )


def _limit(name: str, service: Service, bound: Bound | None) -> Limit | None:
    """The limit with the operator's numbers. One that the holder published can be lowered and not raised."""
    known = service.limit
    if bound is None:
        return known
    match known:
        case TokenBucket(capacity=capacity, per_second=rate):
            wanted: Limit = TokenBucket(bound.units, bound.units / (bound.seconds or capacity / rate))
            most, pace = bound.units <= capacity, bound.units / (bound.seconds or capacity / rate) <= rate
        case _:
            seconds = bound.seconds or (known or NOMINAL).seconds
            wanted = SlidingWindow(bound.units, seconds)
            most = known is None or bound.units <= known.units
            pace = known is None or bound.units / seconds <= known.units / known.seconds
    if service.origin is Origin.PUBLISHED and not (most and pace):
        raise BadLimitError(name, "de grens die de bron zelf noemt, mag lager maar niet hoger")
    return wanted
