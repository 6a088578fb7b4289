"""A local server that speaks the wire format of Open Raadsinformatie over generated council papers.

What nginx lets through and refuses, and what Elasticsearch 7.9 answers to the part of its language that we send (platform
page, sections 1, 2, 5 and 9). No limit is published, so none is kept; its 429 is what Elasticsearch says with a full queue.
Not served: ``_msearch``, mappings, and the files themselves, as links lead to our own pages.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from connectors.open_raadsinformatie.standin_indices import NoSuchIndexError, aliases, resolve
from connectors.open_raadsinformatie.standin_mapping import mapping_of
from connectors.open_raadsinformatie.standin_query import PARSING, BadQueryError
from connectors.open_raadsinformatie.standin_search import WINDOW, Search, archive, filtered, head
from connectors.platforms import OPEN_RAADSINFORMATIE
from connectors.standins import CountingStandIn

_METHODS: Final = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")
_HEADERS: Final = {"access-control-allow-origin": "*", "strict-transport-security": "max-age=63072000"}
_FORBIDDEN_PATH = re.compile(r"_cluster|_shutdown")
_SEARCH = re.compile(r"(?:(?P<indices>[^/]*)/)?_search")
_DOC = re.compile(r"(?P<index>[^/]+)/_doc/(?P<number>[^/]+)")
_UNKNOWN_PAGE: Final = (
    "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>The requested URL was not found on "
    "the server. If you entered the URL manually please check your spelling and try again.</p>\n"
)
_MAPPING: Final = re.compile(r"(?P<index>[^/]+)/_mapping")
_NOT_SERVED: Final = "illegal_argument_exception"
_MOST_BODY: Final = 1_000_000


def _json(body: Any, status: int = 200) -> Response:
    raw = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    return Response(raw, status, {**_HEADERS, "content-type": "application/json; charset=UTF-8"})


def _nginx(status: int, words: str) -> Response:
    page = (
        f"<html>\r\n<head><title>{status} {words}</title></head>\r\n<body>\r\n<center><h1>{status} {words}</h1></center>\r\n"
        "<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
    )
    return Response(page, status, {**_HEADERS, "content-type": "text/html"})


def _not_found() -> Response:
    return Response(_UNKNOWN_PAGE, 404, {"content-type": "text/html; charset=utf-8"})


def _bad(error: BadQueryError, index: str) -> Response:
    """A 400 as Elasticsearch words it: of the request as a whole, or of the shards that could not do it."""
    cause = {"type": error.kind, "reason": error.reason}
    if not error.in_shard:
        return _json({"error": {"root_cause": [cause], **cause}, "status": 400}, 400)
    failed = {"shard": 0, "index": index, "node": "n0deIdExample0000000000", "reason": cause}
    whole = {
        "root_cause": [cause],
        "type": "search_phase_execution_exception",
        "reason": "all shards failed",
        "phase": "query",
        "grouped": True,
        "failed_shards": [failed],
    }
    return _json({"error": whole, "status": 400}, 400)


def _no_such_index(name: str) -> Response:
    cause = {
        "type": "index_not_found_exception",
        "reason": f"no such index [{name}]",
        "resource.type": "index_or_alias",
        "resource.id": name,
        "index_uuid": "_na_",
        "index": name,
    }
    return _json({"error": {"root_cause": [cause], **cause}, "status": 404}, 404)


class OpenRaadsinformatieStandIn(CountingStandIn):
    """Fulfils ``connectors.standins.StandIn``.

    ``pages`` is the root address of our own site, to which all links lead. ``window`` is how far one can page and ``counted``
    how far totals are counted, small to show what happens there.
    """

    def __init__(self, pages: str, *, window: int = WINDOW, counted: int = WINDOW) -> None:
        super().__init__(OPEN_RAADSINFORMATIE)
        self._pages = pages.rstrip("/")
        self._limits = {"window": window, "counted": counted}

    def routes(self) -> list[BaseRoute]:
        """The service ``zoeken``: Elasticsearch below ``/v1/elastic``, a 404 of the web application for all else."""
        return [
            Route("/zoeken/v1/elastic/{path:path}", self._elastic, methods=_METHODS),
            Route("/{path:path}", self._unknown, methods=_METHODS),
        ]

    def full(self) -> Response:
        """Elasticsearch with a full queue; not seen of this platform, which publishes no limit."""
        reason = "rejected execution of coordinating operation"
        return _json({"error": {"type": "es_rejected_execution_exception", "reason": reason}, "status": 429}, 429)

    def maintenance(self) -> Response:
        """What nginx answers while Elasticsearch is away."""
        return _nginx(502, "Bad Gateway")

    async def _unknown(self, _request: Request) -> Response:
        self._counter.units += 1
        return _not_found()

    async def _elastic(self, request: Request) -> Response:
        self._counter.units += 1
        path, method = str(request.path_params["path"]), request.method
        if method == "OPTIONS":
            return Response(b"", 204, _HEADERS)
        reads = method in {"GET", "HEAD"}
        if _FORBIDDEN_PATH.search(path) or not (reads or (method == "POST" and path.endswith(("_search", "_msearch")))):
            return _nginx(403, "Forbidden")
        if found := _SEARCH.fullmatch(path):
            return await self._search(request, found["indices"] or "_all")
        return self._read(request, path)

    def _read(self, request: Request, path: str) -> Response:
        if found := _DOC.fullmatch(path):
            return self._document(request, found["index"], found["number"])
        if path == "_aliases":
            return _json({index: {"aliases": {name: {} for name in names}} for index, names in aliases().items()})
        if path == "_cat/indices":
            return _json(self._indices())
        if found := _MAPPING.fullmatch(path):
            return self._mapping(found["index"])
        return self._not_served(path)

    @staticmethod
    def _not_served(path: str) -> Response:
        """What Elasticsearch has and this stand-in has not; below an index that does not exist, that."""
        index = path.partition("/")[0]
        try:
            if not index.startswith("_"):
                resolve(index, ignore_unavailable=False)
        except NoSuchIndexError as unknown:
            return _no_such_index(unknown.name)
        return _bad(BadQueryError(_NOT_SERVED, "the stand-in does not serve this address"), index)

    async def _search(self, request: Request, indices: str) -> Response:
        raw = await request.body()
        try:
            body = json.loads(raw[:_MOST_BODY]) if raw else {}
        except (ValueError, RecursionError):
            return _bad(BadQueryError(PARSING, "Unexpected character: was expecting a JSON value"), "")
        try:
            ignore = request.query_params.get("ignore_unavailable") in {"true", ""}
            named = resolve(indices, ignore_unavailable=ignore)
            return _json(Search(self._pages, **self._limits).answer(named, body))
        except NoSuchIndexError as unknown:
            return _no_such_index(unknown.name)
        except BadQueryError as refused:
            return _bad(refused, indices)
        except (TypeError, ValueError, KeyError, AttributeError, RecursionError, OverflowError):
            return _bad(BadQueryError(PARSING, "the stand-in does not know a body of this shape"), indices)

    def _document(self, request: Request, index: str, number: str) -> Response:
        try:
            (named,) = resolve(index, ignore_unavailable=False) if "*" not in index and "," not in index else ()
        except (NoSuchIndexError, ValueError):
            return _no_such_index(index)
        stored = archive(self._pages).by_index.get(named, {}).get(number)
        if stored is None:
            return _json({"_index": named, "_type": "_doc", "_id": number, "found": False}, 404)
        left_out = request.query_params.get("_source_excludes", "")
        source = filtered(stored.source, {"excludes": left_out.split(",")})
        return _json(
            {**head(stored), "_version": 1, "_seq_no": 40211, "_primary_term": 1, "found": True, "_source": source}
        )

    @staticmethod
    def _mapping(index: str) -> Response:
        try:
            (named,) = resolve(index, ignore_unavailable=False) if "*" not in index and "," not in index else ()
        except (NoSuchIndexError, ValueError):
            return _no_such_index(index)
        return _json(mapping_of(named))

    def _indices(self) -> list[dict[str, str]]:
        held = archive(self._pages).by_index
        return [
            {
                "health": "green",
                "status": "open",
                "index": index,
                "uuid": "uUidExample00000000000",
                "pri": "1",
                "rep": "0",
                "docs.count": str(len(held.get(index, ()))),
                "docs.deleted": "0",
                "store.size": "1.1gb",
                "pri.store.size": "1.1gb",
            }
            for index in aliases()
        ]
