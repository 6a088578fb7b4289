"""What operators watch: how busy it is, who waits how long, how well starts were foretold, and what calls for them. Pure.

The page and ``/metrics`` both say this, each in its own way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from reports.minutes import Minute
from throttling.load import AskState, Overview
from throttling.load_rules import LoadRules, Signal
from throttling.presence import HOLDS

_NEAR: Final = 60.0
_HOUR: Final = 3600
_BUSY_SHARE: Final = 0.8
"""Of the minutes of the last hour, those that nobody measured too."""
_ONES_SHARE: Final = 0.5
_ENOUGH: Final = 10
_REQUESTS: Final = 20
GROUPS: Final[Mapping[str, str]] = {
    "adres": "lezers",
    "aanbieder": "aanbieders van assistenten",
    "mcp": "sessies van assistenten",
    "contract": "contracten",
    "anders": "anderen",
}
OTHERS: Final = "anders"


class AlarmKind(StrEnum):
    """What calls for an operator."""

    OLDEST = "oudste-wacht-lang"
    GROWS = "rij-groeit"
    ALL_HOUR = "heel-uur-druk"
    ONE_ASKS_MOST = "een-vrager-vraagt-meest"
    PROXY = "onbekende-proxy"
    NO_WORKER = "geen-werker"


@dataclass(frozen=True, slots=True)
class Alarm:
    """One thing that calls for an operator, in a sentence or two."""

    kind: AlarmKind
    words: str


def shares(seen: Overview, rules: LoadRules) -> Mapping[Signal, tuple[float, bool]]:
    """Each signal's share and whether it is shut: the slots, which the gate counts, before what is measured."""
    return {Signal.SLOTS: (seen.running / rules.slots, seen.running >= seen.most)} | dict(seen.signals)


def near(seen: Overview) -> int:
    """How many of the last starts came within a quarter or a minute of what was foretold (rule L11).

    Who waited in vain was foretold wrong.
    """
    return sum(
        real is not None and abs(real - told) <= max(_NEAR, 0.25 * (told - asked)) for asked, told, real in seen.told
    )


def errors(seen: Overview) -> list[float]:
    """By how many seconds each of the last foretold starts that came was beside what was said."""
    return [abs(real - told) for _, told, real in seen.told if real is not None]


def duration(seconds: float) -> str:
    """A time in words of a few letters."""
    return f"{seconds:.0f} s" if seconds < 2 * _NEAR else f"{seconds / 60:.0f} min"


def oldest_wait(seen: Overview) -> float:
    """For how many seconds the oldest that waits has; 0 when none does."""
    return max((seen.now - ask.asked_at for ask in seen.asks if ask.state is AskState.WAITS), default=0.0)


def group_of(requester: str) -> str:
    """Of which group a requester is: the part of his key that says how we tell him from others."""
    group = requester.partition(":")[0]
    return group if group in GROUPS else OTHERS


def waits_by_group(seen: Overview) -> dict[str, list[float]]:
    """For each group of requesters how long each of its last asks waited: those that began, and those that wait still."""
    found: dict[str, list[float]] = {}
    for one in seen.waited:
        if one.began is not None:
            found.setdefault(group_of(one.group), []).append(one.began - one.asked)
    for ask in seen.asks:
        if ask.state is AskState.WAITS:
            found.setdefault(group_of(ask.requester), []).append(seen.now - ask.asked_at)
    return dict(sorted(found.items()))


def alarms(seen: Overview, rules: LoadRules, past: Sequence[Minute], silent: float = 0.0) -> tuple[Alarm, ...]:
    """What calls for an operator now, by the last minutes too. ``silent``: see ``is_missing``."""
    return (*no_worker(seen, silent), *_queue(seen, rules, past), *_wrong_tool(seen, rules, past), *unnamed_proxy(past))


