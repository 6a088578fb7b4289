"""The version of the API, apart from the version of the product: programs hold on to it (ADR ``semver``, ``uri-version``)."""

from __future__ import annotations

from typing import Final

VERSION: Final = "1.0.0"
ROOT: Final = "/api/v1"
"""Where the API begins; the number is the major version."""
_BELOW: Final = "/api/"


def is_api(path: str) -> bool:
    """Whether a path is of the API, also in a version that there is not: below ``/api/`` only programs come."""
    return path.startswith(_BELOW)
