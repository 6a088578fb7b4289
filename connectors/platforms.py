"""The seven platforms: key, name, home page, services, and what we know of the limits of each, with its origin.

Facts: the platform pages of the design. A limit that nobody published is no absence of a limit: where no number is
known, how many calls may be under way at once is bounded all the same. ``Origin`` says where a number comes from. A holder who
publishes none is to be told so: what to tell stands in ``docs/bevindingen/``, and ``told`` says whether that was sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from throttling.limits import Limit, SlidingWindow, TokenBucket


class Origin(StrEnum):
    """Where our number for a limit comes from."""

    PUBLISHED = "gepubliceerd"
    OBSERVED = "waargenomen"
    ASSUMED = "aangenomen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One service of a platform with an address, and a queue, of its own. ``in_flight``: calls under way at once.

    ``origin`` is that of ``limit``; ``in_flight`` is our own choice everywhere. ``source``: the page that publishes the limit.
    ``told``: whether its holder knows that none is published, and what there is to tell.
    """

    key: str
    live_address: str
    in_flight: int
    limit: Limit | None = None
    origin: Origin = Origin.ASSUMED
    source: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """One platform. ``deadline`` is how long one call may take after it was sent, in seconds."""

    key: str
    name: str
    home: str
    about: str
    services: tuple[Service, ...]
    deadline: float = 20.0

    def service(self, key: str) -> Service:
        """The service ``key``; raises ``KeyError`` when the platform has none of that name."""
        for service in self.services:
            if service.key == key:
                return service
        raise KeyError(key)


def _not_yet(platform: str) -> str:
    return f"nog niet (docs/bevindingen/{platform}.md)"


OPEN_RAADSINFORMATIE = Platform(
    key="open-raadsinformatie",
    name="Open Raadsinformatie",
    home="https://openraadsinformatie.nl",
    about="Raadsinformatie van gemeenten en provincies, verzameld door Open State Foundation.",
    services=(
        Service(
            key="zoeken",
            live_address="https://api.openraadsinformatie.nl",
            in_flight=4,
            told=_not_yet("open-raadsinformatie"),
        ),
    ),
)
OPENBESLUITVORMING = Platform(
    key="openbesluitvorming",
    name="OpenBesluitvorming",
    home="https://openbesluitvorming.nl",
    about="Vergaderingen, stukken en moties van gemeenteraden, provinciale staten en waterschappen.",
    services=(
        Service(
            key="api",
            live_address="https://openbesluitvorming.nl",
            in_flight=4,
            limit=TokenBucket(capacity=60, per_second=1),
            origin=Origin.PUBLISHED,
            source="https://openbesluitvorming.nl/docs/api",
            told="niet nodig: gepubliceerd",
        ),
    ),
)
TWEEDE_KAMER = Platform(
    key="tweede-kamer",
    name="Tweede Kamer",
    home="https://opendata.tweedekamer.nl",
    about="Het open dataportaal van de Tweede Kamer.",
    services=(
        Service(
            key="odata",
            live_address="https://gegevensmagazijn.tweedekamer.nl",
            in_flight=2,
            told=_not_yet("tweede-kamer"),
        ),
    ),
    deadline=60.0,
)
OPENTK = Platform(
    key="opentk",
    name="OpenTK",
    home="https://berthub.eu/tkconv/",
    about="Zoeken in de volledige tekst van Kamerstukken, door Bert Hubert.",
    # One each, so two at most: "zwaar" takes what the platform's page calls expensive, one at a time.
    services=(
        Service(key="zoeken", live_address="https://berthub.eu/tkconv", in_flight=1, told=_not_yet("opentk")),
        Service(key="zwaar", live_address="https://berthub.eu/tkconv", in_flight=1, told=_not_yet("opentk")),
    ),
)
OFFICIELE_BEKENDMAKINGEN = Platform(
    key="officiele-bekendmakingen",
    name="Officiële Bekendmakingen",
    home="https://www.officielebekendmakingen.nl",
    about="Staatscourant, Staatsblad, gemeentebladen en andere publicaties van de overheid.",
    services=(
        Service(
            key="zoeken",
            live_address="https://repository.overheid.nl",
            in_flight=1,
            limit=SlidingWindow(units=60, seconds=60),
            told=_not_yet("officiele-bekendmakingen"),
        ),
        Service(
            key="bestanden",
            live_address="https://repository.overheid.nl",
            in_flight=1,
            limit=SlidingWindow(units=60, seconds=60),
            told=_not_yet("officiele-bekendmakingen"),
        ),
    ),
    deadline=90.0,
)
RECHTSPRAAK = Platform(
    key="rechtspraak",
    name="Rechtspraak",
    home="https://uitspraken.rechtspraak.nl",
    about="Uitspraken van rechters en conclusies van de Hoge Raad, gepubliceerd door de Rechtspraak.",
    services=(
        Service(
            key="zoeken",
            live_address="https://uitspraken.rechtspraak.nl",
            in_flight=2,
            limit=SlidingWindow(units=120, seconds=60),
            told=_not_yet("rechtspraak"),
        ),
        Service(
            key="open-data",
            live_address="https://data.rechtspraak.nl",
            in_flight=2,
            limit=SlidingWindow(units=120, seconds=60),
            told=_not_yet("rechtspraak"),
        ),
    ),
)
OPEN_ARCHIVARIS = Platform(
    key="open-archivaris",
    name="Open Archivaris",
    home="https://openarchivaris.nl",
    about="Stukken van gemeenten, provincies en waterschappen, bewaard in een archief.",
    services=(
        Service(
            key="api",
            live_address="",
            in_flight=4,
            limit=SlidingWindow(units=120, seconds=60),
            origin=Origin.OBSERVED,
            told=_not_yet("open-archivaris"),
        ),
    ),
)

PLATFORMS: tuple[Platform, ...] = (
    OPEN_RAADSINFORMATIE,
    OPENBESLUITVORMING,
    TWEEDE_KAMER,
    OPENTK,
    OFFICIELE_BEKENDMAKINGEN,
    RECHTSPRAAK,
    OPEN_ARCHIVARIS,
)
