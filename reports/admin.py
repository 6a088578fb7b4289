"""The operators' pages on the load: how it is, what the rules are, and a form that changes them at once, in all processes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from http import HTTPStatus
from typing import Final

import structlog
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_http_methods, require_safe

from connectors.moments import now
from reports.apart import CONNECTIONS
from reports.connections import held
from reports.minutes import merged
from reports.models import LoadChange, LoadMinute, ReportStop
from reports.operating import LoadView, view
from reports.records import Reason
from reports.rules import change, current
from reports.rules_form import RulesForm
from reports.rules_history import history, undo
from reports.signals import Latest
from reports.stopping import let_go
from reports.storage import stop
from reports.under_way import UnderWay, under_way
from reports.workshop import open_house
from throttling.load import LoadGate
from throttling.load_rules import BadLoadRulesError, LoadRules
from throttling.looked_at import NotMadeByHand
from throttling.operating.chart import HEIGHT, WIDTH
from throttling.operating.reading import BOUND_SECONDS
from throttling.store import Store, StoreLostError

log = structlog.get_logger(__name__)
_LAST_STOPS: Final = 20


@admin.register(LoadChange)
class LoadChangeAdmin(NotMadeByHand):
    """Pages to look at the load, to change the rules and set them back, and to stop a report.

    Whoever may view looks, whoever may change does.
    """

    def get_urls(self) -> list[URLPattern]:
        """All pages."""
        page = self.admin_site.admin_view(require_safe(self.page))
        rules = self.admin_site.admin_view(require_http_methods(["GET", "HEAD", "POST"])(self.rules_page))
        back = self.admin_site.admin_view(require_http_methods(["GET", "HEAD", "POST"])(self.undo_page))
        stopping = self.admin_site.admin_view(require_http_methods(["GET", "HEAD", "POST"])(self.stop_page))
        return [
            path("", page, name="reports_loadchange_changelist"),
            path("regels/", rules, name="reports_loadchange_regels"),
            path("regels/terugzetten/", back, name="reports_loadchange_terugzetten"),
            path("stoppen/<slug:run>/", stopping, name="reports_loadchange_stoppen"),
        ]

    def page(self, request: HttpRequest) -> HttpResponse:
        """How it is; without the store the rules alone, and code 503."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        rules = current()
        seen = _view(rules)
        context = {
            **self.admin_site.each_context(request),
            "title": "Drukte en rapporten",
            "seen": seen,
            "rules": RulesForm.filled(rules).initial,
            "width": WIDTH,
            "height": HEIGHT,
            "connections": CONNECTIONS,
            "changes": history(),
            "stops": ReportStop.objects.all()[:_LAST_STOPS],
            "may_change": self.has_change_permission(request),
        }
        status = HTTPStatus.OK if seen is not None else HTTPStatus.SERVICE_UNAVAILABLE
        return render(request, "beheer/drukte.html", context, status=status)

    def rules_page(self, request: HttpRequest) -> HttpResponse:
        """The form, and what it sets: at once, with the name of who did it."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        rules = current()
        form = RulesForm(request.POST) if request.method == "POST" else RulesForm.filled(rules)
        if request.method == "POST" and form.is_valid():
            try:
                self._change(request, form.rules(rules))
            except BadLoadRulesError as bad:
                form.add_error(None, f"Dit kan niet: {bad.wrong}.")
            else:
                messages.success(request, "De nieuwe regels gelden binnen een paar seconden, overal.")
                return HttpResponseRedirect(reverse("admin:reports_loadchange_changelist"))
        context = {**self.admin_site.each_context(request), "title": "Regels voor rapporten", "form": form}
        status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
        return render(request, "beheer/drukte_regels.html", context, status=status)

    def undo_page(self, request: HttpRequest) -> HttpResponse:
        """What one step back comes to, and the button that takes it. A change that came between is said with code 409."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        step = undo()
        wanted = request.POST.get("wijziging", "")
        passed = request.method == "POST" and (step is None or wanted != str(step.newest))
        if request.method == "POST" and step is not None and not passed:
            self._change(request, step.rules, "Laatste wijziging van de regels voor rapporten teruggezet.")
            messages.success(request, "De laatste wijziging is teruggezet. Dat geldt binnen een paar seconden, overal.")
            return HttpResponseRedirect(reverse("admin:reports_loadchange_changelist"))
        context = {
            **self.admin_site.each_context(request),
            "title": "Regels terugzetten",
            "undo": step,
            "passed": passed,
        }
        status = HTTPStatus.CONFLICT if passed else HTTPStatus.OK
        return render(request, "beheer/drukte_terug.html", context, status=status)

    def stop_page(self, request: HttpRequest, run: str) -> HttpResponse:
        """What is stopped then, and the button that does it. What ended meanwhile is said with code 404."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        lost, rules = False, current()
        try:
            one = next((one for one in under_way(_seen(rules).overview, rules) if one.run == run), None)
        except (TimeoutError, StoreLostError):
            one, lost = None, True
        if one is not None and request.method == "POST":
            self._stop(request, one)
            return HttpResponseRedirect(reverse("admin:reports_loadchange_changelist"))
        context = {**self.admin_site.each_context(request), "title": "Een rapport stoppen", "one": one, "lost": lost}
        status = HTTPStatus.SERVICE_UNAVAILABLE if lost else HTTPStatus.OK if one else HTTPStatus.NOT_FOUND
        return render(request, "beheer/drukte_stoppen.html", context, status=status)

    def _stop(self, request: HttpRequest, one: UnderWay) -> None:
        """First it is written down, with who did it; then the gate and the worker hear of it, or upkeep tells them."""
        assert not isinstance(request.user, AnonymousUser)
        at, by = now(), request.user.get_username()
        with transaction.atomic():
            if not stop(one.run, Reason.STOPPED, one.done, one.size, at):
                messages.warning(request, "Dit rapport was net klaar of gestopt. Er is niets veranderd.")
                return
            ReportStop.objects.create(at=at, by=by, group=one.group, state=one.state, done=one.done, size=one.size)
        log.info("report_stopped", operator=request.user.pk)
        try:
            asyncio.run(_let_go(one.run, current()))
        except (TimeoutError, StoreLostError) as failure:
            log.warning("report_stop_not_told", failure=type(failure).__name__)
            messages.warning(request, "Het rapport is gestopt. Zijn plaats komt vrij zodra de opslag weer antwoordt.")
        else:
            messages.success(request, "Het rapport is gestopt. Wie het vroeg, leest waarom.")

    def _change(self, request: HttpRequest, rules: LoadRules, said: str = "Regels voor rapporten gewijzigd.") -> None:
        assert not isinstance(request.user, AnonymousUser)
        made = change(rules, request.user.get_username(), now())
        self.log_change(request, made, said)
        log.info("load_rules_changed", operator=request.user.pk)


def _view(rules: LoadRules) -> LoadView | None:
    """What there is to see; None without the store."""
    try:
        seen = _seen(rules)
    except (TimeoutError, StoreLostError) as failure:
        log.warning("load_unreadable", failure=type(failure).__name__)
        return None
    at = now()
    rows = LoadMinute.objects.order_by("minute").values_list("minute", "figures")
    return view(replace(seen, held=held(rules)), merged(rows), at)


def _seen(rules: LoadRules) -> Latest:
    """The gate as it is now, without the connections. Raises ``StoreLostError`` and ``TimeoutError``."""
    return asyncio.run(_overview(rules))


async def _let_go(run: str, rules: LoadRules) -> None:
    """The gate and the worker hear that a run was stopped. Raises ``StoreLostError`` and ``TimeoutError``."""
    async with asyncio.timeout(BOUND_SECONDS), Store(settings.STATE_STORE) as store:
        await let_go(store, LoadGate(store, rules), open_house().passing(), run)


async def _overview(rules: LoadRules) -> Latest:
    """Over a connection of its own. What time did since the last look comes to light by looking, and is passed on."""
    async with asyncio.timeout(BOUND_SECONDS), Store(settings.STATE_STORE) as store:
        gate = LoadGate(store, rules)
        seen, events = await gate.overview(ended=False)
        silent = await gate.presence.silent()
    if events:
        await open_house().passing().on(events)
    return Latest(seen, rules, silent=silent)
