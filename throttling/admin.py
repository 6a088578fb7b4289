"""The operators' pages on the queues: how they fare now, who waits, the last hour, and what an operator does about it.

Looking asks the store over a connection of its own; doing writes to the database (so that it survives a lost store) and to the
store (so that it holds at once), and leaves an entry with who, when, from and to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from typing import Any, Final

import structlog
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST, require_safe

from throttling import incoming_admin as incoming_pages
from throttling.apps import all_queues
from throttling.looked_at import NotMadeByHand, OnlyLookedAt
from throttling.memory import OperatorSettings
from throttling.models import HISTORY, PlatformState, QueueMinute, SessionUsage
from throttling.operating import words
from throttling.operating.acts import LONGEST_TEXT, Act, BadActError, Deed, do, read_act
from throttling.operating.chart import Hour, Minute, hour
from throttling.operating.overview import Condition, QueueView, unread, view
from throttling.operating.queues import Queue, of_platform
from throttling.operating.reading import NoStoreError, Reader
from throttling.store import wall

__all__ = ["incoming_pages"]  # found by Django along with the pages of this module
log = structlog.get_logger(__name__)
REFRESH_SECONDS: Final = 3
_LAST_CHANGES: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One queue on a page: as the store has it, what an operator set, and its last hour."""

    view: QueueView
    state: PlatformState
    hour: Hour

    @property
    def cap(self) -> str:
        """The lower limit that was set; empty for the usual one."""
        return "" if self.state.cap is None else words.number(float(self.state.cap))

    @property
    def differs(self) -> bool:
        """Whether the store does not keep to what was set."""
        return self.view.known and (self.view.off != self.state.off or self.view.cap != self.cap)


@cache
def reader(address: str) -> Reader:
    """This process's reader of the store at ``address``."""
    return Reader(address)


def _moment() -> datetime:
    return datetime.fromtimestamp(wall(), UTC)


