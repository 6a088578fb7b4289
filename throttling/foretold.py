"""What a call that waited was told about its start, beside when it did start: how good our estimates are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

_SECONDS: Final = 2.0
_PART: Final = 0.25

MOST: Final = 1000
"""How many are kept in the store until the bookkeeper fetches them."""
KEPT_SECONDS: Final = 60
"""How long they are kept when there is no bookkeeper."""


@dataclass(frozen=True, slots=True)
class Foretold:
    """Seconds from the moment of telling: what was ``predicted``, and the ``real`` start."""

    predicted: float
    real: float

    @property
    def is_near(self) -> bool:
        """Whether the estimate was within 25 % of what came, or within 2 s."""
        return abs(self.predicted - self.real) <= max(_SECONDS, _PART * self.real)

    def text(self) -> str:
        """As it stands in the store."""
        return f"{self.predicted:.3f} {self.real:.3f}"

    @classmethod
    def read(cls, text: str) -> Self:
        """What ``text`` gave. Raises ``ValueError``."""
        predicted, real = map(float, text.split())
        return cls(predicted, real)