def unnamed_proxy(past: Sequence[Minute]) -> Iterator[Alarm]:
    """When most of the last requests came by a proxy that nobody named: one that asks so by itself rings nothing."""
    lately = past[-_ENOUGH:]
    requests = sum(minute.requests for minute in lately)
    if requests >= _REQUESTS and sum(minute.unnamed for minute in lately) > _ONES_SHARE * requests:
        yield Alarm(
            AlarmKind.PROXY,
            "De meeste verzoeken komen langs een proxy die niet in BESLUITBRON_PROXIES staat. Iedereen daarachter telt als één "
            "vrager: samen zoveel rapporten per uur als één vrager mag, en wie hetzelfde vraagt, krijgt hetzelfde adres. Noem "
            "de proxy in de instellingen.",
        )


def is_missing(seen: Overview, silent: float) -> bool:
    """Whether no worker is there, also when nothing is asked: for ``silent`` seconds none gave a sign of life.

    One of a version that gives none is there where it has a report.
    """
    works = any(ask.has_worker for ask in seen.asks)
    return silent >= HOLDS and not works


def no_worker(seen: Overview, silent: float) -> Iterator[Alarm]:
    """No worker is there, or none takes what has a place."""
    if is_missing(seen, silent):
        words = (
            f"Er is al {duration(silent)} geen werker die rapporten maakt: er kwam geen teken van leven. Wie een rapport "
            "vraagt, moet daarop wachten. Kijk of het deel “reports” draait."
        )
        yield Alarm(AlarmKind.NO_WORKER, words)
    elif seen.unmanned:
        words = (
            "Er begint geen werker aan wat een plaats kreeg, en er is er geen met iets anders bezig. Kijk of het deel "
            "“reports” draait; geeft het nog een teken van leven, start het dan opnieuw."
        )
        yield Alarm(AlarmKind.NO_WORKER, words)


def _queue(seen: Overview, rules: LoadRules, past: Sequence[Minute]) -> Iterator[Alarm]:
    oldest = oldest_wait(seen)
    if oldest > rules.longest_wait / 2:
        yield Alarm(
            AlarmKind.OLDEST,
            f"De oudste wacht al {duration(oldest)}. Een rij die alleen groeit, lost zichzelf niet op.",
        )
    waiting = [minute.waiting for minute in past[-_ENOUGH:]]
    if len(waiting) == _ENOUGH and waiting == sorted(waiting) and waiting[0] < waiting[-1]:
        yield Alarm(
            AlarmKind.GROWS,
            f"De rij werd de laatste tien minuten alleen langer: van {waiting[0]} naar {waiting[-1]}. "
            "Er komt meer bij dan er af gaat.",
        )


def _wrong_tool(seen: Overview, rules: LoadRules, past: Sequence[Minute]) -> Iterator[Alarm]:
    """When holding reports back is the wrong tool."""
    hour = [minute for minute in past if seen.now - _HOUR < minute.at.timestamp() <= seen.now]
    if sum(_is_busy(minute, rules) for minute in hour) >= _BUSY_SHARE * _HOUR / 60:
        words = "Het is al bijna het hele uur druk. Laten wachten helpt dan niet: er is meer capaciteit nodig."
        yield Alarm(AlarmKind.ALL_HOUR, words)
    asks = Counter(seen.asked) + Counter(seen.turned_away)
    if asks.total() < _ENOUGH:
        return
    [(most, number)] = asks.most_common(1)
    if number > _ONES_SHARE * asks.total():
        yield Alarm(
            AlarmKind.ONE_ASKS_MOST,
            f"Eén vrager, uit de groep {GROUPS[group_of(most)]}, deed {number} van de {asks.total()} aanvragen van het laatste "
            "uur, met wat geweigerd werd. Geef die een vast maximum, met een grens voor vragers of een contract. Zit iedereen "
            "achter één adres, dan ontbreekt misschien uw proxy in de instellingen.",
        )


def _is_busy(minute: Minute, rules: LoadRules) -> bool:
    """Whether a signal that counts was at its threshold; all slots in use is busy only while somebody waits for one."""
    counted = rules.counts if minute.waiting else rules.counts - {Signal.SLOTS}
    return any(minute.signals.get(signal.value, 0.0) >= rules.threshold(signal)[0] for signal in counted)
