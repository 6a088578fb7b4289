"""The operators' pages on the buffer: what it holds and what it is good for, and documents that are taken down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import structlog
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST

from connectors.apps import open_house
from connectors.buffering.cached import let_back, remove_everywhere, shelves
from connectors.buffering.rules import MEGABYTE
from connectors.buffering.shelf import Figures, Shelf
from connectors.models import Cache, Takedown
from connectors.moments import now
from connectors.platforms import PLATFORMS, Platform
from throttling.looked_at import NotMadeByHand

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ShelfView:
    """One platform's cache as the page shows it; without figures when its cache cannot be reached."""

    platform: Platform
    figures: Figures | None
    version: str

    @property
    def size(self) -> str:
        """The bytes in use and the share, in MB."""
        figures = self.figures or Figures()
        return f"{_decimal(figures.bytes / MEGABYTE)} van {figures.share // MEGABYTE} MB"

    @property
    def hits(self) -> str:
        """The part of all reads that found something."""
        part = self.figures.hit_share if self.figures else None
        return "nog niets gevraagd" if part is None else f"{part:.0%}"

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions that wrote what is there, with how much; another than ours is never served."""
        found: Mapping[str, int] = self.figures.versions if self.figures else {}
        ours = {True: "", False: " (wordt niet meer gebruikt)"}
        return tuple(f"{name}: {count}{ours[name == self.version]}" for name, count in sorted(found.items()))


@admin.register(Cache)
class CacheAdmin(NotMadeByHand):
    """The page ``Cache``: a table with one row a platform, each with a button that empties it."""

    def get_urls(self) -> list[URLPattern]:
        """The one page, and its button."""
        site = self.admin_site
        return [
            path("", site.admin_view(self.page), name="connectors_cache_changelist"),
            path("<slug:platform>/leeg/", site.admin_view(require_POST(self.clear)), name="cache_leeg"),
        ]

    def page(self, request: HttpRequest) -> HttpResponse:
        """What each platform's cache holds."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        there = shelves(settings.BUFFER_RULES)
        rows = [ShelfView(one, _figures(there[one.key]), settings.VERSION) for one in PLATFORMS if one.key in there]
        context = {**self.admin_site.each_context(request), "title": "Cache", "rows": rows, "version": settings.VERSION}
        return render(request, "admin/connectors/cache.html", context)

    def clear(self, request: HttpRequest, platform: str) -> HttpResponse:
        """Empty one platform's cache; the others keep what they have."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        shelf, name = shelves(settings.BUFFER_RULES).get(platform), _name(platform)
        try:
            if shelf is not None:
                shelf.clear()
                log.info("buffer_cleared", platform=platform, operator=request.user.pk)
                messages.success(request, f"De cache van {name} is leeg.")
        except Exception as failure:  # noqa: BLE001 - the cache server can fail in any way
            log.warning("buffer_not_cleared", platform=platform, failure=type(failure).__name__)
            messages.error(request, f"De cache van {name} is niet bereikbaar. Er is niets leeggemaakt.")
        return HttpResponseRedirect(reverse("admin:connectors_cache_changelist"))


class TakedownForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none when it runs
    """A document and why it goes. Its number may be written in any way that the platform's connector accepts."""

    class Meta:
        """What an operator fills in."""

        model = Takedown
        fields = ("platform", "upstream_id", "reason")

    def clean(self) -> dict[str, Any]:
        """Put the platform's own number in the place of what was typed."""
        cleaned = super().clean() or {}
        platform, typed = cleaned.get("platform"), cleaned.get("upstream_id", "")
        connector = next((one for one in open_house().connectors if one.platform.key == platform), None)
        if connector is not None and typed:
            canonical = connector.canonical_id(typed.strip())
            if canonical is None:
                self.add_error("upstream_id", f"Dit is geen nummer van {connector.platform.name}.")
            else:
                cleaned["upstream_id"] = canonical
        return cleaned


@admin.register(Takedown)
class TakedownAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # it takes none when it runs
    """Documents taken down. Adding one removes it everywhere at once; deleting the row lets it be shown again."""

    form = TakedownForm
    list_display = ("platform", "upstream_id", "reason", "by", "at")
    list_filter = ("platform",)
    search_fields = ("upstream_id", "reason", "by")

    def has_change_permission(self, request: HttpRequest, obj: Takedown | None = None) -> bool:
        """Nobody changes what was noted."""
        del request, obj
        return False

    def save_model(self, request: HttpRequest, obj: Takedown, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's own
        """Note who did it and when, and remove what the buffer holds of the document."""
        assert not isinstance(request.user, AnonymousUser)
        obj.by, obj.at = request.user.get_username(), now()
        super().save_model(request, obj, form, change)
        try:
            parts = remove_everywhere(settings.BUFFER_KEYS, settings.BUFFER_RULES, obj.platform, obj.upstream_id)
        except Exception as failure:  # noqa: BLE001 - the cache server can fail in any way
            log.warning("takedown_left_in_buffer", platform=obj.platform, failure=type(failure).__name__)
            messages.warning(
                request,
                "Het stuk wordt niet meer getoond. De cache is nu niet bereikbaar: "
                "maak de cache van deze bron leeg zodra dat weer kan.",
            )
        else:
            log.info("takedown", platform=obj.platform, operator=request.user.pk, parts=parts)

    def delete_model(self, request: HttpRequest, obj: Takedown) -> None:
        """Let the document be shown again: what the buffer knows of it ("gone") was our own doing."""
        super().delete_model(request, obj)
        self._let_back(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Takedown]) -> None:
        """As ``delete_model``, for several at once."""
        rows = tuple(queryset)
        super().delete_queryset(request, queryset)
        for row in rows:
            self._let_back(request, row)

    def _let_back(self, request: HttpRequest, row: Takedown) -> None:
        try:
            let_back(settings.BUFFER_KEYS, settings.BUFFER_RULES, row.platform, row.upstream_id)
        except Exception as failure:  # noqa: BLE001 - the cache server can fail in any way
            log.warning("takedown_kept_in_buffer", platform=row.platform, failure=type(failure).__name__)
            messages.warning(request, "De cache is nu niet bereikbaar: het stuk kan nog een dag als weg gelden.")
        else:
            log.info("takedown_ended", platform=row.platform, operator=request.user.pk)


def _figures(shelf: Shelf) -> Figures | None:
    try:
        return shelf.figures(now())
    except Exception as failure:  # noqa: BLE001 - the cache server can fail in any way
        log.warning("buffer_figures_unreadable", failure=type(failure).__name__)
        return None


def _name(platform: str) -> str:
    return next((one.name for one in PLATFORMS if one.key == platform), platform)


def _decimal(value: float) -> str:
    return f"{value:.1f}".replace(".", ",")
