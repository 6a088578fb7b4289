"""The ids of this platform. What they look like is not known; the field map holds a pattern."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote

from connectors.open_archivaris.field_map import FieldMap

_MAX_ID: Final = 200


def canonical(text: str, fields: FieldMap) -> str | None:
    """The id for an id in any case, with blanks or a slash around it, or percent-encoded; None for anything else."""
    text = text.strip()
    if len(text) > 3 * _MAX_ID:
        return None
    text = (unquote(text) if "%" in text else text).strip().removesuffix("/")
    spellings = (text, text.lower(), text.upper())
    return next((one for one in spellings if _is_safe(one) and fields.id_pattern.fullmatch(one)), None)


def _is_safe(text: str) -> bool:
    """Whether the text can be a segment of a path that leads nowhere else."""
    return 0 < len(text) <= _MAX_ID and text.isprintable() and not set(text) & set("/\\?# ") and ".." not in text
