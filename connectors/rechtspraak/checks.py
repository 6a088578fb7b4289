"""What an operator's check looks at: one sample of each call against what is known about it. Each answers what was seen."""

from __future__ import annotations

from datetime import date
from typing import Final

from connectors.calls import Ask
from connectors.checking import Seen
from connectors.rechtspraak.ecli import court_code
from connectors.rechtspraak.parse_atom import parse_atom
from connectors.rechtspraak.parse_content import parse_content
from connectors.rechtspraak.parse_website import parse_website
from connectors.rechtspraak.requests import (
    OpenDataQuestion,
    WebsiteQuestion,
    content_call,
    open_data_search_call,
    website_search_call,
)

KNOWN: Final = "ECLI:NL:RBMNE:2016:1780"
_KNOWN_DAY: Final = date(2016, 3, 25)
_SUPREME_COURT: Final = "http://standaarden.overheid.nl/owms/terms/Hoge_Raad_der_Nederlanden"


async def check_content(ask: Ask) -> Seen:
    """A ruling that has been public since 2016 has its text and its date."""
    ruling = (await ask(content_call(KNOWN), parse_content, KNOWN)).value
    seen = f"{KNOWN}, {len(ruling.passages)} delen tekst"
    right = bool(ruling.passages) and ruling.decided == _KNOWN_DAY
    return right, seen if right else f"{seen}, datum {ruling.decided}"


async def check_open_data(ask: Ask) -> Seen:
    """The day of that ruling has decisions, and they are all of that day: the filter is not ignored (field report 8)."""
    page = (await ask(open_data_search_call(OpenDataQuestion(days=(_KNOWN_DAY,), size=1)), parse_atom)).value
    seen = f"{page.total} uitspraken op {_KNOWN_DAY:%d-%m-%Y}"
    days = sorted({row.title.day for row in page.rows if row.title.day} - {_KNOWN_DAY})
    if days:
        return False, f"{seen}, ook van {', '.join(f'{day:%d-%m-%Y}' for day in days)}"
    return bool(page.total), seen


async def check_website(ask: Ask) -> Seen:
    """A word of every ruling, asked of one court: there are results, and all of that court (field reports 8 and 31)."""
    question = WebsiteQuestion(term="arrest", courts=(_SUPREME_COURT,), size=10)
    page = (await ask(website_search_call(question), parse_website)).value
    others = sorted({court_code(row.ecli) for row in page.rows} - {"HR"})
    seen = f"{page.total} resultaten"
    if others or not page.rows:
        return False, f"{seen}, gerechten {', '.join(others) or 'geen'}"
    return True, f"{seen}, alle van de Hoge Raad"
