"""What makes a page odd before it is opened: a part that breaks, a source that is switched off, a status that is bad news."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final, NoReturn

import pytest
from pytest_django import Settings

from connectors.addresses import Addresses
from connectors.load_status import LoadState
from connectors.moments import now
from connectors.platforms import OPEN_ARCHIVARIS, PLATFORMS, Platform, Service
from search.kept import KeptCanary, KeptStatus
from throttling.incoming_rules import DoorRules, IncomingRules, Rate

Prepare = Callable[[pytest.MonkeyPatch, Any], None]


def breaks(name: str) -> Prepare:
    def prepare(patch: pytest.MonkeyPatch, settings: Settings) -> None:
        def broken(*_: object, **__: object) -> NoReturn:
            raise KeyError

        patch.setattr(name, broken)

    return prepare


def loaded(patch: pytest.MonkeyPatch, settings: object = None) -> None:
    """A Laadstatus in which two of three bodies are behind and one of two suppliers is silent; a canary that found nothing."""

    def rows(ages: Mapping[str, int]) -> tuple[LoadState, ...]:
        return tuple(
            LoadState(name, name, "ok", now() - timedelta(hours=hours), now(), 1234) for name, hours in ages.items()
        )

    def kept(platforms: Sequence[str]) -> tuple[KeptStatus, ...]:
        made = KeptStatus(
            platform="openbesluitvorming",
            generated_at=now(),
            fetched_at=now(),
            organisations=rows(_BODIES),
            suppliers=rows(_SUPPLIERS),
        )
        return (made,)

    def asked() -> tuple[KeptCanary, ...]:
        found = {platform.key: 10 for platform in PLATFORMS} | {"opentk": 0}
        return tuple(KeptCanary(platform=key, at=now(), found=count) for key, count in found.items())

    patch.setattr("besluitbron.kept._load_status", kept)
    patch.setattr("besluitbron.kept._lists", lambda platforms: ())
    patch.setattr("besluitbron.kept._years", tuple)
    patch.setattr("besluitbron.kept._canaries", asked)


_BODIES: Final = {"Gemeente Ede": 1, "Gemeente Soest": 50, "Gemeente Weesp": 2400}
_SUPPLIERS: Final = {"ibabs": 50, "notubiz": 1}


def one_switched_off(patch: pytest.MonkeyPatch, settings: Settings) -> None:
    base = Addresses.base

    def without(self: Addresses, platform: Platform, service: Service) -> str | None:
        return None if platform is OPEN_ARCHIVARIS else base(self, platform, service)

    patch.setattr(Addresses, "base", without)


def too_busy(patch: pytest.MonkeyPatch, settings: Settings) -> None:
    plenty = Rate(100_000)
    settings.INCOMING_RULES = IncomingRules(
        process=plenty, mcp=DoorRules(plenty, plenty), page=DoorRules(plenty, Rate(1, 60, 1)), vendors={}
    )
