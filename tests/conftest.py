"""What all tests share: generated tests without a clock, async tests on asyncio."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("check", deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("all", deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "check"))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"
