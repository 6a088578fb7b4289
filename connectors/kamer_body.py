"""The Tweede Kamer as a body of the register, for the platforms that hold its papers and nothing else."""

from __future__ import annotations

from connectors.names import TWEEDE_KAMER_ID
from connectors.records import BodyKind, Organisation

KAMER_NAME = "Tweede Kamer"


def kamer_at(platform: str) -> Organisation:
    """The Tweede Kamer as ``platform`` knows it: nothing there is of another body, so its key is its name."""
    return Organisation(
        id=TWEEDE_KAMER_ID,
        name=KAMER_NAME,
        kind=BodyKind.PARLEMENT,
        keys=((platform, KAMER_NAME),),
        names=("Tweede Kamer der Staten-Generaal", "TK"),
    )