@admin.register(PlatformState)
class PlatformStateAdmin(NotMadeByHand):
    """All queues on one page, and a page for each platform. Whoever may view looks, whoever may change acts."""

    def get_urls(self) -> list[URLPattern]:
        """The pages, each also as one that refreshes itself, and where its forms go."""
        looks = ((self.all_page, "", "changelist"), (self.all_page, "nu/", "nu"))
        one = ((self.platform_page, "<slug:platform>/", "bron"), (self.platform_page, "<slug:platform>/nu/", "bron_nu"))
        own = [
            path(
                route,
                self._own(require_safe(page)),
                {"live": route.endswith("nu/")},
                f"throttling_platformstate_{name}",
            )
            for page, route, name in (*looks, *one)
        ]
        act = path("<slug:platform>/daad/", self._own(require_POST(self.act)), name="throttling_platformstate_daad")
        change = path("<int:number>/change/", self._own(self.of_entry), name="throttling_platformstate_change")
        return [change, *own, act]

    def all_page(self, request: HttpRequest, *, live: bool) -> HttpResponse:
        """Every queue in a row of a table."""
        self._require_view(request)
        shown, readable = _shown(all_queues(), closely=False)
        context = self._context(request, "Wachtrijen", live=live, readable=readable) | {"shown": shown}
        return _answer(request, "beheer/wachtrijen.html", context)

    def platform_page(self, request: HttpRequest, platform: str, *, live: bool) -> HttpResponse:
        """The queues of one platform, closely."""
        self._require_view(request)
        return self._platform_page(request, platform, live=live)

    def of_entry(self, request: HttpRequest, number: int) -> HttpResponse:
        """From an entry in the list of changes to the page of its platform."""
        self._require_view(request)
        state = get_object_or_404(PlatformState, pk=number)
        return HttpResponseRedirect(_address("bron", state.queue.partition("/")[0]))

    def act(self, request: HttpRequest, platform: str) -> HttpResponse:
        """Do what a form asks. What hurts is asked twice."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        queues = _queues(platform)
        try:
            act = read_act(request.POST.dict(), queues)
        except BadActError as bad:
            return self._platform_page(request, platform, wrong=str(bad), status=HTTPStatus.BAD_REQUEST)
        if act.deed.hurts and request.POST.get("zeker") != "ja":
            return self._sure_page(request, act)
        self._do(request, act)
        return HttpResponseRedirect(_address("bron", platform))

    def _platform_page(
        self,
        request: HttpRequest,
        platform: str,
        *,
        live: bool = False,
        wrong: str = "",
        status: HTTPStatus = HTTPStatus.OK,
    ) -> HttpResponse:
        queues = _queues(platform)
        shown, readable = _shown(queues, closely=True)
        own: dict[str, Any] = {
            "shown": shown,
            "platform": queues[0],
            "off": shown[0].state.off,
            "changes": _changes(shown),
            "wrong": wrong,
            "typed": request.POST,
            "longest": LONGEST_TEXT,
            "deeds": Deed,
        }
        title = f"Wachtrij bij {queues[0].platform_name}"
        context = self._context(request, title, live=live, readable=readable, platform=platform) | own
        return _answer(request, "beheer/wachtrij.html", context, status)

    def _sure_page(self, request: HttpRequest, act: Act) -> HttpResponse:
        shown, readable = _shown(act.queues, closely=False)
        name = act.queues[0].platform_name
        title = f"{name} uitzetten?" if act.deed is Deed.OFF else f"De rij bij {name} leegmaken?"
        own = {
            "act": act,
            "platform": act.queues[0],
            "off": act.deed is Deed.OFF,
            "waiting": sum(one.view.waiting for one in shown),
        }
        return _answer(request, "beheer/zeker.html", self._context(request, title, readable=readable) | own)

    def _do(self, request: HttpRequest, act: Act) -> None:
        """In the database first, for what is kept there; then in the store."""
        kept = act.deed in {Deed.OFF, Deed.ON, Deed.CAP}
        if kept:
            self._keep(request, act)
        try:
            do(act, reader(settings.STATE_STORE))
        except NoStoreError:
            if kept:
                messages.warning(
                    request, "Dit is bewaard, maar geldt nog niet: de opslag antwoordt niet. Doe het straks nog eens."
                )
            else:
                messages.error(request, "De opslag antwoordt niet. Er is niets veranderd. Probeer het zo weer.")
            return
        if not kept:
            for queue in act.queues:
                self.log_change(request, _state(queue), _DONE[act.deed])
        for queue in act.queues:
            log.info("queue_operated", queue=queue.name, deed=act.deed.value, operator=request.user.pk)
        messages.success(request, _SAID[act.deed])

    def _keep(self, request: HttpRequest, act: Act) -> None:
        assert not isinstance(request.user, AnonymousUser)
        who, cap = request.user.get_username(), act.deed is Deed.CAP
        with transaction.atomic():
            for queue in act.queues:
                was = PlatformState.objects.select_for_update().get(pk=_state(queue).pk)
                kept = OperatorSettings(
                    off=was.off if cap else act.text,
                    cap=act.cap if cap else None if was.cap is None else float(was.cap),
                )
                PlatformState.objects.set_by_operator(queue.name, kept, who, _moment())
                now = PlatformState.objects.get(pk=was.pk)
                say, what = (_limit_words, "Grens") if cap else (_off_words, "Aan of uit")
                self.log_change(request, now, f"{what}: van {say(was)} naar {say(now)}.")

    def _own(self, page: Any) -> Any:
        return self.admin_site.admin_view(page)

    def _require_view(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied

    def _context(
        self, request: HttpRequest, title: str, *, readable: bool, live: bool = False, platform: str = ""
    ) -> dict[str, Any]:
        still, moving = ("bron", "bron_nu") if platform else ("changelist", "nu")
        arguments = (platform,) if platform else ()
        return {
            **self.admin_site.each_context(request),
            "title": title,
            "live": live,
            "readable": readable,
            "at": _moment(),
            "seconds": REFRESH_SECONDS,
            "still": _address(still, *arguments),
            "moving": _address(moving, *arguments),
            "may_act": self.has_change_permission(request),
        }


@admin.register(SessionUsage)
class SessionUsageAdmin(OnlyLookedAt):
    """What each session used at each queue in the last half hour, as the database keeps it."""

    list_display = ("short", "queue", "used", "last_call")
    list_display_links = None
    list_filter = ("queue",)
    ordering = ("-units",)
    list_per_page = 200

    def get_urls(self) -> list[URLPattern]:
        """The table alone: a row has no page of its own."""
        return [path("", self.admin_site.admin_view(self.changelist_view), name="throttling_sessionusage_changelist")]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The table, under a title that says what it is."""
        return super().changelist_view(request, {"title": "Gebruik van vragers", **(extra_context or {})})

    @admin.display(description="vrager", ordering="session")
    def short(self, usage: SessionUsage) -> str:
        """The session's key, shortened."""
        return words.short_key(usage.session)

    @admin.display(description="gebruikt, in eenheden", ordering="units")
    def used(self, usage: SessionUsage) -> str:
        """The units, without digits that say nothing."""
        return words.number(float(usage.units))


