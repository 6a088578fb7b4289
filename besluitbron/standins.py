"""The ASGI app of all stand-ins, as uvicorn serves it beside the product."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

from django.conf import settings

from connectors.officiele_bekendmakingen.standin import OfficieleBekendmakingenStandIn
from connectors.open_archivaris.standin import OpenArchivarisStandIn
from connectors.open_raadsinformatie.standin import OpenRaadsinformatieStandIn
from connectors.openbesluitvorming.standin import OpenBesluitvormingStandIn
from connectors.opentk.standin import OpenTKStandIn
from connectors.rechtspraak.standin import RechtspraakStandIn
from connectors.standins import StandIns
from connectors.tweede_kamer.standin import TweedeKamerStandIn


def make_application(pages: str) -> StandIns:
    """All stand-ins; the links in what they serve lead to our own document pages below ``pages``."""
    return StandIns(
        [
            OpenRaadsinformatieStandIn(pages),
            OpenBesluitvormingStandIn(pages),
            TweedeKamerStandIn(pages),
            OpenTKStandIn(pages),
            OfficieleBekendmakingenStandIn(pages),
            RechtspraakStandIn(pages),
            OpenArchivarisStandIn(pages),
        ]
    )


application = make_application(settings.SITE_ADDRESS)
