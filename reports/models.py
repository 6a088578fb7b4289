"""What is kept of reports: who may see which (by a digest of its token), what is made, and of which parts; all of it sealed.

Everything goes 14 days after it was asked for. Changes of the rules stay, with who made them and when.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import models

KEPT_FOR: Final = timedelta(days=14)
MINUTES_FOR: Final = timedelta(days=1)
"""How long the minutes of the load are kept."""


class AskState(models.TextChoices):
    """What became of an ask, where it is not what becomes of its run."""

    OPEN = "open", "open"
    REFUSED = "geweigerd", "geweigerd"
    CANCELLED = "geannuleerd", "geannuleerd"


class RunState(models.TextChoices):
    """What became of a run."""

    OPEN = "open", "open"
    READY = "klaar", "klaar"
    FAILED = "mislukt", "mislukt"


class ReportRun(models.Model):
    """One computation. ``wish`` and ``body`` are sealed; ``body`` is there exactly when it is ready.

    ``version``: the version of BesluitBron that makes or made it. ``done`` of ``size``: how far it was when it ended.
    ``takes``: how often a worker began with it; more than once only where one had to leave it.
    """

    run = models.CharField(max_length=40, unique=True)
    wish = models.BinaryField()
    version = models.CharField("versie", max_length=40)
    state = models.CharField("staat", max_length=12, choices=RunState.choices, default=RunState.OPEN)
    reason = models.CharField("reden", max_length=20, blank=True)
    done = models.PositiveIntegerField(default=0)
    size = models.PositiveIntegerField(default=0)
    takes = models.PositiveIntegerField(default=0, db_default=0)
    asked_at = models.DateTimeField("gevraagd", db_index=True)
    ended_at = models.DateTimeField("klaar", null=True)
    body = models.BinaryField(null=True)

    class Meta:
        """Found by its name."""

        verbose_name = "rapport"
        verbose_name_plural = "rapporten"

    def __str__(self) -> str:
        return self.run


class ReportAsk(models.Model):
    """One ask: an address. ``digest`` is of its token, ``token`` is sealed; ``run`` is the name of the run that answers it."""

    digest = models.CharField(max_length=64, unique=True)
    token = models.BinaryField()
    run = models.CharField(max_length=40, db_index=True)
    asked_at = models.DateTimeField("gevraagd")
    kept_until = models.DateTimeField("bewaard tot", db_index=True)
    state = models.CharField("staat", max_length=12, choices=AskState.choices, default=AskState.OPEN)
    reason = models.CharField("reden", max_length=20, blank=True)
    come_back_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        """Found by the digest of its token."""

        verbose_name = "aanvraag"
        verbose_name_plural = "aanvragen"

    def __str__(self) -> str:
        return f"aanvraag {self.pk}"


class ReportPart(models.Model):
    """One part of a run that is not done yet, sealed; ``key`` says which part, without saying of what."""

    run = models.CharField(max_length=40)
    key = models.CharField(max_length=80)
    version = models.CharField(max_length=40)
    body = models.BinaryField()

    class Meta:
        """Each part once."""

        constraints = (models.UniqueConstraint(fields=("run", "key"), name="part_once"),)
        verbose_name = "deel van een rapport"
        verbose_name_plural = "delen van rapporten"

    def __str__(self) -> str:
        return f"{self.run} {self.key}"


class ReportFile(models.Model):
    """A piece of a file of a run with very many rows, sealed: the one at ``place`` of ``pieces``, from 0 on."""

    run = models.CharField(max_length=40)
    form = models.CharField(max_length=8)
    place = models.PositiveIntegerField()
    pieces = models.PositiveIntegerField()
    body = models.BinaryField()

    class Meta:
        """Each piece once."""

        constraints = (models.UniqueConstraint(fields=("run", "form", "place"), name="file_piece_once"),)
        verbose_name = "bestand van een rapport"
        verbose_name_plural = "bestanden van rapporten"

    def __str__(self) -> str:
        return f"{self.run} {self.form} {self.place}"


class LoadChange(models.Model):
    """One change of the rules of the gate, whole: the newest holds. ``by`` is the name of who made it."""

    at = models.DateTimeField("wanneer", db_index=True)
    by = models.CharField("door wie", max_length=150)
    rules = models.JSONField("regels")

    class Meta:
        """Newest first."""

        ordering = ("-at", "-pk")
        verbose_name = "drukte en rapporten"
        verbose_name_plural = "drukte en rapporten"

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.by}"


class ReportStop(models.Model):
    """One report that an operator ended before it was ready: ``by`` whom and when. Of what or for whom it was is not here.

    ``group``: of which group who asked first was; ``state``: what it was doing, in a word; ``done`` of ``size``: its parts.
    """

    at = models.DateTimeField("wanneer", db_index=True)
    by = models.CharField("door wie", max_length=150)
    group = models.CharField("groep", max_length=40)
    state = models.CharField("staat", max_length=20)
    done = models.PositiveIntegerField(default=0)
    size = models.PositiveIntegerField(default=0)

    class Meta:
        """Newest first."""

        ordering = ("-at", "-pk")
        verbose_name = "gestopt rapport"
        verbose_name_plural = "gestopte rapporten"

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.by}"


class LoadMinute(models.Model):
    """What one process counted or saw in one minute: ``figures`` by name, numbers that can be added up or the largest of."""

    minute = models.DateTimeField(db_index=True)
    process = models.CharField(max_length=40)
    figures = models.JSONField()

    class Meta:
        """One row for a minute of a process."""

        constraints = (models.UniqueConstraint(fields=("minute", "process"), name="load_minute_once"),)
        verbose_name = "minuut van de drukte"
        verbose_name_plural = "minuten van de drukte"

    def __str__(self) -> str:
        return f"{self.minute:%H:%M} {self.process}"
