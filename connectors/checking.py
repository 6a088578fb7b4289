"""One step of ``Connector.check()``: a failure becomes a result that an operator can read, and nothing is raised."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from connectors.exceptions import ConnectorError, NotAnAnswerError, RefusedError
from connectors.records import CheckResult


async def tried(name: str, work: Callable[[], Awaitable[tuple[bool, str]]]) -> CheckResult:
    """The result of ``work``, which says whether all is as expected and what was seen."""
    try:
        ok, seen = await work()
    except ConnectorError as failure:
        return CheckResult(name, ok=False, seen=_words(failure))
    return CheckResult(name, ok=ok, seen=seen)


def _words(failure: ConnectorError) -> str:
    """The kind of a failure and its data; never the body of an answer."""
    match failure:
        case RefusedError():
            return f"geweigerd met status {failure.status} {failure.code}".strip()
        case NotAnAnswerError():
            return f"geen antwoord: {failure.defect.value} {failure.where}".strip()
        case _:
            return type(failure).__name__
