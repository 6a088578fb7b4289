"""The addresses of the API, and the page about it for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.http import Http404
from django.urls import URLPattern, path
from ninja import Router
from ninja.errors import HttpError, ValidationError

from search.api import (
    errors,
    examples,
    landing,
    operations_bodies,
    operations_documents,
    operations_faults,
    operations_search,
    operations_sources,
)
from search.api.openapi import TITLE, Described
from search.api.version import ROOT, VERSION

api: Final = Described(title=TITLE, version=VERSION, docs_url=None, openapi_url=None, urls_namespace="api")
api.examples = examples.EXAMPLES
for failure in (Exception, Http404, HttpError, ValidationError):  # django-ninja has handlers of its own for these
    api.add_exception_handler(failure, errors.told)
for part in (operations_search, operations_documents, operations_bodies, operations_sources, operations_faults):
    api.add_router("", part.router)

_PREFIX: Final = ROOT.removeprefix("/")


def add(router: Router, examples: Mapping[str, Any], tag: tuple[str, str]) -> None:
    """Operations of a room above this one, with an example of each answer and what they are about: (name, words)."""
    api.add_router("", router)
    api.examples = {**api.examples, **examples}
    api.tags = (*api.tags, tag)


def _operations() -> list[URLPattern]:
    """The addresses of the operations; django-ninja's own address with a slash at its end is left out."""
    found, _, _ = api.urls
    return [
        path(f"{_PREFIX}/{pattern.pattern}", pattern.callback, name=f"api-{pattern.name}")
        for pattern in found
        if isinstance(pattern, URLPattern) and str(pattern.pattern)
    ]


def addresses() -> list[URLPattern]:
    """All of them, once every room has added what it has."""
    return [
        path("api", landing.about, name="api"),
        path(_PREFIX, landing.start, name="api-start"),
        path(f"{_PREFIX}/openapi.json", landing.openapi(api), name="api-openapi"),
        *_operations(),
    ]
