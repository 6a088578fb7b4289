"""The documents of ``admission.discovery`` over HTTP: for everybody, kept for five minutes."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.module_loading import import_string
from django.views.decorators.http import require_safe

from admission import discovery
from admission.discovery import Site
from admission.views import house_of

KEPT: Final = "public, max-age=300"


def _site() -> Site:
    """What the composition root says of the site."""
    found: Site = import_string(settings.ADMISSION_SITE)()
    return found


@require_safe
def contract(request: HttpRequest) -> HttpResponse:
    """What contracts there are, and how one gets one."""
    return _told(request, discovery.contract_document(house_of(request), _site()))


@require_safe
def resource(request: HttpRequest, path: str = "") -> HttpResponse:
    """The metadata of this site as a resource, or of one MCP endpoint."""
    wanted = f"/{path}" if path else ""
    if wanted and wanted not in (*_site().endpoints, house_of(request).tools_below.rstrip("/")):
        raise Http404
    return _told(request, discovery.resource_metadata(house_of(request), wanted))


@require_safe
def server(request: HttpRequest) -> HttpResponse:
    """The metadata of this site as an authorization server."""
    return _told(request, discovery.server_metadata(house_of(request)))


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """The keys that our tokens are signed with."""
    house = house_of(request)
    return _told(request, house.issuer.keys.document(house.clock()))


@require_safe
def llms(request: HttpRequest) -> HttpResponse:
    """Where an assistant finds what it needs."""
    site = house_of(request).site
    text = discovery.llms_text(site.origin, _site().endpoints)
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers={"Cache-Control": KEPT})


def _told(request: HttpRequest, document: dict[str, Any]) -> HttpResponse:
    body = json.dumps(document, ensure_ascii=False).encode()
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = {"Cache-Control": KEPT, "ETag": tag, "Access-Control-Allow-Origin": "*"}
    if tag in (one.strip() for one in request.headers.get("If-None-Match", "").split(",")):
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(body, content_type="application/json", headers=headers)
