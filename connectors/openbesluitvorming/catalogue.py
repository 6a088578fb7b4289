"""The list of sources and the Laadstatus: bytes in, records out. Raises nothing but ``ConnectorError``.

Facts: platform page, sections 3.6 and 3.7. Field report 16: "up to date" says when a source was last read, not that
nothing is missing.
"""

from __future__ import annotations

from typing import Any

from connectors.calls import Answer
from connectors.coverage import Coverage
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.json_values import count, mapping, objects
from connectors.load_status import LoadState, LoadStatus
from connectors.moments import parsed
from connectors.openbesluitvorming.answers import KEY, body_of
from connectors.openbesluitvorming.dates import instant
from connectors.openbesluitvorming.organisations import organisation
from connectors.plaintext import line
from connectors.records import Lists, Organisation


def lists(answer: Answer) -> Lists:
    """The bodies behind the sources. Aggregates (all sources of one supplier) are no bodies, and are left out."""
    rows = objects(body_of(answer, "sources")["sources"])
    bodies = [body for row in rows if (body := _body_behind(row)) is not None]
    if not bodies:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "sources[]")
    return Lists(organisations=tuple(bodies))


def load_status(answer: Answer) -> LoadStatus:
    """The state of each source and of each supplier.

    Counts and the date of the newest content are absent while the platform cannot look into its index
    (``indexActivityAvailable`` false), and in older generations.
    """
    body = body_of(answer, "sources")
    generated_at = instant(body.get("generatedAt"))
    if generated_at is None:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "generatedAt")
    sources = [state for row in objects(body["sources"]) if (state := _source(row)) is not None]
    if not sources:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "sources[]")
    suppliers = [state for row in objects(body.get("suppliers")) if (state := _state(row, "supplier")) is not None]
    return LoadStatus(generated_at, tuple(sources), tuple(suppliers))


def _body_behind(row: dict[str, Any]) -> Organisation | None:
    key, body_type = line(row.get("key")), row.get("organizationType")
    if row.get("isAggregate") is True or not key or not isinstance(body_type, str):
        return None
    return organisation(body_type, key, line(row.get("label")))


def _source(row: dict[str, Any]) -> LoadState | None:
    body_type = row.get("organizationType")
    state = _state(row, "sourceKey")
    if state is None or not isinstance(body_type, str):
        return state
    body = organisation(body_type, state.key, state.label)
    return _state(row, "sourceKey", body.name) if body else state


def _state(row: dict[str, Any], key_field: str, name: str = "") -> LoadState | None:
    key, state = line(row.get(key_field)), line(row.get("state"))
    if not key or not state:
        return None
    return LoadState(
        key=key,
        label=name or line(row.get("label")) or key,
        state=state,
        last_success=instant(row.get("lastSuccessAt")),
        last_content=instant(row.get("latestContentDate")),
        documents=count(row.get("indexedDocuments")),
        coverage=_coverage(mapping(row.get("coverage"))),
    )


def _coverage(row: dict[str, Any]) -> Coverage | None:
    """What the platform compared with its supplier. A comparison that ended in an error says nothing."""
    if not row or row.get("error"):
        return None
    first, last = (parsed(row.get(name)) for name in ("windowFrom", "windowTo"))
    return Coverage.counted(
        count(row.get("supplierDocuments")),
        count(row.get("heldDocuments")),
        first.date() if first else None,
        last.date() if last else None,
        is_at_most=row.get("lowerBound") is True,
    )
