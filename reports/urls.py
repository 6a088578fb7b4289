"""The addresses of reports: the form, the page of one report with its files, and the form to cancel it.

The last answers what only looks like one of them.
"""

from __future__ import annotations

from django.urls import path, register_converter

from reports import export_page, views
from reports.exports.forms import FORMS


class _Token:
    """The unguessable part of an address."""

    regex = "[A-Za-z0-9_-]{16,64}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(_Token, "rapport")

urlpatterns = [
    path("rapporten", views.reports, name="rapporten"),
    path("rapporten/<rapport:token>", views.report, name="rapport"),
    path("rapporten/<rapport:token>/annuleren", views.cancel, name="rapport-annuleren"),
    *(
        path(f"rapporten/<rapport:token>.{form}", export_page.export, {"form": form}, name=f"rapport-{form}")
        for form in FORMS
    ),
    path("rapporten/", views.no_report, name="geen-rapport"),
    path("rapporten/<path:rest>", views.no_report, name="geen-rapport"),
]
