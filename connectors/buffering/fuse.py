"""A fuse before a cache: once it failed nobody waits for it for a while, then one tries again. Not for several threads."""

from __future__ import annotations

from collections.abc import Callable


class Fuse:
    """Blown for ``pause`` seconds of ``clock`` (any steady count of seconds)."""

    def __init__(self, pause: float, clock: Callable[[], float]) -> None:
        self._pause = pause
        self._clock = clock
        self._whole_at: float | None = None

    def lets_through(self) -> bool:
        """Whether the cache may be asked. After the pause one asker is let through; the others wait for what it meets."""
        if self._whole_at is None:
            return True
        if self._clock() < self._whole_at:
            return False
        self._whole_at = self._clock() + self._pause
        return True

    def blow(self) -> bool:
        """The cache failed. Returns whether that is news."""
        news = self._whole_at is None
        self._whole_at = self._clock() + self._pause
        return news

    def mend(self) -> bool:
        """The cache answered. Returns whether that is news."""
        news = self._whole_at is not None
        self._whole_at = None
        return news
