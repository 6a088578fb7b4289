"""``/bronnen/<key>``: what a source holds and since when, whether it is official, what it can do, and the limits we keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from connectors.connector import Capabilities, Connector
from connectors.language import say
from connectors.records import Filter
from search import texts
from search.carried import federation_of, opened
from search.source_words import SOURCE_WORDS
from search.status_page import StatusPage


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityView:
    """What a source can do, in words; empty where there is nothing to name."""

    bodies: str
    kinds: str
    filters: str
    by_us: str
    groups: str
    full_text: bool
    phrases: bool


@require_safe
async def source(request: HttpRequest, platform: str) -> HttpResponse:
    """The page; 404 when there is no such source. It asks the source nothing."""
    federation = federation_of(request)
    connector = federation.connector(platform)
    if connector is None:
        raise Http404
    seen = await opened(request, "status", StatusPage).view(federation)
    held = sum(1 for body in federation.register.everybody() if body.key_at(platform) is not None)
    context: dict[str, Any] = {
        "titel": say("Over {name} – BesluitBron", name=connector.platform.name),
        "bron": connector.platform,
        "woorden": SOURCE_WORDS[platform],
        "kan": ability(connector),
        "organisaties": texts.number(held) if held else "",
        "stand": next(one for one in seen.platforms if one.platform.key == platform),
        "uit": platform in federation.off,
        "vaste_link": f"{settings.SITE_ADDRESS}{request.path}",
    }
    return render(request, "search/source.html", context)


def ability(connector: Connector) -> AbilityView:
    """What the source of ``connector`` can do."""
    able: Capabilities = connector.capabilities
    return AbilityView(
        bodies=_listed(sorted(able.bodies)),
        kinds=_listed(sorted(able.kinds)),
        filters=_filters(able.filters),
        by_us=_filters(able.own_filters),
        groups=_listed(sorted(able.groups)),
        full_text=able.full_text,
        phrases=able.phrases,
    )


def _filters(filters: frozenset[Filter]) -> str:
    return _listed([texts.FILTER_NAMES[one] for one in sorted(filters) if one is not Filter.PAGE])


def _listed(words: list[Any]) -> str:
    return texts.listed([say(str(word)) for word in words])
