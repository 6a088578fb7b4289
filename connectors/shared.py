"""A failure as a short code, so that everybody who waited for the same call hears of it, and the failure back from its code.

A code holds kinds and numbers; never an answer, a document or a word of a question.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from connectors.exceptions import (
    ConnectorError,
    Defect,
    GoneError,
    NotAnAnswerError,
    OverLimitError,
    QueueFullError,
    RefusedError,
    ReplacedError,
    TooSlowError,
    UnreachableError,
    WithdrawnError,
)

BROKEN: Final = "broken"
"""The code of a call that ended in a way that is nobody else's business: a fault of ours, or a process that stopped."""
_MAX_CHARACTERS: Final = 200


def code_of(failure: ConnectorError) -> str:
    """The code of ``failure``; ``BROKEN`` when there is none for it."""
    match failure:
        case ReplacedError(successor=successor):
            data: list[Any] = ["replaced", successor]
        case WithdrawnError():
            data = ["withdrawn"]
        case GoneError():
            data = ["gone"]
        case UnreachableError(kind=kind):
            data = ["unreachable", kind]
        case TooSlowError(deadline=deadline):
            data = ["too_slow", deadline]
        case OverLimitError(status=status, retry_after=seconds):
            data = ["over_limit", status, seconds]
        case RefusedError(status=status, code=code):
            data = ["refused", status, code]
        case QueueFullError(retry_after=seconds):
            data = ["queue_full", seconds]
        case NotAnAnswerError(defect=defect, where=where):
            data = ["not_an_answer", defect.value, where]
        case _:
            return BROKEN
    code = json.dumps(data, separators=(",", ":"))
    return code if len(code) <= _MAX_CHARACTERS else BROKEN


_FAILURES: Final[Mapping[str, Callable[..., ConnectorError]]] = MappingProxyType(
    {
        "unreachable": UnreachableError,
        "too_slow": TooSlowError,
        "over_limit": OverLimitError,
        "refused": RefusedError,
        "queue_full": QueueFullError,
        "not_an_answer": lambda platform, defect, where: NotAnAnswerError(platform, Defect(defect), where),
    }
)


def failure_of(code: str, platform: str, document: str = "") -> ConnectorError | None:
    """The failure behind ``code``, for whoever asked for ``document`` (empty: for no document); None when it says nothing."""
    try:
        kind, *data = json.loads(code)
        if kind == "gone":
            return GoneError(platform, document)
        if kind == "withdrawn":
            return WithdrawnError(platform, document)
        if kind == "replaced":
            return ReplacedError(platform, document, *map(str, data))
        return _FAILURES[kind](platform, *data)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
