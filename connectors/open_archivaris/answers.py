"""What every answer of this platform has in common: the ways in which it may say no. Its own are not known."""

from __future__ import annotations

from typing import Any, Final

from connectors.bodies import json_object, require_success
from connectors.calls import Answer
from connectors.exceptions import ConnectorError, Defect, NotAnAnswerError
from connectors.json_values import mapping
from connectors.open_archivaris.paths import ABSENT, Path, at, written
from connectors.platforms import OPEN_ARCHIVARIS

KEY: Final = OPEN_ARCHIVARIS.key
_MOST_CODE: Final = 40


def body_of(answer: Answer, needed: Path) -> dict[str, Any]:
    """The object of an answer that has something at ``needed``.

    Raises ``OverLimitError``, ``RefusedError`` and ``NotAnAnswerError``: also for an error in a 200 (field report 33).
    """
    require_success(KEY, answer, code=_code(answer))
    body = json_object(KEY, answer)
    if at(body, needed) is ABSENT:
        if any(name in body for name in ("error", "errors", "fout")):
            raise NotAnAnswerError(KEY, Defect.ERROR_IN_200)
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, written(needed))
    return body


def _code(answer: Answer) -> str:
    """The platform's own word for an error, where its body has one that looks like a word."""
    try:
        error = json_object(KEY, answer).get("error")
    except ConnectorError:
        return ""
    code = mapping(error).get("code")
    plain = isinstance(code, str) and len(code) <= _MOST_CODE and code.replace("_", "").isalnum() and code.isascii()
    return code if isinstance(code, str) and plain else ""
