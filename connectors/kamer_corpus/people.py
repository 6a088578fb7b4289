"""Members that were made for the stand-ins: no rows of seats were recorded. Their fracties are the real ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

Row = dict[str, Any]
_CHANGED: Final = {"GewijzigdOp": "2025-10-02T09:00:00+02:00", "ApiGewijzigdOp": "2025-10-02T07:00:10.1234567Z"}
_NAMES: Final = (("Sanne", "van", "Proefstra"), ("Youssef", None, "Proefman"), ("Willemijn", "de", "Proef"))
_PRESENT, _PAST = "2023-12-06T00:00:00+01:00", ("2012-09-20T00:00:00+02:00", "2017-03-22T00:00:00+01:00")


def rows(tables: dict[str, dict[str, Row]]) -> Iterator[tuple[str, Row]]:
    """Three seats at each fractie: two that are held now, and one that somebody left, who has no first name."""
    for at, party in enumerate(sorted(tables["Fractie"].values(), key=lambda row: str(row["Id"])), 1):
        for place, name in enumerate(_NAMES, 1):
            yield "FractieZetelPersoon", _seat(at * 10 + place, name, party, has_left=place == len(_NAMES))


def _seat(number: int, name: tuple[str, str | None, str], party: Row, *, has_left: bool) -> Row:
    first, between, surname = name
    start, end = _PAST if has_left else (_PRESENT, None)
    person = {
        "Id": f"00000000-0000-4000-8000-000000007{number:03d}",
        "Nummer": 70_000 + number,
        "Initialen": f"{first[0]}.",
        "Tussenvoegsel": between,
        "Achternaam": f"{surname} {number}",
        "Roepnaam": None if has_left else first,
        "Functie": "Oud-Kamerlid" if has_left else "Tweede Kamerlid",
        **_CHANGED,
    }
    seat = {
        "Id": f"00000000-0000-4000-8000-000000008{number:03d}",
        "Gewicht": number % 10,
        "Fractie_Id": party["Id"],
        "Fractie": {"Id": party["Id"]},
        **_CHANGED,
    }
    return {
        "Id": f"00000000-0000-4000-8000-000000009{number:03d}",
        "FractieZetel_Id": seat["Id"],
        "Persoon_Id": person["Id"],
        "Functie": "Fractievoorzitter" if number % 10 == 1 else "Lid",
        "Van": start,
        "TotEnMet": end,
        "FractieZetel": seat,
        "Persoon": person,
        **_CHANGED,
    }
