"""What every answer of this platform has in common: the ways in which it says no (platform page, section 9).

Elasticsearch says what is wrong as a type (``index_not_found_exception``); nginx and Flask answer in HTML. A 200 can be no
answer as well: no shard was asked, all of them failed, or the time was up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from connectors.bodies import json_object, require_not_over_limit
from connectors.calls import Answer
from connectors.exceptions import ConnectorError, Defect, NotAnAnswerError, RefusedError
from connectors.json_values import count, mapping
from connectors.platforms import OPEN_RAADSINFORMATIE

KEY: Final = OPEN_RAADSINFORMATIE.key
_SUCCESS = range(200, 300)
_CODE = re.compile(r"[a-z][a-z0-9_]{0,79}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Envelope:
    """A search answer: its hits and aggregations as they are, how many shards were asked, and whether some of it is missing.

    ``shards`` 0 means that no index of those names exists: an unknown body, not an empty one.
    """

    hits: dict[str, Any]
    aggregations: dict[str, Any]
    shards: int
    is_partial: bool


def require_answer(answer: Answer) -> None:
    """Raise ``OverLimitError``, or ``RefusedError`` with the platform's type, for what is no success."""
    require_not_over_limit(KEY, answer)
    if answer.status not in _SUCCESS:
        raise RefusedError(KEY, answer.status, _code(answer))


def object_of(answer: Answer) -> dict[str, Any]:
    """The object of an answer. Raises ``OverLimitError``, ``RefusedError`` with the platform's type, ``NotAnAnswerError``."""
    require_answer(answer)
    body = json_object(KEY, answer)
    if "error" in body:
        raise NotAnAnswerError(KEY, Defect.ERROR_IN_200, _typed(body))
    return body


def envelope(answer: Answer) -> Envelope:
    """The envelope of a search answer. One in which every shard failed, or none was heard in time, is no answer."""
    body = object_of(answer)
    shards, hits = mapping(body.get("_shards")), body.get("hits")
    asked, failed = count(shards.get("total")), count(shards.get("failed"))
    if asked is None or not isinstance(hits, dict) or not isinstance(hits.get("hits"), list):
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "hits")
    if failed and failed >= asked:
        raise NotAnAnswerError(KEY, Defect.ERROR_IN_200, "_shards.failed")
    late = body.get("timed_out") is True
    if (late or failed) and not hits["hits"] and not body.get("aggregations"):
        # Nothing found in a part is not the same as nothing found.
        raise NotAnAnswerError(KEY, Defect.ERROR_IN_200, "timed_out" if late else "_shards.failed")
    return Envelope(hits, mapping(body.get("aggregations")), asked, is_partial=late or bool(failed))


def _code(answer: Answer) -> str:
    try:
        return _typed(json_object(KEY, answer))
    except ConnectorError:
        return ""


def _typed(body: dict[str, Any]) -> str:
    """The machine word for what went wrong; the deepest cause names it best."""
    error = mapping(body.get("error"))
    causes = error.get("root_cause")
    first = mapping(causes[0]) if isinstance(causes, list) and causes else {}
    for code in (first.get("type"), error.get("type")):
        if isinstance(code, str) and _CODE.fullmatch(code):
            return code
    return ""
