"""The steps of ``Connector.check()``: a failure becomes a result that an operator can read.

Only what ends the whole check is raised: that the platform may not be asked at all now.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from types import MappingProxyType
from typing import Final

from connectors.exceptions import (
    ClosedError,
    ConnectorError,
    Defect,
    GoneError,
    NotAnAnswerError,
    NotSupportedError,
    OverLimitError,
    QueueFullError,
    RefusedError,
    TooSlowError,
    UnreachableError,
)
from connectors.records import CheckResult

Seen = tuple[bool, str]
"""Whether all is as expected, and what was seen."""
SKIPPED: Final[Seen] = (False, "overgeslagen: de zoekvraag gaf geen treffer om te openen")
"""What a step says that opens the first hit of a search, when there was none."""
_DEFECTS: Final = MappingProxyType(
    {
        Defect.EMPTY: "leeg",
        Defect.HTML: "een webpagina",
        Defect.CUT_OFF: "afgebroken",
        Defect.WRONG_TYPE: "een ander soort bestand",
        Defect.WRONG_SHAPE: "anders gebouwd dan verwacht",
        Defect.DIAGNOSTICS: "een foutmelding van de dienst",
        Defect.ERROR_IN_200: "een fout onder de status van een goed antwoord",
        Defect.TOO_LARGE: "te groot",
        Defect.REDIRECTED: "een verwijzing naar elders",
        Defect.MAINTENANCE: "onderhoud",
    }
)


async def tried(name: str, work: Callable[[], Awaitable[Seen]]) -> CheckResult:
    """The result of one step: what ``work`` saw, or the failure that it met. Raises ``ClosedError``: nothing was asked then."""
    try:
        ok, seen = await work()
    except ClosedError:
        raise
    except ConnectorError as failure:
        return CheckResult(name, ok=False, seen=_words(failure))
    return CheckResult(name, ok=ok, seen=seen)


def why_closed(closed: ClosedError) -> str:
    """Why a platform was not asked."""
    if closed.is_ours:
        return "BesluitBron kan niet bij haar eigen opslag voor de beurten; aan deze bron ligt het niet"
    if closed.text:
        return f"een beheerder zette deze bron uit: {closed.text}"
    return f"deze bron krijgt rust: over {math.ceil(closed.retry_after or 0)} seconden opnieuw"


def _words(failure: ConnectorError) -> str:
    """The kind of a failure and its data; never the body of an answer."""
    match failure:
        case UnreachableError():
            words = f"niet bereikbaar ({failure.kind})"
        case TooSlowError():
            words = f"geen antwoord binnen {failure.deadline:g} seconden"
        case OverLimitError():
            words = f"te veel gevraagd, zegt de bron: over {failure.retry_after} seconden opnieuw"
        case RefusedError():
            words = f"geweigerd met status {failure.status} {failure.code}"
        case QueueFullError():
            words = f"onze wachtrij is vol: over {failure.retry_after:g} seconden opnieuw"
        case NotAnAnswerError():
            where = f" ({failure.where})" if failure.where else ""
            words = f"geen antwoord: {_DEFECTS[failure.defect]}{where}"
        case GoneError():
            words = f"niet gevonden: {failure.upstream_id}"
        case NotSupportedError():
            words = f"niet mogelijk bij deze bron ({failure.reason.value})"
        case _:
            words = type(failure).__name__
    return words.strip()
