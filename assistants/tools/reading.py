"""``lees``: one document, in parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from assistants.locating import locate
from assistants.opening import opened
from assistants.printing.documents import (
    Piece,
    fingerprint,
    paper_data,
    paper_lines,
    particulars_data,
    parts_of,
    piece_data,
    place_words,
)
from assistants.printing.quoting import quoted, written
from assistants.printing.schemas import (
    COUNT,
    FLAG,
    MAYBE_COUNT,
    MAYBE_TEXT,
    PAPER,
    PASSAGE,
    TEXT,
    arguments,
    closed,
    many,
    maybe,
)
from assistants.tool import Arguments, Outcome, Tool, ToolFailedError, Visit
from connectors.moments import now
from search.document_words import cut_with_rest

ID: Final = {"type": "string", "minLength": 3, "maxLength": 500, "description": "id uit een ander gereedschap"}
_DESCRIPTION: Final = (
    "Leest één stuk: wat het is, hoe u ernaar verwijst, en de tekst in delen van hooguit 12.000 tekens. `volgende` "
    "is de aanroep voor het volgende deel. Een eerste lezing vraagt de bron om de hele tekst en is duur; volgende "
    "delen komen uit de buffer. Zoekt u één passage? `zoek_in_document` is goedkoper."
)
_VOTES: Final = closed(
    {
        "uitslag": TEXT,
        "letterlijk": TEXT,
        "voor": MAYBE_COUNT,
        "tegen": MAYBE_COUNT,
        "fracties": many(closed({"naam": TEXT, "voor": COUNT, "tegen": COUNT})),
        "samenvatting": TEXT,
    }
)
_PARTICULARS: Final = closed(
    {
        "samenvatting": TEXT,
        "kenmerken": many(closed({"naam": TEXT, "waarde": TEXT})),
        "verwant": many(closed({"relatie": TEXT, "titel": TEXT, "id": MAYBE_TEXT, "adres": MAYBE_TEXT})),
        "verwantInAlles": COUNT,
        "stemming": maybe(_VOTES),
    }
)


async def read(given: Arguments, visit: Visit) -> Outcome:
    """The part that was asked for. Raises ``ToolFailedError``."""
    found = await opened(locate(given["id"], visit), visit)
    document = found.document
    parts, mark = parts_of(document), fingerprint(document)
    number = given.get("deel", 1)
    if number > len(parts):
        raise _beyond(len(parts))
    lengths = [sum(len(piece.text) for piece in part) for part in parts]
    following = None
    if number < len(parts):
        following = {"id": document.id, "deel": number + 1, "kenmerk": mark}
    data = {
        "stuk": paper_data(document, found.began, now()),
        "bijzonderheden": particulars_data(document) if number == 1 else None,
        "deel": number,
        "delen": len(parts),
        "tekens": lengths[number - 1],
        "tekensInAlles": sum(lengths),
        "kenmerk": mark,
        "veranderd": given.get("kenmerk", mark) != mark,
        "tekst": [piece_data(piece) for piece in parts[number - 1]],
        "volgende": following,
        "tekensVolgende": lengths[number] if following else 0,
    }
    end = "" if following else cut_with_rest(document)
    return Outcome(data=data, text=written([*_lines(data, parts[number - 1]), *([f"\n{end}"] if end else [])]))


def _beyond(parts: int) -> ToolFailedError:
    return ToolFailedError(
        f"Dat deel is er niet: dit stuk heeft {parts} {'deel' if parts == 1 else 'delen'}.",
        "Er is niets gelezen.",
        f"Vraag een deel van 1 tot en met {parts}.",
    )


def _lines(data: dict[str, Any], part: tuple[Piece, ...]) -> Iterator[str]:
    yield from paper_lines(data["stuk"])
    if data["veranderd"]:
        yield "Let op: de tekst is veranderd sinds het vorige deel. Begin opnieuw bij deel 1."
    if data["bijzonderheden"]:
        yield from _particular_lines(data["bijzonderheden"])
    yield f"Deel {data['deel']} van {data['delen']}, {data['tekens']} van {data['tekensInAlles']} tekens."
    for piece in part:
        place = place_words(piece.passage.number, is_page=piece.passage.is_page)
        heading = f": {quoted(piece.passage.heading)}" if piece.passage.heading else ""
        yield f"\n## {place}{' (vervolg)' if piece.continued else ''}{heading}"
        yield quoted(piece.text)
    if data["volgende"]:
        yield f"\nVolgende deel: `lees` met id {data['volgende']['id']} en deel {data['volgende']['deel']}."


def _particular_lines(particulars: dict[str, Any]) -> Iterator[str]:
    if particulars["samenvatting"]:
        yield f"samenvatting bij de bron: {quoted(particulars['samenvatting'])}"
    for detail in particulars["kenmerken"]:
        yield f"{quoted(detail['naam'])}: {quoted(detail['waarde'])}"
    if particulars["stemming"]:
        vote = particulars["stemming"]
        yield f"stemming: {vote['uitslag']} ({quoted(vote['letterlijk'])}){_counted(vote)}"
        if vote["samenvatting"]:
            yield f"stemming bij de bron: {quoted(vote['samenvatting'])}"
    for related in particulars["verwant"]:
        yield f"- {quoted(related['relatie'])}: {quoted(related['titel'])} {related['id'] or related['adres'] or ''}"


def _counted(vote: dict[str, Any]) -> str:
    """How many voted for and against, in all and by party, as far as the source says it."""
    in_all = f", {vote['voor']} voor en {vote['tegen']} tegen" if vote["voor"] is not None else ""
    parties = "; ".join(f"{quoted(one['naam'])} {one['voor']} voor, {one['tegen']} tegen" for one in vote["fracties"])
    return f"{in_all}. Per fractie: {parties}" if parties else in_all


READ: Final = Tool(
    name="lees",
    title="Een stuk lezen",
    description=_DESCRIPTION,
    input_schema=arguments(
        {
            "id": ID,
            "deel": {"type": "integer", "minimum": 1, "maximum": 10_000},
            "kenmerk": {
                "type": "string",
                "maxLength": 40,
                "description": "uit `volgende`: dan hoort u het als de tekst veranderde",
            },
        },
        "id",
    ),
    output_schema=closed(
        {
            "stuk": PAPER,
            "bijzonderheden": maybe(_PARTICULARS),
            "deel": COUNT,
            "delen": COUNT,
            "tekens": COUNT,
            "tekensInAlles": COUNT,
            "kenmerk": TEXT,
            "veranderd": FLAG,
            "tekst": many(PASSAGE),
            "volgende": maybe(closed({"id": TEXT, "deel": COUNT, "kenmerk": TEXT})),
            "tekensVolgende": COUNT,
        }
    ),
    run=read,
)
