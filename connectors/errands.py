"""One call of one asker on its way: what is asked, how its answer is read, and who wants to know how it fares."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from connectors.calls import Answer, Call
from connectors.platforms import Platform
from throttling.callers import Caller
from throttling.turns import Expected

_T = TypeVar("_T")


class Watch(Protocol):
    """Told how one asker's calls fare, so that a page can say so while it waits."""

    def waiting(self, expected: Expected) -> None:
        """A call waits for its turn and will probably start as ``expected``."""

    def moved(self, expected: Expected) -> None:
        """A call that waits will probably start as ``expected`` now."""

    def sent(self, *, waited: bool) -> None:
        """A call has its turn and leaves now; ``waited`` when ``waiting`` was told of it before."""

    def spared(self, *, waited: bool) -> None:
        """A call needs no turn any more: somebody else had the same answer, or there will be none."""

    def answered(self) -> None:
        """A call that left is over, with an answer or without."""


class Unwatched:
    """A watch that looks away."""

    def waiting(self, expected: Expected) -> None:
        """Nothing to tell."""

    def moved(self, expected: Expected) -> None:
        """Nothing to tell."""

    def sent(self, *, waited: bool) -> None:
        """Nothing to tell."""

    def spared(self, *, waited: bool) -> None:
        """Nothing to tell."""

    def answered(self) -> None:
        """Nothing to tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand(Generic[_T]):
    """``read`` makes the value of an answer; ``document`` is the number of the document it is for, empty for none.

    ``past_buffer`` asks the platform itself, whatever the buffer holds or others are asking.
    """

    call: Call
    read: Callable[[Answer], Awaitable[_T]]
    platform: Platform
    caller: Caller
    watch: Watch
    document: str = ""
    past_buffer: bool = False
