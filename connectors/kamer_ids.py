"""How the Tweede Kamer numbers what it holds: the same at every platform that has its papers."""

from __future__ import annotations

import re
from typing import Final

GUID: Final = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
"""The id of a row, as a pattern without anchors."""
NUMBER: Final = re.compile(r"[12][0-9]{3}([DZA])[0-9]{5,6}", re.ASCII)
"""A year, a letter (D document, Z zaak, A activiteit) and a number: "2026D45064"."""
COMMITMENT: Final = re.compile(r"TZ[12][0-9]{5}-[0-9]{1,6}", re.ASCII)
"""The number of a toezegging: "TZ202603-130"."""
