"""What the environment asks of the circuit breaker: after how many failures a service is left alone, and how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from besluitbron.running.numbers import number
from throttling.limits import FAILURES, REST_SECONDS

_FAILURES, _SECONDS = "BESLUITBRON_BREAKER_FAILURES", "BESLUITBRON_BREAKER_SECONDS"
_DEFAULT_SECONDS: Final = int(REST_SECONDS)


@dataclass(frozen=True, slots=True)
class BreakerOptions:
    """Failures in a row, and seconds of rest."""

    failures: int = FAILURES
    seconds: int = _DEFAULT_SECONDS

    def environment(self) -> dict[str, str]:
        """What every part of a run finds in its environment."""
        return {_FAILURES: str(self.failures), _SECONDS: str(self.seconds)}


def read_breaker_options(environment: Mapping[str, str]) -> BreakerOptions:
    """The options in ``environment``; unset or empty means the default. Raises ``OptionsError``."""
    failures = number(environment, _FAILURES) if environment.get(_FAILURES) else FAILURES
    seconds = number(environment, _SECONDS) if environment.get(_SECONDS) else _DEFAULT_SECONDS
    return BreakerOptions(failures, seconds)
