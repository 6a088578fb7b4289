"""The part of the query language that the stand-in knows, over its records (platform page, section 5).

What Elasticsearch does not know is its 400: an unknown query, and bodies that are not built as it wants. Supported: ``bool``,
``multi_match``, ``match``, ``match_phrase``, ``match_all``, ``term``, ``terms``, ``ids``, ``exists``, ``range``, ``nested``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import cached_property
from typing import Any, Final
from zoneinfo import ZoneInfo

from connectors.json_values import objects
from connectors.moments import now
from connectors.open_raadsinformatie.standin_analysis import Analyzer, Tokens, dutch, full_text
from connectors.open_raadsinformatie.standin_records import Stored
from connectors.open_raadsinformatie.values import several

ANALYZERS: Final[dict[str, Analyzer]] = {
    "name": dutch,
    "title": dutch,
    "text": full_text,
    "md_text": full_text,
    "description": full_text,
    "text_pages.text": full_text,
}
DATES: Final = frozenset({"last_discussed_at", "start_date", "end_date", "date_modified"})
_KEYWORDS: Final = frozenset({"@id", "@type", "url", "original_url", "content_type", "parent", "is_referenced_by"})
_MOST_DEEP: Final = 30
PARSING: Final = "parsing_exception"
_CONTENT: Final = "x_content_parse_exception"
_SHARD: Final = "query_shard_exception"
_FORMAT: Final = "number_format_exception"
_DATE: Final = "parse_exception"
_ZONELESS = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?")

Scorer = Callable[["Row"], float | None]


class BadQueryError(ValueError):
    """Elasticsearch's 400: ``kind`` is its type, ``reason`` its words."""

    def __init__(self, kind: str, reason: str, *, in_shard: bool = False) -> None:
        super().__init__(kind, reason)
        self.kind, self.reason, self.in_shard = kind, reason, in_shard


@dataclass
class Row:
    """One record in the index: its fields as they are, as tokens, and as moments."""

    stored: Stored
    _fields: dict[str, Tokens] = field(default_factory=dict)

    def tokens(self, name: str) -> Tokens:
        """The tokens of a text field."""
        if name == "md_text" and "text" in self.stored.source:
            return self.tokens("text")  # the same words, but for the marks of Markdown, which are none
        if name == "text" and self.pages:
            return self._whole
        if name not in self._fields:
            analyze = ANALYZERS.get(name, full_text)
            self._fields[name] = Tokens([t for value in self.values(name) for t in analyze(str(value))])
        return self._fields[name]

    def values(self, name: str) -> list[Any]:
        """The values of a field; ``_index`` and ``_id`` are fields as well."""
        if name == "_index":
            return [self.stored.index]
        if name == "_id":
            return [self.stored.number]
        return several(self.stored.source.get(name.removesuffix(".keyword")))

    @cached_property
    def pages(self) -> tuple[tuple[int, str, Tokens], ...]:
        """The pages: number, text and tokens."""
        rows = objects(self.stored.source.get("text_pages"))
        return tuple((row["page_number"], row["text"], Tokens(full_text(row["text"]))) for row in rows)

    @cached_property
    def _whole(self) -> Tokens:
        return Tokens([token for _, _, tokens in self.pages for token in tokens.all])

    def moment(self, name: str) -> datetime | None:
        """A date field; one without a zone is UTC to Elasticsearch."""
        for value in self.values(name):
            at = datetime.fromisoformat(str(value))
            return at.replace(tzinfo=UTC) if at.tzinfo is None else at
        return None


@dataclass
class Compiled:
    """A query that was understood: how it scores, the words it marks per field, and its nested part with hits of its own."""

    score: Scorer
    marks: dict[str, set[str]] = field(default_factory=dict)
    inner: dict[str, Any] | None = None
    on_page: Callable[[Tokens], float] | None = None


def compiled(query: Any) -> Compiled:
    """The query. Raises ``BadQueryError``."""
    found = Compiled(lambda _: 1.0)
    if query is not None:
        found.score = _Compiler(found).any(query, 0)
    return found


