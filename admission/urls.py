"""The addresses of contracts: what programs ask, and where they learn of it."""

from __future__ import annotations

from django.urls import path

from admission import discovery_views, revoking, tokens_view, views

urlpatterns = [
    path("admission/contracts", views.contracts, name="contract-vragen"),
    path("admission/contracts/<str:name>", views.contract, name="contract-stand"),
    path("admission/approvals/<str:name>", views.approval, name="goedkeuring-stand"),
    path("admission/token", tokens_view.token, name="pasje-vragen"),
    path("admission/revoke", revoking.revoke, name="contract-teruggeven"),
    path("admission/jwks.json", discovery_views.keys, name="contract-sleutels"),
    path(".well-known/admission-contract", discovery_views.contract, name="contract-uitleg"),
    path(".well-known/oauth-protected-resource", discovery_views.resource, name="contract-bron"),
    path(".well-known/oauth-protected-resource/<path:path>", discovery_views.resource, name="contract-bron-mcp"),
    path(".well-known/oauth-authorization-server", discovery_views.server, name="contract-server"),
    path("llms.txt", discovery_views.llms, name="llms"),
]
