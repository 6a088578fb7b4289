"""The component styles of others as one file for the browser: ``python -m besluitbron.styles`` writes ``static/nlds.css`` anew.

They stand in a layer of their own, so that our own styles always win, and are as they were published (see ``VENDORED.md``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parents[1] / "static"
VENDOR: Final = STATIC / "vendor"
JOINED: Final = STATIC / "nlds.css"
_MAP: Final = re.compile(r"/\*# sourceMappingURL=.*?\*/")
_HEAD: Final = (
    "/* NL Design System and Utrecht components, EUPL-1.2: see VENDORED.md. Made by python -m besluitbron.styles. */\n"
)


def joined() -> str:
    """All vendored styles in one layer, each under the name of its package."""
    pieces = [
        f"/* {path.parent.relative_to(VENDOR)} */\n{_MAP.sub('', path.read_text(encoding='utf-8')).strip()}\n"
        for path in sorted(VENDOR.glob("*/*/*.css"))
    ]
    return f"{_HEAD}@layer nlds {{\n{''.join(pieces)}}}\n"


if __name__ == "__main__":
    JOINED.write_text(joined(), encoding="utf-8")
