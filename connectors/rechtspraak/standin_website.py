"""The website's search as the stand-in answers it (platform page, section B). What nobody wrote down is marked [inferred]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from urllib.parse import quote

from connectors.moments import AMSTERDAM
from connectors.rechtspraak.standin_corpus import Decision, areas_below, decisions, phrases_of, score

LARGEST_PAGE: Final = 50  # [inferred] nobody was seen to get more
_FRAGMENT: Final = 400
_BEFORE_WORD: Final = 120
_DATE, _COURT, _AREA, _PROCEDURE = 4, 1, 3, 2  # the node type of procedures is [inferred]


def search(asked: dict[str, Any], today: date) -> dict[str, Any]:
    """The answer to a request body. One that is not of the described shape raises what reading it raises."""
    phrases = tuple(phrase for term in asked.get("SearchTerms", []) for phrase in phrases_of(str(term["Term"])))
    scored = {decision: score(decision, phrases) for decision in decisions() if _matches(decision, asked, today)}
    found = [decision for decision in scored if scored[decision] or not phrases]
    start, size = int(asked.get("StartRow", 0)), min(int(asked.get("PageSize", 10)), LARGEST_PAGE)
    if start < 0 or size < 0:
        raise ValueError(start, size)
    key, backwards = _order(str(asked.get("SortOrder", "Relevance")), scored)
    ordered = sorted(sorted(found, key=lambda decision: decision.ecli), key=key, reverse=backwards)
    counting = str(asked.get("ShouldCountFacets", "")).lower() == "true"
    return {
        "Results": [_result(decision, phrases) for decision in ordered[start : start + size]],
        "ResultCount": len(found),
        "FacetCounts": _facets(found, today) if counting else {},
    }


def _order(name: str, scored: dict[Decision, int]) -> tuple[Callable[[Decision], Any], bool]:
    orders: dict[str, tuple[Callable[[Decision], Any], bool]] = {
        "Relevance": (lambda decision: (scored[decision], decision.decided), True),
        "PublicatieDatumDesc": (lambda decision: decision.published or date.min, True),
        "UitspraakDatumDesc": (lambda decision: decision.decided, True),
        "UitspraakDatumAsc": (lambda decision: decision.decided, False),
    }
    if name not in orders:
        raise ValueError(name)
    return orders[name]


def _matches(decision: Decision, asked: dict[str, Any], today: date) -> bool:
    """Different filters must all match; of one filter's values any (as in Open Data [inferred])."""
    published_only = asked.get("Advanced", {}).get("PublicatieStatus") == "AlleenGepubliceerd"
    if published_only and decision.published is None:
        return False
    areas = {area.identifier for area in decision.subjects}
    tests: dict[str, Callable[[str], bool]] = {
        "Instanties": lambda wanted: wanted == decision.court.identifier,
        "Rechtsgebieden": lambda wanted: bool(areas_below(wanted) & areas),
        "Proceduresoorten": lambda wanted: wanted in {procedure.identifier for procedure in decision.procedures},
        "DatumUitspraak": lambda wanted: wanted in _classes(decision.decided, today),
        "DatumPublicatie": lambda wanted: wanted in _classes(decision.published, today),
    }
    for name, test in tests.items():
        wanted = [str(node["Identifier"]) for node in asked.get(name, [])]
        if wanted and not any(test(identifier) for identifier in wanted):
            return False
    return True


def _classes(day: date | None, today: date) -> list[str]:
    """The classes of dates in which a day lies."""
    if day is None:
        return []
    classes = {
        "BinnenEenWeek": today - timedelta(days=7) <= day <= today,
        "BinnenEenMaand": today - timedelta(days=31) <= day <= today,
        "DitJaar": day.year == today.year,
        "VorigJaar": day.year == today.year - 1,
    }
    return [name for name, holds in classes.items() if holds]


def _facets(found: Iterable[Decision], today: date) -> dict[str, list[dict[str, Any]]]:
    found = tuple(found)
    counts: dict[str, tuple[int, int, Counter[str]]] = {
        "DatumPublicatie": (_DATE, 0, Counter(name for d in found for name in _classes(d.published, today))),
        "DatumUitspraak": (_DATE, 0, Counter(name for d in found for name in _classes(d.decided, today))),
        "Rechtsgebieden": (_AREA, 1, Counter(area.identifier for d in found for area in d.subjects)),
        "Instanties": (_COURT, 1, Counter(d.court.identifier for d in found)),
        "Proceduresoorten": (_PROCEDURE, 1, Counter(procedure.identifier for d in found for procedure in d.procedures)),
    }
    return {
        name: [
            {"NodeType": node_type, "Identifier": identifier, "Count": count, "level": level}
            for identifier, count in counter.most_common()
        ]
        for name, (node_type, level, counter) in counts.items()
    }


def _result(decision: Decision, phrases: tuple[str, ...]) -> dict[str, Any]:
    published = decision.published or decision.changed.date()
    moment = datetime.combine(published, time(), AMSTERDAM)  # the hour is not in the corpus
    word = phrases[0].split()[0] if phrases else ""
    product = decision.kind.name.lower()
    return {
        "Titel": decision.title,
        "TitelEmphasis": decision.ecli,
        "GerechtelijkProductType": product,
        "UitspraakdatumType": product,
        "Uitspraakdatum": f"{decision.decided:%d-%m-%Y}",
        "Publicatiestatus": "gepubliceerd" if decision.published else "niet gepubliceerd",
        "Publicatiedatum": f"{published:%d-%m-%Y}",
        "PublicatiedatumDate": moment.isoformat(),
        "Proceduresoorten": [procedure.name for procedure in decision.procedures],
        "Rechtsgebieden": [area.name for area in decision.subjects],
        "InformatieNietGepubliceerdMessage": f"De publicatie van de uitspraak staat gepland op {moment:%d-%m-%Y om %H:%M} uur",
        "InterneUrl": f"https://uitspraken.rechtspraak.nl/details?id={decision.ecli}&showbutton=true&keyword={quote(word)}",
        "DeeplinkUrl": f"https://deeplink.rechtspraak.nl/uitspraak?id={decision.ecli}",
        "IsInactief": False,
        "RelatieVerwijzingen": [],
        "Tekstfragment": _fragment(decision, word),
        "Vindplaatsen": [
            {"Vindplaats": place, "VindplaatsAnnotator": "", "VindplaatsUrl": ""} for place in decision.found_in
        ],
    }


def _fragment(decision: Decision, word: str) -> str:
    """The abstract, else the text around the first word asked for. Highlights are not marked: nobody saw how."""
    if decision.abstract and decision.abstract != "-":
        return cut(decision.abstract, _FRAGMENT)
    start = max(decision.text.casefold().find(word) - _BEFORE_WORD, 0)
    start = decision.text.find(" ", start) + 1 if start else 0
    return cut(decision.text[start:], _FRAGMENT)


def cut(text: str, length: int) -> str:
    """``text``, cut off with three dots when it is longer than ``length``."""
    return text if len(text) <= length else f"{text[:length]}..."
