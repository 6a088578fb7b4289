"""What the environment asks of a run, read once and checked before anything starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from besluitbron.limits import LimitOptions
from besluitbron.running.admitting import AdmittingOptions, read_admitting_options
from besluitbron.running.archive import ArchiveOptions, read_archive_options
from besluitbron.running.asking import AskingOptions, read_asking_options
from besluitbron.running.breaking import BreakerOptions, read_breaker_options
from besluitbron.running.buffering import BufferOptions, read_buffer_options
from besluitbron.running.database import DatabaseOptions, read_database_options
from besluitbron.running.faults import OptionsError
from besluitbron.running.incoming import IncomingOptions, read_incoming_options
from besluitbron.running.kamer import KamerOptions, read_kamer_options
from besluitbron.running.layout import Layout, data_folder
from besluitbron.running.limiting import read_limit_options
from besluitbron.running.reporting import ReportOptions, read_report_options
from connectors.addresses import PlatformMode

DEFAULT_PORT: Final = 8000
OPERATOR: Final = "beheer"
"""The name of the operator's account."""
_HIGHEST_PORT: Final = 65535


@dataclass(frozen=True, slots=True)
class Options:
    """One run: where its data is, on which port it answers, and which platforms it asks."""

    layout: Layout
    port: int
    platforms: PlatformMode
    contact: str = ""
    run: str = ""
    archive: ArchiveOptions = field(default_factory=ArchiveOptions)
    database: DatabaseOptions = field(default_factory=DatabaseOptions)
    buffer: BufferOptions = field(default_factory=BufferOptions)
    breaker: BreakerOptions = field(default_factory=BreakerOptions)
    kamer: KamerOptions = field(default_factory=KamerOptions)
    limits: LimitOptions = field(default_factory=LimitOptions)
    asking: AskingOptions = field(default_factory=AskingOptions)
    incoming: IncomingOptions = field(default_factory=IncomingOptions)
    reporting: ReportOptions = field(default_factory=ReportOptions)
    admitting: AdmittingOptions = field(default_factory=AdmittingOptions)

    @property
    def with_stand_ins(self) -> bool:
        """Whether the stand-ins run beside the product."""
        return self.platforms is PlatformMode.STAND_INS

    @property
    def stand_ins_port(self) -> int:
        """The port of the stand-ins."""
        return self.port + 1

    @property
    def address(self) -> str:
        """The address a person opens."""
        return f"http://localhost:{self.port}"

    def environment(self) -> dict[str, str]:
        """What every part finds in its environment, so that all of them read the same options."""
        return {
            **self.database.given,
            **self.buffer.given,
            **self.breaker.environment(),
            **self.archive.given,
            **self.kamer.given,
            **self.limits.given,
            **self.asking.given,
            **self.incoming.given,
            **self.reporting.environment(),
            **self.admitting.environment(),
            "BESLUITBRON_CONTACT": self.contact,
            "BESLUITBRON_DATA": str(self.layout.data),
            "BESLUITBRON_PLATFORMS": self.platforms.value,
            "BESLUITBRON_RUN": self.run,
            "DJANGO_SETTINGS_MODULE": "besluitbron.settings",
            "PORT": str(self.port),
            "PYTHONUNBUFFERED": "1",
        }


def read_options(environment: Mapping[str, str]) -> Options:
    """The options in ``environment``; unset or empty means the default. Raises ``OptionsError``."""
    platforms = _platforms(environment.get("BESLUITBRON_PLATFORMS", ""))
    return Options(
        layout=_layout(environment),
        port=_port(environment.get("PORT", "")),
        platforms=platforms,
        contact=_contact(environment.get("BESLUITBRON_CONTACT", "").strip(), platforms),
        run=environment.get("BESLUITBRON_RUN", ""),
        database=read_database_options(environment),
        buffer=read_buffer_options(environment),
        breaker=read_breaker_options(environment),
        archive=read_archive_options(environment),
        kamer=read_kamer_options(environment),
        limits=read_limit_options(environment),
        asking=read_asking_options(environment),
        incoming=read_incoming_options(environment),
        reporting=read_report_options(environment),
        admitting=read_admitting_options(environment),
    )


def _layout(environment: Mapping[str, str]) -> Layout:
    try:
        return Layout(data_folder(environment))
    except (RuntimeError, ValueError):  # a home folder of nobody, or a character that no path can hold
        message = "BESLUITBRON_DATA is geen map die kan bestaan. Geef het hele pad, bijvoorbeeld /srv/besluitbron."
        raise OptionsError(message) from None


def _port(text: str) -> int:
    if not text:
        return DEFAULT_PORT
    if text.isascii() and text.isdigit() and 0 < int(text) < _HIGHEST_PORT:
        return int(text)
    message = (
        f"PORT is {text!r}, maar moet een getal zijn van 1 tot en met {_HIGHEST_PORT - 1} "
        f"(de poort erboven is voor de meegeleverde verzameling)."
    )
    raise OptionsError(message)


def _contact(text: str, platforms: PlatformMode) -> str:
    """Where the operator can be reached: real platforms may know who asks them."""
    if platforms is PlatformMode.LIVE and not text:
        message = (
            "BESLUITBRON_CONTACT is leeg. De echte bronnen horen te weten wie hen vraagt: "
            "vul een mailadres of een webadres in waar de beheerder te bereiken is."
        )
        raise OptionsError(message)
    if text.isascii() and text.isprintable():
        return text
    message = "BESLUITBRON_CONTACT mag alleen gewone letters, cijfers en leestekens bevatten."
    raise OptionsError(message)


def _platforms(text: str) -> PlatformMode:
    try:
        return PlatformMode(text) if text else PlatformMode.STAND_INS
    except ValueError:
        choices = " of ".join(mode.value for mode in PlatformMode)
        message = f"BESLUITBRON_PLATFORMS is {text!r}, maar moet {choices} zijn."
        raise OptionsError(message) from None
