"""The state of the platform, and with it the bodies that it names. Raises nothing but ``ConnectorError``.

The proposal gives the last successful load of each body: that is our Laadstatus. It has no word for a state, so we say whether
there ever was one; when the answer itself bears no time, it is as old as its arrival.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.json_values import count
from connectors.load_status import LoadState, LoadStatus
from connectors.moments import AMSTERDAM, parsed
from connectors.open_archivaris.answers import KEY, body_of
from connectors.open_archivaris.items import Reader
from connectors.open_archivaris.paths import at, found, written
from connectors.open_archivaris.text import one_line
from connectors.records import Lists

LOADED: Final = "geladen"
NEVER: Final = "nooit geladen"
_YEARS: Final = range(1990, 2200)


def load_status(answer: Answer, reader: Reader) -> LoadStatus:
    """The last successful load of each body."""
    body, rows = _rows(answer, reader)
    states = tuple(state for row in rows if (state := _state(row, reader)) is not None)
    if rows and not states:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, f"{written(reader.fields.health.answer['bodies'])}[]")
    made = _instant(found(body, reader.fields.health.answer.get("made_at")))
    return LoadStatus(generated_at=made or answer.fetched_at, organisations=states)


def lists(answer: Answer, reader: Reader) -> Lists:
    """The bodies that the platform names, each once."""
    _, rows = _rows(answer, reader)
    bodies = (reader.bodies.body(*(_text(row, reader, name) for name in ("code", "label", "kind"))) for row in rows)
    return Lists(tuple({body.id: body for body in bodies if body is not None}.values()))


def _rows(answer: Answer, reader: Reader) -> tuple[dict[str, Any], list[Any]]:
    place = reader.fields.health.answer["bodies"]
    body = body_of(answer, place)
    rows = at(body, place)
    if not isinstance(rows, list):
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, written(place))
    return body, rows


def _state(row: Any, reader: Reader) -> LoadState | None:
    label, code = _text(row, reader, "label"), _text(row, reader, "code")
    if not label and not code:
        return None
    places = reader.fields.health.answer
    last = _instant(found(row, places.get("last_success")))
    documents = count(found(row, places.get("documents")))
    body = reader.bodies.body(code, label, _text(row, reader, "kind"))
    shown = (
        body.name if body else label or code
    )  # with its kind: a water board is not recognised without (field report 14)
    return LoadState(code or label, shown, LOADED if last else NEVER, last_success=last, documents=documents)


def _text(row: Any, reader: Reader, name: str) -> str:
    return one_line(found(row, reader.fields.health.answer.get(name)))


def _instant(value: Any) -> datetime | None:
    """A moment; one without an offset is on a Dutch clock, as the platform is Dutch."""
    at_ = parsed(value)
    if at_ is None or at_.year not in _YEARS:
        return None
    return at_ if at_.tzinfo else at_.replace(tzinfo=AMSTERDAM)
