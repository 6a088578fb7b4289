"""``laadstatus``: how up to date platforms hold organisations, as they said themselves when they were last asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from assistants.arguments import BadArgumentsError
from assistants.printing.quoting import quoted, written
from assistants.printing.schemas import (
    COUNT,
    FLAG,
    KEYS,
    MAYBE_COUNT,
    MAYBE_MOMENT,
    MAYBE_TEXT,
    PLATFORM,
    TEXT,
    arguments,
    closed,
    many,
)
from assistants.tool import Arguments, Outcome, Tool, ToolFailedError, Visit, without
from connectors.load_status import LoadState
from connectors.moments import now
from connectors.records import Organisation
from search import serialise
from search.kept import KeptStatus, KeptUnreadableError
from search.loading import named, rows_of, silent_for

_TOOL: Final = "laadstatus"
_AT_ONCE: Final = 50
_DESCRIPTION: Final = (
    "Zegt hoe actueel een bron organisaties heeft: laatste geslaagde keer, nieuwste stuk, aantal stukken, en de "
    "staat in de woorden van de bron. Vraag het bij een leeg of oud antwoord, of met `ouder_dan_uren` om te zien "
    "wie achterloopt. Bijgewerkt zegt niet dat niets ontbreekt. Goedkoop: leest wat wij bewaarden, vraagt geen "
    "bron."
)
_INCOMPLETE: Final = "Bijgewerkt zegt niet dat er niets ontbreekt."


def unreadable() -> ToolFailedError:
    """That what is kept cannot be read."""
    return ToolFailedError(
        "BesluitBron kan nu niet bij haar eigen bewaarde lijsten.",
        "Dit zegt niets over de bronnen.",
        "Probeer het over een minuut opnieuw.",
        60,
    )


async def show_loading(given: Arguments, visit: Visit) -> Outcome:
    """The state of the organisations. Raises ``ToolFailedError`` when it cannot be read."""
    platforms = given.get("platforms") or list(visit.platforms)
    bodies = bodies_of(given.get("organisaties", ()), visit)
    try:
        kept = {status.platform: status for status in await visit.kept.load_status(platforms)}
    except KeptUnreadableError as failure:
        raise unreadable() from failure
    moment = now()
    sources = [_source(key, kept.get(key), bodies, given, visit) for key in KEYS if key in platforms]
    data = {"melding": _message(sources), "bronnen": sources, "moment": serialise.utc(moment)}
    return Outcome(data=data, text=written(list(_lines(data))))


def bodies_of(names: Sequence[str], visit: Visit) -> tuple[Organisation, ...]:
    """The bodies with these names or ids. Raises ``BadArgumentsError`` with the choices there are."""
    found, faults = [], []
    for at, name in enumerate(names, 1):
        matches = visit.federation.register.find(name)
        if len(matches) == 1:
            found.append(matches[0])
            continue
        others = matches or visit.federation.register.suggestions(name)
        choices = " of ".join(f"`{one.id}` ({one.name})" for one in others)
        said = "kan er meer dan één zijn" if matches else "kennen we niet"
        faults.append(f"Organisatie nummer {at} {said}. {f'Bedoelt u {choices}?' if choices else ''}".strip())
    if faults:
        raise BadArgumentsError(_TOOL, faults)
    return tuple(found)


def _source(
    key: str, status: KeptStatus | None, bodies: Sequence[Organisation], given: Arguments, visit: Visit
) -> dict[str, Any]:
    connector = visit.federation.connector(key)
    gives = bool(connector and connector.capabilities.load_status)
    rows = rows_of(key, status.organisations if status else (), bodies)
    if (hours := given.get("ouder_dan_uren")) is not None:
        rows = silent_for(rows, hours, now())
    page = given.get("pagina", 1)
    states = Counter(row.state for row in status.organisations) if status else Counter[str]()
    fetched = serialise.utc(status.fetched_at) if status and status.fetched_at else None
    return {
        "platform": key,
        "naam": connector.platform.name if connector else key,
        "heeftLaadstatus": gives,
        "melding": _about(status, bodies, rows, gives=gives),
        "gemaakt": serialise.utc(status.generated_at) if status and status.generated_at else None,
        "opgehaald": fetched,
        "perStaat": [{"staat": state, "aantal": count} for state, count in states.most_common(20)],
        "leveranciers": [_row_data(row, None) for row in (status.suppliers[:50] if status else ())],
        "rijen": [
            _row_data(row, body)
            for row, body in named(
                rows[(page - 1) * _AT_ONCE : page * _AT_ONCE], key, visit.federation.register.everybody()
            )
        ],
        "aantal": len(rows),
        "volgendePagina": page + 1 if page * _AT_ONCE < len(rows) else None,
    }


def _about(status: KeptStatus | None, bodies: Sequence[Organisation], rows: Sequence[Any], *, gives: bool) -> str:
    if not gives:
        return "Deze bron heeft geen Laadstatus."
    if status is None or status.fetched_at is None:
        why = f" {status.failure}" if status and status.failure else ""
        return f"De Laadstatus van deze bron is hier nog niet opgehaald.{why}"
    old = f"De laatste poging om haar te verversen mislukte. {status.failure}" if status.failure else ""
    missing = "Van deze organisaties staat er niets in de Laadstatus van deze bron." if bodies and not rows else ""
    return " ".join(filter(None, (old, missing)))


def _row_data(row: LoadState, body: Organisation | None) -> dict[str, Any]:
    return {
        "kenmerk": row.key,
        "naam": body.name if body else row.label,
        "organisatieId": body.id if body else None,
        "staat": row.state,
        "laatstGelukt": serialise.utc(row.last_success) if row.last_success else None,
        "nieuwsteStuk": serialise.utc(row.last_content) if row.last_content else None,
        "stukken": row.documents,
    }


def _message(sources: Sequence[Mapping[str, Any]]) -> str:
    if not any(source["heeftLaadstatus"] for source in sources):
        return "Geen van deze bronnen heeft een Laadstatus."
    return _INCOMPLETE


def _lines(data: dict[str, Any]) -> Iterator[str]:
    yield data["melding"]
    for source in data["bronnen"]:
        yield f"\n## {source['naam']}{' (opgehaald ' + source['opgehaald'] + ')' if source['opgehaald'] else ''}"
        if source["melding"]:
            yield source["melding"]
        for state in source["perStaat"]:
            yield f"{quoted(state['staat'])}: {state['aantal']}"
        for row in (*source["leveranciers"], *source["rijen"]):
            success, newest = row["laatstGelukt"] or "nooit of onbekend", row["nieuwsteStuk"] or "onbekend"
            yield f"- {quoted(row['naam'])}: {quoted(row['staat'])}, laatst gelukt {success}, nieuwste stuk {newest}"
        if source["volgendePagina"]:
            yield f"Er zijn er {source['aantal']}: vraag `pagina` {source['volgendePagina']}."


_ROW: Final = closed(
    {
        "kenmerk": TEXT,
        "naam": TEXT,
        "organisatieId": MAYBE_TEXT,
        "staat": TEXT,
        "laatstGelukt": MAYBE_MOMENT,
        "nieuwsteStuk": MAYBE_MOMENT,
        "stukken": MAYBE_COUNT,
    }
)
_OUTPUT: Final = closed(
    {
        "melding": TEXT,
        "bronnen": many(
            closed(
                {
                    "platform": PLATFORM,
                    "naam": TEXT,
                    "heeftLaadstatus": FLAG,
                    "melding": TEXT,
                    "gemaakt": MAYBE_MOMENT,
                    "opgehaald": MAYBE_MOMENT,
                    "perStaat": many(closed({"staat": TEXT, "aantal": COUNT})),
                    "leveranciers": many(_ROW),
                    "rijen": many(_ROW),
                    "aantal": COUNT,
                    "volgendePagina": MAYBE_COUNT,
                }
            )
        ),
        "moment": MAYBE_MOMENT,
    }
)
_PROPERTIES: Final[dict[str, Any]] = {
    "organisaties": {
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": 100},
        "maxItems": 10,
        "description": "naam of id; leeg voor alle",
    },
    "platforms": {"type": "array", "items": {"type": "string", "enum": KEYS}, "maxItems": len(KEYS)},
    "ouder_dan_uren": {"type": "integer", "minimum": 1, "maximum": 100_000},
    "pagina": {"type": "integer", "minimum": 1, "maximum": 1000},
}
LOADING: Final = Tool(
    name=_TOOL,
    title="Hoe actueel een bron is",
    description=_DESCRIPTION,
    input_schema=arguments(_PROPERTIES),
    output_schema=_OUTPUT,
    run=show_loading,
)
LOADING_HERE: Final = without(LOADING, "platforms")
