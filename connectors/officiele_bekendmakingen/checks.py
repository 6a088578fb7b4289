"""What an operator's check looks at: one sample of each call against what is known about it. Each answers what was seen."""

from __future__ import annotations

from datetime import date
from typing import Final

from connectors.calls import Ask
from connectors.checking import Seen
from connectors.officiele_bekendmakingen.explain import parse_explain
from connectors.officiele_bekendmakingen.links import file_path
from connectors.officiele_bekendmakingen.parse_files import parse_xml
from connectors.officiele_bekendmakingen.parse_search import parse_search
from connectors.officiele_bekendmakingen.requests import (
    Question,
    explain_call,
    file_call,
    quoted,
    record_call,
    search_call,
)
from connectors.records import Sort

KNOWN: Final = "stb-2018-84"
_KNOWN_DAY: Final = date(2018, 1, 1)
_JOURNAL: Final = "Staatsblad"


async def check_indexes(ask: Ask) -> Seen:
    """The indexes that our queries name are still among those that the service lists (field report 35)."""
    explained = (await ask(explain_call(), parse_explain)).value
    held = "onbekend aantal" if explained.records is None else explained.records
    seen = f"{len(explained.indexes)} zoekvelden, {held} publicaties"
    return not explained.missing, f"{seen}, ontbrekend: {', '.join(explained.missing)}" if explained.missing else seen


async def check_search(ask: Ask) -> Seen:
    """A word that is always there finds something, and only of the journal asked for (field reports 8 and 31)."""
    clauses = (f"cql.textAndIndexes={quoted('besluit')}", f"w.publicatienaam=={quoted(_JOURNAL)}")
    page = (await ask(search_call(Question(clauses=clauses), size=5), parse_search)).value
    others = {record.one("publicatienaam") for record in page.records} - {_JOURNAL}
    seen = f"{page.total} resultaten in het {_JOURNAL}"
    if others:
        return False, f"{seen}, ook {', '.join(sorted(others))}"
    return bool(page.records), seen


async def check_period(ask: Ask) -> Seen:
    """A period is applied: the newest before a day was published before it."""
    question = Question(date_until=_KNOWN_DAY, sort=Sort.NEWEST)
    page = (await ask(search_call(question, size=1), parse_search)).value
    days = [day for record in page.records if (day := record.day("available"))]
    seen = f"nieuwste tot {_KNOWN_DAY:%d-%m-%Y}: {days[0]:%d-%m-%Y}" if days else "geen datum"
    return bool(days) and days[0] <= _KNOWN_DAY, seen


async def check_document(ask: Ask) -> Seen:
    """A decree that has been public since 2018 has its record and its text."""
    page = (await ask(record_call(KNOWN), parse_search)).value
    path = next((file_path(record, "xml") for record in page.records if record.identifier == KNOWN), None)
    if path is None:
        return False, f"{KNOWN} heeft geen XML"
    passages = (await ask(file_call(path), parse_xml, KNOWN)).value
    return bool(passages), f"{KNOWN}, {len(passages)} delen tekst"
