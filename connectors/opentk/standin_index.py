"""The search of the stand-in: SQLite FTS5 with the platform's table, order and limits (sections 2 and 8)."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from connectors.opentk.standin_items import WITHDRAWN, Item

MOST_HITS: Final = 280
_TWO_MONTHS: Final = timedelta(days=60)
_STEPS_BETWEEN: Final = 1000
_PART: Final = re.compile(r'"[^"]*"|[()]|[^\s()"]+')
_QUOTED_FOR: Final = re.compile(r"[,.\-\[\];]")
_TABLE: Final = """
create virtual table docsearch using fts5(
    onderwerp, titel, tekst, contentLength unindexed, bijgewerkt unindexed, uuid unindexed, datum unindexed, category unindexed,
    tokenize="unicode61 tokenchars '_'"
)"""
_SEARCH: Final = """
select uuid, bm25(docsearch), snippet(docsearch, -1, '<b>', '</b>', '...', 20) from docsearch
where docsearch match ? {conditions} order by rowid desc limit ?"""
_MATCHES: Final = """
select count(*) from (select rowid from docsearch where docsearch match ? {conditions} order by rowid desc limit ?)"""
_LONGEST: Final = 2_000
_MOST_WORK: Final = 1_000_000
"""Ranking a row and cutting its fragment take time by the square of the number of words, of which SQLite counts no steps."""
_MOTIONS: Final = frozenset({"Motie"})
_QUESTIONS: Final = frozenset(
    {"Schriftelijke vragen", "Antwoord schriftelijke vragen", "Antwoord schriftelijke vragen (nader)"}
)
_AFTER_THE_CUT: Final = {"moties": _MOTIONS, "vragenantwoorden": _QUESTIONS}


class SearchFailedError(Exception):
    """A query that does not parse, or one over its time: the platform does not say which."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The fields of a search as they came."""

    words: str
    sorts: str
    two_months: bool
    now: datetime


@dataclass(slots=True)
class Index:
    """The index of all items. ``most_steps`` stands for the platform's time budget: a search over it is broken off."""

    held: dict[str, Item]
    most_steps: int
    _database: sqlite3.Connection = field(repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def of(cls, items: Iterable[Item], most_steps: int = 50_000_000) -> Index:
        """An index of ``items``, which stand in it in the order given."""
        held = {item.link: item for item in items}
        database = sqlite3.connect(":memory:", check_same_thread=False)
        database.execute(_TABLE)
        database.executemany(
            "insert into docsearch values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (one.subject, one.title, one.text, len(one.text), one.changed, one.link, one.day, one.category)
                for one in held.values()
            ],
        )
        database.commit()
        return cls(held, most_steps, database)

    def search(self, asked: Asked) -> list[dict[str, Any]]:
        """The hits as the platform writes them: newest first, cut, and only then filtered by kind of paper."""
        conditions, chosen = "", list[str]()
        if asked.two_months:
            conditions += " and datum > ?"
            chosen.append((asked.now - _TWO_MONTHS).strftime("%Y-%m-%d"))
        if asked.sorts == "activiteiten":
            conditions += " and category = ?"
            chosen.append("Activiteit")
        words = converted(asked.words)
        if len(words) > _LONGEST:
            raise SearchFailedError
        values = [words, *chosen, MOST_HITS]
        ((matches,),) = self._rows(_MATCHES.format(conditions=conditions), values)
        if matches * len(_PART.findall(words)) ** 2 > _MOST_WORK:
            raise SearchFailedError
        rows = self._rows(_SEARCH.format(conditions=conditions), values)
        kinds = _AFTER_THE_CUT.get(asked.sorts)
        return [
            _hit(self.held[link], score, text)
            for link, score, text in rows
            if self.held[link].number != WITHDRAWN and (kinds is None or self.held[link].soort in kinds)
        ]

    def _rows(self, sql: str, values: list[Any]) -> list[Any]:
        left = self.most_steps

        def spend() -> bool:
            nonlocal left
            left -= _STEPS_BETWEEN
            return left <= 0

        with self._lock:
            self._database.set_progress_handler(spend, _STEPS_BETWEEN)
            try:
                return self._database.execute(sql, values).fetchall()
            except (sqlite3.Error, UnicodeEncodeError, ValueError) as error:
                raise SearchFailedError from error
            finally:
                self._database.set_progress_handler(None, 0)


def converted(words: str) -> str:
    """What people type as a query for FTS5: a word with certain marks in it is quoted; what is odd goes through unchanged."""
    if words.count('"') % 2:
        return words
    parts = _PART.findall(words)
    return " ".join(f'"{part}"' if part[0] not in '"()' and _QUOTED_FOR.search(part) else part for part in parts)


def _hit(item: Item, score: float, text: str) -> dict[str, Any]:
    return {
        "bijgewerkt": item.changed,
        "category": item.category,
        "datum": item.day,
        "nummer": item.number,
        "onderwerp": item.subject,
        "persoonnummer": item.person,
        "relurl": item.link,
        "score": score,
        "snip": text,
    }
