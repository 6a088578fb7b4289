"""The contracts as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class AdmissionConfig(AppConfig):
    """Contracts for automated agents."""

    name = "admission"
    verbose_name = "Contracten"
