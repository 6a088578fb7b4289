"""What stands in the place of a document that did not come: the problem that says why, and when to come back."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Final

from connectors.exceptions import (
    ClosedError,
    ConnectorError,
    GoneError,
    NotAnAnswerError,
    NotSupportedError,
    OverLimitError,
    QueueFullError,
    RefusedError,
    ReplacedError,
    TakenDownError,
    TooSlowError,
    WithdrawnError,
)
from connectors.moments import now
from connectors.platforms import Platform
from search import texts
from search.api.errors import AGAIN_SECONDS, ProblemError, problem
from search.federation import StillWaitingError, failed
from search.serialise import utc
from throttling.problems import Kinds

_ANSWER_SECONDS: Final = 5
"""What a call needs after its turn came."""


def instead(platform: Platform, error: ConnectorError | StillWaitingError) -> ProblemError:
    """The problem in the place of a document of ``platform``."""
    if isinstance(error, StillWaitingError):
        wait = math.ceil(error.seconds) + _ANSWER_SECONDS
        starts = utc(now() + timedelta(seconds=error.seconds))
        detail = f"De vraag wacht nog op een vrije plek bij {platform.name}, en houdt die plek een tijd."
        return problem(Kinds.WAITING, detail, wait, platform=platform.key, verwachteStart=starts)
    return _not_there(platform, error) or _no_answer(platform, error)


def _not_there(platform: Platform, error: ConnectorError) -> ProblemError | None:
    """Coming back does not help: there is no such document. None when something else is wrong."""
    name = platform.name
    match error:
        case ReplacedError(successor=successor):
            detail = f"Dit stuk is bij {name} vervangen."
            return problem(Kinds.NOT_FOUND, detail, platform=platform.key, opvolger=f"{platform.key}:{successor}")
        case TakenDownError():
            return problem(Kinds.TAKEN_DOWN, platform=platform.key)
        case WithdrawnError():
            return problem(Kinds.WITHDRAWN, f"{name} heeft dit stuk ingetrokken.", platform=platform.key)
        case GoneError():
            return problem(Kinds.NOT_FOUND, f"{name} heeft dit stuk niet (meer).", platform=platform.key)
        case NotSupportedError():
            return problem(Kinds.NOT_FOUND, texts.not_supported(name, error), platform=platform.key)
        case _:
            return None


def _no_answer(platform: Platform, error: ConnectorError) -> ProblemError:
    """Nobody knows whether there is such a document: the platform gave no answer, or was not asked."""
    said = texts.no_document(failed(platform, error))
    match error:
        case QueueFullError(retry_after=seconds) | OverLimitError(retry_after=seconds):
            detail = f"Het is nu te druk bij {platform.name}."
            return problem(Kinds.WAITING, detail, max(seconds, 1), platform=platform.key)
        case ClosedError(is_ours=True):
            return problem(Kinds.OWN_FAULT, said, AGAIN_SECONDS, platform=platform.key)
        case ClosedError(retry_after=wait):
            return problem(Kinds.UNREACHABLE, said, wait or AGAIN_SECONDS, platform=platform.key)
        case TooSlowError():
            return problem(Kinds.TOO_LATE, said, platform=platform.key)
        case NotAnAnswerError() | RefusedError():
            return problem(Kinds.BAD_ANSWER, said, platform=platform.key)
        case _:
            return problem(Kinds.UNREACHABLE, said, AGAIN_SECONDS, platform=platform.key)
