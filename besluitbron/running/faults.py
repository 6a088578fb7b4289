"""What stands between the environment and a start."""

from __future__ import annotations


class OptionsError(Exception):
    """The environment asks something impossible. The text is Dutch, for the person who starts the product."""
