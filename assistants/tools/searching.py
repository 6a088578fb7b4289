"""``zoek``: one question to all chosen platforms at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.conf import settings

from assistants.arguments import BadArgumentsError
from assistants.groups import said, with_groups
from assistants.printing.hits import Part, shared_data, shared_lines, source_data, source_lines, waiting
from assistants.printing.quoting import written
from assistants.printing.schemas import COUNT, KEYS, SHARED, SOURCE, TEXT, TEXTS, arguments, closed, many, maybe
from assistants.reasons import reasons
from assistants.refusing import refuse_failures
from assistants.tool import Arguments, Outcome, Tool, Visit, without
from connectors.moments import AMSTERDAM, now
from connectors.records import Hit, Kind, Organisation, Sort
from search import texts
from search.answers import PlatformAnswer, State
from search.exceptions import Fault, FieldFault, InvalidQuestionError
from search.fewer import as_written, is_all_nothing, spare_words
from search.group_names import GroupNames
from search.misspelt import looks_like, unknown_groups
from search.parameters import MAX_PAGE, Asked, read_parameters
from search.references import candidates
from search.same import together
from search.sentences import Chosen, Sentence, read_sentence
from search.summary import summary

_DESCRIPTION: Final = (
    'Zoekt raadsstukken, Kamerstukken, bekendmakingen en rechtspraak met alle woorden; "..." is een woordgroep. '
    "Duur zonder `organisaties` (naam, id) of `platforms`. De eerste vraag na een nieuwe versie is traag. "
    "`fractie`/`commissie`: Tweede Kamer."
)
_NARROW_DESCRIPTION: Final = (
    "Zoekt stukken bij deze ene bron. Elke treffer heeft id, verwijzing en adres. Alle woorden moeten voorkomen; "
    '"aanhalingstekens" maken een woordgroep. Duurder zonder `organisaties`. De eerste vraag na een nieuwe versie '
    "duurt langer. `fractie`, `commissie`: alleen bij de Tweede Kamer."
)
_TOOL: Final = "zoek"
_MOST_WORDS: Final = 500
_MOST_SHOWN: Final = 40
"""About how many hits one answer holds, over all sources together: ten thousand tokens or so."""
_FEWEST_SHOWN: Final = 5
_MOST_NAMED: Final = 3
_GROUP: Final = {"type": "string", "maxLength": 200}
_DAY: Final = {"type": "string", "format": "date"}
PROPERTIES: Final[dict[str, Any]] = {
    "vraag": {"type": "string", "maxLength": _MOST_WORDS},
    "platforms": {"type": "array", "items": {"type": "string", "enum": KEYS}, "maxItems": len(KEYS)},
    "organisaties": {
        "type": "array",
        "items": {"type": "string", "maxLength": 100},
        "maxItems": 10,
    },
    "soorten": {
        "type": "array",
        "items": {"type": "string", "enum": [kind.value for kind in Kind]},
        "maxItems": len(Kind),
    },
    "fractie": _GROUP,
    "commissie": _GROUP,
    "van": _DAY,
    "tot": _DAY,
    "sorteer": {"type": "string", "enum": [sort.value for sort in Sort]},
    "pagina": {"type": "integer", "minimum": 1, "maximum": MAX_PAGE},
    "deel": {"type": "integer", "minimum": 1, "maximum": 50},
}
_NAMES: Final[Mapping[str, str]] = {
    "vraag": "vraag",
    "platforms": "platform",
    "organisaties": "organisatie",
    "soorten": "soort",
    "fractie": "fractie",
    "commissie": "commissie",
    "van": "van",
    "tot": "tot",
    "sorteer": "sorteer",
    "pagina": "pagina",
}


async def search(given: Arguments, visit: Visit) -> Outcome:
    """The answers of all chosen platforms. Raises ``ToolFailedError`` when none answered."""
    typed, given = given, await with_groups(given, visit)
    read_as = _read_as(given, visit)
    asked = read_question(given, visit, read_as)
    began, part = now(), Part(given.get("deel", 1), max(_FEWEST_SHOWN, _MOST_SHOWN // len(asked.platforms)))
    answers = await answers_of(asked, visit)
    refuse_failures(answers, now())
    sources = [source_data(answer, began, now(), part) for answer in answers]
    shown = {hit["id"] for source in sources for hit in source["treffers"]}
    shared = [one for one in together(hits_of(answers)) if one.is_shared and shown & {hit.id for hit in one.things}]
    data = {
        "samenvatting": summary(answers),
        "opmerkingen": [
            *([read_as.said] if read_as else []),
            *_named(given.get("vraag", ""), visit),
            *said(typed, given),
            *(one.sentence for one in await unknown_groups(asked, GroupNames(visit.kept), visit.federation)),
            *_meant(typed, asked, visit),
            *(texts.remark(remark) for remark in asked.question.remarks),
        ],
        "waarom": await reasons(asked, answers, visit),
        "weg_te_laten": [as_written(term) for term in spare_words(asked.query.text)] if is_all_nothing(answers) else [],
        "waarschuwingen": [warning.warning for one in shared for warning in one.disagreements],
        "samen": [shared_data(one) for one in shared],
        "bronnen": sources,
        "volgende": _following(answers, part, asked.query.page),
    }
    return Outcome(data=data, text=written(list(_lines(data))))


def _named(typed: str, visit: Visit) -> Iterator[str]:
    """That what was asked is the number or address of a paper, which can be read straight away."""
    found = [
        one.id
        for one in candidates(typed, visit.federation.connectors)
        if one.connector.platform.key in visit.platforms
    ]
    if found:
        ids = " of ".join(f"`{one}`" for one in found[:_MOST_NAMED])
        yield f"Dit is het nummer of adres van een stuk: vraag `lees` met {ids}, of `herleid`."


def _meant(typed: Arguments, asked: Asked, visit: Visit) -> Iterator[str]:
    """A body that the question may mean, where a word of it is almost its name. Nothing is changed for who asks."""
    if asked.query.organisations or '"' in typed.get("vraag", ""):
        return
    _, _, bodies = looks_like(typed.get("vraag", ""), visit.federation.register)
    if bodies:
        named = " of ".join(f"`{body.id}` ({body.name})" for body in bodies)
        yield f"Een woord van de vraag lijkt op een organisatie. Bedoelt u haar, geef dan als `organisaties`: {named}."


def _following(answers: Sequence[PlatformAnswer], part: Part, page: int) -> dict[str, int] | None:
    """The arguments with which the next hits come: the rest of this page, which is kept by then, goes before a next page."""
    results = [answer.result for answer in answers if answer.result]
    if any(len(result.hits) > part.end for result in results):
        return {"pagina": page, "deel": part.number + 1}
    return {"pagina": page + 1, "deel": 1} if any(result.has_more for result in results) else None


def hits_of(answers: Iterable[PlatformAnswer]) -> Iterator[Hit]:
    """The hits of all platforms."""
    return (hit for answer in answers if answer.result for hit in answer.result.hits)


def read_question(given: Arguments, visit: Visit, read_as: Sentence | None = None, *, name: str = _TOOL) -> Asked:
    """The question as it was asked of the tool ``name``, to the platforms of this endpoint. Raises ``ToolFailedError``."""
    given = _as_words(given, read_as)
    values: dict[str, Sequence[str]] = {
        _NAMES[one]: [str(item) for item in value] if isinstance(value, list) else [str(value)]
        for one, value in given.items()
        if one in _NAMES
    }
    values["platform"] = values.get("platform") or list(visit.platforms)
    try:
        asked = read_parameters(values, visit.federation.register, max_characters=settings.QUESTION_MAX_CHARACTERS)
    except InvalidQuestionError as error:
        raise BadArgumentsError(name, [_fault(fault, given) for fault in error.faults]) from None
    if asked.is_empty:
        raise BadArgumentsError(
            name, ["Er is niets om te zoeken: geef een `vraag`, `organisaties`, `soorten` of een datum."]
        )
    place = read_as.bodies[0].id if read_as and len(read_as.bodies) == 1 else ""
    return replace(asked, query=replace(asked.query, read_body=place))


def _read_as(given: Arguments, visit: Visit) -> Sentence | None:
    """How the question is read, as far as it is no plain words."""
    keys = given.get("platforms") or visit.platforms

    def fits(body: Organisation) -> bool:
        return any(body.key_at(key) is not None for key in keys)

    chosen = Chosen(
        bodies=bool(given.get("organisaties")),
        kinds=frozenset(given.get("soorten", ())),
        able=frozenset(kind for one in visit.federation.chosen(tuple(keys)) for kind in one.capabilities.kinds),
        order="sorteer" in given,
        period=bool(given.get("van") or given.get("tot")),
        today=now().astimezone(AMSTERDAM).date(),
    )
    return read_sentence(given.get("vraag", ""), visit.federation.register, fits, chosen)


def _as_words(given: Arguments, read_as: Sentence | None) -> Arguments:
    """The arguments with the words of a sentence in its place, and the bodies, kinds and days that it names."""
    if read_as is None:
        return given
    named: dict[str, Any] = {"organisaties": [body.id for body in read_as.bodies]} if read_as.bodies else {}
    named |= {"soorten": [kind.value for kind in read_as.kinds]} if read_as.kinds else {}
    named |= {"sorteer": Sort.NEWEST.value} if read_as.newest_first else {}
    named |= {name: day.isoformat() for name, day in (("van", read_as.first), ("tot", read_as.last)) if day}
    return {**given, "vraag": read_as.words, **named}


async def answers_of(asked: Asked, visit: Visit) -> tuple[PlatformAnswer, ...]:
    """The last answer of each platform, in the order of the platforms; who waits is told so meanwhile."""
    last: dict[str, PlatformAnswer] = {}
    query = asked.broad(visit.federation.register)
    answers = visit.federation.ask(query, asked.platforms, visit.caller)
    try:
        async for answer in answers:
            last[answer.platform.key] = answer
            if answer.state is State.PLANNED:
                await visit.tell(waiting(answer, now()))
    finally:
        if isinstance(answers, AsyncGenerator):  # else its places are given up when the garbage is collected
            await answers.aclose()
    return tuple(last[key] for key in KEYS if key in last) + tuple(a for key, a in last.items() if key not in KEYS)


_FAULTS: Final[Mapping[Fault, str]] = {
    Fault.TOO_LONG: "`vraag` is te lang. Gebruik minder woorden.",
    Fault.NO_WORDS: "In `vraag` staat geen letter of cijfer.",
    Fault.BAD_DATE: "`{name}` is geen datum die bestaat. Schrijf een datum als 2026-03-12.",
    Fault.PERIOD_REVERSED: "`tot` ligt voor `van`.",
    Fault.UNKNOWN_KIND: "`soorten` heeft een waarde die niet bestaat.",
    Fault.UNKNOWN_PLATFORM: "`platforms` heeft een waarde die niet bestaat.",
    Fault.UNKNOWN_SORT: "`sorteer` heeft een waarde die niet bestaat.",
    Fault.BAD_PAGE: "`pagina` is geen getal vanaf 1.",
    Fault.TOO_MANY_VALUES: "`{name}` heeft te veel waarden.",
}


def _fault(fault: FieldFault, given: Arguments) -> str:
    """What is wrong with the question, without the words of it."""
    name = next((ours for ours, theirs in _NAMES.items() if theirs == fault.parameter), fault.parameter)
    if fault.fault not in {Fault.AMBIGUOUS_ORGANISATION, Fault.UNKNOWN_ORGANISATION}:
        return _FAULTS.get(fault.fault, "`{name}` heeft een waarde die niet kan.").format(name=name)
    at = next((at for at, value in enumerate(given.get("organisaties", ()), 1) if fault.is_about(value)), 1)
    choices = " of ".join(f"`{one}` ({label})" for one, label in fault.choices)
    if fault.fault is Fault.AMBIGUOUS_ORGANISATION:
        return f"Organisatie nummer {at} kan er meer dan één zijn. Kies: {choices}."
    hint = f"Bedoelt u {choices}?" if choices else "Zoek haar op met `organisaties`."
    return f"Organisatie nummer {at} kennen we niet. {hint}"


def _lines(data: dict[str, Any]) -> Iterator[str]:
    yield data["samenvatting"]
    yield from (*data["opmerkingen"], *data["waarom"])
    if data["weg_te_laten"]:
        yield f"Zoek met een woord minder, zonder een van deze: {', '.join(data['weg_te_laten'])}."
    for one in data["samen"]:
        yield from shared_lines(one)
    for source in data["bronnen"]:
        yield ""
        yield from source_lines(source)
    if data["volgende"]:
        yield f"\nEr is meer: vraag hetzelfde met pagina {data['volgende']['pagina']} en deel {data['volgende']['deel']}."


_OUTPUT: Final = closed(
    {
        "samenvatting": TEXT,
        "opmerkingen": TEXTS,
        "waarom": TEXTS,
        "weg_te_laten": TEXTS,
        "waarschuwingen": TEXTS,
        "samen": many(SHARED),
        "bronnen": many(SOURCE),
        "volgende": maybe(closed({"pagina": COUNT, "deel": COUNT})),
    }
)
SEARCH: Final = Tool(
    name=_TOOL,
    title="Zoeken in alle bronnen",
    description=_DESCRIPTION,
    input_schema=arguments(PROPERTIES),
    output_schema=_OUTPUT,
    run=search,
)
SEARCH_HERE: Final = replace(without(SEARCH, "platforms"), title="Zoeken in deze bron", description=_NARROW_DESCRIPTION)
