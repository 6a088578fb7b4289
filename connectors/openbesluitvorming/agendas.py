"""The agenda of a meeting: a tree over there, a numbered list of passages here.

Each item becomes a passage, so that it can be cited; the items above it stand in its heading. Descriptions may hold HTML of the
supplier (platform page, section 3.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from connectors.addresses import web_address
from connectors.json_values import objects
from connectors.moments import AMSTERDAM
from connectors.openbesluitvorming.dates import instant
from connectors.openbesluitvorming.ids import entity_id
from connectors.openbesluitvorming.parse import UNTITLED
from connectors.openbesluitvorming.text import plain
from connectors.plaintext import line
from connectors.records import Passage, Related

_ABOVE = " › "  # noqa: RUF001 - the sign between the steps of a path, as on a page's breadcrumbs
_DEEPEST = 20


def agenda_passages(agenda: list[dict[str, Any]]) -> tuple[Passage, ...]:
    """The items in the order of the agenda, each with its description, its times and the names of its papers."""
    return tuple(
        Passage(number, _text(row), _ABOVE.join((*above, _name(row))))
        for number, (above, row) in enumerate(_walk(agenda), start=1)
    )


def agenda_papers(agenda: list[dict[str, Any]]) -> list[Related]:
    """The papers of all items. One that the platform does not serve itself keeps the supplier's address."""
    return [_paper(row, paper) for _, row in _walk(agenda) for paper in objects(row.get("documents"))]


def _walk(rows: list[dict[str, Any]], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Every item with the names of those above it; what lies deeper than any agenda goes is left out."""
    for row in rows:
        yield above, row
        if len(above) < _DEEPEST:
            yield from _walk(objects(row.get("agenda_items")), (*above, _name(row)))


def _name(row: dict[str, Any]) -> str:
    return f"{line(row.get('number'))} {line(row.get('title')) or 'Agendapunt zonder titel'}".strip()


def _text(row: dict[str, Any]) -> str:
    papers = [f"Stuk: {_paper_name(paper)}" for paper in objects(row.get("documents"))]
    blocks = (plain(row.get("description")), _times(row), "\n".join(papers))
    return "\n\n".join(block for block in blocks if block)


def _times(row: dict[str, Any]) -> str:
    start, end = instant(row.get("start_date")), instant(row.get("end_date"))
    if start is None:
        return ""
    return f"Tijd: {_clock(start)} tot {_clock(end)} uur" if end else f"Tijd: {_clock(start)} uur"


def _clock(at: datetime) -> str:
    return f"{at.astimezone(AMSTERDAM):%H.%M}"


def _paper_name(paper: dict[str, Any]) -> str:
    return line(paper.get("name")) or line(paper.get("file_name")) or UNTITLED


def _paper(row: dict[str, Any], paper: dict[str, Any]) -> Related:
    identifier = entity_id(paper.get("id"))
    number = line(row.get("number")).rstrip(".")
    return Related(
        f"Stuk bij agendapunt {number}" if number else "Stuk",
        _paper_name(paper),
        identifier.text if identifier else None,
        None if identifier else web_address(paper.get("original_url")),
    )
