"""``zoek_in_document``: the passages of one document in which words occur."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from assistants.arguments import BadArgumentsError
from assistants.beside import beside
from assistants.locating import locate
from assistants.opening import opened
from assistants.printing.documents import paper_data, paper_lines, part_numbers, parts_of, place_words
from assistants.printing.quoting import quoted, written
from assistants.printing.schemas import COUNT, FLAG, MAYBE_COUNT, PAPER, SPOT, TEXT, TEXTS, arguments, closed, many
from assistants.tool import Arguments, Outcome, Tool, Visit
from assistants.tools.reading import ID
from connectors.moments import now
from connectors.records import Document
from search.passages import Found, Looked, look
from search.question import read_question
from search.wholeness import is_whole

_TOOL: Final = "zoek_in_document"
_AT_ONCE: Final = 10
_DESCRIPTION: Final = (
    "Zoekt woorden in één stuk en geeft de passages met bladzijde en omgeving. Hoofdletters en accenten maken niet "
    'uit; "tussen aanhalingstekens" is een woordgroep. Passages met de meeste woorden staan vooraan. De bron wordt '
    "hooguit één keer om de hele tekst gevraagd; daarna is dit goedkoop, en veel korter dan alles lezen met `lees`."
)


async def search_within(given: Arguments, visit: Visit) -> Outcome:
    """The passages with the words. Raises ``ToolFailedError``."""
    terms = read_question(given["woorden"]).text.terms
    if not terms:
        raise BadArgumentsError(_TOOL, ["In `woorden` staat geen letter of cijfer."])
    found = await opened(locate(given["id"], visit), visit)
    document = found.document
    looked = await beside(look, document, terms)
    page = given.get("pagina", 1)
    shown = looked.found[(page - 1) * _AT_ONCE : page * _AT_ONCE]
    parts = part_numbers(parts_of(document))
    data = {
        "melding": _message(document, looked, page),
        "gezochteWoorden": len(terms),
        "deelVanWoord": looked.within,
        "passages": [_passage_data(one, parts) for one in shown],
        "aantal": len(looked.found),
        "volgendePagina": page + 1 if page * _AT_ONCE < len(looked.found) else None,
        "stuk": paper_data(document, found.began, now()),
    }
    return Outcome(data=data, text=written(list(_lines(data))))


def _message(document: Document, looked: Looked, page: int) -> str:
    if not looked.found:
        if not document.passages:
            return "Van dit stuk is hier geen tekst om in te zoeken. Open het origineel."
        if is_whole(document):
            return "De woorden staan niet in dit stuk. Alle tekst is gelezen."
        return (
            "De woorden staan niet in de tekst die we hebben. Maar die is niet heel: open het origineel voor de rest."
        )
    if (page - 1) * _AT_ONCE >= len(looked.found):
        return f"Er zijn maar {len(looked.found)} passages. Vraag een eerdere pagina."
    return (
        "Geen van de woorden staat er als heel woord; dit zijn langere woorden waar ze in staan."
        if looked.within
        else ""
    )


def _passage_data(found: Found, parts: Mapping[int, int]) -> dict[str, Any]:
    passage = found.passage
    return {
        "plaats": {
            "nummer": passage.number,
            "isPagina": passage.is_page,
            "kop": passage.heading,
            "deel": parts.get(passage.number, 1),
        },
        "woorden": found.terms,
        "keren": found.count,
        "fragmenten": [{"tekst": one.text, "gevonden": list(one.found)} for one in found.fragments],
    }


def _lines(data: dict[str, Any]) -> Iterator[str]:
    if data["melding"]:
        yield data["melding"]
    for passage in data["passages"]:
        place = passage["plaats"]
        words = f"{passage['woorden']} van {data['gezochteWoorden']} woorden"
        yield f"- {place_words(place['nummer'], is_page=place['isPagina'])} ({words}; deel {place['deel']} van `lees`)"
        for fragment in passage["fragmenten"]:
            yield f"  {quoted(fragment['tekst'])}"
    if data["volgendePagina"]:
        yield f"Er is meer: vraag `pagina` {data['volgendePagina']}."
    yield ""
    yield from paper_lines(data["stuk"])


WITHIN: Final = Tool(
    name=_TOOL,
    title="Zoeken in een stuk",
    description=_DESCRIPTION,
    input_schema=arguments(
        {
            "id": ID,
            "woorden": {"type": "string", "minLength": 1, "maxLength": 300},
            "pagina": {"type": "integer", "minimum": 1, "maximum": 1000},
        },
        "id",
        "woorden",
    ),
    output_schema=closed(
        {
            "melding": TEXT,
            "gezochteWoorden": COUNT,
            "deelVanWoord": FLAG,
            "passages": many(
                closed(
                    {
                        "plaats": SPOT,
                        "woorden": COUNT,
                        "keren": COUNT,
                        "fragmenten": many(closed({"tekst": TEXT, "gevonden": TEXTS})),
                    }
                )
            ),
            "aantal": COUNT,
            "volgendePagina": MAYBE_COUNT,
            "stuk": PAPER,
        }
    ),
    run=search_within,
)
