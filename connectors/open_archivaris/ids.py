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
    return next((one for one in spellings if is_id(one, fields)), None)


def is_id(text: str, fields: FieldMap) -> bool:
    """Whether the text is an id by the map, and can be a segment of a path that leads nowhere else, whatever the map allows."""
    return _is_safe(text) and fields.id_pattern.fullmatch(text) is not None


def _is_safe(text: str) -> bool:
    if not 0 < len(text) <= _MAX_ID or text == "." or ".." in text:
        return False
    return text.isprintable() and not set(text) & set("/\\?# ")
