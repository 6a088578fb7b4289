"""Votes as the platform counts them (section 4): a roll call by name, anything else by the seats of each fractie.

A member who deviated is counted twice, as over there: once among the seats of the fractie and once alone.
"""

from __future__ import annotations

from typing import Any, Final

from connectors.kamer_corpus.rows import Store
from connectors.opentk.standin_items import Row, local, plain

_CHOICES: Final = ("Voor", "Tegen", "Niet deelgenomen")


def decisions(held: Store, case: Row) -> list[dict[str, Any]]:
    """The decisions on a case: day, words, status, and for each choice the count with the names."""
    found = []
    for guid in held.links.get(("Zaak", case["Id"], "Besluit"), ()):
        row = held.tables["Besluit"][guid]
        if row["Verwijderd"]:
            continue
        votes = [held.tables["Stemming"][one] for one in held.links.get(("Besluit", guid, "Stemming"), ())]
        words = plain(row["BesluitTekst"]) or plain(row["BesluitSoort"])
        decision = {"day": local(case["GestartOp"])[:10], "text": words, "status": plain(row["Status"]) or "Besluit"}
        found.append(decision | _counted([one for one in votes if not one["Verwijderd"]]))
    return found


def _counted(votes: list[Row]) -> dict[str, tuple[int, list[str]]]:
    if not votes:
        return {}
    is_roll_call = votes[0]["ActorNaam"] != votes[0]["ActorFractie"]  # the recorded rows leave the person's id out
    counted: dict[str, tuple[int, list[str]]] = {}
    for choice in _CHOICES:
        rows = [one for one in votes if one["Soort"] == choice]
        names = [plain(one["ActorNaam"]) if is_roll_call else plain(one["ActorFractie"]) for one in rows]
        seats = len(rows) if is_roll_call else sum(one["FractieGrootte"] or 0 for one in rows)
        if rows or choice != _CHOICES[-1]:
            counted[choice] = (seats, list(dict.fromkeys(names)))
    return counted
