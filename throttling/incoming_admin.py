"""The operators' page on what comes in. It asks the store over a connection of its own, and changes nothing."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import structlog
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from throttling.looked_at import OnlyLookedAt
from throttling.models import IncomingLimit
from throttling.operating.incoming import busiest, doors, look, rate_words
from throttling.operating.reading import NoStoreError

log = structlog.get_logger(__name__)
_TEMPLATE: Final = "beheer/grenzen.html"


@admin.register(IncomingLimit)
class IncomingLimitAdmin(OnlyLookedAt):
    """One page: the limits now, what they refused in the last hour, and the busiest keys."""

    def get_urls(self) -> list[URLPattern]:
        """The one page."""
        page = self.admin_site.admin_view(require_safe(self.page))
        return [path("", page, name="throttling_incominglimit_changelist")]

    def page(self, request: HttpRequest) -> HttpResponse:
        """Everything, as it is now; without the store the limits alone, and code 503."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        rules = settings.INCOMING_RULES
        try:
            seen = look(settings.STATE_STORE)
        except NoStoreError as failure:
            log.warning("incoming_unreadable", failure=str(failure))
            seen = None
        context = {
            **self.admin_site.each_context(request),
            "title": "Grenzen voor vragers",
            "doors": doors(settings.INCOMING_CONNECTORS, rules, seen),
            "busiest": busiest(seen),
            "process": rate_words(rules.process),
            "opening": rate_words(rules.opening),
            "vendors": {name: rate_words(rate) for name, rate in rules.vendors.items()},
            "readable": seen is not None,
        }
        status = HTTPStatus.OK if seen is not None else HTTPStatus.SERVICE_UNAVAILABLE
        return render(request, _TEMPLATE, context, status=status)
