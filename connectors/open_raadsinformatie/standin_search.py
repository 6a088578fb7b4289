"""The stand-in's ``_search``: totals, order, paging, fragments, hits on pages, counts (platform page, section 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from connectors.council_papers import council_papers
from connectors.open_raadsinformatie.standin_analysis import words
from connectors.open_raadsinformatie.standin_query import (
    ANALYZERS,
    DATES,
    PARSING,
    BadQueryError,
    Compiled,
    Row,
    compiled,
    every_value,
    is_sortable,
)
from connectors.open_raadsinformatie.standin_records import Archive, Stored
from connectors.open_raadsinformatie.values import several

WINDOW: Final = 10_000
_KNOWN: Final = frozenset(
    {
        "query",
        "from",
        "size",
        "sort",
        "_source",
        "highlight",
        "aggs",
        "aggregations",
        "track_total_hits",
        "track_scores",
    }
)
_NO_FIELDDATA: Final = (
    "Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so "
    "these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [{}] "
    "in order to load field data by uninverting the inverted index. Note that this can use significant memory."
)
_TOO_FAR: Final = (
    "Result window is too large, from + size must be less than or equal to: [{0}] but was [{1}]. See the scroll api for a "
    "more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index "
    "level setting."
)
_ILLEGAL: Final = "illegal_argument_exception"
Scored = tuple[Row, float]


@cache
def archive(pages: str) -> Archive:
    """What is served, with links to ``pages``; it never changes, so all stand-ins of a process share it."""
    return Archive(council_papers(), pages)


@cache
def rows_of(pages: str) -> Mapping[str, tuple[Row, ...]]:
    """The rows of each index."""
    return {index: tuple(map(Row, found.values())) for index, found in archive(pages).by_index.items()}


class Search:
    """Answers searches. ``window`` and ``counted`` are the limits of the platform, small to show what happens there."""

    def __init__(self, pages: str, *, window: int = WINDOW, counted: int = WINDOW) -> None:
        self._rows = rows_of(pages)
        self._window = window
        self._counted = counted

    def answer(self, indices: tuple[str, ...], body: Any) -> dict[str, Any]:
        """The answer to a body. Raises ``BadQueryError``."""
        if not isinstance(body, dict):
            raise BadQueryError(PARSING, "Expected [START_OBJECT] but found [VALUE]")
        for key in body:
            if key not in _KNOWN:
                raise BadQueryError(PARSING, f"Unknown key for a VALUE in [{key}].")
        query = compiled(body.get("query"))
        start, size = _whole(body, "from", 0), _whole(body, "size", 10)
        if start + size > self._window:
            raise BadQueryError(_ILLEGAL, _TOO_FAR.format(self._window, start + size), in_shard=True)
        order = _order(body.get("sort"))
        rows = (row for index in indices for row in self._rows.get(index, ()))
        found: list[Scored] = [(row, score) for row in rows if (score := query.score(row)) is not None]
        scores = not order or order[0][0] == "_score"
        answer = {
            "took": 5,
            "timed_out": False,
            "_shards": {"total": len(indices), "successful": len(indices), "skipped": 0, "failed": 0},
            "hits": {
                "total": self._total(len(found), body.get("track_total_hits")),
                "max_score": _max_score(indices, found, size) if scores else None,
                "hits": [
                    self._hit(row, score if scores else None, body, query, order)
                    for row, score in _ordered(found, order)[start : start + size]
                ],
            },
        }
        if aggregations := body.get("aggs", body.get("aggregations")):
            answer["aggregations"] = _aggregations([row for row, _ in found], aggregations)
        return answer

    def _total(self, count: int, track: Any) -> dict[str, Any]:
        most = count if track is True else self._counted
        return {"value": min(count, most), "relation": "gte" if count > most else "eq"}

    def _hit(
        self, row: Row, score: float | None, body: dict[str, Any], query: Compiled, order: Order
    ) -> dict[str, Any]:
        hit = {**head(row.stored), "_score": score}
        source = filtered(row.stored.source, body.get("_source"))
        if source is not None:
            hit["_source"] = source
        if marked := _highlight(row, query, body.get("highlight")):
            hit["highlight"] = marked
        if order:
            hit["sort"] = [_shown(_key(row, score or 0.0, name)) for name, _ in order]
        if query.inner is not None and query.on_page is not None:
            hit["inner_hits"] = {"text_pages": {"hits": _inner(row, query, query.inner)}}
        return hit


Order = tuple[tuple[str, bool], ...]


def head(stored: Stored) -> dict[str, Any]:
    """What every row of Elasticsearch begins with."""
    return {"_index": stored.index, "_type": "_doc", "_id": stored.number}


def filtered(source: dict[str, Any], asked: Any) -> dict[str, Any] | None:
    """The source without what is left out; None when none is wanted."""
    if asked is False:
        return None
    if isinstance(asked, dict):
        includes, excludes = several(asked.get("includes")), several(asked.get("excludes"))
    else:
        includes, excludes = ([] if asked in (None, True) else several(asked)), []
    return _without(source, [str(one) for one in includes], [str(one) for one in excludes], "")


def _without(source: dict[str, Any], includes: list[str], excludes: list[str], above: str) -> dict[str, Any]:
    kept = {}
    for key, value in source.items():
        path = f"{above}{key}"
        if path in excludes or (includes and not above and path not in includes):
            continue
        kept[key] = _without(value, [], excludes, f"{path}.") if isinstance(value, dict) else value
    return kept


def _whole(body: dict[str, Any], name: str, default: int) -> int:
    value = body.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadQueryError(_ILLEGAL, f"[{name}] parameter cannot be negative but was [{str(value)[:20]}]")
    return value


def _max_score(indices: tuple[str, ...], found: list[Scored], size: int) -> float | None:
    if not indices:
        return 0.0  # no index, no search: a peculiar zero
    return max((score for _, score in found), default=None) if size else None


def _order(asked: Any) -> Order:
    """Fields and whether they go down."""
    made = []
    for one in asked if isinstance(asked, list) else [asked] if asked else []:
        name, how = (
            (one, None)
            if isinstance(one, str)
            else next(iter(one.items()))
            if isinstance(one, dict) and one
            else ("", None)
        )
        direction = how.get("order") if isinstance(how, dict) else how
        if not isinstance(name, str) or not name:
            raise BadQueryError(PARSING, "malformed sort format")
        if not is_sortable(name):
            raise BadQueryError(_ILLEGAL, _NO_FIELDDATA.format(name), in_shard=True)
        made.append((name, (direction or ("desc" if name == "_score" else "asc")) == "desc"))
    return tuple(made)


def _key(row: Row, score: float, name: str) -> Any:
    if name == "_score":
        return score
    if name in DATES:
        return row.moment(name)
    return next(iter(row.values(name)), None)


def _shown(value: Any) -> Any:
    """A value of ``sort``: dates in milliseconds since 1970; one that is missing as the far end of time."""
    if isinstance(value, datetime):
        return int(value.timestamp() * 1_000)
    return -(2**63) if value is None else value


def _ordered(found: list[Scored], order: Order) -> list[Scored]:
    """Rows in order; those without a value last, whichever way."""
    made = sorted(found, key=lambda one: (-one[1], one[0].stored.number))
    for name, down in reversed(order):
        have = [one for one in made if _key(one[0], one[1], name) is not None]
        lack = [one for one in made if _key(one[0], one[1], name) is None]
        have.sort(key=lambda one: _comparable(_key(one[0], one[1], name)), reverse=down)
        made = have + lack
    return made


def _comparable(value: Any) -> tuple[int, Any]:
    if isinstance(value, datetime):
        return 0, value.timestamp()
    return (0, value) if isinstance(value, (int, float)) else (1, str(value))


def _highlight(row: Row, query: Compiled, asked: Any) -> dict[str, list[str]]:
    if not isinstance(asked, dict) or not isinstance(asked.get("fields"), dict):
        return {}
    found = {}
    for name in asked["fields"]:
        marks = query.marks.get(name, set())
        texts = [str(value) for value in row.values(name)]
        if marks and (fragment := _fragment(name, texts, marks, asked.get("fragment_size"))):
            found[name] = [fragment]
    return found


def _fragment(name: str, texts: Sequence[str], marks: set[str], size: Any) -> str:
    """The surroundings of the first word that is looked for, with the marks around each such word."""
    analyze = ANALYZERS.get(name)
    length = size if isinstance(size, int) and 0 < size < 10_000 else 100  # noqa: PLR2004 - a size that makes sense
    for text in texts if analyze else ():
        hits = [found for found in words(text) if analyze and not marks.isdisjoint(analyze(found.group()))]
        if hits:
            start = text.rfind(" ", 0, max(0, hits[0].start() - length // 3)) + 1
            end = text.find(" ", min(len(text), start + length))
            piece, at = [], start
            for found in (hit for hit in hits if start <= hit.start() and (end < 0 or hit.end() <= end)):
                piece += [text[at : found.start()], f"<em>{found.group()}</em>"]
                at = found.end()
            return "".join((*piece, text[at : end if end >= 0 else len(text)]))
    return ""


def _inner(row: Row, query: Compiled, asked: dict[str, Any]) -> dict[str, Any]:
    """The pages that fit best, as hits of their own."""
    test = query.on_page
    scored = [(test(tokens), place) for place, (_, _, tokens) in enumerate(row.pages)] if test else []
    found = sorted(((score, place) for score, place in scored if score > 0), key=lambda one: (-one[0], one[1]))
    hits = []
    for score, place in found[: asked.get("size", 3) if isinstance(asked.get("size", 3), int) else 3]:
        number, text, _ = row.pages[place]
        hit: dict[str, Any] = {**head(row.stored), "_nested": {"field": "text_pages", "offset": place}, "_score": score}
        if asked.get("_source") is not False:
            hit["_source"] = {"text": text, "page_number": number}
        if "text_pages.page_number" in several(asked.get("docvalue_fields")):
            hit["fields"] = {"text_pages.page_number": [number]}
        marks = query.marks.get("text_pages.text", set())
        if asked.get("highlight") and (fragment := _fragment("text_pages.text", [text], marks, 220)):
            hit["highlight"] = {"text_pages.text": [fragment]}
        hits.append(hit)
    best = found[0][0] if found else None
    return {"total": {"value": len(found), "relation": "eq"}, "max_score": best, "hits": hits}


def _aggregations(rows: list[Row], asked: Any) -> dict[str, Any]:
    if not isinstance(asked, dict):
        raise BadQueryError(PARSING, "Expected [START_OBJECT] under [aggs]")
    return {name: _aggregation(rows, one) for name, one in asked.items()}


def _aggregation(rows: list[Row], asked: Any) -> dict[str, Any]:
    kinds = [kind for kind in asked if kind not in {"aggs", "aggregations"}] if isinstance(asked, dict) else []
    if len(kinds) != 1 or not isinstance(asked[kinds[0]], dict):
        raise BadQueryError(PARSING, "Missing definition for aggregation")
    kind, how, below = kinds[0], asked[kinds[0]], asked.get("aggs", asked.get("aggregations"))
    match kind:
        case "filter":
            test = compiled(how)
            kept = [row for row in rows if test.score(row) is not None]
            return {"doc_count": len(kept), **(_aggregations(kept, below) if below else {})}
        case "max":
            return _newest(rows, str(how.get("field")))
        case "terms":
            return _terms(rows, how, below)
        case _:
            raise BadQueryError(PARSING, f"Unknown aggregation type [{kind}]")


def _newest(rows: list[Row], name: str) -> dict[str, Any]:
    if name not in DATES:
        raise BadQueryError(_ILLEGAL, _NO_FIELDDATA.format(name), in_shard=True)
    moments = [at for row in rows if (at := row.moment(name)) is not None]
    if not moments:
        return {"value": None}
    newest = max(moments).astimezone(UTC)
    shown = f"{newest:%Y-%m-%dT%H:%M:%S}.{newest.microsecond // 1_000:03}Z"
    return {"value": newest.timestamp() * 1_000, "value_as_string": shown}


def _terms(rows: list[Row], how: dict[str, Any], below: Any) -> dict[str, Any]:
    name, size = how.get("field"), how.get("size", 10)
    if not isinstance(name, str) or not isinstance(size, int):
        raise BadQueryError(PARSING, "Required one of fields [field, script], but none were specified.")
    if not is_sortable(name):
        raise BadQueryError(_ILLEGAL, _NO_FIELDDATA.format(name), in_shard=True)
    counted = sorted(Counter(every_value(rows, name)).items(), key=lambda one: (-one[1], one[0]))
    buckets = []
    for key, count in counted[:size]:
        bucket: dict[str, Any] = {"key": key, "doc_count": count}
        if below:
            bucket |= _aggregations([row for row in rows if key in map(str, row.values(name))], below)
        buckets.append(bucket)
    other = sum(count for _, count in counted[size:])
    return {"doc_count_error_upper_bound": 0, "sum_other_doc_count": other, "buckets": buckets}
