"""How the stand-in searches: any of the words, papers with most of them first (platform page, sections 2 and 5)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NoReturn

from connectors.open_archivaris.standin_items import Archive, Kept

LARGEST_PAGE: Final = 100
_ORDERS: Final = frozenset({"relevance", "newest", "oldest"})
_REPEATED: Final = frozenset({"bodies", "bodyKinds"})
_SINGLE: Final = frozenset({"words", "createdFrom", "createdTo", "minPages", "maxPages", "page", "pageSize", "order"})
_KINDS: Final = frozenset({"gemeente", "provincie", "waterschap"})
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_WORD: Final = re.compile(r"[^\W_]+")
_TITLE_WEIGHT: Final = 8
_MOST_WORDS: Final = 300  # each is counted in every paper while all other askers wait
_AROUND: Final = 90


class BadParameterError(ValueError):
    """A parameter that is refused with 400. ``code`` is the word for it in the answer."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A search as it came, checked."""

    words: tuple[str, ...]
    bodies: frozenset[str]
    kinds: frozenset[str]
    created_from: date | None
    created_to: date | None
    min_pages: int | None
    max_pages: int | None
    page: int
    page_size: int
    order: str


def asked(pairs: list[tuple[str, str]]) -> Asked:
    """The search in the parameters of an address. Raises ``BadParameterError``, also for one that does not exist."""
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        if name not in _SINGLE | _REPEATED:
            _refuse("unknown_parameter")
        given.setdefault(name, []).append(value)
    single = {name: values[-1] for name, values in given.items()}
    kinds, order = frozenset(given.get("bodyKinds", ())), single.get("order", "relevance")
    if not kinds <= _KINDS:
        _refuse("unknown_body_kind")
    if order not in _ORDERS:
        _refuse("unknown_order")
    words = tuple(dict.fromkeys(words_of(single.get("words", ""))))
    if len(words) > _MOST_WORDS:
        _refuse("too_many_words")
    return Asked(
        words=words,
        bodies=frozenset(given.get("bodies", ())),
        kinds=kinds,
        created_from=_day(single, "createdFrom"),
        created_to=_day(single, "createdTo"),
        min_pages=_number(single, "minPages"),
        max_pages=_number(single, "maxPages"),
        page=_number(single, "page") or 1,
        page_size=min(_number(single, "pageSize") or 25, LARGEST_PAGE),
        order=order,
    )


def words_of(text: str) -> list[str]:
    """The words of a text: lower case, cut at everything that is no letter or digit."""
    return _WORD.findall(text.lower())


def _number(given: Mapping[str, str], name: str) -> int | None:
    if name not in given:
        return None
    if not _NUMBER.fullmatch(given[name]):
        _refuse("invalid_number")
    return int(given[name])


def _day(given: Mapping[str, str], name: str) -> date | None:
    if name not in given:
        return None
    if not _DAY.fullmatch(given[name]):
        _refuse("invalid_date")
    try:
        return date.fromisoformat(given[name])
    except ValueError:
        _refuse("invalid_date")


def _refuse(code: str) -> NoReturn:
    raise BadParameterError(code) from None


class _Row:
    """One paper with its words counted."""

    __slots__ = ("content", "kept", "title")

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.title = Counter(words_of(f"{kept.title} {kept.author}"))
        self.content = Counter(word for text in kept.texts for word in words_of(text))

    def rank(self, words: tuple[str, ...]) -> tuple[int, int]:
        """How many of the words the paper holds, and how often."""
        covered = sum(word in self.title or word in self.content for word in words)
        return covered, sum(self.title[word] * _TITLE_WEIGHT + self.content[word] for word in words)


class Search:
    """The index over an archive."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._rows = tuple(_Row(kept) for kept in archive.by_id.values())

    def answer(self, wanted: Asked) -> dict[str, Any]:
        """The answer to a search, one page of it."""
        ranked = [(row.rank(wanted.words), row.kept) for row in self._rows if _passes(row.kept, wanted)]
        found = [(rank, kept) for rank, kept in ranked if rank[0] or not wanted.words]
        ordered = _ordered(found, wanted.order)
        start = (wanted.page - 1) * wanted.page_size
        shown = ordered[start : start + wanted.page_size]
        return {
            "items": [self._archive.item(kept, snippet(kept, wanted.words)) for kept in shown],
            "total": len(ordered),
            "totalIsExact": True,
            "nextPage": wanted.page + 1 if start + len(shown) < len(ordered) and shown else None,
        }


def _passes(kept: Kept, wanted: Asked) -> bool:
    pages = kept.paper.source_pages
    if wanted.bodies and kept.code not in wanted.bodies:
        return False
    if wanted.kinds and kept.paper.body.type.value not in wanted.kinds:
        return False
    if (wanted.min_pages or wanted.max_pages) and pages is None:
        return False
    if not (wanted.min_pages or 0) <= (pages or 0) <= (wanted.max_pages or 10**9):
        return False
    if kept.created is None:
        return not (wanted.created_from or wanted.created_to)
    return (wanted.created_from or date.min) <= kept.created <= (wanted.created_to or date.max)


def _ordered(found: list[tuple[tuple[int, int], Kept]], order: str) -> list[Kept]:
    """The papers in an order; those without a date come last by date, and ids decide between equals."""
    by_id = sorted(found, key=lambda one: one[1].id)
    if order == "relevance":
        return [kept for _, kept in sorted(by_id, key=lambda one: one[0], reverse=True)]
    dated = [kept for _, kept in by_id if kept.created]
    dated.sort(key=lambda kept: kept.created or date.min, reverse=order == "newest")
    return [*dated, *(kept for _, kept in by_id if not kept.created)]


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The same stretch of a text with single blanks, without the halves of words at its ends."""
    return (text.find(" ", start) + 1 if start > 0 else 0), (text.rfind(" ", 0, end) if end < len(text) else end)


def snippet(kept: Kept, words: tuple[str, ...]) -> str:
    """The words around the first place where one of ``words`` stands; the beginning when none does."""
    for text in kept.texts:
        flat = " ".join(text.split())
        for match in _WORD.finditer(flat):
            if match[0].lower() in words:
                start, end = _whole_words(flat, match.start() - _AROUND, match.end() + _AROUND)
                return f"{'… ' if start else ''}{flat[start:end].strip()}{' …' if end < len(flat) else ''}"
    first = " ".join(kept.texts[0].split()) if kept.texts else ""
    return f"{first[: 2 * _AROUND].strip()} …" if first else ""
