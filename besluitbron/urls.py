"""All addresses: pages, the operators' site, health."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from assistants import onboarding
from besluitbron import errors, health, metrics, pages
from besluitbron.bank import shown
from reports.api import TAG
from reports.api_asking import router as reports_router
from reports.api_examples import EXAMPLES
from search.api import urls as api_urls

api_urls.add(reports_router, EXAMPLES, TAG)

urlpatterns = [
    path("", include("search.urls")),
    path("", include("reports.urls")),
    path("", include(api_urls.addresses())),
    path("", include("admission.urls")),
    path("aansluiten", onboarding.page, name="aansluiten"),
    path(
        "beheer",
        RedirectView.as_view(url="/beheer/", permanent=True, http_method_names=["get", "head"]),
        name="beheer",
    ),
    path("beheer/", admin.site.urls),
    path("gezondheid/leeft", health.alive, name="leeft"),
    path("gezondheid/klaar", health.ready, name="klaar"),
    path("metrics", metrics.metrics, name="metrics"),
    path("problemen/<slug:slug>", errors.problem, name="probleem"),
    path("vragenbank", shown.page, name="vragenbank"),
    path("privacy", pages.privacy, name="privacy"),
    path("fout-melden", pages.report, name="fout-melden"),
    path("toegankelijkheid", pages.accessibility, name="toegankelijkheid"),
    path(".well-known/security.txt", pages.security_txt, name="security-txt"),
    path("robots.txt", errors.robots, name="robots"),
]

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.broken