class _Compiler:
    def __init__(self, found: Compiled) -> None:
        self._found = found

    def any(self, query: Any, depth: int) -> Scorer:
        if not isinstance(query, dict) or len(query) != 1 or depth > _MOST_DEEP:
            raise BadQueryError(PARSING, "[bool] query malformed, no start_object after query name")
        ((name, value),) = query.items()
        known: dict[str, Callable[[Any, int], Scorer]] = {
            "bool": self._bool,
            "match_all": lambda _v, _d: lambda _: 1.0,
            "multi_match": self._multi_match,
            "match": lambda v, _d: self._match(v, phrase=False),
            "match_phrase": lambda v, _d: self._match(v, phrase=True),
            "term": lambda v, _d: self._term(*_single(v, "value"), several_values=False),
            "terms": lambda v, _d: self._term(*_single(v, ""), several_values=True),
            "ids": lambda v, _d: _ids(v),
            "exists": lambda v, _d: _exists(v),
            "range": lambda v, _d: _range(*_single(v, "")),
            "nested": self._nested,
        }
        if name not in known:
            raise BadQueryError(PARSING, f"unknown query [{name}]")
        if not isinstance(value, dict):
            raise BadQueryError(PARSING, f"[{name}] query malformed, no start_object after query name")
        return known[name](value, depth)

    def _bool(self, value: dict[str, Any], depth: int) -> Scorer:
        parts = {}
        for name, clauses in value.items():
            if name in {"minimum_should_match", "boost"}:
                continue
            if name not in {"must", "filter", "should", "must_not"}:
                raise BadQueryError(_CONTENT, f"[1:1] [bool] unknown field [{name}]")
            rows = clauses if isinstance(clauses, list) else [clauses]
            parts[name] = [self.any(row, depth + 1) for row in rows]
        must, filters = parts.get("must", []), parts.get("filter", [])
        should, must_not = parts.get("should", []), parts.get("must_not", [])
        least = value.get("minimum_should_match", 0 if must or filters else min(1, len(should)))
        if not isinstance(least, int):
            raise BadQueryError(PARSING, "the stand-in knows whole numbers for [minimum_should_match] only")

        def score(row: Row) -> float | None:
            if any(one(row) is not None for one in must_not) or any(one(row) is None for one in filters):
                return None
            scores = [one(row) for one in must]
            extra = [found for one in should if (found := one(row)) is not None]
            if len(extra) < least or None in scores:
                return None
            return sum(found for found in (*scores, *extra) if found is not None)

        return score

    def _multi_match(self, value: dict[str, Any], _depth: int) -> Scorer:
        fields = value.get("fields")
        if not isinstance(fields, list) or not all(isinstance(one, str) for one in fields):
            raise BadQueryError(PARSING, "[multi_match] query must have fields in this stand-in")
        phrase = value.get("type") in {"phrase", "phrase_prefix"}
        every = value.get("operator", "or") == "and"
        boosted = [one.partition("^") for one in fields]
        tests = [
            (self._field(name, value.get("query"), phrase=phrase, every=every), _number(boost or "1"))
            for name, _, boost in boosted
        ]

        def score(row: Row) -> float | None:
            found = [points * boost for test, boost in tests if (points := test(row)) is not None]
            return max(found) if found else None

        return score

    def _match(self, value: dict[str, Any], *, phrase: bool) -> Scorer:
        name, asked = _single(value, "query")
        how = value[name] if isinstance(value[name], dict) else {}
        boost = _number(str(how.get("boost", 1)))
        test = self._field(name, asked, phrase=phrase, every=how.get("operator", "or") == "and")
        return lambda row: None if (points := test(row)) is None else points * boost

    def _field(self, name: str, asked: Any, *, phrase: bool, every: bool) -> Scorer:
        tokens = self._tokens(name, asked)
        if name.startswith("text_pages"):
            return lambda _: None  # nested fields are seen by a nested query alone
        if name in _KEYWORDS or name.endswith(".keyword"):
            return lambda row: 1.0 if str(asked) in map(str, row.values(name)) else None
        return lambda row: _points(row.tokens(name), tokens, phrase=phrase, every=every)

    def _tokens(self, name: str, asked: Any) -> list[str]:
        if not isinstance(asked, (str, int, float)):
            raise BadQueryError(PARSING, f"[match] unknown token [START_OBJECT] after [{name}]")
        tokens = ANALYZERS.get(name, full_text)(str(asked))
        self._found.marks.setdefault(name, set()).update(tokens)
        return tokens

    def _term(self, name: str, asked: Any, *, several_values: bool) -> Scorer:
        if several_values and not isinstance(asked, list):
            raise BadQueryError(PARSING, "[terms] query does not support a single value")
        if not several_values and isinstance(asked, (list, dict)):
            raise BadQueryError(PARSING, "[term] query does not support arrays")
        wanted = {str(one) for one in (asked if several_values else [asked])}
        if name in ANALYZERS or not (name in _KEYWORDS or name.startswith("_") or name.endswith(".keyword")):
            return lambda row: 1.0 if any(token in row.tokens(name) for token in wanted) else None
        return lambda row: 1.0 if not wanted.isdisjoint(map(str, row.values(name))) else None

    def _nested(self, value: dict[str, Any], _depth: int) -> Scorer:
        if value.get("path") != "text_pages":
            raise BadQueryError(_SHARD, "[nested] failed to find nested object under path", in_shard=True)
        test = self._page_query(value.get("query"), 0)
        inner = value.get("inner_hits")
        if isinstance(inner, dict):
            self._found.inner, self._found.on_page = inner, test

        def score(row: Row) -> float | None:
            best = max((test(tokens) for _, _, tokens in row.pages), default=0.0)
            return None if best <= 0 else 0.0 if value.get("score_mode") == "none" else best

        return score

    def _page_query(self, query: Any, depth: int) -> Callable[[Tokens], float]:
        if not isinstance(query, dict) or len(query) != 1 or depth > _MOST_DEEP:
            raise BadQueryError(PARSING, "[nested] query malformed")
        ((kind, value),) = query.items()
        if kind == "bool" and isinstance(value, dict) and isinstance(value.get("should"), list):
            tests = [self._page_query(one, depth + 1) for one in value["should"]]
            return lambda tokens: sum(test(tokens) for test in tests)
        if kind not in {"match", "match_phrase"} or not isinstance(value, dict):
            raise BadQueryError(PARSING, f"unknown query [{kind}]")
        name, asked = _single(value, "query")
        words = self._tokens(name, asked)
        phrase = kind == "match_phrase"
        return lambda tokens: _points(tokens, words, phrase=phrase, every=True) or 0.0


