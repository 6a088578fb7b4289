"""What this service answers instead of an answer, recognised and named (platform page, section 7; field report 33)."""

from __future__ import annotations

import re
from typing import Final

from connectors.bodies import looks_like_html, require_success, retry_after
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError, OverLimitError
from connectors.officiele_bekendmakingen.elements import KEY

PAUSE: Final = 20
"""Seconds to wait after "too much" where the service names none: what a careful client was seen to wait (section 7)."""
IGNORED: Final = "SEARCH-IGNOREDQTEXT"
"""How the service says that it left a clause out of the question, and answered the rest."""
_LOOK_AT: Final = 20_000
_BUSY: Final = b"dienst tijdelijk niet beschikbaar"
_MAINTENANCE: Final = re.compile(rb"onderhoud(?:swerkzaamheden)?\b")
_TOO_FAST: Final = 503


def require_answer(answer: Answer) -> None:
    """Raise what a page that is no answer means: asked too much, in maintenance, or refused. Documents may be HTML.

    The service says "Dienst tijdelijk niet beschikbaar" under other codes than 503 as well, so the text counts. A 503 that
    says nothing else is its answer to asking too fast.
    """
    if answer.status in range(200, 300) and not looks_like_html(answer.body):
        return
    shown = answer.body[:_LOOK_AT].lower()
    short = len(answer.body) <= _LOOK_AT  # a page that says so is small; a publication may speak of maintenance too
    if short and _BUSY in shown:
        raise OverLimitError(KEY, answer.status, retry_after(answer, PAUSE))
    if answer.status not in range(200, 300):
        if short and _MAINTENANCE.search(shown):
            raise NotAnAnswerError(KEY, Defect.MAINTENANCE)
        if answer.status == _TOO_FAST:
            raise OverLimitError(KEY, answer.status, retry_after(answer, PAUSE))
    require_success(KEY, answer)


def require_search_answer(answer: Answer) -> None:
    """The same for a search, which is never HTML: a page about maintenance with 200 is named as that."""
    require_answer(answer)
    if looks_like_html(answer.body) and _MAINTENANCE.search(answer.body[:_LOOK_AT].lower()):
        raise NotAnAnswerError(KEY, Defect.MAINTENANCE)


def diagnostics(uri: str, message: str) -> NotAnAnswerError:
    """The failure for a diagnostic: ``where`` is its number or code, never its message, which quotes the question."""
    if IGNORED in message:
        return NotAnAnswerError(KEY, Defect.DIAGNOSTICS, IGNORED)
    code = uri.rstrip("/").rpartition("diagnostic/")[2] or uri.rpartition(":")[2]
    return NotAnAnswerError(KEY, Defect.DIAGNOSTICS, re.sub(r"[^A-Za-z0-9/_.-]", "", code)[:60])


def throttled(answer: Answer) -> OverLimitError:
    """The failure for an answer without a count, which the service gives when it is asked too much (section 7)."""
    return OverLimitError(KEY, answer.status, retry_after(answer, PAUSE))
