"""The place of the buffer: what the client asks before it takes a turn, and gives every good answer to.

The buffer itself, on Django's caches, is ``connectors.buffering``; ``NoBuffer`` remembers nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from connectors.calls import Answer, Call


@dataclass(frozen=True, slots=True)
class Found:
    """An answer that was kept (``buffered``). ``due``: old enough to ask the platform whether it still says so."""

    answer: Answer
    due: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """A document that its platform no longer has; ``successor`` is the number of what replaced it, empty for nothing.

    ``withdrawn``: the platform says itself that it withdrew it.
    """

    successor: str = ""
    withdrawn: bool = False


class Buffer(Protocol):
    """Answers that were fetched before. Nothing here fails: anything odd is a miss, and what cannot be kept is not kept.

    ``document`` is the number of the document for which a call is made, empty for a search or a list. What is kept under
    such a number goes when the document goes.
    """

    def name(self, call: Call) -> str:
        """A digest of exactly this call, the same in every process, that tells nothing of a question."""
        ...

    async def read(self, call: Call, document: str = "") -> Found | None:
        """The fresh answer to exactly this call that this version kept, or None."""
        ...

    async def keep(self, call: Call, answer: Answer, document: str = "") -> None:
        """Keep a good answer for as long as its kind allows."""
        ...

    async def drop(self, call: Call) -> None:
        """Throw away what is kept for this call: it turned out to be no answer."""
        ...

    async def gone(self, platform: str, document: str) -> Gone | None:
        """That the platform said lately that this document is gone; None when it did not."""
        ...

    async def bury(self, platform: str, document: str, successor: str = "", *, withdrawn: bool = False) -> None:
        """The platform says that a document is gone: throw its parts away and know it for a day."""
        ...


class NoBuffer:
    """A buffer that remembers nothing."""

    def name(self, call: Call) -> str:
        """No two calls are the same."""
        del call
        return ""

    async def read(self, call: Call, document: str = "") -> Found | None:
        """Always a miss."""
        del call, document
        return None

    async def keep(self, call: Call, answer: Answer, document: str = "") -> None:
        """Forget at once."""
        del call, answer, document

    async def drop(self, call: Call) -> None:
        """Nothing is there."""
        del call

    async def gone(self, platform: str, document: str) -> Gone | None:
        """Nothing is known."""
        del platform, document
        return None

    async def bury(self, platform: str, document: str, successor: str = "", *, withdrawn: bool = False) -> None:
        """Forget at once."""
        del platform, document, successor, withdrawn
