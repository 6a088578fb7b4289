"""What is kept of contracts: who has which, what was stopped and by whom, what operators were asked, and what happened.

What a contract has used is counted in the store; the database has its last checkpoint, from which it comes back after a cold
start of the store. No row holds what somebody searched for, an address of the network, or a token.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import models

EVENTS_FOR: Final = timedelta(days=90)
"""How long events are kept."""
MOST_EVENTS: Final = 1_000_000
"""How many events are kept: the oldest go first."""
CONTRACTS_FOR: Final = timedelta(days=365)
"""How long a contract is kept after it ended."""
_WORKLOAD: Final = 512


class AgreementState(models.TextChoices):
    """What became of a negotiation. Whether a contract that was agreed still holds, its moments say."""

    ASKED = "gevraagd", "gevraagd"
    """Written down, and not yet put in the store: asked again with the same key, it goes on."""
    AGREED = "gesloten", "gesloten"
    REFUSED = "geweigerd", "geweigerd"
    LAPSED = "vervallen", "vervallen"
    """No token was asked in time."""


class Agreement(models.Model):
    """One contract. ``key`` is the digest of who asked with which idempotency key, ``asked`` of what was asked.

    ``grants``: lists of an operation and its prefixes; ``most``: what its workload may have in all; ``pools``: lists of
    name, calls in flight, units, seconds. ``left`` and ``writes_left``: at the last checkpoint.
    """

    contract = models.CharField("contract", max_length=40, unique=True)
    handle = models.CharField("nummer om in te trekken", max_length=12, unique=True)
    workload = models.CharField("werklast", max_length=_WORKLOAD, db_index=True)
    issuer = models.CharField("uitgever", max_length=_WORKLOAD, db_index=True)
    client = models.CharField("programma", max_length=_WORKLOAD)
    tier = models.CharField("soort bewijs", max_length=20)
    jkt = models.CharField(max_length=43)
    key = models.CharField(max_length=43, unique=True)
    asked = models.CharField(max_length=43)
    state = models.CharField(
        "staat", max_length=12, choices=AgreementState.choices, default=AgreementState.ASKED, db_index=True
    )
    refusal = models.CharField("reden", max_length=20, blank=True)
    purpose = models.CharField("doel", max_length=20)
    note = models.TextField("toelichting van de agent", blank=True)
    expected_units = models.PositiveBigIntegerField("verwachte eenheden")
    expected_writes = models.PositiveBigIntegerField("verwachte wijzigingen", default=0)
    expected_note = models.TextField("verwacht gebruik", blank=True)
    owner = models.CharField("eigenaar", max_length=200)
    owner_contact = models.CharField("te bereiken via", max_length=300)
    grants = models.JSONField("wat mag")
    in_flight = models.PositiveBigIntegerField("tegelijk")
    units = models.PositiveBigIntegerField("eenheden")
    writes = models.PositiveBigIntegerField("wijzigingen")
    most = models.JSONField()
    pools = models.JSONField()
    asked_at = models.DateTimeField("gevraagd")
    ends_at = models.DateTimeField("loopt af", db_index=True)
    first_token_at = models.DateTimeField("eerste pasje", null=True)
    revoked_at = models.DateTimeField("ingetrokken", null=True)
    left = models.BigIntegerField("over", default=0)
    writes_left = models.BigIntegerField("wijzigingen over", default=0)
    refused = models.PositiveBigIntegerField("geweigerde verzoeken", default=0)
    checked_at = models.DateTimeField("bijgewerkt", null=True)

    class Meta:
        """Newest first."""

        ordering = ("-asked_at", "-pk")
        verbose_name = "contract"
        verbose_name_plural = "contracten"

    def __str__(self) -> str:
        return f"{self.contract} {self.workload}"


class Stopped(models.Model):
    """Something that was stopped. ``what`` as in ``admission.contracts.Stop``; ``by``: an operator, or who else could.

    A workload, an issuer and all changes can be lifted: then new contracts may come.
    """

    what = models.CharField("wat", max_length=12)
    name = models.CharField("naam", max_length=_WORKLOAD, blank=True)
    at = models.DateTimeField("wanneer", db_index=True)
    by = models.CharField("door wie", max_length=150)
    why = models.CharField("waarom", max_length=200, blank=True)
    until = models.DateTimeField("tot", null=True)
    """Of a token: when it is over by itself."""
    applied_at = models.DateTimeField("gedaan in de opslag", null=True)
    """None: the store did not hear it yet, and is told again."""
    lifted_at = models.DateTimeField("opgeheven", null=True)
    lifted_by = models.CharField("opgeheven door", max_length=150, blank=True)

    class Meta:
        """Newest first."""

        ordering = ("-at", "-pk")
        verbose_name = "intrekking"
        verbose_name_plural = "intrekkingen"

    def __str__(self) -> str:
        return f"{self.what} {self.name}"


class ApprovalState(models.TextChoices):
    """How it stands with what an operator was asked."""

    PENDING = "pending", "wacht"
    APPROVED = "approved", "goedgekeurd"
    DENIED = "denied", "afgewezen"
    EXPIRED = "expired", "verlopen"
    CANCELLED = "cancelled", "geannuleerd"


class Approval(models.Model):
    """One change that an operator is asked to allow, once: by this contract, of this operation, here, with this body.

    ``body`` is what is shown to the operator, ``body_sha256`` what binds. ``note``: words of the agent, which decide nothing.
    Both are sealed (``admission.sealing``).
    """

    approval = models.CharField("nummer", max_length=40, unique=True)
    contract = models.CharField("contract", max_length=40, db_index=True)
    workload = models.CharField("werklast", max_length=_WORKLOAD)
    operation = models.CharField("handeling", max_length=64)
    resource = models.CharField("adres", max_length=2048)
    body_sha256 = models.CharField(max_length=43)
    body = models.TextField("inhoud", blank=True)
    note = models.TextField("woorden van de agent", blank=True)
    state = models.CharField(
        "staat", max_length=12, choices=ApprovalState.choices, default=ApprovalState.PENDING, db_index=True
    )
    asked_at = models.DateTimeField("gevraagd", db_index=True)
    expires_at = models.DateTimeField("verloopt")
    decided_at = models.DateTimeField("beslist", null=True)
    decided_by = models.CharField("door wie", max_length=150, blank=True)
    used_at = models.DateTimeField("gebruikt", null=True)

    class Meta:
        """Newest first."""

        ordering = ("-asked_at", "-pk")
        verbose_name = "goedkeuring"
        verbose_name_plural = "goedkeuringen"

    def __str__(self) -> str:
        return f"{self.approval} {self.operation}"


class EventKind(models.TextChoices):
    """What happened, by the word of the store, with what operators read."""

    ALLOW = "allow", "toegelaten"
    DENY = "deny", "geweigerd"
    THROTTLE = "throttle", "nu even niet"
    REFUND = "refund", "teruggegeven"
    NEGOTIATE = "negotiate", "contract gesloten"
    ASK = "ask", "goedkeuring gevraagd"
    APPROVE = "approve", "beslist door een beheerder"
    EXPIRE = "expire", "afgelopen"
    REVOKE = "revoke", "ingetrokken"
    LIFT = "lift", "opgeheven"
    OPEN = "open", "opslag gevuld"


class AdmissionEvent(models.Model):
    """One event, as the store wrote it. ``entry`` is its id there; ``more`` holds the fields that have no column."""

    entry = models.CharField(max_length=40, unique=True)
    at = models.DateTimeField("wanneer", db_index=True)
    kind = models.CharField("soort", max_length=20, db_index=True)
    contract = models.CharField("contract", max_length=40, blank=True, db_index=True)
    workload = models.CharField("werklast", max_length=_WORKLOAD, blank=True)
    operation = models.CharField("handeling", max_length=64, blank=True)
    access = models.CharField("klasse", max_length=10, blank=True)
    reason = models.CharField("reden", max_length=40, blank=True, db_index=True)
    more = models.JSONField(default=dict)

    class Meta:
        """Newest first."""

        ordering = ("-at", "-pk")
        verbose_name = "gebeurtenis"
        verbose_name_plural = "gebeurtenissen"

    def __str__(self) -> str:
        return f"{self.kind} {self.contract} {self.reason}"

    @property
    def happened(self) -> str:
        """Its kind, in the words of operators."""
        return str(EventKind(self.kind).label) if self.kind in EventKind.values else self.kind


class DryRun(models.Model):
    """An operation that is decided and written down, and let through whatever was decided: to see what would be refused."""

    operation = models.CharField("handeling", max_length=64, unique=True)
    since = models.DateTimeField("sinds")
    by = models.CharField("door wie", max_length=150)

    class Meta:
        """By name."""

        ordering = ("operation",)
        verbose_name = "proef van een handeling"
        verbose_name_plural = "proefdraaien"

    def __str__(self) -> str:
        return self.operation
