"""How a process that serves runs Python: when threads take turns, and when it looks for what nobody needs."""

from __future__ import annotations

import gc
import sys
from typing import Final

_SWITCH_SECONDS: Final = 0.0005
_YOUNG, _OLDER, _OLDEST = 20_000, 20, 20


def tune() -> None:
    """To be called once, when everything is loaded.

    What is kept is read in threads: while a page is made, each would wait 5 ms for its turn, many times a page. And a page
    makes many thousands of objects that are soon gone by themselves: looking for rings among them every 700, and among all that
    was loaded at the start as well, takes a tenth of the time of a page.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(_YOUNG, _OLDER, _OLDEST)
