"""Cutting a long text at its paragraphs into the parts of which a document page is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

PART_SIZE: Final = 6000
"""About how many characters a part has: a few pages of paper."""
_CONTINUED: Final = " (vervolg)"


def cut(heading: str, paragraphs: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Heading and text of each part. No paragraph is cut: one longer than ``PART_SIZE`` is a part by itself."""
    part: list[str] = []
    size, current = 0, heading
    for paragraph in paragraphs:
        if part and size + len(paragraph) > PART_SIZE:
            yield current, "\n\n".join(part)
            part, size, current = [], 0, f"{heading}{_CONTINUED}" if heading else ""
        part.append(paragraph)
        size += len(paragraph)
    if part:
        yield current, "\n\n".join(part)
