"""Opening a document for a tool: a document, or a failure that says what happened, what it means and what can be done."""

from __future__ import annotations

import math
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime

from assistants.printing.hits import waiting
from assistants.tool import ToolFailedError, Visit
from connectors.exceptions import (
    ClosedError,
    ConnectorError,
    GoneError,
    NotSupportedError,
    OverLimitError,
    QueueFullError,
    ReplacedError,
    SwitchedOffError,
    TakenDownError,
    TooSlowError,
    WithdrawnError,
)
from connectors.moments import now
from connectors.records import Document
from search import texts
from search.federation import StillWaitingError, failed
from search.references import Located

_UNKNOWN = "We weten dus niet of het stuk er is."
_GONE = "Er is geen tekst om te lezen. Dit is geen storing."
_LATER = "Probeer het later opnieuw."


@dataclass(frozen=True, slots=True)
class Opened:
    """A document, and when the call for it began: what was fetched before comes from the buffer."""

    document: Document
    began: datetime

    @property
    def buffered(self) -> bool:
        """Whether it was fetched before this call."""
        return self.document.fetched_at < self.began


async def opened(located: Located, visit: Visit) -> Opened:
    """The document; who waits for a turn is told so meanwhile. Raises ``ToolFailedError``."""
    began = now()
    try:
        async with aclosing(visit.federation.opening(located.connector, located.upstream_id, visit.caller)) as steps:
            async for step in steps:
                if isinstance(step, Document):
                    return Opened(step, began)
                await visit.tell(waiting(step, now()))
    except (ConnectorError, StillWaitingError) as failure:
        raise unopened(located, failure) from failure
    raise AssertionError(located.id)  # the last step is a document, or a failure


def unopened(located: Located, failure: ConnectorError | StillWaitingError) -> ToolFailedError:
    """Why a document did not come."""
    name, key = located.connector.platform.name, located.connector.platform.key
    match failure:
        case ReplacedError(successor=successor):
            return ToolFailedError(f"Dit stuk is bij {name} vervangen.", _GONE, f"Vraag `{key}:{successor}`.")
        case TakenDownError() | GoneError():
            return _no_more(name, failure)
        case SwitchedOffError():
            return ToolFailedError(
                texts.not_supported(name, failure),
                "Buiten bereik: deze bron wordt hier niet gevraagd.",
                "Vraag een andere bron.",
            )
        case NotSupportedError():
            return ToolFailedError(texts.not_supported(name, failure), "Buiten bereik.", "Vraag een andere bron.")
        case _:
            return _not_now(located, failure)


def _no_more(name: str, failure: TakenDownError | GoneError) -> ToolFailedError:
    """Why a document is not there, or not here, and will not be."""
    match failure:
        case TakenDownError():
            return ToolFailedError(
                f"Dit stuk van {name} heeft de beheerder van deze website weggehaald.",
                "Het wordt hier niet meer getoond.",
                "Zoek een ander stuk.",
            )
        case WithdrawnError():
            return ToolFailedError(
                f"{name} heeft dit stuk ingetrokken.", _GONE, "Vraag ernaar bij wie het stuk maakte. Het nummer klopt."
            )
        case _:
            return ToolFailedError(
                f"{name} heeft dit stuk niet (meer).", _GONE, "Controleer het id, of zoek het stuk opnieuw met `zoek`."
            )


def _not_now(located: Located, failure: ConnectorError | StillWaitingError) -> ToolFailedError:
    """Why a document did not come now, and when it may."""
    platform = located.connector.platform
    busy = f"Het is nu te druk bij {platform.name}."
    match failure:
        case StillWaitingError(seconds=seconds):
            return ToolFailedError(
                f"{busy} De aanroep wacht nog op een vrije plek en houdt die.",
                _UNKNOWN,
                _again(seconds + 5),
                seconds + 5,
            )
        case QueueFullError(retry_after=seconds) | OverLimitError(retry_after=seconds):
            return ToolFailedError(busy, _UNKNOWN, _again(seconds), seconds)
        case ClosedError(retry_after=float() | int() as seconds):
            return ToolFailedError(texts.no_document(failed(platform, failure)), _UNKNOWN, _again(seconds), seconds)
        case TooSlowError():
            advice = "Probeer het over een minuut opnieuw: wat alsnog binnenkomt, bewaren we."
            return ToolFailedError(texts.no_document(failed(platform, failure)), _UNKNOWN, advice, 60)
        case _:
            assert isinstance(failure, ConnectorError)
            return ToolFailedError(texts.no_document(failed(platform, failure)), _UNKNOWN, _LATER)


def _again(seconds: float) -> str:
    return f"Probeer het over {math.ceil(seconds)} seconden opnieuw."
