"""What every template may say of the site itself."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from connectors.addresses import PlatformMode


def site(request: HttpRequest | None) -> dict[str, Any]:
    """The version, and whether the answers come from the stand-ins (then every page says so)."""
    del request
    return {"versie": settings.VERSION, "proefmodus": settings.PLATFORM_MODE is PlatformMode.STAND_INS}
