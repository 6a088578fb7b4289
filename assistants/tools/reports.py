"""``rapport_aanvragen``, ``rapport_stand`` and ``rapport_annuleren``: a report, and how long it waits (rule L5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from assistants.changing import Reports, ReportTold
from assistants.printing.quoting import written
from assistants.printing.schemas import (
    COUNT,
    MAYBE_COUNT,
    MAYBE_MOMENT,
    MAYBE_TEXT,
    MOMENT,
    TEXT,
    arguments,
    closed,
    many,
)
from assistants.tool import Arguments, Hints, Outcome, Tool, ToolFailedError, Visit
from assistants.tools.searching import PROPERTIES, read_question

ASK_OPERATION: Final = "rapport-aanvragen"
CANCEL_OPERATION: Final = "rapport-annuleren"
_ASK: Final = "rapport_aanvragen"
_CANCEL: Final = "rapport_annuleren"
_STATE: Final = "rapport_stand"
_ASK_DESCRIPTION: Final = (
    "Vraagt een rapport aan van een zoekvraag: alle treffers per organisatie en maand, met aantallen en stemmingen. Verandert "
    "iets: kan alleen onder een contract met `rapport-aanvragen` (zie /.well-known/admission-contract). Kan wachten; vraag dan "
    "`rapport_stand`. Twee keer hetzelfde geeft hetzelfde rapport."
)
_STATE_DESCRIPTION: Final = (
    "Zegt hoe het met een rapport staat: plaats in de rij, verwachte start, delen klaar, en zodra het klaar is de adressen. "
    "`nummer` is het laatste deel van het adres van het rapport. Wacht tussen twee keer zo lang als `opnieuwNa` zegt. Goedkoop."
)
_CANCEL_DESCRIPTION: Final = (
    "Trekt de aanvraag van een rapport in. Verandert iets: kan alleen onder een contract met `rapport-annuleren` (zie "
    "/.well-known/admission-contract). Een rapport dat klaar is, blijft. Nog eens annuleren is geen fout."
)
_NUMBER: Final = {"type": "string", "pattern": "^[A-Za-z0-9_-]{16,64}$", "maxLength": 64}
_WISH: Final = {name: schema for name, schema in PROPERTIES.items() if name not in {"pagina", "deel", "sorteer"}}
_GONE: Final = ToolFailedError(
    "Dit rapport is er niet (meer).",
    "Het nummer klopt niet, of de tijd dat we het bewaren is voorbij.",
    "Vraag een nieuw rapport aan.",
)
_CLOSED: Final = ToolFailedError(
    "Rapporten kunnen hier nu niet.", "Er is niets gedaan.", "Vraag het op de website, of probeer het later.", 60
)


async def ask_report(given: Arguments, visit: Visit) -> Outcome:
    """Ask for a report. Raises ``ToolFailedError``."""
    asked = read_question(given, visit, name=_ASK)
    every = set(asked.platforms) == set(visit.platforms)
    target = asked.address(pagina=None, **({"platform": None} if every else {}))
    assert visit.admitted is not None, "the server lets nobody in without"
    return _outcome(await _reports(visit).ask(target, visit.admitted.contract))


async def show_report(given: Arguments, visit: Visit) -> Outcome:
    """How a report stands. Raises ``ToolFailedError``."""
    return _outcome(await _reports(visit).standing(given["nummer"]))


async def cancel_report(given: Arguments, visit: Visit) -> Outcome:
    """Cancel a report. Raises ``ToolFailedError``."""
    return _outcome(await _reports(visit).cancel(given["nummer"]))


def _reports(visit: Visit) -> Reports:
    if visit.reports is None:
        raise _CLOSED
    return visit.reports


def _outcome(told: ReportTold | None) -> Outcome:
    if told is None:
        raise _GONE
    data: dict[str, Any] = {
        "nummer": told.number,
        "staat": told.state,
        "melding": told.message,
        "plaats": told.place,
        "verwachteStart": told.starts_at,
        "delenKlaar": told.done,
        "delenTotaal": told.size,
        "reden": told.reason,
        "terugkomen": told.come_back,
        "bewaardTot": told.kept_until,
        "opnieuwNa": told.again_in,
        "bladzijde": told.page,
        "bestanden": [{"vorm": form, "adres": address} for form, address in told.files.items()],
    }
    return Outcome(data=data, text=written(list(_lines(data)), with_legend=False))


def _lines(data: dict[str, Any]) -> Iterator[str]:
    yield f"Staat: {data['staat']}. {data['melding']}"
    if data["delenTotaal"]:
        yield f"Delen klaar: {data['delenKlaar']} van {data['delenTotaal']}."
    if data["opnieuwNa"] is not None:
        yield f"Kijk over {data['opnieuwNa']} seconden opnieuw met `rapport_stand` en nummer {data['nummer']}."
    yield f"Bladzijde voor mensen: {data['bladzijde']}"
    for file in data["bestanden"]:
        yield f"- {file['vorm']}: {file['adres']}"


_OUTPUT: Final = closed(
    {
        "nummer": TEXT,
        "staat": TEXT,
        "melding": TEXT,
        "plaats": MAYBE_COUNT,
        "verwachteStart": MAYBE_MOMENT,
        "delenKlaar": COUNT,
        "delenTotaal": COUNT,
        "reden": MAYBE_TEXT,
        "terugkomen": MAYBE_MOMENT,
        "bewaardTot": MOMENT,
        "opnieuwNa": MAYBE_COUNT,
        "bladzijde": TEXT,
        "bestanden": many(closed({"vorm": TEXT, "adres": TEXT})),
    }
)
ASK: Final = Tool(
    name=_ASK,
    title="Een rapport aanvragen",
    description=_ASK_DESCRIPTION,
    input_schema=arguments(_WISH),
    output_schema=_OUTPUT,
    run=ask_report,
    operation=ASK_OPERATION,
    hints=Hints(read_only=False, open_world=True),
)
STATE: Final = Tool(
    name=_STATE,
    title="Hoe het met een rapport staat",
    description=_STATE_DESCRIPTION,
    input_schema=arguments({"nummer": _NUMBER}, "nummer"),
    output_schema=_OUTPUT,
    run=show_report,
    hints=Hints(open_world=False),
)
CANCEL: Final = Tool(
    name=_CANCEL,
    title="Een rapport annuleren",
    description=_CANCEL_DESCRIPTION,
    input_schema=arguments({"nummer": _NUMBER}, "nummer"),
    output_schema=_OUTPUT,
    run=cancel_report,
    operation=CANCEL_OPERATION,
    hints=Hints(read_only=False, destructive=True, open_world=False),
)
