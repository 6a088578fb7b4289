"""The operators' switch of each operation that reads: on trial, so that one sees what would be refused before it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final

import structlog
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.module_loading import import_string
from django.views.decorators.http import require_POST, require_safe

from admission.models import AdmissionEvent, DryRun
from admission.operations import Operations
from throttling.looked_at import NotMadeByHand
from throttling.store import wall
from throttling.work import Access

log = structlog.get_logger(__name__)
_LATELY: Final = timedelta(days=1)
_REFUSED: Final = ("deny", "throttle")


@cache
def operations(factory: str) -> Operations:
    """All operations, by the composition root."""
    found = import_string(factory)()
    assert isinstance(found, Operations)
    return found


@admin.register(DryRun)
class DryRunAdmin(NotMadeByHand):
    """One page with a switch for each operation. What changes something has none: nothing changes without approval."""

    def get_urls(self) -> list[URLPattern]:
        """The page, and where its forms go."""
        page = path("", self.admin_site.admin_view(require_safe(self.page)), name="admission_dryrun_changelist")
        switch = self.admin_site.admin_view(require_POST(self.switch))
        entry = path("<int:number>/change/", self.admin_site.admin_view(self.of_entry), name="admission_dryrun_change")
        return [page, entry, path("zet/", switch, name="admission_dryrun_zet")]

    def page(self, request: HttpRequest) -> HttpResponse:
        """Each operation, whether it is on trial, and how often it was refused, or would have been, in the last day."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        on = {one.operation: one for one in DryRun.objects.all()}
        refused = AdmissionEvent.objects.filter(kind__in=_REFUSED, at__gte=_moment() - _LATELY).order_by()
        counted = dict(refused.values_list("operation").annotate(Count("pk")))
        granted = operations(settings.OPERATIONS_FACTORY).granted
        context: dict[str, Any] = {
            **self.admin_site.each_context(request),
            "title": "Proefdraaien",
            "rows": [
                {
                    "id": one.id,
                    "writes": one.access is Access.WRITE,
                    "on": on.get(one.id),
                    "refused": counted.get(one.id, 0),
                }
                for one in granted
            ],
            "may_act": self.has_change_permission(request),
        }
        return render(request, "beheer/proefdraaien.html", context)

    def of_entry(self, request: HttpRequest, number: int) -> HttpResponse:
        """From an entry in the list of changes to the page."""
        del number
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._back()

    def switch(self, request: HttpRequest) -> HttpResponse:
        """Put an operation on trial, or take it off."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        assert not isinstance(request.user, AnonymousUser)
        wanted, name = request.POST.get("stand", ""), request.POST.get("handeling", "")
        operation = operations(settings.OPERATIONS_FACTORY).named(name)
        if operation is None or operation.access is Access.WRITE or wanted not in {"aan", "uit"}:
            messages.error(request, "Dit kan hier niet. Er is niets veranderd.")
            return self._back()
        if wanted == "aan":
            told = {"since": _moment(), "by": request.user.get_username()}
            one, _ = DryRun.objects.get_or_create(operation=name, defaults=told)
            self.log_change(request, one, "Proefdraaien aangezet.")
            messages.success(
                request, f"{name} draait proef: niets ervan wordt nog geweigerd, en alles wordt opgeschreven."
            )
        else:
            for one in DryRun.objects.filter(operation=name):
                self.log_change(request, one, "Proefdraaien uitgezet.")
                one.delete()
            messages.success(request, f"{name} draait niet meer proef: wat niet mag, wordt weer geweigerd.")
        log.info("dry_run_switched", operation=name, on=wanted == "aan", operator=request.user.pk)
        return self._back()

    def _back(self) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:admission_dryrun_changelist"))


def _moment() -> datetime:
    return datetime.fromtimestamp(wall(), UTC)
