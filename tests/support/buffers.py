"""The buffer on a real server, as the product's settings describe it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.core.cache import caches as django_caches
from django.test import override_settings

from besluitbron.caches import caches
from connectors.addresses import PlatformMode
from connectors.buffering.cached import CachedBuffer
from connectors.buffering.keys import Keys
from connectors.buffering.rules import MEGABYTE, Rules
from connectors.calls import Answer, Call, CallKind

ONE, TWO = "rechtspraak", "opentk"
KEYS = Keys(b"geheim van de test", PlatformMode.STAND_INS)


@dataclass(slots=True)
class Clock:
    """A clock that a test moves."""

    moment: datetime = datetime(2026, 3, 12, 13, 50, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def pass_by(self, time: timedelta) -> None:
        self.moment += time


def rules(version: str = "1", **changes: Any) -> Rules:
    values: dict[str, Any] = {"shares": dict.fromkeys((ONE, TWO), 8 * MEGABYTE), "patience": 5.0}
    return Rules(version=version, **(values | changes))


def call(path: str = "/zoek", kind: CallKind = CallKind.SEARCH, platform: str = ONE) -> Call:
    return Call(platform=platform, service="api", path=path, kind=kind)


def answer(body: bytes, at: datetime, **headers: str) -> Answer:
    return Answer(status=200, headers=headers, body=body, fetched_at=at)


@contextmanager
def caches_at(socket: Path, patience: float = 5.0) -> Iterator[Mapping[str, Any]]:
    """Django's caches on the server at ``socket``."""
    settings = caches(socket, patience)
    with override_settings(CACHES=settings):
        try:
            yield settings
        finally:
            for alias in settings:
                getattr(django_caches[alias], "close", lambda: None)()


@dataclass(slots=True)
class Buffers:
    """Buffers of several versions over one clock."""

    clock: Clock = field(default_factory=Clock)

    def of(self, version: str = "1", **changes: Any) -> CachedBuffer:
        return CachedBuffer(KEYS, rules(version, **changes), self.clock)
