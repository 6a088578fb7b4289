"""What operators are asked to allow: exactly one change, told in machine fields, with the agent's words apart (choice A8).

A permission of its own: whoever may stop contracts may not by that decide on changes. A look decides nothing; a form does.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import structlog
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST, require_safe

from admission import approvals
from admission.edge import Reason
from admission.models import Agreement, Approval, ApprovalState
from admission.operating import store
from admission.operating.seen import members, visible
from throttling.looked_at import NotMadeByHand
from throttling.store import wall

log = structlog.get_logger(__name__)
_PER_PAGE: Final = 50
_ANSWERS: Final = {"goedkeuren": True, "afwijzen": False}


@admin.register(Approval)
class ApprovalAdmin(NotMadeByHand):
    """What waits, what was decided, and one closely with the two buttons."""

    def get_urls(self) -> list[URLPattern]:
        """The pages, and where the form goes."""
        looks = (
            ("", self.all_page, "changelist"),
            ("<int:number>/change/", self.of_entry, "change"),
            ("<slug:approval>/", self.one_page, "een"),
        )
        decide = path("<slug:approval>/beslis/", self._own(require_POST(self.decide)), name="admission_approval_beslis")
        return [
            decide,
            *(path(at, self._own(require_safe(view)), name=f"admission_approval_{name}") for at, view, name in looks),
        ]

    def all_page(self, request: HttpRequest) -> HttpResponse:
        """What waits first; what was decided below it."""
        self._require_view(request)
        approvals.expire(_moment())
        decided = Approval.objects.exclude(state=ApprovalState.PENDING)
        page = Paginator(decided, _PER_PAGE).get_page(request.GET.get("bladzijde"))
        context = {
            **self._context(request, "Goedkeuringen"),
            "waiting": Approval.objects.filter(state=ApprovalState.PENDING).order_by("asked_at"),
            "page": page,
        }
        return render(request, "beheer/goedkeuringen.html", context)

    def one_page(self, request: HttpRequest, approval: str) -> HttpResponse:
        """One, closely."""
        self._require_view(request)
        at = _moment()
        approvals.expire(at)
        row = get_object_or_404(Approval, approval=approval)
        body = approvals.body_of(row)
        context = {
            **self._context(request, f"Goedkeuring {row.approval}"),
            "one": row,
            "resource": visible(row.resource),
            "members": members(body or ""),
            "unreadable": body is None or (not body and row.asked_at < at - approvals.WORDS_FOR),
            "note": visible(approvals.note_of(row)),
            "agreement": Agreement.objects.filter(contract=row.contract).first(),
            "waits": row.state == ApprovalState.PENDING and body is not None,
        }
        return render(request, "beheer/goedkeuring.html", context)

    def of_entry(self, request: HttpRequest, number: int) -> HttpResponse:
        """From an entry in the list of changes to the page of its approval."""
        self._require_view(request)
        return self._back(get_object_or_404(Approval, pk=number))

    def decide(self, request: HttpRequest, approval: str) -> HttpResponse:
        """Allow it or not. Who is too late hears what it became."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        row = get_object_or_404(Approval, approval=approval)
        approved = _ANSWERS.get(request.POST.get("besluit", ""))
        if approved is None or (approved and approvals.body_of(row) is None):
            messages.error(request, "Kies goedkeuren of afwijzen van wat te lezen is. Er is niets besloten.")
            return self._back(row)
        assert not isinstance(request.user, AnonymousUser)
        wanted = ApprovalState.APPROVED if approved else ApprovalState.DENIED
        was_open = row.state == ApprovalState.PENDING
        state = approvals.decide(approval, approved=approved, by=request.user.get_username(), at=_moment())
        row.refresh_from_db()
        if was_open and state == wanted and row.decided_by == request.user.get_username():
            said = "Goedgekeurd, voor één keer." if approved else "Afgewezen."
            self.log_change(request, row, said)
            _noted(row, approved=approved)
            messages.success(request, said)
            log.info("approval_decided", approved=approved, operator=request.user.pk)
        else:
            messages.warning(
                request, f"Dit wachtte niet meer: het is {row.get_state_display()}. Er is niets veranderd."
            )
        return self._back(row)

    def _back(self, row: Approval) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:admission_approval_een", args=(row.approval,)))

    def _own(self, page: Any) -> Any:
        return self.admin_site.admin_view(page)

    def _require_view(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "title": title,
            "at": _moment(),
            "minutes": int(approvals.KEPT_OPEN.total_seconds() // 60),
            "may_act": self.has_change_permission(request),
        }


def _noted(row: Approval, *, approved: bool) -> None:
    """An event of it: which change is in it, and who decided is with the approval itself."""
    told = {"contract": row.contract, "workload": row.workload, "op": row.operation, "class": "write"}
    refused = {} if approved else {"reason": Reason.APPROVAL_DENIED.value}
    store.note(settings.STATE_STORE, "approve", **told, **refused, approval=row.approval)


def _moment() -> datetime:
    return datetime.fromtimestamp(wall(), UTC)