def _points(tokens: Tokens, asked: list[str], *, phrase: bool, every: bool) -> float | None:
    """How well a field fits: how often the words stand there, less in a long field."""
    if not asked:
        return None
    if phrase and len(asked) > 1:
        count = tokens.phrase(asked)
    else:
        held = [token in tokens for token in asked]
        if not (all(held) if every or phrase else any(held)):
            return None
        count = sum(tokens.phrase([token]) for token in asked)
    return 10.0 * count / (10 + tokens.length) if count else None


def _ids(value: dict[str, Any]) -> Scorer:
    wanted = value.get("values")
    if not isinstance(wanted, list):
        raise BadQueryError(PARSING, "[ids] requires providing a values array of ids")
    numbers = {str(one) for one in wanted}
    return lambda row: 1.0 if row.stored.number in numbers else None


def _exists(value: dict[str, Any]) -> Scorer:
    name = value.get("field")
    if not isinstance(name, str):
        raise BadQueryError(PARSING, "[exists] must be provided with a [field]")
    return lambda row: 1.0 if row.values(name) else None


def _range(name: str, asked: Any) -> Scorer:
    if not isinstance(asked, dict) or name not in DATES:
        raise BadQueryError(PARSING, "[range] query malformed: the stand-in knows ranges of dates")
    zone = asked.get("time_zone", "UTC")
    bounds = {key: _bound(value, zone) for key, value in asked.items() if key in {"gte", "gt", "lte", "lt"}}

    def score(row: Row) -> float | None:
        at = row.moment(name)
        if at is None:
            return None
        held = (
            ("gte" not in bounds or at >= bounds["gte"])
            and ("gt" not in bounds or at > bounds["gt"])
            and ("lte" not in bounds or at <= bounds["lte"])
            and ("lt" not in bounds or at < bounds["lt"])
        )
        return 1.0 if held else None

    return score


def _bound(value: Any, zone: Any) -> datetime:
    if value == "now":
        return now()
    try:
        if not isinstance(value, str):
            raise TypeError  # noqa: TRY301 - one way out for whatever is no date
        if _ZONELESS.fullmatch(value) and "T" not in value:
            return datetime.combine(date.fromisoformat(value), time(), ZoneInfo(zone))
        at = datetime.fromisoformat(value)
        return at.replace(tzinfo=ZoneInfo(zone)) if at.tzinfo is None else at
    except (ValueError, TypeError, OSError, KeyError) as error:
        reason = f"failed to parse date field [{str(value)[:60]}]"
        raise BadQueryError(_DATE, reason, in_shard=True) from error


def _single(value: dict[str, Any], inner: str) -> tuple[str, Any]:
    """The one field of a query and what is asked of it, which may stand under ``inner``."""
    fields = [(name, asked) for name, asked in value.items() if name != "boost"]
    if len(fields) != 1:
        raise BadQueryError(PARSING, "query doesn't support multiple fields")
    name, asked = fields[0]
    return name, asked.get(inner) if inner and isinstance(asked, dict) else asked


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadQueryError(_FORMAT, f'For input string: "{text[:40]}"') from None


def is_sortable(name: str) -> bool:
    """Whether a field has values to order by: text fields have none."""
    return name not in ANALYZERS


def every_value(rows: Iterable[Row], name: str) -> list[str]:
    """All values of a keyword field over rows, one for each row that has it."""
    return [str(value) for row in rows for value in row.values(name)]
