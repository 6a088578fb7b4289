"""Operators' tables that nobody fills by hand."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest


class NotMadeByHand(admin.ModelAdmin):  # type: ignore[type-arg]  # it takes none when it runs
    """A table to look at: nothing of it is added or deleted by hand."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody adds."""
        del request, obj
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody deletes."""
        del request, obj
        return False


class OnlyLookedAt(NotMadeByHand):
    """A table of which nothing is changed by hand either."""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody changes."""
        del request, obj
        return False
