"""The heartbeat of the background: the moment at which the upkeep worker last did what beat had sent."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from besluitbron.running.secrets import replace
from connectors.moments import now


def beat_now() -> None:
    """Note that the background works. Raises ``OSError``."""
    replace(_note(), now().isoformat())


def beat_age() -> timedelta | None:
    """How long ago the background last showed that it works; nothing when it never did."""
    try:
        return now() - datetime.fromisoformat(_note().read_text("utf-8").strip())
    except (OSError, ValueError, TypeError):
        return None


def _note() -> Path:
    return Path(settings.LAYOUT.heartbeat)
