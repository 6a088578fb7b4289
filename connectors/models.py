"""What is kept of the platforms' lists and Laadstatus, with when, from where, and by which version of BesluitBron.

A list is replaced as a whole or not at all: a refresh that fails leaves the old one and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import models, transaction

from connectors.canaries import AGAIN_AFTER, Canary
from connectors.lists import LOAD_STATUS, ORGANISATIONS, TROUBLE_WORDS, Row, Source, Trouble, doubt, organisation_of
from connectors.load_status import LoadState, LoadStatus
from connectors.moments import now
from connectors.platforms import PLATFORMS
from connectors.records import Organisation

_NAMES = {platform.key: platform.name for platform in PLATFORMS}


@dataclass(frozen=True, slots=True)
class Writing:
    """Who writes a list down, when, and where it comes from.

    ``tried`` says that the platform was to be asked for it; ``by_hand`` that a person did, who takes a much shorter list too.
    """

    version: str
    at: datetime
    source: Source = Source.PLATFORM
    tried: bool = True
    by_hand: bool = False


class ListManager(models.Manager["PlatformList"]):
    """Reading and replacing lists. Who writes one locks it first: of two at once, the last leaves its own rows alone."""

    def need_filling(self, platforms: Iterable[str], version: str) -> set[str]:
        """The platforms without a list of organisations, or with one that another version shipped."""
        rows = self.filter(kind=ORGANISATIONS).values_list("platform", "source", "version")
        fine = {platform for platform, source, by in rows if source == Source.PLATFORM or by == version}
        return set(platforms) - fine

    def outdated(self, version: str) -> set[tuple[str, bool]]:
        """The platforms to ask again after a start, each with whether that is for its Laadstatus.

        Those that this version never asked, or in vain, and those whose list another version wrote.
        """
        rows = self.values_list("platform", "kind", "version", "tried_version", "last_failure")
        return {
            (platform, kind == LOAD_STATUS)
            for platform, kind, by, tried_by, failure in rows
            if by != version or tried_by != version or failure
        }

    def with_load_status(self) -> Iterable[str]:
        """The platforms of which a Laadstatus was asked for before."""
        return self.filter(kind=LOAD_STATUS).values_list("platform", flat=True)

    def replace(self, platform: str, kind: str, rows: Sequence[Row], writing: Writing) -> None:
        """Put ``rows`` in the place of a list; one that would be left strangely empty is kept and says why."""
        with transaction.atomic():
            one, _ = self.select_for_update().get_or_create(platform=platform, kind=kind)
            why = doubt(len(rows), one.number, Source(one.source))
            if why is Trouble.EMPTY or (why is Trouble.SHRUNK and not writing.by_hand):
                one.note_try(writing, why)
                return
            one.rows.all().delete()
            ListRow.objects.bulk_create(
                [
                    ListRow(list=one, place=place, key=row.key, name=row.name, parent=row.parent, details=row.details)
                    for place, row in enumerate(rows, start=1)
                ],
                batch_size=500,
            )
            one.note_fetched(writing, len(rows))

    def replace_load_status(self, platform: str, status: LoadStatus, writing: Writing) -> None:
        """Put a Laadstatus in the place of the one before."""
        groups = ((LoadRow.Group.BODY, status.organisations), (LoadRow.Group.SUPPLIER, status.suppliers))
        with transaction.atomic():
            one, _ = self.select_for_update().get_or_create(platform=platform, kind=LOAD_STATUS)
            one.load_rows.all().delete()
            made = [LoadRow.of(one, group, state) for group, states in groups for state in states]
            LoadRow.objects.bulk_create(made, batch_size=500)
            one.generated_at = status.generated_at
            one.note_fetched(writing, len(made))

    def note_trouble(self, platform: str, why: Trouble, writing: Writing, *, load_status: bool = False) -> None:
        """Note that a refresh failed; the lists stay as they are."""
        main = LOAD_STATUS if load_status else ORGANISATIONS
        with transaction.atomic():
            self.get_or_create(platform=platform, kind=main)
            lists = self.select_for_update().filter(platform=platform)
            for one in lists.filter(kind=LOAD_STATUS) if load_status else lists.exclude(kind=LOAD_STATUS):
                one.note_try(writing, why)

    def drop_others(self, platform: str, kinds: Iterable[str]) -> None:
        """Forget the lists that the platform does not give any more."""
        self.filter(platform=platform).exclude(kind__in=(*kinds, LOAD_STATUS)).delete()

    def stamp(self, version: str) -> object:
        """See ``connectors.lists.KeptLists``."""
        mine = self.filter(kind=ORGANISATIONS, source=Source.PLATFORM, version=version)
        return tuple(mine.order_by("platform").values_list("platform", "fetched_at", "number"))

    def organisations(self, version: str) -> dict[str, tuple[Organisation, ...]]:
        """See ``connectors.lists.KeptLists``."""
        mine = ListRow.objects.filter(
            list__kind=ORGANISATIONS, list__source=Source.PLATFORM, list__version=version
        ).order_by("list__platform", "place")
        found: dict[str, list[Organisation]] = {}
        for platform, key, name, details in mine.values_list("list__platform", "key", "name", "details"):
            one = organisation_of(Row(key, name, details=details))
            if one is not None:
                found.setdefault(platform, []).append(one)
        return {platform: tuple(bodies) for platform, bodies in found.items()}


class PlatformList(models.Model):
    """One list of one platform, or its Laadstatus: what is known of it. Its rows stand in ``ListRow`` or ``LoadRow``."""

    platform = models.CharField("bron", max_length=40)
    kind = models.CharField("lijst", max_length=80)
    source = models.CharField(
        "herkomst",
        max_length=20,
        default=Source.SHIPPED.value,
        choices=[(Source.SHIPPED.value, "meegeleverd"), (Source.PLATFORM.value, "van de bron")],
    )
    number = models.PositiveIntegerField("aantal regels", default=0)
    version = models.CharField("geschreven door versie", max_length=40, blank=True)
    fetched_at = models.DateTimeField("opgehaald", null=True)
    generated_at = models.DateTimeField("gemaakt door de bron", null=True)
    last_try = models.DateTimeField("laatste poging", null=True)
    tried_version = models.CharField("laatst geprobeerd door versie", max_length=40, blank=True)
    last_failure = models.CharField("laatste fout", max_length=20, blank=True)

    objects = ListManager()

    class Meta:
        """Each list once."""

        verbose_name = "lijst"
        verbose_name_plural = "lijsten van bronnen"
        ordering = ("platform", "kind")
        constraints = (models.UniqueConstraint(fields=("platform", "kind"), name="each_list_once"),)

    def __str__(self) -> str:
        return f"{self.platform_name}: {self.kind}"

    @property
    def platform_name(self) -> str:
        """What the platform is called."""
        return _NAMES.get(self.platform, self.platform)

    @property
    def is_load_status(self) -> bool:
        """Whether this is a Laadstatus."""
        return self.kind == LOAD_STATUS

    @property
    def age(self) -> str:
        """How old it is, in Dutch."""
        return "nog niet opgehaald" if self.fetched_at is None else age_words(now() - self.fetched_at)

    @property
    def failure_words(self) -> str:
        """What went wrong the last time, in Dutch; empty when it went well."""
        return TROUBLE_WORDS.get(self.last_failure, "Er ging iets mis.") if self.last_failure else ""

    def note_try(self, writing: Writing, why: Trouble | None) -> None:
        """Note a try and how it failed."""
        self.last_try, self.tried_version, self.last_failure = writing.at, writing.version, why or ""
        self.save()

    def note_fetched(self, writing: Writing, number: int) -> None:
        """Note that the rows are new."""
        self.source, self.version, self.fetched_at, self.number = writing.source, writing.version, writing.at, number
        if writing.tried:
            self.note_try(writing, None)
        else:
            self.save()


class ListRow(models.Model):
    """One row of a list: an organisation, a committee, a party, a person, a word of a value list."""

    list = models.ForeignKey(PlatformList, models.CASCADE, related_name="rows", verbose_name="lijst")
    place = models.PositiveIntegerField("plaats")
    key = models.TextField("kenmerk")
    name = models.TextField("naam")
    parent = models.TextField("hoort bij", blank=True)
    details = models.JSONField("bijzonderheden", default=dict)

    class Meta:
        """In the order of the platform."""

        verbose_name = "regel van een lijst"
        verbose_name_plural = "regels van lijsten"
        ordering = ("list", "place")

    def __str__(self) -> str:
        return self.name


class LoadRow(models.Model):
    """How up to date a platform holds one organisation, or how one supplier is doing."""

    class Group(models.TextChoices):
        """What a row is about."""

        BODY = "organisatie", "organisatie"
        SUPPLIER = "leverancier", "leverancier"

    list = models.ForeignKey(PlatformList, models.CASCADE, related_name="load_rows", verbose_name="lijst")
    group = models.CharField("soort", max_length=12, choices=Group.choices)
    key = models.TextField("kenmerk")
    label = models.TextField("naam")
    state = models.TextField("staat volgens de bron")
    last_success = models.DateTimeField("laatst gelukt", null=True)
    last_content = models.DateTimeField("nieuwste stuk", null=True)
    documents = models.PositiveBigIntegerField("stukken", null=True)
    coverage = models.JSONField("dekking", null=True)

    class Meta:
        """By name."""

        verbose_name = "laadstatus van een organisatie"
        verbose_name_plural = "laadstatus per organisatie"
        ordering = ("list", "group", "label")

    def __str__(self) -> str:
        return self.label

    @classmethod
    def of(cls, one: PlatformList, group: Group, state: LoadState) -> LoadRow:
        """The row of a state."""
        return cls(
            list=one,
            group=group,
            key=state.key,
            label=state.label,
            state=state.state,
            last_success=state.last_success,
            last_content=state.last_content,
            documents=state.documents,
            coverage=state.coverage.as_row() if state.coverage else None,
        )


class BodyYears(models.Model):
    """From when to when a platform has papers of a body, as it said when it was asked. Nothing of who asked, or what for.

    ``mode``: at the stand-ins or live; what one says is nothing of the other.
    """

    platform = models.CharField("bron", max_length=40)
    body = models.CharField("organisatie", max_length=200)
    mode = models.CharField("proef of echt", max_length=20)
    first = models.DateField("oudste stuk", null=True)
    last = models.DateField("nieuwste stuk", null=True)
    on = models.DateField("gevraagd op")

    class Meta:
        """Each platform and body once."""

        verbose_name = "jaren van een organisatie"
        verbose_name_plural = "jaren van organisaties"
        ordering = ("platform", "body")
        constraints = (models.UniqueConstraint(fields=("platform", "body", "mode"), name="years_once"),)

    def __str__(self) -> str:
        return f"{self.platform}: {self.body}"


class CanaryAsked(models.Model):
    """What came of the last question that must always find something: one row for each platform and mode.

    ``mode``: at the stand-ins or live; what one says is nothing of the other.
    """

    platform = models.CharField("bron", max_length=40, choices=[(one.key, one.name) for one in PLATFORMS])
    mode = models.CharField("proef of echt", max_length=20)
    at = models.DateTimeField("gevraagd op")
    found = models.PositiveIntegerField("gevonden", null=True)
    trouble = models.CharField("fout", max_length=20, blank=True)

    class Meta:
        """Each platform once."""

        verbose_name = "proefvraag"
        verbose_name_plural = "proefvragen"
        ordering = ("platform", "mode")
        constraints = (models.UniqueConstraint(fields=("platform", "mode"), name="canary_once"),)

    def __str__(self) -> str:
        return _NAMES.get(self.platform, self.platform)

    @classmethod
    def is_due(cls, platform: str, mode: str, at: datetime) -> bool:
        """Whether a platform was not asked lately."""
        last = cls.objects.filter(platform=platform, mode=mode).values_list("at", flat=True).first()
        return last is None or at - last >= AGAIN_AFTER

    @classmethod
    def keep(cls, platform: str, mode: str, canary: Canary) -> None:
        """Keep what came of it in the place of the one before."""
        values = {"at": canary.at, "found": canary.found, "trouble": canary.trouble or ""}
        cls.objects.update_or_create(platform=platform, mode=mode, defaults=values)


class Takedown(models.Model):
    """A document that is served nowhere: which, why, by whom and since when. Survives upgrades and an emptied buffer."""

    platform = models.CharField("bron", max_length=40, choices=[(one.key, one.name) for one in PLATFORMS])
    upstream_id = models.CharField("nummer bij de bron", max_length=300)
    reason = models.TextField("reden")
    by = models.CharField("weggehaald door", max_length=150, editable=False)
    at = models.DateTimeField("weggehaald op", default=now, editable=False)

    class Meta:
        """Each document once."""

        verbose_name = "weggehaald stuk"
        verbose_name_plural = "weggehaalde stukken"
        ordering = ("-at",)
        constraints = (models.UniqueConstraint(fields=("platform", "upstream_id"), name="each_takedown_once"),)

    def __str__(self) -> str:
        return f"{_NAMES.get(self.platform, self.platform)}: {self.upstream_id}"

    @classmethod
    def known(cls) -> frozenset[tuple[str, str]]:
        """Platform and number of everything that was taken down."""
        return frozenset(cls.objects.order_by().values_list("platform", "upstream_id"))


class Cache(Takedown):
    """No rows of its own: gives the operators' page on the buffer a place and permissions."""

    class Meta:
        """Beside the other pages of this app."""

        proxy = True
        verbose_name = "cache"
        verbose_name_plural = "cache"


def age_words(age: timedelta) -> str:
    """An age in words: "3 dagen oud", "2 uur oud", "net opgehaald"."""
    minutes = int(age.total_seconds() // 60)
    for length, singular, plural in ((1440, "dag", "dagen"), (60, "uur", "uur"), (1, "minuut", "minuten")):
        count = minutes // length
        if count > 0:
            return f"{count} {singular if count == 1 else plural} oud"
    return "net opgehaald"
