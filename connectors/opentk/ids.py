"""The ids of this platform: numbers as the Tweede Kamer gives them, and a word with an id where there is no number (section 2).

Every hit names the page that it stands on (``relurl``); that address and the id lead to each other and back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

from connectors.kamer_ids import COMMITMENT, GUID, NUMBER
from connectors.sameness import kamer_key


class Thing(StrEnum):
    """What can be opened here. The values stand in front of an id that is no number."""

    DOCUMENT = "document"
    CASE = "zaak"
    ACTIVITY = "activiteit"
    REPORT = "verslag"
    COMMITMENT = "toezegging"
    OPEN = "oo"
    GIFT = "geschenk"


_LETTERS: Final = {"D": Thing.DOCUMENT, "Z": Thing.CASE, "A": Thing.ACTIVITY}
_REPORT: Final = re.compile(rf"verslag:({GUID})", re.ASCII)
_OPEN: Final = re.compile(r"oo:([a-z]{2,12}-[0-9a-f]{32})", re.ASCII)
_GIFT: Final = re.compile(rf"geschenk:([1-9][0-9]{{0,8}}):({GUID})", re.ASCII)
_HOSTS: Final = frozenset({"berthub.eu", "www.berthub.eu", "opentk.nl", "www.opentk.nl"})
_FILES: Final = re.compile(r"(?:get|getdoc|getraw)/([^/]+)")
_PAGES: Final = {
    "document.html": "nummer",
    "zaak.html": "nummer",
    "activiteit.html": "nummer",
    "toezegging.html": "nummer",
    "verslag.html": "vergaderingid",
    "oo.html": "nummer",
}
_LONGEST: Final = 500


@dataclass(frozen=True, slots=True)
class Key:
    """Where an id leads. ``name`` is the number or id at the platform; ``person`` the number of who got a gift."""

    thing: Thing
    name: str
    person: str = ""

    @property
    def upstream_id(self) -> str:
        """The canonical id."""
        match self.thing:
            case Thing.GIFT:
                return f"geschenk:{self.person}:{self.name}"
            case Thing.REPORT | Thing.OPEN:
                return f"{self.thing.value}:{self.name}"
            case _:
                return self.name

    @property
    def page(self) -> str:
        """The page of it, below the platform's address."""
        match self.thing:
            case Thing.GIFT:
                return f"persoon.html?nummer={self.person}#{self.name}"
            case Thing.REPORT:
                return f"verslag.html?vergaderingid={self.name}"
            case Thing.OPEN:
                return f"oo.html?nummer={quote(self.name)}"
            case _:
                return f"{self.thing.value}.html?nummer={self.name}"


def key_of(text: str) -> Key | None:
    """The key for an id in its canonical form or in another case; None for anything else."""
    upper, lower = text.upper(), text.lower()
    if found := NUMBER.fullmatch(upper):
        return Key(_LETTERS[found[1]], upper)
    if COMMITMENT.fullmatch(upper):
        return Key(Thing.COMMITMENT, upper)
    if found := _REPORT.fullmatch(lower):
        return Key(Thing.REPORT, found[1])
    if found := _OPEN.fullmatch(lower):
        return Key(Thing.OPEN, found[1])
    if found := _GIFT.fullmatch(lower):
        return Key(Thing.GIFT, found[2], found[1])
    return None


def canonical(text: str) -> str | None:
    """The id for any accepted spelling: other case, percent-encoded, or the address of a page of this platform."""
    if len(text) > _LONGEST:
        return None
    plain = unquote(text).strip()
    key = key_of(plain) or _of_address(plain)
    return key.upstream_id if key else None


def of_link(link: str) -> Key | None:
    """Where a link on a page or in a hit leads, relative to the platform's address; None for any other."""
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return None
    page = parts.path.removeprefix("./").lstrip("/")
    if found := _FILES.fullmatch(page):
        return key_of(found[1])
    query = parse_qs(parts.query)
    if page == "persoon.html":
        return key_of(f"geschenk:{query.get('nummer', [''])[0]}:{parts.fragment}")
    parameter = _PAGES.get(page)
    if parameter is None:
        return None
    name = query.get(parameter, [""])[0].strip()
    return key_of(name) or key_of(f"{page.removesuffix('.html')}:{name}")


def same_as(key: Key) -> tuple[str, ...]:
    """The keys of a thing at other platforms: its number at the Tweede Kamer. Gifts and what others publish have none there."""
    match key.thing:
        case Thing.GIFT | Thing.OPEN:
            return ()
        case Thing.REPORT:
            return (kamer_key(f"vergadering:{key.name}"),)
        case _:
            return (kamer_key(key.name),)


def _of_address(text: str) -> Key | None:
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or host not in _HOSTS:
        return None
    path = parts.path.removeprefix("/tkconv")
    return of_link(parts._replace(scheme="", netloc="", path=path.lstrip("/")).geturl())
