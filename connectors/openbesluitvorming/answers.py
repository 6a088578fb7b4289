"""What every answer of this platform has in common: the ways in which it says no (platform page, section 5).

The newest bodies of errors carry ``code``, the older ones only ``error``; texts are never matched on, they change.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

from connectors.bodies import json_object, retry_after
from connectors.calls import Answer
from connectors.exceptions import ConnectorError, Defect, NotAnAnswerError, OverLimitError, RefusedError
from connectors.platforms import OPENBESLUITVORMING

KEY: Final = OPENBESLUITVORMING.key
_SUCCESS = range(200, 300)
_TOO_MANY = 429
_BUSY = 503
_CODE = re.compile(r"[a-z][a-z0-9_]{0,59}", re.ASCII)
_LONGEST_WAIT = 3600


def body_of(answer: Answer, expected: str) -> dict[str, Any]:
    """The object of an answer that holds ``expected``.

    Raises ``OverLimitError`` for a 429 of either shape, ``RefusedError`` with the platform's code for any other status but
    2xx, and ``NotAnAnswerError`` for a body that is no answer, such as an error with status 200.
    """
    if answer.status not in _SUCCESS:
        raise _refusal(answer)
    body = json_object(KEY, answer)
    if expected not in body:
        if "error" in body:
            raise NotAnAnswerError(KEY, Defect.ERROR_IN_200, _code(body))
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, expected)
    return body


def error_body(answer: Answer) -> dict[str, Any]:
    """The object in a refusal, or an empty one: a gateway or an unknown path answers in plain text."""
    try:
        return json_object(KEY, answer)
    except ConnectorError:
        return {}


def _refusal(answer: Answer) -> RefusedError:
    body = error_body(answer)
    if answer.status == _TOO_MANY or (answer.status == _BUSY and "retry-after" in answer.headers):
        return OverLimitError(KEY, answer.status, retry_after(answer, _seconds(body.get("retry_after_seconds"))))
    return RefusedError(KEY, answer.status, _code(body))


def _code(body: dict[str, Any]) -> str:
    code = body.get("code")
    return code if isinstance(code, str) and _CODE.fullmatch(code) else ""


def _seconds(value: object) -> int:
    if not isinstance(value, (int, float)) or not 0 < value <= _LONGEST_WAIT:
        return 1
    return math.ceil(value)
