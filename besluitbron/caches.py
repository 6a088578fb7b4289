"""Django's caches: one per platform, each in a database of its own on the buffer server."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote

DATABASES: Final = MappingProxyType(
    {
        "open-raadsinformatie": 0,
        "openbesluitvorming": 1,
        "tweede-kamer": 2,
        "opentk": 3,
        "officiele-bekendmakingen": 4,
        "rechtspraak": 5,
        "open-archivaris": 6,
    }
)
"""The number of each platform's database. ``clear()`` empties a whole database, so none is shared; a number never moves."""


def caches(socket: Path, patience: float) -> dict[str, dict[str, Any]]:
    """Django's ``CACHES`` for the buffer server at ``socket``; nothing waits longer than ``patience`` seconds for it.

    Django wants a default: it keeps nothing, so that nothing lands in a platform's share by accident.
    """
    own = {
        platform: _cache(f"unix://{quote(str(socket))}?db={number}", patience) for platform, number in DATABASES.items()
    }
    return {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}} | own


def _cache(address: str, patience: float) -> dict[str, Any]:
    return {
        "BACKEND": "django_redis.cache.RedisCache",
        "LOCATION": address,
        "TIMEOUT": None,
        "OPTIONS": {
            # The buffer packs by itself; whatever else came here would be JSON, and never a pickle.
            "SERIALIZER": "django_redis.serializers.json.JSONSerializer",
            "SOCKET_TIMEOUT": patience,
            "SOCKET_CONNECT_TIMEOUT": patience,
        },
    }
