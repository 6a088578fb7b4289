"""Rows and files that were made for the stand-ins, because no real ones were recorded or because something odd was wanted.

Votes are never made: those are real. What is made says so in its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from lxml import etree

from connectors.kamer_corpus.schema import CORPUS
from connectors.kamer_words import line

Row = dict[str, Any]
REPORT: Final = "00000000-0000-4000-8000-000000000401"
_REPORT_GONE: Final = "00000000-0000-4000-8000-000000000402"
_MEETING: Final = "462144d8-9742-4baa-bf07-4523b849e6eb"  # as the real report names it
_LONG: Final = "00000000-0000-4000-8000-000000000101"
_SCAN: Final = "00000000-0000-4000-8000-000000000102"
_WORD: Final = "00000000-0000-4000-8000-000000000103"
_GONE_FILE: Final = "00000000-0000-4000-8000-000000000104"
WITHOUT_FILE: Final = frozenset({_GONE_FILE})
WRONG_TYPES: Final = {_SCAN: "image/jpeg"}
"""What the service says of a file is now and then not what it is (section 6)."""
_MADE: Final = "Dit bestand is gemaakt voor de proefmodus."
_CHANGED: Final = {"GewijzigdOp": "2025-10-02T09:00:00+02:00", "ApiGewijzigdOp": "2025-10-02T07:00:10.1234567Z"}
_COMMITMENTS: Final = (
    (
        "Openstaand",
        "0001-01-01T00:00:00Z",
        "informeert de Kamer voor de zomer over de subsidie voor isolatie van woningen",
    ),
    ("Voldaan", "2025-09-15T00:00:00+02:00", "zendt de Kamer een brief over de vergunning voor windparken op zee"),
    ("Openstaand", None, "komt terug op de kosten van energie voor huishoudens met een laag inkomen"),
    ("Deels Voldaan", None, "betrekt het klimaat bij de evaluatie van de spoorplannen"),
    ("Openstaand", None, "overlegt met gemeenten over de woningnood onder studenten"),
    ("Vervallen", None, "bekijkt of de regeling voor zwemlessen kan worden verlengd"),
)

PAGES: Final[dict[str, Callable[[], list[str]]]] = {
    _LONG: lambda: [f"{_MADE}\nPagina {number} van het rapport over energie." for number in range(1, 909)],
    _SCAN: lambda: ["", "", ""],
}


def text_of(row: Row) -> str:
    """The text of a file that is not in the corpus: what the row means to say of it, and that it was made."""
    parts = (row["Soort"], row["Titel"], row["Onderwerp"], row["DocumentNummer"], row["Vergaderjaar"])
    return "\n".join((_MADE, *(line(part) for part in parts if part)))


def rows(tables: dict[str, dict[str, Row]], publications: tuple[str, ...]) -> Iterator[tuple[str, Row]]:
    """All rows that were made, by entity set."""
    yield from (("Document", row) for row in _odd_documents())
    yield from (("Document", row) for row in _published(tables, publications))
    yield from (("Document", row) for row in _motions(tables))
    yield from (("Toezegging", row) for row in _commitments(tables))
    yield from (("Commissie", row) for row in _committees(tables))
    yield "Vergadering", _meeting()


def _session(day: str) -> str:
    """The parliamentary year of a day: it begins in September."""
    year = int(day[:4]) - (day[5:7] < "09")
    return f"{year}-{year + 1}"


def _document(guid: str, number: str, soort: str, subject: str, **others: Any) -> Row:
    day = others.pop("Datum", "2025-10-01T00:00:00+02:00")
    return {
        "Id": guid,
        "Soort": soort,
        "DocumentNummer": number,
        "Titel": "Gemaakt voor de proefmodus",
        "Onderwerp": subject,
        "Datum": day,
        "Vergaderjaar": _session(day),
        "Kamer": 2,
        "Volgnummer": -1,
        "Organisatie": "Tweede Kamer",
        "ContentType": "application/pdf",
        **_CHANGED,
        **others,
    }


def _odd_documents() -> Iterator[Row]:
    yield _document(_LONG, "2025D90001", "Bijlage", "Rapport van 908 bladzijden over energie (proefmodus)")
    yield _document(_SCAN, "2025D90002", "Bijlage", "Gescande brief over een vergunning, zonder tekstlaag (proefmodus)")
    yield _document(
        _WORD,
        "2025D90003",
        "Brief regering",
        "Brief over klimaat en subsidie in Word (proefmodus)",
        ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    )
    yield _document(_GONE_FILE, "2025D90004", "Bijlage", "Bijlage bij energie waarvan het bestand weg is (proefmodus)")
    yield {"Id": "00000000-0000-4000-8000-000000000105", "Verwijderd": True, **_CHANGED}


def _published(tables: dict[str, dict[str, Row]], publications: tuple[str, ...]) -> Iterator[Row]:
    """A document for each official publication in the corpus that no recorded row points to."""
    known = {row["ExterneIdentifier"] for row in tables["DocumentVersie"].values()}
    for at, name in enumerate(publications, 1):
        if name in known:
            continue
        facts = _facts(name)
        guid = f"00000000-0000-4000-8000-0000000010{at:02d}"
        version = f"00000000-0000-4000-8000-0000000020{at:02d}"
        publication = {
            "Id": f"00000000-0000-4000-8000-0000000030{at:02d}",
            "Identifier": name,
            "DocumentType": "Xml",
            "FileName": f"{name}.xml",
            "Source": "Koop",
            "ContentType": "application/xml",
            "DocumentVersie_Id": version,
            **_CHANGED,
        }
        number = f"2025D91{at:03d}"
        yield _document(
            guid,
            number,
            "Motie",
            facts.get("OVERHEIDop.documenttitel") or facts["titel"],
            Titel=facts.get("OVERHEIDop.dossiertitel") or facts["dossier"],
            Datum=f"{facts.get('DCTERMS.issued') or facts['datum']}T00:00:00+02:00",
            Volgnummer=int(name.rpartition("-")[2]),
            HuidigeDocumentVersie_Id=version,
            HuidigeDocumentVersie={
                "Id": version,
                "Document_Id": guid,
                "Status": "Vrijgegeven",
                "ExterneIdentifier": name,
                "DocumentPublicatie": [publication],
                **_CHANGED,
            },
        )


@cache
def _facts(name: str) -> dict[str, str]:
    root = etree.parse(CORPUS / "xml" / f"{name}.xml").getroot()
    facts = {str(meta.get("name")): str(meta.get("content") or "") for meta in root.iter("meta")}
    day = root.find(".//stuk//datum")
    facts["datum"] = str(day.get("isodatum") or "2025-01-01") if day is not None else "2025-01-01"
    facts["titel"] = " ".join((root.findtext(".//stuk/titel") or name).split())
    facts["dossier"] = " ".join((root.findtext(".//dossier/titel") or "").split())
    return facts


def _motions(tables: dict[str, dict[str, Row]]) -> Iterator[Row]:
    """A document for each voted motion that was recorded as a case without its papers."""
    subjects = {(str(row["Onderwerp"]).strip(), str(row["Datum"])[:10]) for row in tables["Document"].values()}
    voted = [row for row in tables["Zaak"].values() if row["Soort"] == "Motie" and row["Status"] is None]
    for at, case in enumerate(voted, 1):
        if (str(case["Onderwerp"]).strip(), str(case["GestartOp"])[:10]) in subjects:
            continue
        yield _document(
            f"00000000-0000-4000-8000-0000000040{at:02d}" if at < 100 else f"00000000-0000-4000-8000-000000004{at}",  # noqa: PLR2004
            f"{str(case['GestartOp'])[:4]}D92{at:03d}",
            "Motie",
            case["Onderwerp"],
            Titel=case["Titel"],
            Datum=case["GestartOp"],
        )


def _commitments(tables: dict[str, dict[str, Row]]) -> Iterator[Row]:
    activities = [row for row in tables["Activiteit"].values() if not row["Verwijderd"]][:6]
    for at, ((status, met, text), activity) in enumerate(zip(_COMMITMENTS, activities, strict=True), 1):
        yield {
            "Id": f"00000000-0000-4000-8000-000000000{200 + at}",
            "Nummer": f"TZ202509-{900 + at}",
            "Aanmaakdatum": f"2025-09-{10 + at}T00:00:00+02:00",
            "ActiviteitNummer": activity["Nummer"],
            "Naam": "Voorbeeld, A. (Anna)",
            "Functie": "minister (proefmodus)",
            "Status": status,
            "DatumNakoming": met,
            "Ministerie": "Ministerie (proefmodus)",
            "Tekst": f"De minister {text}. (Gemaakt voor de proefmodus.)",
            "Activiteit": [activity],
            **_CHANGED,
        }


def _committees(tables: dict[str, dict[str, Row]]) -> Iterator[Row]:
    """A committee for each name that real activities give, and the plenary without a name (section 8)."""
    names = sorted({row["Voortouwnaam"] for row in tables["Activiteit"].values() if row["Voortouwnaam"]})
    for at, name in enumerate(names, 1):
        ended = "2017-03-22T00:00:00+01:00" if "2017)" in name else None
        yield {
            "Id": f"00000000-0000-4000-8000-000000005{at:03d}",
            "Nummer": 90_000 + at,
            "NaamNL": name,
            "DatumActief": "2012-09-20T00:00:00+02:00",
            "DatumInactief": ended,
            **_CHANGED,
        }
    yield {"Id": "38aacfcd-2cfa-4727-949d-e4270237dbbe", "Nummer": 1, "NaamNL": None, **_CHANGED}


def _meeting() -> Row:
    """The meeting of the real report, with a newer report whose file is not there (sections 6 and 10)."""
    report = {"ContentType": "text/xml", "Vergadering_Id": _MEETING, "Soort": "Tussenpublicatie"}
    return {
        "Id": _MEETING,
        "Soort": "Plenair",
        "Titel": "14e vergadering, woensdag 15 oktober 2014",
        "Zaal": "Plenaire zaal",
        "Vergaderjaar": "2014-2015",
        "VergaderingNummer": 14,
        "Datum": "2014-10-15T00:00:00+02:00",
        "Aanvangstijd": "2014-10-15T10:15:00+02:00",
        "Sluiting": "2014-10-15T22:41:54+02:00",
        "Kamer": "Tweede Kamer",
        **_CHANGED,
        "Verslag": [
            {"Id": REPORT, "Status": "Ongecorrigeerd", **report, **_CHANGED},
            {
                "Id": _REPORT_GONE,
                "Status": "Gecorrigeerd",
                **report,
                **_CHANGED,
                "ApiGewijzigdOp": "2025-10-03T07:00:00Z",
            },
            {"Id": "00000000-0000-4000-8000-000000000403", "Status": "Casco", **report, **_CHANGED},
        ],
    }
