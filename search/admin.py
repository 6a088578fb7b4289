"""What programs reported, for operators: which paper or source, their words apart as words of a program, and what was done."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from connectors.moments import now
from search.faults import KEPT_FOR
from search.models import FaultReport, FaultState
from throttling.looked_at import NotMadeByHand


@admin.register(FaultReport)
class FaultReportAdmin(NotMadeByHand):
    """The reports, newest first. Of one nothing can be changed but what was done with it."""

    list_display = ("number", "at", "kind", "platform", "document", "state", "changed_by")
    list_filter = ("state", "kind", "platform")
    search_fields = ("number", "document", "contract", "workload")
    list_per_page = 100
    fields = (
        *("number", "at", "kind", "platform", "paper", "words"),
        *("contract", "workload", "state", "changed_at", "changed_by"),
    )
    readonly_fields = tuple(name for name in fields if name != "state")
    actions = ("mark_seen", "mark_solved")

    def get_queryset(self, request: HttpRequest) -> QuerySet[FaultReport]:
        """Those that are still kept."""
        kept: QuerySet[FaultReport] = super().get_queryset(request)
        return kept.filter(at__gte=now() - KEPT_FOR)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, under a title that says what it is."""
        return super().changelist_view(request, {"title": "Foutmeldingen", **(extra_context or {})})

    def save_model(self, request: HttpRequest, obj: FaultReport, form: ModelForm[FaultReport], change: bool) -> None:  # noqa: FBT001 - Django's own signature
        """Keep what was done, with who and when."""
        assert not isinstance(request.user, AnonymousUser)
        obj.changed_at, obj.changed_by = now(), request.user.get_username()
        super().save_model(request, obj, form, change)

    @admin.display(description="stuk op deze website")
    def paper(self, fault: FaultReport) -> str | SafeString:
        """Its page here: an address of ours, never one that a program gave."""
        source, _, number = fault.document.partition(":")
        if not number:
            return "–"
        return format_html('<a href="{}">{}</a>', reverse("document", args=(source, number)), fault.document)

    @admin.display(description="woorden van het programma, niet na te gaan")
    def words(self, fault: FaultReport) -> SafeString:
        """What the program wrote, escaped."""
        return format_html('<blockquote class="vreemd" data-vreemd="ja">{}</blockquote>', fault.text)

    @admin.action(description="Zet op gezien", permissions=["change"])
    def mark_seen(self, request: HttpRequest, chosen: QuerySet[FaultReport]) -> None:
        """Somebody looked at these."""
        self._mark(request, chosen.filter(state=FaultState.NEW), FaultState.SEEN)

    @admin.action(description="Zet op opgelost", permissions=["change"])
    def mark_solved(self, request: HttpRequest, chosen: QuerySet[FaultReport]) -> None:
        """These are mended, or need not be."""
        self._mark(request, chosen.exclude(state=FaultState.SOLVED), FaultState.SOLVED)

    def _mark(self, request: HttpRequest, chosen: QuerySet[FaultReport], state: FaultState) -> None:
        assert not isinstance(request.user, AnonymousUser)
        for fault in chosen:
            fault.state, fault.changed_at, fault.changed_by = state, now(), request.user.get_username()
            fault.save(update_fields=["state", "changed_at", "changed_by"])
            self.log_change(request, fault, f"Op {state.label} gezet.")
