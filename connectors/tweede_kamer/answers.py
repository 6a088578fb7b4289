"""Is an answer of this platform an answer? The envelope of rows, and its failures (sections 3 and 10)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from connectors.bodies import json_object, require_not_over_limit, require_success
from connectors.calls import Answer
from connectors.exceptions import Defect, GoneError, NotAnAnswerError, WithdrawnError
from connectors.platforms import TWEEDE_KAMER
from connectors.tweede_kamer.values import Row, number

KEY: Final = TWEEDE_KAMER.key
_NOTHING_THERE: Final = frozenset({204, 404, 410})
_MOST_OF_REFUSAL: Final = 100_000
_CODES: Final = (
    ("node count limit", "node_count"),
    ("for Top query", "top"),
    ("find a property named", "unknown_field"),
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one answer that are not deleted. ``given`` counts what came, ``count`` is the platform's number of all."""

    rows: tuple[Row, ...]
    given: int
    count: int | None
    left_out: int


def rows_of(answer: Answer) -> Rows:
    """The rows. Raises ``RefusedError`` with a code for what the service refused, ``NotAnAnswerError`` for no answer."""
    require_success(KEY, answer, code=_code(answer.body))
    body = json_object(KEY, answer)
    value = body.get("value")
    if "error" in body and not isinstance(value, list):
        raise NotAnAnswerError(KEY, Defect.ERROR_IN_200)
    if not isinstance(value, list):
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "value")
    rows = [row for row in value if isinstance(row, dict)]
    live = tuple(row for row in rows if row.get("Verwijderd") is not True)
    return Rows(live, len(value), number(body.get("@odata.count")), len(value) - len(rows))


def one_row(answer: Answer, upstream_id: str) -> Row:
    """The row that was asked for: the first of a list, or the answer itself.

    Raises ``GoneError`` when there is none, ``WithdrawnError`` where the platform says that it deleted it (section 11).
    """
    require_not_over_limit(KEY, answer)
    if answer.status in _NOTHING_THERE:
        raise GoneError(KEY, upstream_id)
    require_success(KEY, answer, code=_code(answer.body))
    body = json_object(KEY, answer)
    if "value" in body:
        found = rows_of(answer)
        if not found.rows and not found.left_out:
            raise (WithdrawnError if found.given else GoneError)(KEY, upstream_id)
        if not found.rows:
            raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "value")
        return found.rows[0]
    if "error" in body:
        raise NotAnAnswerError(KEY, Defect.ERROR_IN_200)
    if body.get("Verwijderd") is True:
        raise WithdrawnError(KEY, upstream_id)
    if not isinstance(body.get("Id"), str):
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "Id")
    return body


def resource(answer: Answer, upstream_id: str) -> bytes:
    """The bytes of a file. Raises ``GoneError`` where there is none: some are missing (section 6)."""
    require_not_over_limit(KEY, answer)
    if answer.status in _NOTHING_THERE:
        raise GoneError(KEY, upstream_id)
    require_success(KEY, answer)
    if not answer.body:
        raise NotAnAnswerError(KEY, Defect.EMPTY, "resource")
    return answer.body


def _code(body: bytes) -> str:
    """Our word for why the service refused; its own code is empty (section 10)."""
    try:
        message = json.loads(body[:_MOST_OF_REFUSAL])["error"]["message"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return next((code for words, code in _CODES if isinstance(message, str) and words in message), "")