_DONE: Final[Mapping[Deed, str]] = {
    Deed.EMPTY: "De rij is leeggemaakt.",
    Deed.RESET: "De rust en de storing zijn opgeheven.",
}
_SAID: Final[Mapping[Deed, str]] = {
    Deed.OFF: "De bron staat uit. Bezoekers lezen uw tekst.",
    Deed.ON: "De bron staat weer aan.",
    Deed.CAP: "De nieuwe grens geldt.",
    Deed.EMPTY: "De rij is leeg. Wie wachtte, leest dat de bron nu niet wordt gevraagd.",
    Deed.RESET: "De bron wordt weer gevraagd.",
}


def _queues(platform: str) -> tuple[Queue, ...]:
    found = of_platform(all_queues(), platform)
    if not found:
        raise Http404
    return found


def _shown(queues: Sequence[Queue], *, closely: bool) -> tuple[list[Shown], bool]:
    """The queues, and whether the store could be read."""
    at = _moment()
    names = [queue.name for queue in queues]
    states = {state.queue: state for state in PlatformState.objects.filter(queue__in=names)}
    past: dict[str, list[Minute]] = {}
    for row in QueueMinute.objects.filter(queue__in=names, minute__gte=at - HISTORY):
        past.setdefault(row.queue, []).append(_minute(row))
    try:
        seen = reader(settings.STATE_STORE).look(queues)
    except NoStoreError as failure:
        log.warning("queues_unreadable", failure=str(failure))
        seen = None
    shown = []
    for queue in queues:
        found = None if seen is None else seen[queue.name]
        unknown = Condition.UNKNOWN if seen is None else Condition.NEW
        shown.append(
            Shown(
                view=unread(queue, unknown) if found is None else view(queue, found, at, closely=closely),
                state=states.get(queue.name) or PlatformState(queue=queue.name),
                hour=hour(past.get(queue.name, ()), at, queue),
            )
        )
    return shown, seen is not None


def _minute(row: QueueMinute) -> Minute:
    return Minute(
        at=row.minute,
        granted=float(row.granted),
        waiting=row.waiting,
        refused=row.refused,
        foretold=row.foretold,
        near=row.near,
        predicted=row.predicted_seconds,
        real=row.real_seconds,
    )


def _changes(shown: Sequence[Shown]) -> list[LogEntry]:
    """The last changes of these queues by hand."""
    numbers = [str(one.state.pk) for one in shown if one.state.pk]
    entries = LogEntry.objects.filter(content_type__app_label="throttling", content_type__model="platformstate")
    return list(entries.filter(object_id__in=numbers).select_related("user").order_by("-action_time")[:_LAST_CHANGES])


def _state(queue: Queue) -> PlatformState:
    return PlatformState.objects.get_or_create(queue=queue.name)[0]


def _off_words(state: PlatformState) -> str:
    return f"uit (‘{state.off}’)" if state.off else "aan"


def _limit_words(state: PlatformState) -> str:
    return "de gewone grens" if state.cap is None else f"{words.number(float(state.cap))} eenheden"


def _address(name: str, *arguments: str) -> str:
    return reverse(f"admin:throttling_platformstate_{name}", args=arguments)


def _answer(
    request: HttpRequest, template: str, context: dict[str, Any], status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    """The page; without the store it says so, also to programs. A live page tells the browser when to ask again."""
    if not context["readable"] and status is HTTPStatus.OK:
        status = HTTPStatus.SERVICE_UNAVAILABLE
    answer = render(request, template, context, status=status)
    if context["live"]:
        answer.headers["Refresh"] = str(REFRESH_SECONDS)
    return answer
