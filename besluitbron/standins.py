"""The ASGI app of all stand-ins, as uvicorn serves it beside the product."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

from django.conf import settings

from besluitbron.warming import Warmed
from connectors.addresses import Addresses, PlatformMode
from connectors.officiele_bekendmakingen.standin import OfficieleBekendmakingenStandIn
from connectors.open_archivaris.standin import OpenArchivarisStandIn
from connectors.open_raadsinformatie.standin import OpenRaadsinformatieStandIn
from connectors.openbesluitvorming.standin import OpenBesluitvormingStandIn
from connectors.opentk.standin import OpenTKStandIn
from connectors.rechtspraak.standin import RechtspraakStandIn
from connectors.registry import default_registry
from connectors.standins import StandIns
from connectors.tweede_kamer.standin import TweedeKamerStandIn


def make_application(pages: str, clock: Callable[[], float] = time.monotonic) -> StandIns:
    """All stand-ins; the links in what they serve lead to our own document pages below ``pages``. Limits go by ``clock``."""
    return StandIns(
        [
            OpenRaadsinformatieStandIn(pages),
            OpenBesluitvormingStandIn(pages, clock),
            TweedeKamerStandIn(pages),
            OpenTKStandIn(pages),
            OfficieleBekendmakingenStandIn(pages),
            RechtspraakStandIn(pages),
            OpenArchivarisStandIn(pages, clock),
        ]
    )


def make_server(pages: str, address: str) -> Warmed:
    """What uvicorn serves: all stand-ins, which ask themselves a first question when they start."""
    where = Addresses(mode=PlatformMode.STAND_INS, stand_ins=address, pages=pages)
    return Warmed(make_application(pages), default_registry(where))


application = make_server(settings.SITE_ADDRESS, settings.STAND_INS_ADDRESS)
