"""What stands around the operations: the page for people, the address where the API begins, and its description."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from connectors.language import say
from search.api import printing
from search.api.errors import ProblemError, response
from search.api.openapi import Described
from search.api.reading import Reading
from search.api.version import ROOT, VERSION


@require_safe
async def about(request: HttpRequest) -> HttpResponse:
    """The page for people."""
    context = {
        "titel": say("Gegevens voor programma’s – BesluitBron"),
        "wortel": f"{settings.SITE_ADDRESS}{ROOT}",
        "api_versie": VERSION,
    }
    return render(request, "search/api.html", context)


@require_safe
async def start(request: HttpRequest) -> HttpResponse:
    """Where the API begins there is nothing to fetch: the page tells what there is."""
    del request
    return HttpResponseRedirect("/api")


def openapi(api: Described) -> Callable[..., Any]:
    """A view of the description, made when it is first asked for."""
    made: dict[str, Any] = {}

    @require_safe
    async def view(request: HttpRequest) -> HttpResponse:
        try:
            Reading.of(request, ()).done()
        except ProblemError as error:
            return response(error.problem)
        if made.get("site") != settings.SITE_ADDRESS:
            made.update(site=settings.SITE_ADDRESS, data=json.loads(json.dumps(api.get_openapi_schema())))
        return printing.listed(request, made["data"])

    return view
