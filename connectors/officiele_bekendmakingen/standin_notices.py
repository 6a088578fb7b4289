"""Publications for the journals of which no real one exists in the open, made for the stand-in and marked as examples.

Their ids have numbers that the real journals never reach. On purpose among them: an XML edition with metadata alone, a page
without XML, attachments as PDF only, one of them without a text layer and one of 908 pages, a title that was escaped twice,
and one that was withdrawn.
"""

from __future__ import annotations

import html
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from connectors.officiele_bekendmakingen.standin_pdf import pdf

MARK: Final = "Voorbeeldstuk, geen echt besluit."
WITHDRAWN_PAGE: Final = (
    '<!DOCTYPE html>\n<html lang="nl"><head><title>Publicatie verwijderd</title></head><body><div id="broodtekst">'
    "<p>Deze publicatie is op verzoek van de publicerende organisatie verwijderd.</p></div></body></html>\n"
)
LARGE_PAGES: Final = 908
_FIRST_NUMBER: Final = 9_900_001
_FIRST_DAY: Final = date(2014, 2, 3)
_STEP: Final = timedelta(days=61)
_TABLES: Final = Path(__file__).parent / "notices.toml"


@dataclass(frozen=True, slots=True)
class _Body:
    area: str
    journal: str
    root: str
    kind: str
    scheme: str
    name: str
    shown: str


_GMB: Final = ("gmb", "Gemeenteblad", "gemeenteblad", "gemeente", "OVERHEID.Gemeente")
_PRB: Final = ("prb", "Provinciaal blad", "provinciaalblad", "provincie", "OVERHEID.Provincie")
_WSB: Final = ("wsb", "Waterschapsblad", "waterschapsblad", "waterschap", "OVERHEID.Waterschap")
_BGR: Final = (
    "bgr",
    "Blad gemeenschappelijke regeling",
    "bladgemeenschappelijkeregeling",
    "regionaal samenwerkingsorgaan",
    "OVERHEID.RegionaalSamenwerkingsorgaan",
)
_BODIES: Final = (
    *(
        _Body(*_GMB, name, f"de gemeente {name}")
        for name in ("Ede", "Utrecht", "'s-Gravenhage", "Bergen (NH)", "Groningen")
    ),
    *(_Body(*_PRB, name, f"de provincie {name}") for name in ("Utrecht", "Overijssel", "Groningen")),
    *(_Body(*_WSB, name, f"het {name}") for name in ("Waterschap De Dommel", "Waterschap Aa en Maas")),
    _Body(*_BGR, "Regio Achterhoek", "de Regio Achterhoek"),
)
_STATE: Final = {
    "stcrt": ("Staatscourant", "staatscourant"),
    "stb": ("Staatsblad", "staatsblad"),
    "trb": ("Tractatenblad", "tractatenblad"),
}


@dataclass(frozen=True, slots=True)
class Notice:
    """One made publication: its metadata as a row of ``records.json``, and its files."""

    row: Mapping[str, Any]
    files: Mapping[str, bytes] = field(repr=False)


@cache
def notices() -> tuple[Notice, ...]:
    """All made publications; the same in every process."""
    tables = tomllib.loads(_TABLES.read_text(encoding="utf-8"))
    made = [
        *_decentral(tables["decentraal"]),
        *_state(tables["rijk"]),
        *_parliament(tables["parlement"]),
        *_attachments(),
    ]
    return tuple(made)


def withdrawn() -> str:
    """The id of the publication that was withdrawn: no search finds it, its page says so."""
    return "gmb-2023-9900099"


def _decentral(texts: list[dict[str, Any]]) -> Iterator[Notice]:
    count = 0
    for body in _BODIES:
        for text in texts:
            day = _FIRST_DAY + count * _STEP
            number = _FIRST_NUMBER + count
            count += 1
            title = text["titel"].format(plaats=body.name, jaar=day.year)
            lines = [line.format(orgaan=body.shown) for line in text["tekst"]]
            row = {
                **_journal_row(body.area, body.journal, number, day),
                "title": title.replace("&", "&amp;"),
                "type": [text["type"]],
                "type_scheme": "OVERHEIDop.Rubriek",
                "creator": body.name,
                "creator_scheme": body.scheme,
                "organisatietype": body.kind,
                "subject": ["Ruimte en infrastructuur | Organisatie en beleid"],
            }
            yield _odd(count, row, body.root, title, lines)


def _odd(count: int, row: dict[str, Any], root: str, title: str, lines: list[str]) -> Notice:
    """The notice, with an oddity where its number asks for one."""
    xml, page = _xml(row["identifier"], root, title, lines), _page(row["publicatienaam"], title, lines)
    match count:
        case 7:  # the XML holds metadata and nothing else
            return Notice(row, {"xml": _xml(row["identifier"], "", "", []), "html": page})
        case 8:  # no XML at all
            return Notice(row, {"html": page})
        case 9:  # escaped twice, as now and then a supplier does
            row["title"] = f"{row['title']} &amp; omgeving"
            return Notice(row, {"xml": xml, "html": page})
        case _:
            return Notice(row, {"xml": xml, "html": page})


