"""The calls of this platform, built from what is asked. Nothing here sends anything (platform page, sections 1, 2, 5 and 8).

Words go out as values of ``multi_match``, which takes no syntax: a slash, a colon or a lone quote is a character like any other
(field report 5). Every search leaves the text fields out: one paper with them may be megabytes. Organisations are named in the
path by alias; the time-stamped names of indices change each time the platform reads an organisation again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, Final

from connectors.calls import Call, CallKind
from connectors.open_raadsinformatie.ids import ItemId
from connectors.open_raadsinformatie.kinds import WORDS_OF
from connectors.open_raadsinformatie.words import STOP_WORDS
from connectors.platforms import OPEN_RAADSINFORMATIE
from connectors.questions import sort_of
from connectors.records import Kind, Query, SearchText, Sort, Term

SERVICE: Final = "zoeken"
WINDOW: Final = 10_000
"""How far ``from`` and ``size`` together may reach; further is a 400 (platform page, section 5)."""
EVERYWHERE: Final = "ori_*,osi_*,owi_*"
ZONE: Final = "Europe/Amsterdam"
MOST_RELATED: Final = 300
_MOST_GROUPS: Final = 8_000
_MOST_PEOPLE: Final = WINDOW
_MOST_BUCKETS: Final = 500
_HEAVY: Final = ("text", "md_text", "text_pages", "@context", "was_generated_by.@context")
_FIELDS: Final = ("name^3", "description", "text", "md_text")
_FRAGMENT: Final = {"number_of_fragments": 1, "fragment_size": 220}
_GROUPS: Final = ("Committee", "Subcommittee", "Council", "Party")
_IN_FRONT: Final = 20
_LATE_LABEL: Final = "T02:00:00"


def search_call(query: Query, types: tuple[str, ...], aliases: tuple[str, ...], start: int, size: int) -> Call:
    """The results ``start`` to ``start + size`` of ``types`` at ``aliases``, or everywhere when those are none."""
    terms = query_terms(query.text)
    body: dict[str, Any] = {
        "query": {"bool": _clauses(query, terms, types)},
        "from": start,
        "size": size,
        "_source": {"excludes": list(_HEAVY)},
        "sort": _sort(effective_sort(query), types),
    }
    if aliases:  # over all 330 indices an exact count is dear; there it stops at 10,000 and says so
        body["track_total_hits"] = True
    if terms:
        body["highlight"] = {**_FRAGMENT, "fields": {"text": {}, "md_text": {}, "description": {}}}
    return _search(",".join(aliases) or EVERYWHERE, body, CallKind.SEARCH)


def record_call(asked: ItemId) -> Call:
    """One record with its text: by its number, or by the address of its file, of which the last discussed comes first."""
    if asked.number is not None:
        return _call("GET", f"/{asked.alias}/_doc/{asked.number}", CallKind.DOCUMENT)
    return _search(asked.alias, _wanted(asked), CallKind.DOCUMENT)


def old_copy_call(asked: ItemId) -> Call:
    """The record in any copy of its index: after a change of supplier the old one has no alias any more."""
    return _search(f"{asked.alias}_2*", _wanted(asked), CallKind.DOCUMENT)


def _wanted(asked: ItemId) -> dict[str, Any]:
    if asked.number is not None:
        return {"query": {"ids": {"values": [asked.number]}}, "size": 1}
    query = {"bool": {"filter": [{"term": {"original_url": asked.original}}]}}
    return {"query": query, "size": 1, "sort": _sort(Sort.NEWEST, ())}


def look_up_call(query: dict[str, object]) -> Call:
    """The few records of all organisations that answer to a number or to the address of a file."""
    body = {"query": query, "size": 5, "_source": {"excludes": list(_HEAVY)}}
    return _search(EVERYWHERE, body, CallKind.SEARCH)


def related_call(alias: str, numbers: Iterable[str], parents: Iterable[str], references: Iterable[str]) -> Call:
    """The heads of records: those of ``numbers``, the items of ``parents``, and the files that hang on ``references``."""
    wanted = [
        {"ids": {"values": list(numbers)}},
        {"terms": {"parent": list(parents)}},
        {"terms": {"is_referenced_by": list(references)}},
    ]
    body = {
        "query": {"bool": {"should": wanted, "minimum_should_match": 1}},
        "size": MOST_RELATED,
        "_source": {"excludes": [*_HEAVY, "was_generated_by"]},
        "sort": [{"position": {"order": "asc", "unmapped_type": "float"}}, {"_id": "asc"}],
    }
    return _search(alias, body, CallKind.DOCUMENT)


def aliases_call() -> Call:
    """Which organisations there are now."""
    return _call("GET", "/_aliases", CallKind.LIST)


def indices_call() -> Call:
    """All indices with how much is in them, old copies among them."""
    return _call("GET", "/_cat/indices", CallKind.STATUS, params=(("format", "json"),))


def mapping_call(alias: str) -> Call:
    """The fields of the index behind an alias."""
    return _call("GET", f"/{alias}/_mapping", CallKind.STATUS)


def groups_call() -> Call:
    """The committees, councils and parties of all organisations."""
    wanted = [{"term": {"@type": "Organization"}}, {"terms": {"classification.keyword": list(_GROUPS)}}]
    body = {"query": {"bool": {"filter": wanted}}, "size": _MOST_GROUPS, "_source": ["name", "classification", "@type"]}
    return _search(EVERYWHERE, body, CallKind.LIST)


def people_call(record_type: str) -> Call:
    """The persons of all organisations (``Person``), or what each of them is there (``Membership``)."""
    wanted = [{"term": {"@type": record_type}}]
    body = {"query": {"bool": {"filter": wanted}}, "size": _MOST_PEOPLE, "_source": ["name", "member", "role", "@type"]}
    return _search(EVERYWHERE, body, CallKind.LIST)


def registers_call() -> Call:
    """The names of the registers, with how many entries each has."""
    body = {
        "query": {"bool": {"filter": [{"term": {"@type": "Report"}}]}},
        "size": 0,
        "aggs": {"registers": {"terms": {"field": "classification.keyword", "size": _MOST_BUCKETS}}},
    }
    return _search(EVERYWHERE, body, CallKind.LIST)


def status_call() -> Call:
    """How much each index holds, and its newest content up to now: meetings of the future say nothing about the import."""
    past = {"filter": {"range": {"last_discussed_at": {"lte": "now"}}}, "aggs": {"newest": _NEWEST}}
    per_index = {"terms": {"field": "_index", "size": _MOST_BUCKETS}, "aggs": {"past": past}}
    return _search(EVERYWHERE, {"size": 0, "aggs": {"per_index": per_index}}, CallKind.STATUS)


_NEWEST: Final = {"max": {"field": "last_discussed_at"}}


def effective_sort(query: Query) -> Sort:
    """The order in which the platform is asked."""
    return sort_of(query, has_words=bool(query_terms(query.text)))


def query_terms(text: SearchText) -> tuple[Term, ...]:
    """The terms that the platform must hold. Loose words that no title holds ("de", "van") are no condition beside others."""
    told = tuple(term for term in text.terms if term.phrase or not STOP_WORDS.issuperset(map(str.lower, term.words)))
    return told or text.terms


def _clauses(query: Query, terms: tuple[Term, ...], types: tuple[str, ...]) -> dict[str, Any]:
    filters: list[dict[str, Any]] = [{"terms": {"@type": list(types)}}]
    if query.has_period:
        filters.append(_period(query.date_from, query.date_until))
    clauses: dict[str, Any] = {"filter": filters}
    if terms:
        clauses["must"] = [_match(term) for term in terms]
        clauses["should"] = [_on_a_page(terms), *_likely(query.kinds)]
    return clauses


def _likely(kinds: frozenset[Kind]) -> list[dict[str, Any]]:
    """No condition, only a place in front: what is named or registered with the word of an asked kind."""
    words = " ".join(word for kind in sorted(kinds) for word in WORDS_OF.get(kind, ()))
    if not words:
        return []
    return [{"match": {field: {"query": words, "boost": _IN_FRONT}}} for field in ("name", "classification")]


def _match(term: Term) -> dict[str, Any]:
    """A term in one of the fields: all pieces that the platform makes of a word, or the words of a phrase in their order."""
    asked: dict[str, Any] = {"query": " ".join(term.words), "fields": list(_FIELDS)}
    return {"multi_match": {**asked, **({"type": "phrase"} if term.phrase else {"operator": "and"})}}


def _on_a_page(terms: tuple[Term, ...]) -> dict[str, Any]:
    """The best page of a paper. No condition and no part of the rank, only where to open it."""
    words = [
        {"match_phrase": {"text_pages.text": {"query": " ".join(term.words)}}}
        if term.phrase
        else {"match": {"text_pages.text": {"query": " ".join(term.words), "operator": "and"}}}
        for term in terms
    ]
    return {
        "nested": {
            "path": "text_pages",
            "query": {"bool": {"should": words, "minimum_should_match": 1}},
            "score_mode": "none",
            "ignore_unmapped": True,
            "inner_hits": {
                "size": 1,
                "_source": False,
                "docvalue_fields": ["text_pages.page_number"],
                "highlight": {**_FRAGMENT, "fields": {"text_pages.text": {}}},
                "ignore_unmapped": True,
            },
        }
    }


def _period(first: date | None, last: date | None) -> dict[str, Any]:
    """Everything that can show a day of the period.

    Suppliers that label Dutch clock time as UTC have their evenings up to two hours into the next day over there, so that much
    wider is asked; what shows another day falls out when we read it. A register's entry has no date of discussion.
    """
    bounds: dict[str, str] = {"time_zone": ZONE}
    if first is not None:
        bounds["gte"] = f"{first.isoformat()}T00:00:00"
    if last is not None and last < date.max:
        bounds["lt"] = f"{(last + timedelta(days=1)).isoformat()}{_LATE_LABEL}"
    undiscussed = {
        "filter": [{"range": {"start_date": bounds}}],
        "must_not": [{"exists": {"field": "last_discussed_at"}}],
    }
    either = [{"range": {"last_discussed_at": bounds}}, {"bool": undiscussed}]
    return {"bool": {"should": either, "minimum_should_match": 1}}


def _sort(sort: Sort, types: tuple[str, ...]) -> list[Any]:
    """Names cannot be sorted on. Entries of registers have their date in another field (platform page, section 5)."""
    if sort is Sort.RELEVANCE:
        return ["_score", {"_id": "asc"}]
    field = "start_date" if types == ("Report",) else "last_discussed_at"
    order = "desc" if sort is Sort.NEWEST else "asc"
    return [{field: {"order": order, "unmapped_type": "date"}}, {"_id": "asc"}]


def _search(indices: str, body: dict[str, Any], kind: CallKind) -> Call:
    raw = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "replace")
    params = (("ignore_unavailable", "true"),)
    return _call("POST", f"/{indices}/_search", kind, params=params, body=raw)


def _call(
    method: str, path: str, kind: CallKind, params: tuple[tuple[str, str], ...] = (), body: bytes | None = None
) -> Call:
    return Call(
        platform=OPEN_RAADSINFORMATIE.key,
        service=SERVICE,
        path=f"/v1/elastic{path}",
        kind=kind,
        method=method,
        params=params,
        body=body,
        headers=(("content-type", "application/json"),) if body is not None else (),
    )
