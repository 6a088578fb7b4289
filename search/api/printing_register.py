"""Organisations, platforms, limits and Laadstatus as data in the names of the API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from connectors.connector import Connector
from connectors.coverage import Coverage
from connectors.load_status import LoadState
from connectors.records import Organisation
from search.api.desk import Service, Standing
from search.held import held
from search.kept import NOT_LOOKED, KeptStatus, Looked
from search.lives import Life, Succession, codes_of
from search.organisations import Bodies, successors_now
from search.serialise import utc

_MOST_STATES: Final = 20


def short(body: Organisation, life: Life) -> dict[str, Any]:
    """A body in a list."""
    return {
        "id": body.id,
        "naam": body.name,
        "soort": body.kind.value,
        "codes": [{"stelsel": code.scheme, "waarde": code.value} for code in codes_of(body)],
        "geldigVanaf": _day(life.began),
        "geldigTot": _day(body.ended),
        "platforms": [key for key, _ in body.keys],
    }


def organisation(
    body: Organisation,
    register: Bodies,
    statuses: Mapping[str, Sequence[LoadState]],
    today: date,
    looked: Looked = NOT_LOOKED,
) -> dict[str, Any]:
    """A body with its history and what platforms hold of it."""
    life = register.life(body.id)
    return short(body, life) | {
        "andereNamen": list(body.names),
        "voorgangers": [_change(one, one.before, register) for one in life.came_of],
        "opvolgers": [_change(one, one.after, register) for one in life.went_to],
        "opvolgersNu": [one.id for one in successors_now(body, register)],
        "bezit": [
            {
                "platform": one.platform,
                "sleutel": body.key_at(one.platform) or "",
                "eersteDatum": _day(one.first),
                "laatsteDatum": _day(one.last),
                "aantal": one.documents,
                "staat": one.state,
                "melding": one.sentence,
            }
            for one in held(body, statuses, today, looked)
        ],
    }


def platform(connector: Connector, *, off: bool) -> dict[str, Any]:
    """A platform and what it can do."""
    known, able = connector.platform, connector.capabilities
    return {
        "id": known.key,
        "naam": known.name,
        "over": known.about,
        "adres": known.home,
        "staatUit": off,
        "soortenOrganisaties": _words(able.bodies),
        "soortenStukken": _words(able.kinds),
        "filters": _words(able.filters),
        "eigenFilters": _words(able.own_filters),
        "groepen": _words(able.groups),
        "tekens": _words(able.operators),
        "volgordes": _words(able.sorts),
        "zoektInTekst": able.full_text,
        "heeftLaadstatus": able.load_status,
        "termijnSeconden": known.deadline,
    }


def limit(service: Service, now: Standing | None) -> dict[str, Any]:
    """The limit of a service, and how the service stands when somebody could tell."""
    return {
        "dienst": service.key,
        "eenheden": service.units,
        "seconden": service.seconds,
        "werking": None if service.units is None else "emmer" if service.bucket else "venster",
        "tegelijk": service.in_flight,
        "herkomst": service.origin,
        "bron": service.source or None,
        "gemeld": service.told,
        "nu": None
        if now is None
        else {
            "wachtend": now.waiting,
            "onderweg": now.under_way,
            "rustSeconden": now.opens_in,
            "melding": now.off,
        },
    }


def status(
    connector: Connector,
    kept: KeptStatus | None,
    rows: Sequence[tuple[LoadState, Organisation | None]],
    page: int,
    count: int,
) -> dict[str, Any]:
    """The Laadstatus of a platform: one page of its ``rows``."""
    gives = connector.capabilities.load_status
    shown = rows[(page - 1) * count : page * count]
    return {
        "platform": connector.platform.key,
        "heeftLaadstatus": gives,
        "melding": _said(kept, gives=gives),
        "gemaakt": _moment(kept.generated_at if kept else None),
        "opgehaald": _moment(kept.fetched_at if kept else None),
        "perStaat": _states(kept.organisations if kept else ()),
        "leveranciers": [_row(row, None) for row in (kept.suppliers if kept else ())],
        "aantal": len(rows),
        "volgendePagina": page + 1 if page * count < len(rows) else None,
        "organisaties": [_row(row, body) for row, body in shown],
    }


def alone(rows: Sequence[tuple[LoadState, Organisation | None]]) -> dict[str, Any]:
    """What a Laadstatus of asked bodies says of others: nothing. No supplier, and the states of these bodies alone."""
    return {"perStaat": _states(row for row, _ in rows), "leveranciers": []}


def _said(kept: KeptStatus | None, *, gives: bool) -> str:
    if not gives:
        return "Deze bron heeft geen Laadstatus."
    if kept is None or kept.fetched_at is None:
        return f"De Laadstatus van deze bron is hier nog niet opgehaald. {kept.failure if kept else ''}".strip()
    return f"De laatste poging om haar te verversen mislukte. {kept.failure}" if kept.failure else ""


def _states(rows: Iterable[LoadState]) -> list[dict[str, Any]]:
    counted = Counter(row.state for row in rows)
    return [{"staat": state, "aantal": number} for state, number in counted.most_common(_MOST_STATES)]


def _row(row: LoadState, body: Organisation | None) -> dict[str, Any]:
    return {
        "sleutel": row.key,
        "naam": body.name if body else row.label,
        "organisatieId": body.id if body else None,
        "staat": row.state,
        "laatstGelukt": _moment(row.last_success),
        "nieuwsteStuk": _moment(row.last_content),
        "aantal": row.documents,
        "dekking": _coverage(row.coverage) if row.coverage else None,
    }


def _coverage(one: Coverage) -> dict[str, Any]:
    return {
        "bijLeverancier": one.supplied,
        "aanwezig": one.held,
        "hooguit": one.is_at_most,
        "van": _day(one.first),
        "totEnMet": _day(one.last),
    }


def _change(change: Succession, other: str, register: Bodies) -> dict[str, Any]:
    body = register.body(other)
    return {
        "id": other,
        "naam": body.name if body else None,
        "datum": _day(change.day),
        "geheel": change.whole,
        "naamswijziging": change.renamed,
    }


def _words(values: Iterable[str]) -> list[str]:
    return sorted(str(value) for value in values)


def _day(value: date | None) -> str | None:
    return value.isoformat() if value else None


def _moment(value: datetime | None) -> str | None:
    return utc(value) if value else None
