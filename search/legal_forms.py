"""How lawyers cite what stands in an official series: "Kamerstukken II 2023/24, 19637, nr. 3233", "Stcrt. 2024, 12345".

The forms are the usual ones of the Dutch legal guide for authors (Leidraad voor juridische auteurs, 2022). What they are made
of stands in the number of the publication ("kst-19637-3233"), apart from the session of parliament that a paper belongs to,
which the platform must give. Where a part is not known for certain there is no form: half a reference cannot be found by
anybody. Each form leads to its document when it is typed as a question (``search.notations``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from connectors.records import Document, Hit

_OFFICIAL: Final = "publicatie:"
_SENATE: Final = "eerste-kamer"
_JOURNALS: Final = {
    "stcrt": "Stcrt.",
    "stb": "Stb.",
    "trb": "Trb.",
    "gmb": "Gemeenteblad",
    "prb": "Provinciaal blad",
    "wsb": "Waterschapsblad",
    "bgr": "Blad gemeenschappelijke regeling",
}
_JOURNAL: Final = re.compile(rf"({'|'.join(_JOURNALS)})-([12]\d{{3}})-(\d{{1,8}})", re.ASCII)
_PAPER: Final = re.compile(r"kst-(\d{5})(?:-([ivxlc]{1,6}|\d{1,3}))?-(\d{1,5}|[a-z]{1,2})", re.ASCII)
_PROCEEDINGS: Final = re.compile(r"h-(tk|ek)-(\d{4})(\d{4})-(\d{1,3})-(\d{1,3})", re.ASCII)
_ANNEX: Final = re.compile(r"ah-(tk|ek)-(\d{4})(\d{4})-(\d{1,6})", re.ASCII)
_SESSION: Final = re.compile(r"([12]\d{3})\s?[-/]\s?([12]\d{3})", re.ASCII)
_HOUSES: Final = {"tk": "II", "ek": "I"}
_ITEMS_SINCE: Final = 2011
"""In older sessions the second number of proceedings is a page, not an item."""


@dataclass(frozen=True, slots=True)
class LegalForm:
    """A place in an official series: its name, its year or session, and the number in that."""

    series: str
    volume: str
    number: str

    @property
    def text(self) -> str:
        """The whole: "Stb. 2018, 84"."""
        return f"{self.series} {self.volume}, {self.number}"


def legal_form(item: Hit | Document) -> LegalForm | None:
    """The form of an item that stands in an official series; None for all others, and where a part of it is not known."""
    found = [key.removeprefix(_OFFICIAL) for key in item.same_as if key.startswith(_OFFICIAL)]
    if len(found) != 1:
        return None
    (identifier,) = found
    return _journal(identifier) or _proceedings(identifier) or _paper(identifier, item)


def _journal(identifier: str) -> LegalForm | None:
    found = _JOURNAL.fullmatch(identifier)
    return LegalForm(_JOURNALS[found[1]], found[2], found[3]) if found else None


def _proceedings(identifier: str) -> LegalForm | None:
    if found := _ANNEX.fullmatch(identifier):
        volume = _session(found[2], found[3])
        return LegalForm(f"Aanhangsel Handelingen {_HOUSES[found[1]]}", volume, f"nr. {found[4]}") if volume else None
    found = _PROCEEDINGS.fullmatch(identifier)
    if found is None or int(found[2]) < _ITEMS_SINCE or not (volume := _session(found[2], found[3])):
        return None
    return LegalForm(f"Handelingen {_HOUSES[found[1]]}", volume, f"nr. {found[4]}, item {found[5]}")


def _paper(identifier: str, item: Hit | Document) -> LegalForm | None:
    """Papers of the Senate have letters, but had numbers once: then its maker tells the house."""
    found, years = _PAPER.fullmatch(identifier), _SESSION.fullmatch(item.session)
    volume = _session(years[1], years[2]) if years else ""
    if found is None or not volume:
        return None
    dossier, addition, number = found.groups()
    house = "I" if number.isalpha() or item.organisation_id == _SENATE else "II"
    joined = "" if addition is None else f"-{addition}" if addition.isdigit() else f" {addition.upper()}"
    return LegalForm(f"Kamerstukken {house}", volume, f"{dossier}{joined}, nr. {number.upper()}")


def _session(first: str, last: str) -> str:
    """As in "2014/15" and "1999/2000"; empty for what are no two years that follow each other."""
    if int(last) != int(first) + 1:
        return ""
    return f"{first}/{last if last.endswith('00') else last[2:]}"
