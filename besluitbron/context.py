"""What every template may say of the site itself."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from connectors.addresses import PlatformMode
from connectors.moments import AMSTERDAM, now
from search import texts


def site(request: HttpRequest | None) -> dict[str, Any]:
    """The version, whether answers come from the stand-ins (then every page says so), and for paper: where and when."""
    here = {"versie": settings.VERSION, "proefmodus": settings.PLATFORM_MODE is PlatformMode.STAND_INS}
    if request is None:
        return here
    at = now()
    read = f"{texts.day(at.astimezone(AMSTERDAM).date())}, {texts.clock(at)}"
    return {**here, "vaste_link": f"{settings.SITE_ADDRESS}{request.get_full_path()}", "gelezen": read}
