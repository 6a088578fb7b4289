"""What the stand-in holds: the rows of ``kamer_corpus`` as the platform indexes them, and two kinds that were made for it.

Deleted rows are really gone here (section 6). Documents of open.overheid.nl and gifts were made, because none were recorded;
they say so. One paper that was withdrawn still stands in the index, as happens over there, and is in no answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from lxml import etree

from connectors.kamer_corpus.rows import Store, report_text, text_of
from connectors.moments import AMSTERDAM

Row = dict[str, Any]
FIRST_DAY: Final = "2008-01-01"
WITHDRAWN: Final = "2025D90099"
REPORT: Final = "462144d8-9742-4baa-bf07-4523b849e6eb"
MEMBER: Final = 9001
_MADE: Final = "Gemaakt voor de proefmodus."


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One row of the index. ``soort`` is not in it: the platform looks it up to filter what it found."""

    category: str
    number: str
    subject: str
    title: str
    text: str
    day: str
    changed: str
    link: str
    soort: str = ""
    person: int = -1
    guid: str = ""


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A made document of open.overheid.nl."""

    id: str
    title: str
    maker: str
    day: str
    text: str


OPEN_DOCUMENTS: Final = (
    OpenDocument(
        "oep-00000000000000000000000000000001",
        "Beslisnota bij Kamerbrief over energie (proefmodus)",
        "Ministerie (proefmodus)",
        "2025-09-22",
        f"Nota over subsidie voor energie en klimaat. {_MADE}",
    ),
    OpenDocument(
        "oep-00000000000000000000000000000002",
        "Rapport over de vergunning voor windparken (proefmodus)",
        "Ministerie (proefmodus)",
        "2025-09-15",
        f"Rapport over de vergunning voor windparken op zee. {_MADE}",
    ),
)
GIFT: Final = Item(
    category="PersoonGeschenk",
    number="00000000-0000-4000-8000-000000000901",
    subject="Geschenk aan Anna  Voorbeeld: Twee kaarten voor een congres over energie, geschonken in de proefmodus",
    title="",
    text="Twee kaarten voor een congres over energie, geschonken in de proefmodus",
    day="2025-05-01",
    changed="2025-05-04T10:00:00Z",
    link=f"persoon.html?nummer={MEMBER}#00000000-0000-4000-8000-000000000901",
    person=MEMBER,
)


def items(held: Store) -> list[Item]:
    """Everything in the index, in the order in which it came in."""
    found = [*_papers(held), *_activities(held), *_commitments(held), *_reports(held), *_made()]
    return sorted((one for one in found if one.day >= FIRST_DAY), key=lambda one: (one.changed, one.number))


def local(value: Any) -> str:
    """A moment of the open data as the platform keeps it: local time without a zone."""
    if not isinstance(value, str):
        return ""
    return datetime.fromisoformat(value).astimezone(AMSTERDAM).strftime("%Y-%m-%dT%H:%M:%S")


def day_of(value: Any) -> str:
    """The day of a moment as local midnight."""
    return f"{local(value)[:10]}T00:00:00" if value else ""


def plain(value: Any) -> str:
    """The text of a field; empty for null, as in the platform's database."""
    return value if isinstance(value, str) else ""


def is_live(row: Row) -> bool:
    """Whether a row was not deleted."""
    return not row["Verwijderd"]


def _papers(held: Store) -> Iterator[Item]:
    for guid, row in held.tables["Document"].items():
        if not is_live(row) or not row["DocumentNummer"]:
            continue
        yield Item(
            category="Document",
            number=row["DocumentNummer"],
            subject=plain(row["Onderwerp"]),
            title=plain(row["Titel"]),
            text=text_of(held, guid),
            day=day_of(max(row["Datum"] or "", row["DatumRegistratie"] or "")),
            changed=_utc(row),
            link=f"get/{row['DocumentNummer']}",
            soort=plain(row["Soort"]),
            guid=guid,
        )


def _activities(held: Store) -> Iterator[Item]:
    for guid, row in held.tables["Activiteit"].items():
        if not is_live(row) or not row["Datum"] or not row["Nummer"]:
            continue
        yield Item(
            category="Activiteit",
            number=row["Nummer"],
            subject=plain(row["Onderwerp"]),
            title="",
            text=plain(row["Noot"]),
            day=day_of(row["Datum"]),
            changed=_utc(row),
            link=f"activiteit.html?nummer={row['Nummer']}",
            soort=plain(row["Soort"]),
            guid=guid,
        )


def _commitments(held: Store) -> Iterator[Item]:
    for guid, row in held.tables["Toezegging"].items():
        yield Item(
            category="Toezegging",
            number=row["Nummer"],
            subject=plain(row["Tekst"]),
            title="",
            text=plain(row["Tekst"]),
            day=day_of(row["Aanmaakdatum"]),
            changed=local(row["GewijzigdOp"]),
            link=f"toezegging.html?nummer={row['Nummer']}",
            guid=guid,
        )


def _reports(held: Store) -> Iterator[Item]:
    row = held.tables["Vergadering"][REPORT]
    yield Item(
        category="Verslag",
        number=REPORT,
        subject=plain(row["Titel"]),
        title="",
        text=report_words(),
        day=day_of(row["Datum"]),
        changed="2014-10-16T00:00:21.0000001Z",
        link=f"verslag.html?vergaderingid={REPORT}",
        guid=REPORT,
    )


def report_words() -> str:
    """The spoken words of the one real report."""
    root = etree.fromstring(report_text().encode())
    return "\n".join(" ".join("".join(one.itertext()).split()) for one in root.iter("{*}alineaitem"))


def _made() -> Iterator[Item]:
    for one in OPEN_DOCUMENTS:
        yield Item(
            category="OODocument",
            number=one.id,
            subject=one.title,
            title="",
            text=f'["{one.text}"]',
            day=one.day,
            changed=f"{one.day}T16:02:11Z",
            link=f"oo.html?nummer={one.id}",
        )
    yield GIFT
    yield Item(
        category="Document",
        number=WITHDRAWN,
        subject="Ingetrokken brief over energie",
        title="",
        text="Dit stuk over energie is ingetrokken.",
        day="2025-10-01T00:00:00",
        changed="2025-10-02T07:00:10Z",
        link=f"get/{WITHDRAWN}",
        soort="Brief regering",
    )


def _utc(row: Row) -> str:
    return f"{plain(row['ApiGewijzigdOp'])[:19]}Z" if row["ApiGewijzigdOp"] else local(row["GewijzigdOp"])
