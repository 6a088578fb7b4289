"""``waardelijsten``: the fixed lists of platforms, such as committees, areas of law and registers, as they are kept here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from assistants.arguments import BadArgumentsError, fold, meant
from assistants.printing.quoting import quoted, written
from assistants.printing.schemas import (
    COUNT,
    FLAG,
    KEYS,
    MAYBE_COUNT,
    MAYBE_MOMENT,
    MAYBE_TEXT,
    PLATFORM,
    TEXT,
    arguments,
    closed,
    many,
    maybe,
)
from assistants.tool import Arguments, Outcome, Tool, Visit, without
from assistants.tools.loading import unreadable
from connectors.records import ListItem
from search import serialise
from search.kept import KeptList, KeptUnreadableError

_TOOL: Final = "waardelijsten"
_AT_ONCE: Final = 100
_DESCRIPTION: Final = (
    "Geeft de vaste lijsten van een bron: commissies, fracties, personen, rechtsgebieden, registers en soorten "
    "stukken, in haar eigen woorden. Zonder `lijst` ziet u welke lijsten er zijn en hoe oud; met `lijst` de regels,"
    " met `bevat` alleen die met dat woord. Goedkoop: leest wat wij bewaarden, vraagt geen bron."
)


async def show_lists(given: Arguments, visit: Visit) -> Outcome:
    """The lists there are, or the rows of one. Raises ``ToolFailedError``."""
    platforms = [given["platform"]] if "platform" in given else list(visit.platforms)
    wanted, rows = None, list[ListItem]()
    try:
        lists = await visit.kept.lists(platforms)
        if "lijst" in given:
            wanted = _one(given["lijst"], lists)
            rows = [row for row in await visit.kept.rows(wanted.platform, wanted.name) if _holds(row, given)]
    except KeptUnreadableError as failure:
        raise unreadable() from failure
    page = given.get("pagina", 1)
    data = {
        "melding": _message(lists, rows, wanted, page),
        "lijsten": [_list_data(one) for one in ([wanted] if wanted else lists)],
        "regels": [_row_data(row) for row in rows[(page - 1) * _AT_ONCE : page * _AT_ONCE]] if wanted else None,
        "aantal": len(rows) if wanted else None,
        "volgendePagina": page + 1 if wanted and page * _AT_ONCE < len(rows) else None,
    }
    return Outcome(data=data, text=written(list(_lines(data))))


def _one(name: str, lists: Sequence[KeptList]) -> KeptList:
    """The list with this name. Raises ``BadArgumentsError`` when there is none, or one at several platforms."""
    found = [one for one in lists if fold(one.name) == fold(name)]
    if len(found) == 1:
        return found[0]
    if found:
        places = " of ".join(f"`{one.platform}`" for one in found)
        raise BadArgumentsError(_TOOL, [f"Meer bronnen hebben een lijst die zo heet. Kies met `platform`: {places}."])
    names = list(dict.fromkeys(one.name for one in lists))
    known = (
        f"Er zijn: {', '.join(f'`{one}`' for one in names)}." if names else "Er zijn hier nog geen lijsten opgehaald."
    )
    raise BadArgumentsError(_TOOL, [f"Zo'n `lijst` is er niet. {meant(name, names)} {known}".replace("  ", " ")])


def _holds(row: ListItem, given: Arguments) -> bool:
    word = fold(given.get("bevat", ""))
    return not word or word in fold(row.name) or word in fold(row.identifier)


def _message(lists: Sequence[KeptList], rows: Sequence[ListItem], wanted: KeptList | None, page: int) -> str:
    if not lists:
        return "Van deze bron zijn hier nog geen lijsten bewaard. Die komen kort na de start van BesluitBron."
    if wanted is None:
        return ""
    if not rows:
        return "In deze lijst staat niets dat hierbij past."
    return "Zo ver gaat de lijst niet. Vraag een eerdere pagina." if (page - 1) * _AT_ONCE >= len(rows) else ""


def _list_data(one: KeptList) -> dict[str, Any]:
    return {
        "platform": one.platform,
        "lijst": one.name,
        "aantal": one.number,
        "vanDeBron": one.from_platform,
        "opgehaald": serialise.utc(one.fetched_at) if one.fetched_at else None,
        "laatsteFout": one.failure,
    }


def _row_data(row: ListItem) -> dict[str, Any]:
    return {"kenmerk": row.identifier, "naam": row.name, "hoortBij": row.parent}


def _lines(data: dict[str, Any]) -> Iterator[str]:
    if data["melding"]:
        yield data["melding"]
    for one in data["lijsten"]:
        since = f"opgehaald {one['opgehaald']}" if one["opgehaald"] else "meegeleverd, niet van de bron zelf"
        trouble = f" Laatste verversing mislukte: {one['laatsteFout']}" if one["laatsteFout"] else ""
        yield f"- {one['platform']}: `{one['lijst']}`, {one['aantal']} regels, {since}.{trouble}"
    for row in data["regels"] or ():
        above = f" (hoort bij {quoted(row['hoortBij'])})" if row["hoortBij"] else ""
        yield f"- {quoted(row['naam'])}: {quoted(row['kenmerk'])}{above}"
    if data["volgendePagina"]:
        yield f"Er zijn er {data['aantal']}: vraag `pagina` {data['volgendePagina']}."


_OUTPUT: Final = closed(
    {
        "melding": TEXT,
        "lijsten": many(
            closed(
                {
                    "platform": PLATFORM,
                    "lijst": TEXT,
                    "aantal": COUNT,
                    "vanDeBron": FLAG,
                    "opgehaald": MAYBE_MOMENT,
                    "laatsteFout": TEXT,
                }
            )
        ),
        "regels": maybe(many(closed({"kenmerk": TEXT, "naam": TEXT, "hoortBij": MAYBE_TEXT}))),
        "aantal": MAYBE_COUNT,
        "volgendePagina": MAYBE_COUNT,
    }
)
_PROPERTIES: Final[dict[str, Any]] = {
    "platform": {"type": "string", "enum": KEYS},
    "lijst": {"type": "string", "minLength": 1, "maxLength": 80},
    "bevat": {"type": "string", "maxLength": 100},
    "pagina": {"type": "integer", "minimum": 1, "maximum": 1000},
}
LISTS: Final = Tool(
    name=_TOOL,
    title="Waardelijsten",
    description=_DESCRIPTION,
    input_schema=arguments(_PROPERTIES),
    output_schema=_OUTPUT,
    run=show_lists,
)
LISTS_HERE: Final = without(LISTS, "platform")
