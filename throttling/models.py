"""What is kept of the turns when the store is lost, and what operators look back on.

Sessions are keys, never an address, and nobody's question is anywhere. Use is forgotten 30 minutes after the last call (rule
R9), the minutes of a queue after an hour.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from django.db import models

from throttling.memory import OperatorSettings

IDLE: Final = timedelta(minutes=30)
"""How long use is kept after the last call of a session (rule R9)."""
HISTORY: Final = timedelta(hours=1)
"""How long the minutes of a queue are kept."""


class SessionUsage(models.Model):
    """What one session used at one queue, in units."""

    queue = models.CharField("rij", max_length=80)
    session = models.CharField("vrager", max_length=120)
    units = models.DecimalField("gebruikt, in eenheden", max_digits=15, decimal_places=3)
    last_call = models.DateTimeField("laatste aanroep", db_index=True)

    class Meta:
        """One row for a session at a queue."""

        constraints = (models.UniqueConstraint(fields=("queue", "session"), name="usage_once"),)
        verbose_name = "gebruik van een vrager"
        verbose_name_plural = "gebruik van vragers"

    def __str__(self) -> str:
        return f"{self.session} bij {self.queue}"


class StateManager(models.Manager["PlatformState"]):
    """Reading and setting what operators decide."""

    def set_by_operator(self, queue: str, wanted: OperatorSettings, by: str, at: datetime) -> None:
        """Keep what the operator called ``by`` wants of a queue. The store is to be told apart (``Outgoing.operate``)."""
        cap = None if wanted.cap is None else Decimal(str(wanted.cap))
        changed = {"off": wanted.off, "cap": cap, "changed_by": by, "changed_at": at}
        self.update_or_create(queue=queue, defaults=changed)


class PlatformState(models.Model):
    """What must be known of one queue (``platform/service``) when the store forgot, and what an operator set for it.

    ``may_send_until``: seconds since 1970, None before the first grant. ``cap``: a lower limit in units. ``refusals``: how
    often the platform itself said "over limit", ever. The fields that end in ``seen`` are how far the books were kept.
    """

    queue = models.CharField(max_length=80, unique=True)
    may_send_until = models.FloatField(null=True, editable=False)
    off = models.CharField("tekst voor bezoekers als zij uit staat", max_length=300, blank=True)
    cap = models.DecimalField("lagere grens", max_digits=12, decimal_places=3, null=True, blank=True)
    changed_by = models.CharField("gewijzigd door", max_length=150, blank=True, editable=False)
    changed_at = models.DateTimeField("gewijzigd", null=True, editable=False)
    refusals = models.PositiveBigIntegerField("weigeringen door de bron", default=0, editable=False)
    epoch_seen = models.CharField(max_length=40, blank=True, editable=False)
    given_seen = models.PositiveBigIntegerField(default=0, editable=False)
    refusals_seen = models.PositiveBigIntegerField(default=0, editable=False)

    objects = StateManager()

    class Meta:
        """One row for a queue."""

        ordering = ("queue",)
        verbose_name = "wachtrij"
        verbose_name_plural = "wachtrijen"

    def __str__(self) -> str:
        return self.queue


class IncomingLimit(PlatformState):
    """No rows of its own: gives the operators' page on what comes in a place and permissions."""

    class Meta:
        """Beside the other pages of this app."""

        proxy = True
        verbose_name = "grens voor vragers"
        verbose_name_plural = "grenzen voor vragers"


class QueueMinute(models.Model):
    """One minute of one queue; a minute in which nothing happened has no row.

    ``granted`` in units; ``waiting``: the most calls that waited; ``refused`` by the platform. Of the calls that started and
    had been told when: how many (``foretold``), how many of these within 25 % or 2 s (``near``), and the seconds summed up.
    """

    queue = models.CharField(max_length=80)
    minute = models.DateTimeField(db_index=True)
    granted = models.DecimalField(max_digits=15, decimal_places=3, default=Decimal(0))
    waiting = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    foretold = models.PositiveIntegerField(default=0)
    near = models.PositiveIntegerField(default=0)
    predicted_seconds = models.FloatField(default=0.0)
    real_seconds = models.FloatField(default=0.0)

    class Meta:
        """One row for a minute of a queue."""

        constraints = (models.UniqueConstraint(fields=("queue", "minute"), name="minute_once"),)
        ordering = ("queue", "minute")
        verbose_name = "minuut van een rij"
        verbose_name_plural = "minuten van rijen"

    def __str__(self) -> str:
        return f"{self.queue} om {self.minute:%H:%M}"
