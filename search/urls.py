"""The addresses of the pages for people."""

from __future__ import annotations

from django.urls import path, register_converter

from connectors.records import Group
from search import document_page, export_page, source_page, status_page, stream_page, views


class _Id:
    """An upstream id in an address: anything, since each connector checks its own; a slash does not get through."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(_Id, "bronid")

urlpatterns = [
    path("", views.home, name="home"),
    path("zoeken", views.search, name="zoeken"),
    path("zoeken/stroom", stream_page.stream, name="zoeken-stroom"),
    path("organisaties/namen", views.names, name="organisaties-namen"),
    path("fracties/namen", views.group_names, {"group": Group.PARTY}, name="fracties-namen"),
    path("commissies/namen", views.group_names, {"group": Group.COMMITTEE}, name="commissies-namen"),
    *(path(f"zoeken.{form}", export_page.export, {"form": form}, name=f"zoeken-{form}") for form in export_page.FORMS),
    path("zoeken.atom", export_page.atom, name="zoeken-atom"),
    path("opensearch.xml", export_page.opensearch, name="opensearch"),
    path("bronnen/<slug:platform>", source_page.source, name="bron"),
    path("status", status_page.status, name="status"),
    path("document/<slug:platform>/<bronid:upstream_id>", document_page.document, name="document"),
]
