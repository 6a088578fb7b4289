"""BesluitBron: one question to seven Dutch public decision platforms, every answer with its source.

This package is the composition root: the only room that knows all others.
"""

import os

__version__ = "0.1.0"


def version() -> str:
    """The version that writes and serves: ``BESLUITBRON_VERSIE`` when set (for tests), else the package's own."""
    return os.environ.get("BESLUITBRON_VERSIE", __version__)
