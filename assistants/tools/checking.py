"""``controleer_citaat``: whether a sentence stands literally in a document, and on which page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from assistants.arguments import BadArgumentsError
from assistants.beside import beside
from assistants.citing import Difference, Nearest, Place, Verdict, Where, check, folded
from assistants.locating import locate
from assistants.opening import opened
from assistants.printing.documents import paper_data, paper_lines, part_numbers, parts_of, place_words
from assistants.printing.quoting import quoted, written
from assistants.printing.schemas import COUNT, FLAG, PAPER, SPOT, TEXT, arguments, closed, many, maybe
from assistants.tool import Arguments, Outcome, Tool, Visit
from assistants.tools.reading import ID
from connectors.moments import now
from connectors.records import Document, Passage
from search.wholeness import is_whole

_TOOL: Final = "controleer_citaat"
_FEWEST_LETTERS: Final = 3
_DESCRIPTION: Final = (
    "Zegt of een zin letterlijk in een stuk staat, en op welke bladzijde. Leest alle bladzijden; alleen witruimte "
    "en de vorm van letters met accenten tellen niet mee. Staat de zin er niet, dan krijgt u de passage die er het "
    "meest op lijkt, met het verschil. Is de tekst niet heel of een scan, dan is het antwoord `niet te "
    "controleren`, nooit `nee`. Even duur als `lees`; na `lees` van hetzelfde stuk goedkoop."
)


_SIGNS: Final = " De woorden zijn wel dezelfde: alleen leestekens, hoofdletters of een afbreekstreepje verschillen."


class Answer(StrEnum):
    """The outcome of a check."""

    YES = "ja"
    NO = "nee"
    UNKNOWN = "niet te controleren"


async def check_citation(given: Arguments, visit: Visit) -> Outcome:
    """The outcome of the check. Raises ``ToolFailedError``."""
    citation = given["citaat"]
    if sum(sign.isalnum() for sign in folded(citation)) < _FEWEST_LETTERS:
        raise BadArgumentsError(_TOOL, ["In `citaat` staan te weinig letters of cijfers."])
    found = await opened(locate(given["id"], visit), visit)
    document = found.document
    verdict = await beside(check, document, citation)
    whole = is_whole(document)
    answer = Answer.YES if verdict.places else Answer.NO if whole else Answer.UNKNOWN
    parts = part_numbers(parts_of(document))
    nearest = verdict.nearest
    data = {
        "uitkomst": answer.value,
        "uitleg": _explained(answer, verdict, document),
        "waar": verdict.where.value if verdict.places else None,
        "zonderAanhalingstekens": verdict.unquoted,
        "vindplaatsen": [_place_data(place, parts) for place in verdict.places],
        "dichtstbij": _nearest_data(nearest, parts) if nearest else None,
        "gelezen": {
            "onderdelen": len(document.passages),
            "tekens": sum(len(passage.text) for passage in document.passages),
            "heel": whole,
        },
        "stuk": paper_data(document, found.began, now()),
    }
    return Outcome(data=data, text=written(list(_lines(data, verdict))))


def _explained(answer: Answer, verdict: Verdict, document: Document) -> str:
    if answer is Answer.YES:
        if verdict.where is not Where.TEXT:
            return f"De zin staat letterlijk in de {verdict.where.value}, niet in de tekst zelf."
        without = " De aanhalingstekens eromheen tellen niet mee." if verdict.unquoted else ""
        return f"De zin staat letterlijk in het stuk: {_range(verdict.places[0])}.{without}"
    signs = _SIGNS if verdict.nearest and verdict.nearest.only_signs else ""
    if answer is Answer.NO:
        return f"De zin staat niet letterlijk in het stuk. Alle tekst is gelezen.{signs}"
    if verdict.broken:
        return (
            "De zin staat er alleen als we bladzijden overslaan waarvan hier geen tekst is. Of hij zo in het stuk staat, "
            "is niet te zeggen. Open het origineel."
        )
    if not document.passages:
        return "Van dit stuk is hier geen tekst. Of de zin erin staat, is niet te zeggen. Open het origineel."
    return (
        "In de tekst die we hebben, staat de zin niet letterlijk. Maar die tekst is niet heel: of de zin in het stuk "
        f"staat, is niet te zeggen. Open het origineel.{signs}"
    )


def _range(place: Place) -> str:
    first = place_words(place.first.number, is_page=place.first.is_page)
    if place.first is place.last:
        return first
    return f"van {first} tot in {place_words(place.last.number, is_page=place.last.is_page)}"


def _spot(passage: Passage, parts: Mapping[int, int]) -> dict[str, Any]:
    return {
        "nummer": passage.number,
        "isPagina": passage.is_page,
        "kop": passage.heading,
        "deel": parts.get(passage.number, 1),
    }


def _place_data(place: Place, parts: Mapping[int, int]) -> dict[str, Any]:
    return {
        "van": _spot(place.first, parts),
        "tot": _spot(place.last, parts),
        "ervoor": place.before,
        "tekst": place.text,
        "erna": place.after,
    }


def _nearest_data(nearest: Nearest, parts: Mapping[int, int]) -> dict[str, Any]:
    return {
        **_place_data(nearest.place, parts),
        "gelijkenis": nearest.likeness,
        "alleenTekens": nearest.only_signs,
        "verschil": [{"soort": kind.value, "tekst": text} for kind, text in nearest.runs],
    }


def _lines(data: dict[str, Any], verdict: Verdict) -> Iterator[str]:
    yield f"Uitkomst: {data['uitkomst']}. {data['uitleg']}"
    for place in verdict.places:
        yield f"- {_range(place)}: {quoted(f'{place.before} {place.text} {place.after}')}"
    if verdict.nearest:
        yield f"Het meest lijkt dit erop ({_range(verdict.nearest.place)}): {quoted(verdict.nearest.place.text)}"
        for kind, text in verdict.nearest.runs:
            if kind is Difference.ONLY_CITED:
                yield f"- {kind.value}: “{text}”"
            elif kind is Difference.ONLY_THERE:
                yield f"- {kind.value}: {quoted(text)}"
    yield ""
    yield from paper_lines(data["stuk"])


_PLACE: Final = {"van": SPOT, "tot": SPOT, "ervoor": TEXT, "tekst": TEXT, "erna": TEXT}
CHECK: Final = Tool(
    name=_TOOL,
    title="Een citaat controleren",
    description=_DESCRIPTION,
    input_schema=arguments({"id": ID, "citaat": {"type": "string", "minLength": 3, "maxLength": 2000}}, "id", "citaat"),
    output_schema=closed(
        {
            "uitkomst": {"type": "string", "enum": [answer.value for answer in Answer]},
            "uitleg": TEXT,
            "waar": {"enum": [*(where.value for where in Where), None]},
            "zonderAanhalingstekens": FLAG,
            "vindplaatsen": many(closed(_PLACE)),
            "dichtstbij": maybe(
                closed(
                    {
                        **_PLACE,
                        "alleenTekens": FLAG,
                        "gelijkenis": {"type": "number", "minimum": 0, "maximum": 1},
                        "verschil": many(
                            closed(
                                {
                                    "soort": {"type": "string", "enum": [kind.value for kind in Difference]},
                                    "tekst": TEXT,
                                }
                            )
                        ),
                    }
                )
            ),
            "gelezen": closed({"onderdelen": COUNT, "tekens": COUNT, "heel": FLAG}),
            "stuk": PAPER,
        }
    ),
    run=check_citation,
)
