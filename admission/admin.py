"""The operators' pages on contracts: who has which and what is left of it, what was stopped, and stopping it.

Whoever may view looks, whoever may change stops and lifts. What is done leaves an entry with who, when and why.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final

import structlog
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST, require_safe

from admission import approvals_admin, dry_runs_admin, events_admin
from admission.contracts import Stop
from admission.edge import Reason
from admission.models import EVENTS_FOR, AdmissionEvent, Agreement, AgreementState, Stopped
from admission.operating import deeds, store
from admission.operating.deeds import BadDeedError, Deed, read_deed
from admission.operating.seen import Seen, overs, seen
from admission.storage import Order
from throttling.looked_at import NotMadeByHand
from throttling.store import wall

__all__ = ["approvals_admin", "dry_runs_admin", "events_admin"]  # found by Django along with the pages of this module
log = structlog.get_logger(__name__)
_PER_PAGE: Final = 50
_LAST_EVENTS: Final = 20
_MOST_OVER: Final = 500
_REASON_SPENT: Final = Reason.QUOTA_EXHAUSTED.value


def moment() -> datetime:
    """Now, for the database."""
    return datetime.fromtimestamp(wall(), UTC)


@admin.register(Agreement)
class AgreementAdmin(NotMadeByHand):
    """All contracts, one contract closely, and those that were over what they had or said."""

    def get_urls(self) -> list[URLPattern]:
        """The pages, and where their forms go."""
        looks = (
            ("", self.all_page, "changelist"),
            ("over-budget/", self.over_page, "over_budget"),
            ("<int:number>/change/", self.of_entry, "change"),
            ("<slug:contract>/", self.one_page, "contract"),
        )
        act = path("daad/", self._own(require_POST(self.act)), name="admission_agreement_daad")
        return [
            act,
            *(path(at, self._own(require_safe(view)), name=f"admission_agreement_{name}") for at, view, name in looks),
        ]

    def all_page(self, request: HttpRequest) -> HttpResponse:
        """The contracts that run, or all; or those with a number, name or workload that was typed."""
        self._require_view(request)
        asked, everything, at = request.GET.get("zoek", "").strip()[:512], request.GET.get("alle") == "ja", moment()
        rows = Agreement.objects.exclude(state=AgreementState.ASKED)
        if asked:
            rows = rows.filter(
                Q(contract=asked)
                | Q(handle=asked.lower())
                | Q(workload=asked)
                | Q(issuer=asked)
                | Q(owner__icontains=asked)
            )
        elif not everything:
            rows = rows.filter(state=AgreementState.AGREED, ends_at__gt=at, revoked_at=None)
        page = Paginator(rows, _PER_PAGE).get_page(request.GET.get("bladzijde"))
        found, readable = _seen(list(page.object_list), at)
        context = self._context(request, "Contracten", readable=readable) | {
            "shown": found,
            "page": page,
            "asked": asked,
            "everything": everything,
            "frozen": _frozen(),
            "stopped": Stopped.objects.all()[:_LAST_EVENTS],
            "liftable": {one.value for one in deeds.LIFTABLE},
        }
        return _answer(request, "beheer/contracten.html", context)

    def one_page(self, request: HttpRequest, contract: str) -> HttpResponse:
        """One contract, closely."""
        self._require_view(request)
        return self._one_page(request, contract)

    def over_page(self, request: HttpRequest) -> HttpResponse:
        """The answer to which contract went over its budget, and whether that was expected."""
        self._require_view(request)
        at = moment()
        rows = Agreement.objects.filter(asked_at__gte=at - EVENTS_FOR).exclude(state=AgreementState.ASKED)
        spent = Counter(
            dict(
                AdmissionEvent.objects.filter(reason=_REASON_SPENT)
                .exclude(contract="")
                .order_by()
                .values_list("contract")
                .annotate(Count("pk"))
            )
        )
        found = overs((seen(row, at, None) for row in rows.iterator(_MOST_OVER)), spent)
        context = self._context(request, "Welk contract ging over zijn budget, en was dat verwacht?", readable=True)
        return _answer(
            request, "beheer/over_budget.html", context | {"overs": found[:_MOST_OVER], "days": EVENTS_FOR.days}
        )

    def of_entry(self, request: HttpRequest, number: int) -> HttpResponse:
        """From an entry in the list of changes to the page of its contract."""
        self._require_view(request)
        row = get_object_or_404(Agreement, pk=number)
        return HttpResponseRedirect(reverse("admin:admission_agreement_contract", args=(row.contract,)))

    def act(self, request: HttpRequest) -> HttpResponse:
        """Stop or lift what a form says. It is asked twice, because somebody's work ends by it."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        back = request.POST.get("terug", "")
        row = Agreement.objects.filter(contract=back).first()
        try:
            deed = read_deed(request.POST.dict(), _is_known)
        except BadDeedError as bad:
            messages.error(request, str(bad))
            return self._back(row)
        if request.POST.get("zeker") != "ja":
            context = self._context(request, "Weet u het zeker?", readable=True)
            more = {"deed": deed, "row": row, "name": deeds.NAMES[deed.what], "goes": _goes(deed), "deeds": deeds}
            return render(request, "beheer/contract_zeker.html", context | more)
        self._do(request, deed, row)
        return self._back(row)

    def _do(self, request: HttpRequest, deed: Deed, row: Agreement | None) -> None:
        """In the database and then in the store; the answer says what was done, or what was not."""
        assert not isinstance(request.user, AnonymousUser)
        at, where = moment(), settings.STATE_STORE
        seconds = deeds.TOKEN_SECONDS if deed.what is Stop.TOKEN else 0.0
        order = Order(what=deed.what, name=deed.name, by=request.user.get_username(), why=deed.why, seconds=seconds)
        try:
            (store.lift if deed.lifts else store.stop)(where, order, at)
        except store.NotHeardError:
            if deed.lifts:
                messages.error(request, "De opslag antwoordt niet. Er is niets opgeheven. Probeer het zo weer.")
                return
            messages.warning(
                request,
                "Dit is opgeschreven, maar de opslag antwoordt niet. Zonder opslag mag niemand onder een contract iets; zodra "
                "zij er weer is, hoort zij het.",
            )
        else:
            messages.success(request, deed.done)
        if row is not None:
            self.log_change(request, row, f"{deed.done} Waarom: {deed.why}")
        log.info("contract_deed", what=deed.what.value, lifts=deed.lifts, operator=request.user.pk)

    def _one_page(self, request: HttpRequest, contract: str) -> HttpResponse:
        row = get_object_or_404(Agreement, contract=contract)
        (found,), readable = _seen([row], moment())
        context = self._context(request, f"Contract {row.contract}", readable=readable) | {
            "one": found,
            "grants": [(operation, prefixes) for operation, prefixes in row.grants],
            "events": AdmissionEvent.objects.filter(contract=row.contract)[:_LAST_EVENTS],
            "stopped": Stopped.objects.filter(name__in=(row.contract, row.workload, row.issuer)),
            "longest": deeds.LONGEST_WHY,
            "liftable": {one.value for one in deeds.LIFTABLE},
        }
        return _answer(request, "beheer/contract.html", context)

    def _back(self, row: Agreement | None) -> HttpResponse:
        if row is None:
            return HttpResponseRedirect(reverse("admin:admission_agreement_changelist"))
        return HttpResponseRedirect(reverse("admin:admission_agreement_contract", args=(row.contract,)))

    def _own(self, page: Any) -> Any:
        return self.admin_site.admin_view(page)

    def _require_view(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied

    def _context(self, request: HttpRequest, title: str, *, readable: bool) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "title": title,
            "readable": readable,
            "at": moment(),
            "may_act": self.has_change_permission(request),
            "longest": deeds.LONGEST_WHY,
        }


