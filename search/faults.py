"""Faults in a paper or a source that programs report under a contract, for the operator. Values alone.

What is kept of one is what the program wrote, of which paper or source, and under which contract; no question of anybody,
unless the program wrote it down itself.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol

from connectors.platforms import PLATFORMS

OPERATION: Final = "meld-fout"
"""What a contract must grant."""
LONGEST: Final = 2_000
LONGEST_ID: Final = 500
KEPT_FOR: Final = timedelta(days=365)
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, signs that turn the order of reading or are not seen, halves of signs, and what has no meaning."""


class FaultKind(StrEnum):
    """What is wrong."""

    TEXT = "tekst"
    """The text is not that of the paper, or cannot be read."""
    DATA = "gegevens"
    """Title, date, body or kind is not right."""
    LINK = "link"
    """A link does not work, or leads to something else."""
    MISSING = "ontbreekt"
    """Something that is there at the source is not here."""
    SOURCE = "bron"
    """The source itself answers wrongly."""
    OTHER = "anders"


class FaultyReportError(ValueError):
    """A fault that cannot be kept; ``name`` of the member that is wrong, and why, in Dutch."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name = name
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedFault:
    """A fault as it came in. ``document``: an id, empty where it is about the source ``platform`` as a whole."""

    kind: FaultKind
    platform: str
    document: str
    text: str = field(repr=False)
    contract: str
    workload: str


@dataclass(frozen=True, slots=True)
class KeptFault:
    """That it was kept: under which number, when, and until when."""

    number: str
    at: datetime
    until: datetime


class Faults(Protocol):
    """Where faults are kept."""

    async def keep(self, fault: ReportedFault) -> KeptFault:
        """Keep one. Raises ``KeptUnreadableError``."""


def read_fault(  # noqa: PLR0913 - each is one member of what came in
    *, kind: str, document: str, platform: str, text: str, contract: str, workload: str
) -> ReportedFault:
    """A fault of what a program gave. Raises ``FaultyReportError``."""
    document = readable(document).replace("\n", " ")
    source = document.partition(":")[0] or platform
    seen = readable(text)
    wrong = _wrong(kind, document, platform, source) or _wrong_text(text, seen)
    if wrong is not None:
        raise FaultyReportError(*wrong)
    return ReportedFault(
        kind=FaultKind(kind), platform=source, document=document, text=seen, contract=contract, workload=workload
    )


def _wrong(kind: str, document: str, platform: str, source: str) -> tuple[str, str] | None:
    """Which member is wrong, and why."""
    keys = {one.key for one in PLATFORMS}
    if kind not in {one.value for one in FaultKind}:
        return "soort", "Deze soort bestaat niet."
    if document and (source not in keys or not document.partition(":")[2] or len(document) > LONGEST_ID):
        return "document", "Dit is geen id van een stuk. Het ziet eruit als bron:nummer."
    if source not in keys:
        return "platform", "Noem een stuk, of een bron die bestaat."
    if platform and platform != source:
        return "platform", "Het stuk is van een andere bron."
    return None


def _wrong_text(text: str, seen: str) -> tuple[str, str] | None:
    if len(text) > LONGEST:
        return "melding", f"Dit is te lang: hooguit {LONGEST} tekens kan."
    return None if seen else ("melding", "Er staat niets in dat te lezen is.")


def readable(text: str) -> str:
    """``text`` without what nobody sees or what moves the words around it; its lines stay."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").split("\n")
    kept = ("".join(sign for sign in line if unicodedata.category(sign) not in _UNSEEN).strip() for line in lines)
    return "\n".join(kept).strip()
