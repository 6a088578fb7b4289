"""An activity as JSON (``/activiteit/<number>``): its agenda, its papers and what was promised during it (section 3).

Rows come straight from the platform's database: nothing is an empty text, and yes and no are texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.json_values import objects
from connectors.kamer_words import from_html, line
from connectors.opentk.answers import KEY, found_object
from connectors.opentk.documents import Opened, Place, each_once, facts, grouped, related_to, with_text
from connectors.opentk.ids import key_of
from connectors.opentk.markup import PageText
from connectors.opentk.values import Row, change, moment, moments
from connectors.records import DateMeaning, Kind, Moment, Passage, Related

_YES_NO: Final = {"true": "ja", "false": "nee"}


def activity(answer: Answer, place: Place) -> Opened:
    """An activity. Raises ``GoneError`` for the 200 that says "Found nothing!!"."""
    body = found_object(answer, place.key.upstream_id)
    meta = body.get("meta")
    if not isinstance(meta, dict):
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "meta")
    room = body.get("zaal")
    document = place.document(
        title=line(meta.get("onderwerp")) or line(meta.get("soort")),
        kind=Kind.VERGADERING,
        word=line(meta.get("soort")) or "Activiteit",
        dates=tuple(moments(_when(meta), change(meta.get("bijgewerkt")))),
        details=facts(
            ("Nummer", line(meta.get("nummer"))),
            ("Commissie", line(meta.get("voortouwNaam"))),
            ("Besloten", _YES_NO.get(line(meta.get("besloten")).lower(), "")),
            ("Zaal", line(room.get("naam")) if isinstance(room, dict) else line(room)),
            *grouped(_people(body)),
        ),
        related=each_once(_related(body), place.key),
    )
    return Opened(with_text(document, PageText(tuple(_passages(meta, body)))))


def _when(meta: Row) -> Moment | None:
    """The start. ``datum`` is now and then a Dutch phrase instead of a date (section 3)."""
    return moment(meta.get("aanvangstijd"), DateMeaning.MEETING) or moment(meta.get("datum"), DateMeaning.MEETING)


def _passages(meta: Row, body: Row) -> Iterator[Passage]:
    points = [text for point in objects(body.get("agendapunten")) if (text := line(point.get("onderwerp")))]
    agenda = "\n".join(f"{at}. {text}" for at, text in enumerate(points, 1))
    filled = ((name, text) for name, text in (("Toelichting", from_html(meta.get("noot"))), ("Agenda", agenda)) if text)
    yield from (Passage(at, text, name) for at, (name, text) in enumerate(filled, 1))


def _people(body: Row) -> Iterator[tuple[str, str]]:
    for actor in objects(body.get("persactors")):
        name, party = line(actor.get("naam")), line(actor.get("fractie"))
        if name:
            yield line(actor.get("relatie")) or "Betrokken", f"{name} ({party})" if party else name


def _related(body: Row) -> Iterator[Related]:
    for point in objects(body.get("agendapunten")):
        yield from _links(objects(point.get("docs")), "Stuk", "onderwerp")
        yield from _links(objects(point.get("zdocs")), "Stuk", "onderwerp")
    yield from _links(objects(body.get("docs")), "Stuk", "onderwerp")
    yield from _links(objects(body.get("toezeggingen")), "Toezegging", "tekst")


def _links(rows: list[Row], relation: str, title: str) -> Iterator[Related]:
    for row in rows:
        key = key_of(line(row.get("nummer")))
        if key is not None:
            yield related_to(relation, line(from_html(row.get(title))), key)
