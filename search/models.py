"""What this room keeps: faults that programs reported, for a year."""

from __future__ import annotations

from django.db import models

from search.faults import LONGEST_ID, FaultKind


class FaultState(models.TextChoices):
    """What an operator did with a fault."""

    NEW = "nieuw", "nieuw"
    SEEN = "gezien", "gezien"
    SOLVED = "opgelost", "opgelost"


class FaultReport(models.Model):
    """One fault. ``text``: words of a program, without signs that nobody sees; shown apart, escaped, as not to be trusted."""

    number = models.CharField("nummer", max_length=24, unique=True)
    at = models.DateTimeField("gemeld", db_index=True)
    kind = models.CharField("soort", max_length=12, choices=[(one.value, one.value) for one in FaultKind])
    platform = models.CharField("bron", max_length=40)
    document = models.CharField("stuk", max_length=LONGEST_ID, blank=True)
    text = models.TextField("melding")
    contract = models.CharField("contract", max_length=40)
    workload = models.CharField("werklast", max_length=512)
    state = models.CharField("staat", max_length=10, choices=FaultState.choices, default=FaultState.NEW, db_index=True)
    changed_at = models.DateTimeField("bekeken", null=True)
    changed_by = models.CharField("door wie", max_length=150, blank=True)

    class Meta:
        """Newest first."""

        ordering = ("-at", "-pk")
        verbose_name = "foutmelding"
        verbose_name_plural = "foutmeldingen"

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"
