"""What an operator wants done at a platform: read from a form, and done in the store. The database is the admin's part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from throttling.operating.queues import Queue
from throttling.operating.reading import Desk, Reader

LONGEST_TEXT: Final = 300
_UNITS: Final = re.compile(r"[0-9]{1,6}(?:[.,][0-9]{1,3})?")


class Deed(StrEnum):
    """What can be done; the values are those of the form."""

    OFF = "uitzetten"
    ON = "aanzetten"
    CAP = "verlagen"
    EMPTY = "leegmaken"
    RESET = "herstellen"

    @property
    def hurts(self) -> bool:
        """Whether people notice at once: it is asked twice."""
        return self in {Deed.OFF, Deed.EMPTY}


class BadActError(ValueError):
    """What was asked cannot be done; the text is Dutch, for the operator."""


@dataclass(frozen=True, slots=True)
class Act:
    """What is wanted of ``queues``: the text for visitors of ``OFF``, the units of ``CAP`` (None: the usual limit again)."""

    deed: Deed
    queues: tuple[Queue, ...]
    text: str = ""
    cap: float | None = None


def read_act(fields: Mapping[str, str], queues: Iterable[Queue]) -> Act:
    """The act in the fields of a form, at one platform with these ``queues``. Raises ``BadActError``.

    Off and on are for the whole platform, the others for one service.
    """
    there = tuple(queues)
    try:
        deed = Deed(fields.get("daad", ""))
    except ValueError:
        raise BadActError("Dit kan hier niet. Kies een van de knoppen op deze pagina.") from None  # noqa: EM101, TRY003
    if deed is Deed.ON:
        return Act(deed, there)
    if deed is Deed.OFF:
        return Act(deed, there, text=_text(fields.get("tekst", "")))
    chosen = tuple(queue for queue in there if queue.service == fields.get("dienst", ""))
    if not chosen:
        raise BadActError("Deze dienst bestaat niet bij deze bron.")  # noqa: EM101, TRY003
    return Act(deed, chosen, cap=_cap(fields.get("grens", ""), chosen[0]) if deed is Deed.CAP else None)


def _text(given: str) -> str:
    text = " ".join(given.split())
    if not text:
        raise BadActError("Schrijf een tekst voor bezoekers: waarom staat deze bron uit, en tot wanneer?")  # noqa: EM101, TRY003
    if len(text) > LONGEST_TEXT:
        raise BadActError(f"De tekst is te lang: {len(text)} tekens. Hooguit {LONGEST_TEXT} kan.")  # noqa: EM102, TRY003
    if not text.isprintable():
        raise BadActError("In de tekst staan tekens die niemand kan lezen. Typ hem opnieuw.")  # noqa: EM101, TRY003
    return text


def _cap(given: str, queue: Queue) -> float | None:
    if queue.rules.limit is None:
        raise BadActError("Bij deze dienst telt alleen het aantal tegelijk. Er is geen grens om te verlagen.")  # noqa: EM101, TRY003
    text = given.strip()
    if not text:
        return None
    most = queue.rules.units
    value = float(text.replace(",", ".")) if _UNITS.fullmatch(text) else 0.0
    if not 1 <= value <= most:
        raise BadActError(f"De grens moet een getal zijn van 1 tot en met {most:g}. Laat leeg voor de gewone grens.")  # noqa: EM102, TRY003
    return None if value == most else value


def do(act: Act, reader: Reader) -> None:
    """Do it in the store. A queue that the store does not know begins with what the database says. Raises ``NoStoreError``."""

    async def operate(desk: Desk) -> None:
        match act.deed:
            case Deed.OFF | Deed.ON:
                await desk.queue.operate("off", act.text)
            case Deed.CAP:
                await desk.queue.operate("cap", "" if act.cap is None else repr(act.cap))
            case Deed.EMPTY:
                await desk.queue.operate("empty")
            case Deed.RESET:
                await desk.breaker.reset(desk.service)
                await desk.queue.operate("unblock")

    reader.run(act.queues, operate)
