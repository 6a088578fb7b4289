"""What the stand-in knows of sources: the list, the Laadstatus and the statistics, from ``corpus/`` and what it holds itself.

A source that the recorded status does not name gets an entry of the same shape; only bodies with papers have counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

_CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True, slots=True)
class Held:
    """How much the stand-in holds of one source: the number of items and the newest date among them."""

    items: int
    newest: datetime


def _read(name: str) -> Any:
    return json.loads((_CORPUS / name).read_text(encoding="utf-8"))


@cache
def sources() -> tuple[dict[str, Any], ...]:
    """All sources: aggregates first, then by whether they are implemented, then by label (platform page, section 3.6)."""
    found = [*_read("sources.json")["sources"], *_read("added_sources.json")["sources"]]
    return tuple(
        sorted(found, key=lambda row: (not row.get("isAggregate", False), not row["implemented"], row["label"].lower()))
    )


@cache
def source_by_key() -> dict[str, dict[str, Any]]:
    """The sources by key."""
    return {row["key"]: row for row in sources()}


def sources_answer(*, implemented_only: bool) -> dict[str, Any]:
    """The answer of ``/api/sources``."""
    return {"sources": [row for row in sources() if row["implemented"] or not implemented_only]}


def status_answer(held: Mapping[str, Held]) -> dict[str, Any]:
    """The answer of ``/api/status``: every source of the catalogue, by label."""
    recorded = _read("status.json")
    codes = _read("codes.json")
    known = {row["sourceKey"]: row for row in recorded["sources"]}
    bodies = [row for row in sources() if not row.get("isAggregate")]
    entries = [
        _counted(known.get(row["key"]) or _entry(row, codes.get(row["key"], {}), place), held.get(row["key"]))
        for place, row in enumerate(bodies)
    ]
    return {**recorded, "sources": sorted(entries, key=lambda entry: entry["label"].lower())}


def _counted(entry: dict[str, Any], held: Held | None) -> dict[str, Any]:
    """An entry with what the stand-in really holds: of a recorded one, its numbers were the platform's."""
    if held is None:
        return entry
    counted = {
        "latestContentDate": f"{held.newest:%Y-%m-%dT%H:%M:%S}.000Z",
        "lastIndexedAt": entry.get("lastIndexedAt", "2026-09-13T01:10:00.000Z"),
        "indexedDocuments": held.items,
    }
    if "coverage" in entry:
        missing = entry["coverage"]["missingDocuments"]
        there_are = held.items + missing
        counts = {
            "supplierDocuments": there_are,
            "heldDocuments": held.items,
            "ratio": round(held.items / there_are, 4),
        }
        counted["coverage"] = {**entry["coverage"], **counts}
    return entry | counted


def _entry(row: dict[str, Any], codes: dict[str, Any], place: int) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "sourceKey": row["key"],
        "sourceRef": row["sourceRef"],
        "label": row["label"],
        "supplier": row["supplier"],
        "organizationType": row["organizationType"],
    }
    if "cbsId" in codes:
        entry["cbsId"] = codes["cbsId"]
    if "discontinuedAt" in codes:
        entry |= {
            "state": "discontinued",
            "discontinuedAt": codes["discontinuedAt"],
            "succeededBy": codes["succeededBy"],
        }
    else:
        at = f"2026-09-13T00:{place % 60:02}:{place % 47 + 12:02}"
        entry |= {"state": "ok", "lastSuccessAt": f"{at}.204Z", "lastRunAt": f"{at}.102Z", "lastRunStatus": "succeeded"}
    return entry


def stats_answer(held: Mapping[str, Held]) -> dict[str, int]:
    """The answer of ``/api/stats``: what the stand-in really holds, over the sources of the catalogue."""
    kinds = [row["organizationType"] for row in sources() if not row.get("isAggregate")]
    return {
        "documentCount": sum(one.items for one in held.values()),
        "organizationCount": len(kinds),
        "municipalityCount": kinds.count("gemeente"),
        "waterBoardCount": kinds.count("waterschap"),
        "provinceCount": kinds.count("provincie"),
    }
