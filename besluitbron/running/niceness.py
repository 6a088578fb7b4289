"""Stepping back: how a part leaves the processors to the others."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

AUTOGROUP: Final = Path("/proc/self/autogroup")


def step_back(nice: int) -> None:
    """Be this much nicer from now on, as is every process that this one starts.

    Linux may weigh whole sessions against each other (sched(7), "The autogroup feature"): then niceness counts within a session
    only. A part is a session of its own, so it is made nicer as well; where the system does not know of it, nothing is lost.
    """
    os.nice(nice)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):
            AUTOGROUP.write_text(str(nice), encoding="ascii")
