"""The stand-ins for a run of the bank, as uvicorn serves them: all that they hold, and limits that are free again at once.

Their limits are counted on a clock that runs a thousand times too fast: whether the product keeps to limits is proved
elsewhere, and here three hundred questions need not wait for them.
"""

from __future__ import annotations

import time
from typing import Final

from django.conf import settings

from besluitbron.standins import make_application

_FASTER: Final = 1000


def _quick() -> float:
    return time.monotonic() * _FASTER


application = make_application(settings.SITE_ADDRESS, _quick)
