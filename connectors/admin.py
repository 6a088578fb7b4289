"""The operators' pages on platforms: kept lists with their age, the Laadstatus, and whether a platform still answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import structlog
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST

from connectors.apps import open_house, to_background
from connectors.buffering import admin as buffer_pages
from connectors.connector import Connector
from connectors.models import ListRow, LoadRow, PlatformList
from connectors.upkeep import Checked, House, check_all
from throttling.looked_at import OnlyLookedAt

__all__ = ["buffer_pages"]  # found by Django along with the pages of this module
log = structlog.get_logger(__name__)
_DETAIL_WORDS = (
    ("kind", "soort"),
    ("code", "code"),
    ("ended", "bestaat niet meer sinds"),
    ("successor", "verder als"),
    ("names", "ook bekend als"),
    ("keys", "kenmerk bij de bron"),
)
_IN_SHORT = 3


class ReadOnly(OnlyLookedAt):
    """What upkeep wrote down is looked at, never changed by hand."""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The rows, under a title that says what they are: nothing here asks to select."""
        plural = str(self.opts.verbose_name_plural)
        title = {"title": plural[:1].upper() + plural[1:]}
        return super().changelist_view(request, {**title, **(extra_context or {})})


@admin.register(PlatformList)
class PlatformListAdmin(ReadOnly):
    """The lists: how old, from where, by which version, and what went wrong the last time."""

    list_display = ("called", "kind", "how_many", "how_old", "source", "trouble", "by_version")
    list_display_links = ("called", "kind")
    search_fields = ("platform", "kind")
    list_per_page = 200
    ordering = ("platform", "kind")
    fields = (
        *("called", "kind", "how_many", "how_old", "source", "fetched_at", "generated_at", "by_version"),
        *("last_try", "tried_version", "trouble"),
    )
    readonly_fields = ("called", "how_many", "how_old", "by_version", "trouble")
    actions = ("refresh_chosen",)

    @admin.display(description="bron", ordering="platform")
    def called(self, one: PlatformList) -> str:
        """What the platform is called."""
        return one.platform_name

    @admin.display(description="regels", ordering="number")
    def how_many(self, one: PlatformList) -> SafeString:
        """The number of rows, which leads to them."""
        return format_html('<a href="{}">{}</a>', rows_address(one), one.number)

    @admin.display(description="leeftijd", ordering="-fetched_at")
    def how_old(self, one: PlatformList) -> str:
        """The age, in words."""
        return one.age

    @admin.display(description="versie", ordering="version")
    def by_version(self, one: PlatformList) -> str:
        """The version that wrote it, and that it is not used when that is another."""
        if not one.version or one.version == settings.VERSION:
            return one.version or "-"
        return f"{one.version} (niet gebruikt tot zij ververst is: dit is {settings.VERSION})"

    @admin.display(description="laatste fout", ordering="last_failure")
    def trouble(self, one: PlatformList) -> str:
        """What went wrong the last time."""
        kept = " De oude lijst is gebleven." if one.last_failure and one.fetched_at else ""
        return f"{one.failure_words}{kept}" or "-"

    @admin.action(description="Ververs de gekozen lijsten", permissions=["ask"])
    def refresh_chosen(self, request: HttpRequest, chosen: QuerySet[PlatformList]) -> None:
        """Queue the refresh of each chosen list; the lists of one platform come together."""
        self._queue(request, chosen)

    def get_urls(self) -> list[URLPattern]:
        """The pages of the admin, and ours."""
        own = (
            path(
                "controleer/",
                self._own(require_http_methods(["GET", "HEAD", "POST"])(self.check_page)),
                name="controleer",
            ),
            path("<int:number>/ververs/", self._own(require_POST(self.refresh)), name="ververs"),
        )
        return [*own, *super().get_urls()]

    def refresh(self, request: HttpRequest, number: int) -> HttpResponse:
        """Queue the refresh of one list."""
        _require(self.has_ask_permission(request))
        if not self._queue(request, PlatformList.objects.filter(pk=number)):
            raise Http404
        return HttpResponseRedirect(reverse("admin:connectors_platformlist_change", args=(number,)))

    def check_page(self, request: HttpRequest) -> HttpResponse:
        """Ask one platform, or all, whether they answer as expected; the page comes when the last one did."""
        asks = request.method == "POST"
        may_ask = self.has_ask_permission(request)
        _require(may_ask if asks else self.has_view_permission(request))
        house = open_house()
        wanted = request.POST.get("platform") if asks else None
        chosen = [one for one in house.connectors if wanted in {"", one.platform.key}]
        if wanted and not chosen:
            raise Http404
        outcomes = {one.platform.key: one for one in asyncio.run(_collect(house, chosen))}
        rows = [(one.platform, outcomes.get(one.platform.key), house.is_off(one.platform)) for one in house.connectors]
        own = {"title": "Bronnen controleren", "rows": rows, "may_ask": may_ask}
        context = {**self.admin_site.each_context(request), **own}
        return render(request, "admin/connectors/controleer.html", context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """One list, with a way to its rows."""
        one = self.get_object(request, object_id)
        may_ask = self.has_ask_permission(request)
        own = {"rows": rows_address(one) if one else "", "title": str(one), "subtitle": None, "may_ask": may_ask}
        return super().change_view(request, object_id, form_url, {**own, **(extra_context or {})})

    def _own(self, view: Any) -> Any:
        return self.admin_site.admin_view(view)

    def has_ask_permission(self, request: HttpRequest) -> bool:
        """Who may change lists may ask platforms. Who only looks sends nothing out, and takes over no shorter list."""
        return request.user.has_perm("connectors.change_platformlist")

    def _queue(self, request: HttpRequest, chosen: Iterable[PlatformList]) -> int:
        """Queue what refreshes ``chosen``, say so, and note who asked. Gives how many there were."""
        lists = list(chosen)
        send = to_background()
        try:
            for platform, load_status in sorted({(one.platform, one.is_load_status) for one in lists}):
                if load_status:
                    send("connectors.tasks.refresh_load_status", platform)
                else:
                    send("connectors.tasks.refresh_lists", platform, by_hand=True)
        except OSError:
            messages.error(request, "De achtergrond is niet bereikbaar. Er is niets ververst; probeer het zo weer.")
            return len(lists)
        for one in lists:
            log.info("refresh_asked", platform=one.platform, list=one.kind, operator=request.user.pk)
            messages.success(request, f"{one}: het verversen is gevraagd. Kijk over een minuut weer.")
        return len(lists)


@admin.register(ListRow)
class ListRowAdmin(ReadOnly):
    """The rows of lists, to look things up in."""

    list_display = ("name", "key", "parent", "in_short", "list")
    list_filter = ("list__platform", "list__kind")
    list_select_related = ("list",)
    search_fields = ("name", "key", "parent", "details")
    fields = ("list", "place", "key", "name", "parent", "more")
    readonly_fields = ("more",)

    @admin.display(description="bijzonderheden")
    def in_short(self, row: ListRow) -> str:
        """What most matters of what else is known."""
        return _words(row.details, _DETAIL_WORDS[:_IN_SHORT])

    @admin.display(description="bijzonderheden")
    def more(self, row: ListRow) -> str:
        """What else is known, in words."""
        return _words(row.details, _DETAIL_WORDS)


@admin.register(LoadRow)
class LoadRowAdmin(ReadOnly):
    """The Laadstatus of each organisation and supplier."""

    list_display = ("label", "group", "state", "last_success", "last_content", "documents", "list")
    list_filter = ("list__platform", "group")
    list_select_related = ("list",)
    search_fields = ("label", "key", "state")


def rows_address(one: PlatformList) -> str:
    """The page with the rows of a list."""
    model = "loadrow" if one.is_load_status else "listrow"
    return f"{reverse(f'admin:connectors_{model}_changelist')}?list__id__exact={one.pk}"


def _require(allowed: bool) -> None:  # noqa: FBT001 - one question with one answer
    if not allowed:
        raise PermissionDenied


async def _collect(house: House, chosen: list[Connector]) -> list[Checked]:
    return [one async for one in check_all(house, chosen)]


def _words(details: Any, wanted: Iterable[tuple[str, str]]) -> str:
    """The ``wanted`` details in words; whatever stands there, for it is read from the database as it is."""
    found = details if isinstance(details, dict) else {}
    return "; ".join(f"{word}: {_plain(found[name])}" for name, word in wanted if found.get(name)) or "-"


def _plain(value: object) -> str:
    return ", ".join(map(_plain, value)) if isinstance(value, list) else str(value)
