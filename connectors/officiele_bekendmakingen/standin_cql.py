"""CQL as the stand-in understands it: parse a query, say which items it finds, and what is wrong with it.

The subset and its oddities: platform page, section 2. Booleans join from left to right, ``NOT`` stands between two clauses, one
bare word makes a clause, ``=`` is containment without case and accents, ``==`` exact and case sensitive. A day that does not
exist drops its clause, with a diagnostic beside the answer. It knows nothing of the connector's own code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from connectors.officiele_bekendmakingen.standin_items import DATES, INDEXES, Item, folded

SYNTAX: Final = "info:srw/diagnostic/1/10"
UNSUPPORTED_INDEX: Final = "info:srw/diagnostic/1/16"
UNSUPPORTED_RELATION: Final = "info:srw/diagnostic/1/19"
UNSUPPORTED_SORT: Final = "info:srw/diagnostic/1/82"
_TOKEN: Final = re.compile(
    r'\s*(?:"((?:[^"\\]|\\.)*)"|(==|>=|<=|<>|[=<>()/])|([^\s()"=<>/]+(?:/[^\s()"=<>/]+)*))', re.DOTALL
)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_RELATIONS: Final = frozenset({"=", "==", ">=", "<=", ">", "<", "any", "all"})
_BOOLEANS: Final = frozenset({"and", "or", "not"})
_DEEPEST: Final = 50
Matcher = Callable[[Item], bool]


class CqlError(Exception):
    """A query that the service refuses; ``uri`` and ``message`` are those of its diagnostic."""

    def __init__(self, uri: str, message: str) -> None:
        super().__init__(uri, message)
        self.uri = uri
        self.message = message


@dataclass(slots=True)
class Parsed:
    """A query: what it matches, its order (index and whether descending), and the clauses that were dropped.

    ``phrases`` are the words it looks for in the text, by which an item is more or less to the point.
    """

    matches: Matcher
    order: tuple[str, bool] | None = None
    ignored: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)

    def score(self, item: Item) -> int:
        """How often an item holds the words that are looked for."""
        return sum(item.words.count(phrase) for phrase in self.phrases)


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    at: int
    is_string: bool = False
    is_symbol: bool = False

    @property
    def word(self) -> str:
        """The token in lower case when it may be an operator."""
        return "" if self.is_string else self.text.lower()


def parse(query: str) -> Parsed:
    """A query taken apart. Raises ``CqlError``."""
    reader = _Reader(_tokens(query))
    parsed = Parsed(reader.clauses(0))
    if reader.peek() is not None and reader.peek_word() == "sortby":
        reader.take()
        parsed.order = reader.order()
    if (rest := reader.peek()) is not None:
        raise _mismatch(rest)
    parsed.ignored, parsed.phrases = reader.ignored, reader.phrases
    return parsed


def _tokens(query: str) -> list[_Token]:
    found, at = [], 0
    query = query.rstrip()
    while at < len(query):
        match = _TOKEN.match(query, at)
        if match is None:
            raise CqlError(SYNTAX, f"line 1:{at} token recognition error")
        string, symbol, word = match.groups()
        begins = match.end() - len(match[0].lstrip())
        if word and "+" in word.strip("+"):
            raise CqlError(SYNTAX, f"line 1:{begins} token recognition error at: '+'")
        if string is not None:
            found.append(_Token(re.sub(r"\\(.)", r"\1", string, flags=re.DOTALL), begins, is_string=True))
        else:
            found.append(_Token(symbol or word, begins, is_symbol=bool(symbol)))
        at = match.end()
    return found


def _mismatch(token: _Token) -> CqlError:
    return CqlError(
        SYNTAX, f"line 1:{token.at} mismatched input '{token.text}' expecting {{<EOF>, AND, OR, NOT, PROX, SORTBY}}"
    )


@dataclass(slots=True)
class _Reader:
    tokens: list[_Token]
    place: int = 0
    ignored: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)

    def peek(self) -> _Token | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def peek_word(self) -> str:
        token = self.peek()
        return token.word if token else ""

    def take(self) -> _Token:
        token = self.peek()
        if token is None:
            raise CqlError(SYNTAX, "line 1:0 mismatched input '<EOF>'")
        self.place += 1
        return token

    def clauses(self, depth: int) -> Matcher:
        matches = self.clause(depth)
        while self.peek_word() in _BOOLEANS:
            matches = _joined(self.take().word, matches, self.clause(depth))
        return matches

    def clause(self, depth: int) -> Matcher:
        token = self.take()
        if token.word == "(":
            if depth == _DEEPEST:
                raise _mismatch(token)
            inside = self.clauses(depth + 1)
            closing = self.take()
            if closing.word != ")":
                raise _mismatch(closing)
            return inside
        if token.is_symbol or token.word in _BOOLEANS | {"prox", "sortby"}:
            raise _mismatch(token)
        if not token.is_string and self.peek_word() in _RELATIONS:
            relation = self.take().word
            value = self.take()
            if value.is_symbol:
                raise _mismatch(value)
            return self.compared(token.text, relation, value.text)
        return self.contains("cql.textAndIndexes", token.text)

    def compared(self, index: str, relation: str, value: str) -> Matcher:
        if index == "cql.allRecords":
            return lambda _: True
        if index not in INDEXES:
            raise CqlError(UNSUPPORTED_INDEX, f"unsupported index {index}")
        if relation in {">=", "<=", ">", "<"} or (index in DATES and relation in {"=", "=="}):
            return self.dated(index, relation, value)
        if relation == "==":
            return lambda item: value in item.values(index)
        if relation in {"any", "all"}:
            words = [self.contains(index, word) for word in value.split()]
            if relation == "any":
                return lambda item: any(word(item) for word in words)
            return lambda item: all(word(item) for word in words)
        return self.contains(index, value)

    def contains(self, index: str, value: str) -> Matcher:
        """Whether a value holds these words in this order; a hyphenated compound is a phrase."""
        phrase = folded(value)
        if index.startswith("cql."):
            self.phrases.append(phrase)
        return lambda item: bool(phrase.strip()) and any(phrase in held for held in item.folded(index))

    def dated(self, index: str, relation: str, value: str) -> Matcher:
        if index not in DATES:
            raise CqlError(UNSUPPORTED_RELATION, f"unsupported relation {relation}")
        try:
            day = date.fromisoformat(value) if _DAY.fullmatch(value) else None
        except ValueError:
            day = None
        if day is None:
            self.ignored.append(f"{index} {relation} {value}")
            return lambda _: True
        wanted = day.isoformat()
        tests: dict[str, Callable[[str], bool]] = {
            ">=": wanted.__le__,
            "<=": wanted.__ge__,
            ">": wanted.__lt__,
            "<": wanted.__gt__,
        }
        test = tests.get(relation, wanted.__eq__)

        def matches(item: Item) -> bool:
            return any(test(held) for held in item.values(index))

        return matches

    def order(self) -> tuple[str, bool]:
        token = self.take()
        index, _, modifier = token.text.partition("/")
        if not modifier and self.peek_word() == "/":
            self.take()
            modifier = self.take().text
        if index not in INDEXES or modifier.lower() not in {"", "sort.ascending", "sort.descending"}:
            raise CqlError(UNSUPPORTED_SORT, f"unsupported sort {token.text}")
        return index, modifier.lower() == "sort.descending"


def _joined(boolean: str, left: Matcher, right: Matcher) -> Matcher:
    if boolean == "and":
        return lambda item: left(item) and right(item)
    if boolean == "or":
        return lambda item: left(item) or right(item)
    return lambda item: left(item) and not right(item)
