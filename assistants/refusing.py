"""That no source answered: a failure of the call, because an empty answer would say that there is nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime

from assistants.printing.hits import waiting
from assistants.tool import ToolFailedError
from search import texts
from search.answers import PlatformAnswer, State
from search.summary import summary


def refuse_failures(answers: Iterable[PlatformAnswer], moment: datetime) -> None:
    """Raise ``ToolFailedError`` when no platform that was asked gave an answer: an empty list would say "nothing found"."""
    asked = [answer for answer in answers if answer.state is not State.NOT_SUPPORTED]
    if not asked or any(answer.state.has_answered for answer in asked):
        return
    why = " ".join(_why(answer, moment) for answer in asked)
    again = [(at - moment).total_seconds() for answer in asked if (at := answer.retry_at or answer.starts_at)]
    seconds = max(min(again), 1.0) if again else None
    raise ToolFailedError(
        f"{summary(asked)} {why}".strip(),
        "Dit is een storing of drukte, geen leeg antwoord.",
        f"Probeer het over {math.ceil(seconds)} seconden opnieuw."
        if seconds
        else "Probeer het later opnieuw, of kies een andere bron.",
        seconds,
    )


def _why(answer: PlatformAnswer, moment: datetime) -> str:
    if answer.state is State.PLANNED:
        return waiting(answer, moment)
    return texts.state(answer, moment) if answer.state is State.REFUSED else texts.no_document(answer)