def _seen(rows: list[Agreement], at: datetime) -> tuple[list[Seen], bool]:
    """These contracts as they stand, and whether the store could be read."""
    running = [row.contract for row in rows if row.state == AgreementState.AGREED and row.ends_at > at]
    now = store.standings(settings.STATE_STORE, running)
    return [seen(row, at, (now or {}).get(row.contract)) for row in rows], now is not None


def _is_known(what: Stop, name: str) -> bool:
    """Whether there is such a thing, so that a slip of the pen does not look as if something was stopped."""
    rows = Agreement.objects.exclude(state=AgreementState.ASKED)
    match what:
        case Stop.CONTRACT:
            return rows.filter(contract=name).exists()
        case Stop.WORKLOAD:
            return rows.filter(workload=name).exists()
        case Stop.ISSUER:
            return rows.filter(issuer=name).exists()
        case _:
            return True


def _goes(deed: Deed) -> int | None:
    """How many contracts that run go with it; None where contracts stay."""
    running = Agreement.objects.filter(state=AgreementState.AGREED, ends_at__gt=moment(), revoked_at=None)
    field = {Stop.CONTRACT: "contract", Stop.WORKLOAD: "workload", Stop.ISSUER: "issuer"}.get(deed.what)
    return None if deed.lifts or field is None else running.filter(**{field: deed.name}).count()


def _frozen() -> Stopped | None:
    """Whether all changes are stopped now, and by whom."""
    return Stopped.objects.filter(what=Stop.WRITES.value, lifted_at=None).first()


def _answer(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """The page; without the store it says so, also to programs."""
    status = HTTPStatus.OK if context["readable"] else HTTPStatus.SERVICE_UNAVAILABLE
    return render(request, template, context, status=status)
