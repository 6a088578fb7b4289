"""The JSON answers of the stand-in beside the search: an activity, a committee, dossiers, questions (section 3).

Rows come straight from a database over there: nulls are empty texts, yes and no are texts, keys are sorted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from connectors.kamer_corpus.rows import Store
from connectors.opentk.standin_items import Row, day_of, is_live, local, plain

_MOST_DOSSIERS: Final = 250
_MOST_KSDS: Final = 100


def activity(held: Store, row: Row) -> dict[str, Any]:
    """``/activiteit/<number>``. The agenda of one that has a commitment was made; recorded ones have none."""
    commitments = [
        held.tables["Toezegging"][one] for one in held.links.get(("Activiteit", row["Id"], "Toezegging"), ())
    ]
    return {
        "agendapunten": [_point(row, _papers(held)[:2])] if commitments else [],
        "comactors": [],
        "docs": [],
        "meta": activity_row(row),
        "persactors": [],
        "toezeggingen": [
            {"id": one["Id"], "nummer": one["Nummer"], "status": plain(one["Status"]), "tekst": plain(one["Tekst"])}
            for one in commitments
        ],
        "zaal": {"naam": plain(row["Locatie"])} if row["Locatie"] else "",
    }


def activity_row(row: Row) -> dict[str, Any]:
    """One activity as the platform keeps it."""
    return {
        "aanvangstijd": local(row["Aanvangstijd"]),
        "besloten": "true" if row["Besloten"] else "false",
        "bijgewerkt": f"{plain(row['ApiGewijzigdOp'])[:19]}Z",
        "datum": day_of(row["Datum"]),
        "eindtijd": local(row["Eindtijd"]),
        "id": row["Id"],
        "noot": plain(row["Noot"]),
        "nummer": row["Nummer"],
        "onderwerp": plain(row["Onderwerp"]),
        "skiptoken": 29000002,
        "soort": plain(row["Soort"]),
        "updated": plain(row["ApiGewijzigdOp"]),
        "voortouwAfkorting": plain(row["Voortouwafkorting"]),
        "voortouwNaam": plain(row["Voortouwnaam"]),
        "vrsNummer": plain(row["VRSNummer"]),
    }


def committee(held: Store, row: Row) -> dict[str, Any]:
    """``/commissie/<id>``: its newest activities; members and cases of it were not recorded."""
    activities = [one for one in held.tables["Activiteit"].values() if one["Voortouwnaam"] == row["NaamNL"]]
    newest = sorted((one for one in activities if one["Datum"]), key=lambda one: str(one["Datum"]), reverse=True)
    return {
        "activiteiten": [activity_row(one) | {"relatie": "Voortouwcommissie"} for one in newest[:50]],
        "commissie": {"cafkorting": short_of(held, row), "naam": plain(row["NaamNL"])},
        "leden": [],
        "zaken": [],
    }


def short_of(held: Store, committee_row: Row) -> str:
    """The abbreviation of a committee, as its activities give it."""
    name = committee_row["NaamNL"]
    rows = (one for one in held.tables["Activiteit"].values() if one["Voortouwnaam"] == name)
    return next((short for one in rows if (short := plain(one["Voortouwafkorting"]))), "")


def newest_of(held: Store, committee_row: Row) -> str:
    """The day of the newest activity of a committee."""
    name = committee_row["NaamNL"]
    days = (local(one["Datum"])[:10] for one in held.tables["Activiteit"].values() if one["Voortouwnaam"] == name)
    return max(days, default="")


def dossiers(held: Store) -> list[dict[str, Any]]:
    """``/recent-kamerstukdossiers``: those of the official papers."""
    found: dict[tuple[int, str], dict[str, Any]] = {}
    for guid, row in held.tables["Document"].items():
        for version in held.links.get(("Document", guid, "HuidigeDocumentVersie"), ()):
            parts = plain(held.tables["DocumentVersie"][version]["ExterneIdentifier"]).split("-")
            if len(parts) < 3 or parts[0] != "kst" or not parts[1].isdigit() or not parts[-1].isdigit():  # noqa: PLR2004
                continue
            addition = "-".join(parts[2:-1])
            one = found.setdefault(
                (int(parts[1]), addition),
                {
                    "hoogsteVolgnummer": 0,
                    "mdatum": day_of(row["Datum"]),
                    "nummer": int(parts[1]),
                    "titel": plain(row["Titel"]),
                    "toevoeging": addition,
                },
            )
            one["hoogsteVolgnummer"] = max(one["hoogsteVolgnummer"], int(parts[-1]))
    ordered = sorted(found.values(), key=lambda one: str(one["mdatum"]), reverse=True)
    return ordered[:_MOST_DOSSIERS]


def dossier_names(held: Store, words: str) -> list[str]:
    """``/ksds?q=``: part of a title, or an exact number."""
    names = []
    for one in dossiers(held):
        base = "-".join(filter(None, (str(one["nummer"]), one["toevoeging"])))
        if words.casefold() in one["titel"].casefold() or words == str(one["nummer"]):
            names.append(f"{base} {one['titel']}")
    return names[:_MOST_KSDS]


def questions(held: Store) -> list[dict[str, Any]]:
    """``/recente-kamervragen``."""
    # No case of a question was recorded: the paper stands for its case.
    rows = (row for row in _papers(held) if row["Soort"] == "Schriftelijke vragen")
    return [
        {
            "gestartOp": day_of(row["Datum"]),
            "naam": "",
            "nummer": row["DocumentNummer"],
            "onderwerp": plain(row["Onderwerp"]),
        }
        for row in rows
    ]


def seats(held: Store) -> Iterator[tuple[str, str, str, str]]:
    """Who has a seat now: fractie, place, number and name. A name without something between has two blanks, as over there."""
    for row in held.tables["FractieZetelPersoon"].values():
        if not is_live(row) or row["TotEnMet"]:
            continue
        seat, person = held.tables["FractieZetel"][row["FractieZetel_Id"]], held.tables["Persoon"][row["Persoon_Id"]]
        fractie = held.tables["Fractie"][seat["Fractie_Id"]]
        name = f"{plain(person['Roepnaam'])} {plain(person['Tussenvoegsel'])} {plain(person['Achternaam'])}"
        yield plain(fractie["Afkorting"]), str(seat["Gewicht"]), str(person["Nummer"]), name


def _papers(held: Store) -> list[Row]:
    return [row for row in held.tables["Document"].values() if is_live(row) and row["DocumentNummer"]]


def _point(row: Row, papers: list[Row]) -> dict[str, Any]:
    return {
        "aanvangstijd": "",
        "activiteitId": row["Id"],
        "bijgewerkt": f"{plain(row['ApiGewijzigdOp'])[:19]}Z",
        "docs": [_paper(one) for one in papers],
        "eindtijd": "",
        "id": "00000000-0000-4000-8000-000000000801",
        "noot": "",
        "nummer": "2025P90001",
        "onderwerp": f"{plain(row['Onderwerp'])} (agendapunt gemaakt voor de proefmodus)",
        "rubriek": "",
        "skiptoken": 29000003,
        "status": "Vrijgegeven",
        "updated": plain(row["ApiGewijzigdOp"]),
        "volgorde": 10,
        "zdocs": [],
    }


def _paper(row: Row) -> dict[str, Any]:
    return {
        "aanhangselnummer": plain(row["Aanhangselnummer"]),
        "agendapuntId": "",
        "bijgewerkt": f"{plain(row['ApiGewijzigdOp'])[:19]}Z",
        "bronDocument": "",
        "citeerTitel": "",
        "contentLength": row["ContentLength"] or "",
        "contentType": plain(row["ContentType"]),
        "datum": day_of(row["Datum"]),
        "datumOntvangst": day_of(row["DatumOntvangst"]),
        "datumRegistratie": day_of(row["DatumRegistratie"]),
        "enclosure": "",
        "huidigeDocumentVersieId": plain(row["HuidigeDocumentVersie_Id"]),
        "id": row["Id"],
        "kamerstukdossierId": "",
        "kstnum": "",
        "nummer": row["DocumentNummer"],
        "onderwerp": plain(row["Onderwerp"]),
        "skiptoken": 29900002,
        "soort": plain(row["Soort"]),
        "titel": plain(row["Titel"]),
        "updated": plain(row["ApiGewijzigdOp"]),
        "vergaderjaar": plain(row["Vergaderjaar"]),
        "volgnummer": row["Volgnummer"] if row["Volgnummer"] is not None else "",
    }
