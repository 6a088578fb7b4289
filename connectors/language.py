"""The language in which pages speak, and the words of it: the one place that knows of translation. Nothing here knows Django.

Texts stand in the code in Dutch and are their own ids; the English stands in ``locale/en/LC_MESSAGES/django.po`` (decision
0020). A text is said when it is shown: what is kept, shared or handed to programs is Dutch or data, never a translation.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

CATALOGUES: Final = Path(__file__).parents[1] / "locale"
DOMAIN: Final = "django"


class Language(StrEnum):
    """A language of the pages, as BCP 47 writes it."""

    DUTCH = "nl"
    ENGLISH = "en"

    @property
    def prefix(self) -> str:
        """What stands before every address of a page in this language."""
        return "" if self is Language.DUTCH else f"/{self.value}"

    @property
    def other(self) -> Language:
        """The language that a page offers instead."""
        return Language.ENGLISH if self is Language.DUTCH else Language.DUTCH


_spoken: ContextVar[Language] = ContextVar("language", default=Language.DUTCH)


def spoken() -> Language:
    """The language of what is made now: of one request, with its tasks and threads. Dutch where nobody said otherwise."""
    return _spoken.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Speak ``language`` inside, and after it what was spoken before."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def later(words: str) -> str:
    """Marks a Dutch text that is said later, with ``say``; gives it back as it is."""
    return words


def say(words: str, /, **values: object) -> str:
    """A Dutch text in the language that is spoken, with ``values`` at the names between braces.

    A text without a translation stays Dutch: a word of a source, or of an operator.
    """
    if _spoken.get() is not Language.DUTCH:
        words = catalogue(_spoken.get()).gettext(words) if words else words
    return words.format_map(values) if values else words


def say_number(one: str, many: str, count: int, /, **values: object) -> str:
    """As ``say``, with the form that fits ``count``. The count itself is among ``values`` where the text has it."""
    language = _spoken.get()
    words = (
        (one if count == 1 else many) if language is Language.DUTCH else catalogue(language).ngettext(one, many, count)
    )
    return words.format_map(values) if values else words


def here(path: str) -> str:
    """The address of one of our pages in the language that is spoken; ``path`` begins with a slash."""
    return f"{_spoken.get().prefix}{path}"


@cache
def catalogue(language: Language) -> NullTranslations:
    """The words of a language, read once in the life of a process. Dutch has none: its texts are the ids."""
    if language is Language.DUTCH:
        return NullTranslations()
    with (CATALOGUES / language.value / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        return GNUTranslations(file)
