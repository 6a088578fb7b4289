"""The form in which operators set the rules of the gate: whole numbers, in units that people use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from django import forms

from connectors.platforms import PLATFORMS
from reports.operating import NAMES
from search.texts import listed
from throttling.load_rules import MOST_OPEN, MOST_SLOTS, LoadRules, Signal

_PERCENT: Final = Fraction(1, 100)
_MINUTES: Final = Fraction(60)
_SECONDS: Final = Fraction(1)
_MILLISECONDS: Final = Fraction(1, 1000)
_UNITS: Final[Mapping[str, Fraction]] = {
    "longest_wait": _MINUTES,
    "longest_run": _MINUTES,
    "fresh": _MINUTES,
    "lease": _SECONDS,
    "smoothing": _SECONDS,
    "page_target": _MILLISECONDS,
    "write_target": _MILLISECONDS,
}
"""How many shares or seconds one in the form is; what is not here is a number of things."""
_NUMBERS: Final = ("slots", "per_hour", "most_open", "deaths", "report_connections")


def _beside_searches() -> str:
    """What runs beside searches at the sources comes to: how many calls each lets be under way, as it is delivered."""
    single = sorted({one.name for one in PLATFORMS if any(service.in_flight == 1 for service in one.services)})
    most = max(service.in_flight for one in PLATFORMS for service in one.services)
    return (
        "Elk rapport doet hooguit één aanroep tegelijk bij een bron. Zijn er evenveel rapporten bezig als een bron aanroepen "
        f"tegelijk toelaat (1 tot {most}), dan kunnen ze daar alle aanroepen in gebruik hebben. Een zoekvraag krijgt dan de "
        "eerste die vrijkomt, maar wacht daar wel op: bij een trage bron seconden. Bij een bron die er één tegelijk toelaat, "
        f"is nooit iets vrij te houden: {listed(single)}."
    )


_BESIDE_SEARCHES: Final = _beside_searches()


def _whole(label: str, least: int, most: int, explained: str = "") -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, help_text=explained)


def _shut(signal: Signal, explained: str = "") -> forms.IntegerField:
    return _whole(f"{NAMES[signal]}: vanaf zoveel procent begint er geen rapport meer bij", 1, 100, explained)


def _open(signal: Signal) -> forms.IntegerField:
    explained = "De lage drempel; ertussen blijft het zoals het was. Lager dan of gelijk aan het getal hierboven."
    return _whole(
        f"{NAMES[signal]}: daarna beginnen rapporten pas weer bij zoveel procent of minder", 1, 100, explained
    )


class RulesForm(forms.Form):
    """The rules as an operator sets them: percents, minutes, seconds and thousandths of a second."""

    slots = _whole("Plaatsen: rapporten tegelijk", 1, MOST_SLOTS, _BESIDE_SEARCHES)
    shut_plaatsen = _shut(
        Signal.SLOTS,
        "Van vijf plaatsen en 80 % worden er vier gebruikt. Komt er een vrij, dan begint meteen een ander.",
    )
    shut_processor = _shut(Signal.PROCESSOR)
    open_processor = _open(Signal.PROCESSOR)
    shut_database = _shut(Signal.DATABASE)
    open_database = _open(Signal.DATABASE)
    shut_pagina = _shut(Signal.PAGE)
    open_pagina = _open(Signal.PAGE)
    longest_wait = _whole("Zoveel minuten wacht een rapport hooguit", 1, 1440)
    longest_run = _whole(
        "Zoveel minuten duurt het maken van een rapport hooguit",
        1,
        1440,
        "Wat langer duurt, wordt gestopt en is mislukt. Zijn plaats komt vrij.",
    )
    fresh = _whole(
        "Zoveel minuten geldt een klaar rapport als nieuw",
        1,
        1440,
        "Wie in die tijd hetzelfde vraagt, krijgt het rapport dat er al is.",
    )
    per_hour = _whole("Rapporten per uur van één vrager", 1, 1000)
    most_open = _whole(
        "Aanvragen die samen mogen openstaan",
        1,
        MOST_OPEN,
        "Van alle vragers samen, wachtend en bezig. Wie er dan bij komt, hoort meteen wanneer het weer kan.",
    )
    lease = _whole("Na zoveel seconden stilte is een werker weg", 5, 600)
    deaths = _whole("Zo vaak gaat een rapport na een weggevallen werker door", 0, 20)
    smoothing = _whole(
        "Over zoveel seconden worden metingen gemiddeld",
        1,
        300,
        "Klein: de poort gaat snel dicht en open, ook door een korte piek. Groot: zij merkt drukte later.",
    )
    page_target = _whole(
        "Een pagina mag zoveel duizendsten van een seconde kosten",
        10,
        10_000,
        "Onze eigen tijd, zonder het wachten op bronnen. Zo lang is 100 % van het signaal voor pagina’s.",
    )
    write_target = _whole(
        "Schrijven in de database mag zoveel duizendsten van een seconde wachten",
        1,
        5_000,
        "Alleen met SQLite, waar één tegelijk schrijft. Zo lang wachten is 100 % van het signaal voor de database.",
    )
    report_connections = _whole(
        "Verbindingen met de database voor alle rapporten samen",
        1,
        200,
        "Alleen met PostgreSQL. Wat de database meer aankan, blijft vrij voor zoekvragen en pagina’s.",
    )
    counts = forms.MultipleChoiceField(
        label="Wat telt mee",
        choices=[(signal.value, name) for signal, name in NAMES.items()],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text="Zet een signaal uit dat op deze machine niets zegt.",
    )

    @classmethod
    def filled(cls, rules: LoadRules) -> RulesForm:
        """The form with these rules in it."""
        numbers = {name: getattr(rules, name) for name in _NUMBERS}
        shares = {name: round(Fraction(getattr(rules, name)) / unit) for name, unit in _UNITS.items()}
        edges = {name: _percent(edge) for signal in Signal for name, edge in _edges(rules, signal).items()}
        return cls(initial={**numbers, **shares, **edges, "counts": sorted(rules.counts)})

    def clean(self) -> dict[str, Any]:
        """A low threshold above the high one is told of its own signal, and where it was filled in."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        for signal in Signal:
            shut_at, open_at = given.get(f"shut_{signal.value}"), given.get(f"open_{signal.value}")
            if shut_at is not None and open_at is not None and open_at > shut_at:
                wrong = (
                    f"{NAMES[signal]}: de lage drempel ({open_at} %) ligt boven de hoge ({shut_at} %). "
                    f"Kies voor de lage {shut_at} of minder, of maak de hoge hoger."
                )
                self.add_error(f"open_{signal.value}", wrong)
        return given

    def rules(self, before: LoadRules) -> LoadRules:
        """The rules that were filled in, and for the rest those of ``before``."""
        data: dict[str, Any] = {name: self.cleaned_data[name] for name in _NUMBERS}
        data |= {name: float(self.cleaned_data[name] * unit) for name, unit in _UNITS.items()}
        data["thresholds"] = tuple(one for signal in Signal if (one := self._own(signal, before)) is not None)
        return replace(before, **data, counts=frozenset(map(Signal, self.cleaned_data["counts"])))

    def _own(self, signal: Signal, before: LoadRules) -> tuple[Signal, float, float] | None:
        """The thresholds of a signal where they are others than those for all."""
        shut_at = float(self.cleaned_data[f"shut_{signal.value}"] * _PERCENT)
        opens = self.cleaned_data.get(f"open_{signal.value}")
        usual = before.open_at if shut_at == before.shut_at else shut_at
        open_at = usual if opens is None else float(opens * _PERCENT)
        return None if (shut_at, open_at) == (before.shut_at, before.open_at) else (signal, shut_at, open_at)


def _edges(rules: LoadRules, signal: Signal) -> Mapping[str, float]:
    shut_at, open_at = rules.threshold(signal)
    shut = {f"shut_{signal.value}": shut_at}
    return shut if signal is Signal.SLOTS else shut | {f"open_{signal.value}": open_at}


def _percent(share: float) -> int:
    return round(share * 100)
