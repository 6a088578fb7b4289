"""Small pieces of Markdown, and the cutting of a text into pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from connectors.council_papers.papers import MARK

_WORDS_A_PAGE = 330
_SIGNS: Final = re.compile(r"^#+ |\*\*|^[|:-]+$", re.MULTILINE)


def heading(text: str, level: int = 2) -> str:
    """A heading."""
    return f"{'#' * level} {text}"


def paragraph(sentences: Iterable[str]) -> str:
    """Sentences as one paragraph."""
    return " ".join(sentences)


def bullets(items: Iterable[str]) -> str:
    """A list with dashes."""
    return "\n".join(f"- {item}" for item in items)


def numbered(items: Iterable[str]) -> str:
    """A numbered list; items end in a semicolon, the last in a full stop."""
    found = list(items)
    return "\n".join(f"{n}. {item}{'.' if n == len(found) else ';'}" for n, item in enumerate(found, 1))


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    cells = [header, ["---"] * len(header), *rows]
    return "\n".join(f"|{'|'.join(row)}|" for row in cells)


def pages(blocks: Sequence[str]) -> tuple[str, ...]:
    """Blocks as pages of some three hundred words; the first begins with the mark. A heading stays with what follows it."""
    made: list[list[str]] = [[MARK]]
    count = 0
    for place, block in enumerate(blocks):
        words = len(block.split())
        following = blocks[place + 1] if block.startswith("#") and place + 1 < len(blocks) else ""
        if count and count + words + len(following.split()) > _WORDS_A_PAGE:
            made.append([])
            count = 0
        made[-1].append(block)
        count += words
    return tuple("\n\n".join(page) for page in made)


def plain(page: str) -> str:
    """A page as a tool gives it that reads the PDF made of it: no signs of headings and bold, no bars of tables."""
    unsigned = _SIGNS.sub("", page).replace("|", " ")
    return "\n".join(written.strip() for written in unsigned.split("\n")).strip()
