"""What happened under contracts, for operators: each decision and deed, by contract, kind and reason. Never a question."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from admission.edge import Reason
from admission.models import EVENTS_FOR, AdmissionEvent, EventKind
from admission.problems import Refusals
from throttling.looked_at import OnlyLookedAt
from throttling.problems import Kinds

_PER_PAGE: Final = 100
_FILTERS: Final = {"contract": "contract", "soort": "kind", "reden": "reason", "handeling": "operation"}
_COUNTED: Final = (
    *(one.value.slug for one in Refusals),
    *(Kinds.INVALID_INPUT.value.slug, Kinds.TOO_LARGE.value.slug, Kinds.NOT_FOUND.value.slug),
)
REASONS: Final = (*(one.value for one in Reason), *(kind for kind in _COUNTED if kind not in set(Reason)))


@admin.register(AdmissionEvent)
class AdmissionEventAdmin(OnlyLookedAt):
    """One page, with filters."""

    def get_urls(self) -> list[URLPattern]:
        """The one page."""
        page = self.admin_site.admin_view(require_safe(self.page))
        return [path("", page, name="admission_admissionevent_changelist")]

    def page(self, request: HttpRequest) -> HttpResponse:
        """The newest first."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        chosen = {name: request.GET.get(name, "").strip()[:64] for name in _FILTERS}
        rows = AdmissionEvent.objects.filter(**{_FILTERS[name]: value for name, value in chosen.items() if value})
        context: dict[str, Any] = {
            **self.admin_site.each_context(request),
            "title": "Gebeurtenissen",
            "page": Paginator(rows, _PER_PAGE).get_page(request.GET.get("bladzijde")),
            "chosen": chosen,
            "query": urlencode({name: value for name, value in chosen.items() if value}),
            "reasons": REASONS,
            "kinds": EventKind.choices,
            "days": EVENTS_FOR.days,
        }
        return render(request, "beheer/gebeurtenissen.html", context)
