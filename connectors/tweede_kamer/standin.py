"""A local server that speaks the OData of the Tweede Kamer over the rows of ``corpus/``: v5 and v4/2.0 side by side.

Reproduced: deleted rows by default, a next page only without ``$top``, the limits of rows and of nodes, a word so short that
the service fails on it, files that are not there. [inferred]: the bodies of 404 and 429; no 429 was ever seen.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from connectors.kamer_corpus.rows import store
from connectors.kamer_corpus.schema import metadata, schema
from connectors.platforms import TWEEDE_KAMER
from connectors.standins import CountingStandIn
from connectors.tweede_kamer.standin_filter import RefusedFilterError, TooShortError, refuse
from connectors.tweede_kamer.standin_query import Service, collection, options_of, written
from connectors.tweede_kamer.versions import VERSIONS

_GUID: Final = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_ONE: Final = re.compile(rf"([A-Za-z]+)(?:\(({_GUID})\)|/({_GUID}))(?:/([A-Za-z.]+(?:\(\))?))?")
_READING: Final = threading.Lock()
"""The first question has the corpus read; those that come meanwhile wait for it."""
_RESOURCE: Final = frozenset({"resource", "Resource", "TK.DA.GGM.OData.Resource()"})
_JSON: Final = "application/json; odata.metadata=minimal; odata.streaming=true; charset=utf-8"
_HEADERS: Final = {"OData-Version": "4.0"}
_FAULT: Final = {"error": {"code": "", "message": "An error has occurred."}}
_VARNISH: Final = """<!DOCTYPE html>
<html>
<head><title>503 Backend fetch failed</title></head>
<body><h1>Error 503 Backend fetch failed</h1><p>Varnish cache server</p></body>
</html>
"""


@cache
def _service(version: str, most_rows: int) -> Service:
    return Service(store(version), schema(version), most_rows)


class TweedeKamerStandIn(CountingStandIn):
    """Fulfils ``connectors.standins.StandIn``. ``pages`` is the root of our own pages, which no answer here names."""

    def __init__(self, pages: str) -> None:
        super().__init__(TWEEDE_KAMER)
        self.pages = pages

    def routes(self) -> list[BaseRoute]:
        """Both versions below the service ``odata``; anything else is not there."""
        versions = [
            Route(
                f"/odata{version.path}{{path:path}}", self._endpoint(version.name, version.most_rows), methods=["GET"]
            )
            for version in VERSIONS
        ]
        return [*versions, Route("/odata/{path:path}", _not_there, methods=["GET"])]

    def full(self) -> Response:
        """[inferred] no answer of this kind was ever recorded."""
        return PlainTextResponse("Too many requests", 429, {"retry-after": "5"})

    def maintenance(self) -> Response:
        """The page of the cache in front of it."""
        return HTMLResponse(_VARNISH, 503)

    def _endpoint(self, version: str, most_rows: int) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            self._counter.units += 1
            items = request.query_params.multi_items()
            path = str(request.path_params["path"]).strip("/")
            base = str(request.url).partition("?")[0].removesuffix(path).rstrip("/")
            return await run_in_threadpool(_answer, version, most_rows, base, path, items)

        return endpoint


def _answer(version: str, most_rows: int, base: str, path: str, items: list[tuple[str, str]]) -> Response:
    with _READING:
        service = _service(version, most_rows)
    if path == "$metadata":
        return Response(metadata(version), media_type="application/xml", headers=_HEADERS)
    try:
        return _found(service, base, path, options_of(items))
    except RefusedFilterError as refusal:
        message = str(refusal)
        inner = {"message": message, "type": "Microsoft.OData.ODataException", "stacktrace": ""}
        return _json({"error": {"code": "", "message": message, "details": [], "innererror": inner}}, 400)
    except TooShortError:
        return _json(_FAULT, 500)


def _found(service: Service, base: str, path: str, options: Mapping[str, str]) -> Response:
    if not path:
        sets = [{"name": name, "kind": "EntitySet", "url": name} for name in service.schema]
        return _json({"@odata.context": f"{base}/$metadata", "value": sets})
    entity, _, rest = path.partition("/")
    if entity in service.schema and rest == "$count":
        counted = collection(service, entity, service.rows(entity), {**options, "$count": "true", "$top": "0"})
        return PlainTextResponse(str(counted["@odata.count"]), headers=_HEADERS)
    if path in service.schema:
        return _collection(service, base, path, service.rows(path), options)
    one = _ONE.fullmatch(path)
    if one is None or one[1] not in service.schema:
        if "(guid'" in path:
            refuse("The key value is not a valid GUID.")
        return Response(status_code=404)
    return _row(service, base, one, options)


def _row(service: Service, base: str, found: re.Match[str], options: Mapping[str, str]) -> Response:
    """One row, the file behind it, or where a navigation leads."""
    entity, guid, rest = found[1], (found[2] or found[3]).lower(), found[4] or ""
    row = service.held.tables.get(entity, {}).get(guid)
    if row is None:
        return Response(status_code=404)
    if rest in _RESOURCE:
        return _file(service, entity, row)
    if rest:
        return _navigated(service, base, (entity, guid, rest), options)
    context = f"{base}/$metadata#{entity}/$entity"
    return _json({"@odata.context": context, **written(service, service.schema[entity], row, options)})


def _file(service: Service, entity: str, row: dict[str, Any]) -> Response:
    file = service.held.files.get((entity, str(row["Id"])))
    if file is None or row["Verwijderd"]:
        return Response(status_code=404)
    return Response(file.make(), headers={"content-type": file.media_type})


def _navigated(service: Service, base: str, way: tuple[str, str, str], options: Mapping[str, str]) -> Response:
    navigation = service.schema[way[0]].navigations.get(way[2])
    if navigation is None:
        return Response(status_code=404)
    reached = service.reached(*way)
    if navigation.is_collection:
        return _collection(service, base, navigation.target, reached, options)
    if not reached:
        return Response(status_code=204)
    context = f"{base}/$metadata#{navigation.target}/$entity"
    return _json(
        {"@odata.context": context, **written(service, service.schema[navigation.target], reached[0], options)}
    )


def _collection(
    service: Service, base: str, entity: str, rows: list[dict[str, Any]], options: Mapping[str, str]
) -> Response:
    body = collection(service, entity, rows, options)
    if "@odata.nextLink" in body:
        body["@odata.nextLink"] = f"{base}/{entity}?{body['@odata.nextLink']}"
    return _json({"@odata.context": f"{base}/$metadata#{entity}", **body})


def _json(body: dict[str, Any], status: int = 200) -> Response:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Response(text, status, {"content-type": _JSON, **_HEADERS})


async def _not_there(request: Request) -> Response:
    del request
    return Response(status_code=404)
