"""The revisions of MCP that are spoken here, oldest first within each generation.

Older ones open with ``initialize`` and go on in a session; since 2026-07-28 every request stands alone. Source of what each
revision says: the specification at modelcontextprotocol.io. A test holds the names against the SDK, which is slow to import.
"""

from __future__ import annotations

from typing import Final

OLDER: Final = ("2025-03-26", "2025-06-18", "2025-11-25")
MODERN: Final = "2026-07-28"
UNSAID: Final = OLDER[0]
"""What a request without a version header speaks, unless its session says otherwise (2025-06-18, transports)."""
BATCHES: Final = OLDER[0]
"""The one revision that knows several messages in one body; 2025-06-18 took them away."""


def agreed(asked: object) -> str:
    """The revision in which an ``initialize`` that asked for ``asked`` is answered: that, or the newest with a handshake."""
    return asked if isinstance(asked, str) and asked in OLDER else OLDER[-1]
