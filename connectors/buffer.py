"""The place of the buffer: what the client asks before it takes a turn, and gives every good answer to.

The buffer itself is built with the outgoing turns; until then ``NoBuffer`` remembers nothing.
"""

from __future__ import annotations

from typing import Protocol

from connectors.calls import Answer, Call


class Buffer(Protocol):
    """Answers that were fetched before."""

    async def read(self, call: Call) -> Answer | None:
        """The fresh answer to exactly this call, or None. Anything odd is a miss, never a failure."""
        ...

    async def keep(self, call: Call, answer: Answer) -> None:
        """Keep a good answer for as long as its kind allows. Never fails."""
        ...


class NoBuffer:
    """A buffer that remembers nothing."""

    async def read(self, call: Call) -> Answer | None:
        """Always a miss."""
        del call
        return None

    async def keep(self, call: Call, answer: Answer) -> None:
        """Forget at once."""
        del call, answer