def _state(texts: list[dict[str, Any]]) -> Iterator[Notice]:
    for count, text in enumerate((*texts, *texts)):
        day = _FIRST_DAY + count * 7 * _STEP
        journal, root = _STATE[text["blad"]]
        title = text["titel"].format(jaar=day.year)
        row = {
            **_journal_row(text["blad"], journal, _FIRST_NUMBER + count, day),
            "title": title,
            "type": [text["type"]],
            "type_scheme": f"OVERHEIDop.{journal}",
            "creator": text["orgaan"],
            "creator_scheme": "OVERHEID.Ministerie",
            "organisatietype": "ministerie",
        }
        yield Notice(row, {"xml": _xml(row["identifier"], root, title, text["tekst"])})


def _parliament(texts: list[dict[str, Any]]) -> Iterator[Notice]:
    for count, text in enumerate((*texts, *texts)):
        day = date(2015, 9, 15) + count * 6 * _STEP
        session = f"{day.year}{day.year + 1}"
        area, number = text["blad"], 99_001 + count
        identifier, group = {
            "ah-tk": (f"ah-tk-{session}-{number}", session),
            "kv-tk": (f"kv-tk-{day.year}Z{number}", str(day.year)),
            "ag-tk": (f"ag-tk-{day.isoformat()}", str(day.year)),
            "h-ek": (f"h-ek-{session}-{900 + count}-1", session),
            "nds-tk": (f"nds-tk-{day.year}D{number}", "overig"),
        }[area]
        row = {
            **_row(identifier, area, group, day),
            "publicatienaam": text["naam"],
            "vergaderjaar": f"{day.year}-{day.year + 1}",
            "title": text["titel"],
            "type": [text["naam"]],
            "type_scheme": "OVERHEIDop.Parlementair",
            "creator": text["orgaan"],
            "creator_scheme": "OVERHEID.StatenGeneraal",
            "organisatietype": "staten generaal",
        }
        root = {"h-ek": "handelingen", "ag-tk": "agenda"}.get(area, "kamervragen")
        yield Notice(row, {"xml": _xml(identifier, root, text["titel"], text["tekst"])})


def _attachments() -> Iterator[Notice]:
    report = [
        f"{MARK}\nRapport over klimaat, energie en subsidie\nBlad {number} van {LARGE_PAGES}."
        for number in range(1, LARGE_PAGES + 1)
    ]
    plain = [
        f"{MARK}\nVoortgangsrapportage energie\nDe vergunning voor het windpark is onherroepelijk.",
        "Tweede bladzijde.",
    ]
    for number, title, pages in (
        (9900001, "Voortgangsrapportage energie en klimaat", plain),
        (9900002, "Beslisnota over de vergunning van een windpark", [""]),
        (9900003, "Onderzoeksrapport klimaat, energie en subsidie", report),
    ):
        identifier = f"blg-{number}"
        row = {
            **_row(identifier, "blg", "onopgemaakt", date(2024, 2, 12) + number % 10 * _STEP),
            "publicatienaam": "Kamerstuk",
            "title": title,
            "type": ["Bijlage"],
            "type_scheme": "OVERHEIDop.Parlementair",
            "creator": "Tweede Kamer der Staten-Generaal",
            "creator_scheme": "OVERHEID.StatenGeneraal",
            "organisatietype": "staten generaal",
            "dossiernummer": "32813",
            "vergaderjaar": "2023-2024",
            "hoofddocument": "kst-32813-1330",
            "words": " ".join(pages[:40]),
        }
        yield Notice(row, {"pdf": pdf(pages)})


def _journal_row(area: str, journal: str, number: int, day: date) -> dict[str, Any]:
    return {
        **_row(f"{area}-{day.year}-{number}", area, str(day.year), day),
        "publicatienaam": journal,
        "jaargang": str(day.year),
        "publicatienummer": str(number),
    }


def _row(identifier: str, area: str, group: str, day: date) -> dict[str, Any]:
    text = day.isoformat()
    return {
        "identifier": identifier,
        "area": area,
        "group": group,
        "available": text,
        "date": text,
        "modified": text,
        "abstract": MARK,
    }


def _xml(identifier: str, root: str, title: str, lines: list[str]) -> bytes:
    """An XML edition in the shape of the real ones; without a root name it holds metadata alone."""
    address = f"https://zoek.officielebekendmakingen.nl/{identifier}/metadata.xml"
    text = "".join(f"<al>{html.escape(line)}</al>" for line in (MARK, *lines))
    body = (
        f"<{root}><kop><titel>{html.escape(title)}</titel></kop><zakelijke-mededeling><zakelijke-mededeling-tekst>"
        f'<tekst status="goed">{text}</tekst></zakelijke-mededeling-tekst></zakelijke-mededeling></{root}>'
        if root
        else ""
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<officiele-publicatie><metadata><meta name="OVERHEIDop.externMetadataRecord"'
        f' scheme="" content="{address}"/></metadata>{body}</officiele-publicatie>'
    ).encode()


def _page(journal: str, title: str, lines: list[str]) -> bytes:
    text = "".join(f"<p>{html.escape(line)}</p>" for line in (MARK, *lines))
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" lang="nl"><head>'
        f'<title>{html.escape(title)}</title></head><body><div id="kopregel">{journal}</div><div id="broodtekst">'
        f"<h1>{html.escape(title)}</h1>{text}</div></body></html>"
    ).encode()
