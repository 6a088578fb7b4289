"""What the stand-in answers, by path: its data at hand, the pages and files built when they are asked for."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from email.utils import format_datetime
from functools import cache
from typing import Final
from xml.sax.saxutils import escape

from connectors.kamer_corpus import made
from connectors.kamer_corpus.files import pages_of, pdf_of
from connectors.kamer_corpus.rows import Row, Store, store
from connectors.moments import AMSTERDAM, now
from connectors.opentk import standin_data as data
from connectors.opentk import standin_pages as pages
from connectors.opentk.standin_index import Asked, Index, SearchFailedError
from connectors.opentk.standin_items import GIFT, MEMBER, OPEN_DOCUMENTS, REPORT, Item, items
from connectors.opentk.values import moment
from connectors.records import DateMeaning

_LIVE: Final = "https://berthub.eu/tkconv"
_READING: Final = threading.Lock()
_NEWEST: Final = 40
_RSS: Final = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
\t<channel>
\t\t<title>{title}</title>
\t\t<description>{about}</description>
\t\t<link>{live}/</link>
\t\t<generator>OpenTK</generator>
\t\t<lastBuildDate>{at}</lastBuildDate>
{items}\t</channel>
</rss>
"""


@dataclass(frozen=True, slots=True)
class Site:
    """All that is served. Rows by the number by which the platform names them."""

    held: Store
    index: Index
    papers: dict[str, Row]
    cases: dict[str, Row]
    activities: dict[str, Row]
    commitments: dict[str, Row]

    def document(self, number: str) -> str | None:
        """``document.html``."""
        row = self.papers.get(number)
        return pages.document_page(self.held, row) if row else None

    def text(self, number: str) -> str | None:
        """``getdoc``; nothing for a paper of which the file is gone."""
        row = self.papers.get(number)
        if row is None or ("Document", row["Id"]) not in self.held.files:
            return None
        own = made.PAGES.get(row["Id"])
        return pages.text_page(self.held, row, own() if own else None)

    def file(self, number: str) -> tuple[bytes, str] | None:
        """``getraw``: the bytes and their type."""
        row = self.papers.get(number)
        file = self.held.files.get(("Document", row["Id"])) if row else None
        return (file.make(), file.media_type) if file else None

    def case(self, number: str) -> str | None:
        """``zaak.html``."""
        row = self.cases.get(number)
        return pages.case_page(self.held, row) if row else None

    def commitment(self, number: str) -> str | None:
        """``toezegging.html``."""
        row = self.commitments.get(number)
        return pages.commitment_page(self.held, row) if row else None

    def report(self, guid: str) -> str | None:
        """``verslag.html``."""
        return pages.report_page(self.held.tables["Vergadering"][REPORT]) if guid == REPORT else None

    def open(self, name: str) -> str | None:
        """``oo.html``."""
        return next((pages.open_page(one) for one in OPEN_DOCUMENTS if one.id == name), None)

    def open_file(self, name: str) -> bytes | None:
        """``getrawoo``."""
        return next((pdf_of(pages_of(one.text)) for one in OPEN_DOCUMENTS if one.id == name), None)

    def person(self, number: str) -> str | None:
        """``persoon.html``."""
        return pages.person_page(GIFT.number, GIFT.day, GIFT.text) if number == str(MEMBER) else None

    def committees(self) -> str:
        """``commissies.html``: those with a name and an activity."""
        rows = [row for row in self.held.tables["Commissie"].values() if row["NaamNL"]]
        rows.sort(key=lambda row: str(row["NaamNL"]))
        return pages.committees_page(
            (row, data.short_of(self.held, row), data.newest_of(self.held, row)) for row in rows
        )

    def members(self) -> str:
        """``kamerleden.html``."""
        return pages.members_page(sorted(data.seats(self.held), key=lambda seat: (seat[0].casefold(), seat[1])))

    def newest(self) -> str:
        """``index.xml``: the newest papers."""
        found = [one for one in self.index.held.values() if one.category == "Document" and one.number in self.papers]
        return _feed("Hoofd OpenTK feed", "Meest recente kamerdocumenten", found[-_NEWEST:][::-1])

    def search_feed(self, words: str) -> str:
        """``search/index.xml``: papers of a search. Raises ``SearchFailedError``."""
        hits = self.index.search(Asked(words, "alles", two_months=True, now=now()))
        found = [self.index.held[hit["relurl"]] for hit in hits if hit["category"] == "Document"]
        return _feed(f"Zoek RSS naar {words}", f"Documenten gematched door zoekstring {words}", found)


def site() -> Site:
    """The site, made by whoever asks first."""
    with _READING:
        return _site()


@cache
def _site() -> Site:
    held = store("v4/2.0")
    everything = items(held)
    papers = {
        row["DocumentNummer"]: row
        for row in held.tables["Document"].values()
        if not row["Verwijderd"] and row["DocumentNummer"]
    }

    def by_number(entity: str) -> dict[str, Row]:
        return {row["Nummer"]: row for row in held.tables[entity].values() if not row["Verwijderd"] and row["Nummer"]}

    return Site(held, Index.of(everything), papers, by_number("Zaak"), by_number("Activiteit"), by_number("Toezegging"))


def _feed(title: str, about: str, found: list[Item]) -> str:
    entries = "".join(
        f"\t\t<item>\n\t\t\t<title>{escape(one.subject)}</title>\n\t\t\t<description>| {escape(one.subject)}</description>\n"
        f"\t\t\t<link>{_LIVE}/document.html?nummer={one.number}</link>\n\t\t\t<guid>tkconv_{one.number}</guid>\n"
        f"\t\t\t<pubDate>{_rss_moment(one.changed)}</pubDate>\n\t\t</item>\n"
        for one in found
    )
    at = _rss_moment(found[0].changed if found else now().isoformat())
    return _RSS.format(title=escape(title), about=escape(about), live=_LIVE, at=at, items=entries)


def _rss_moment(value: str) -> str:
    found = moment(value, DateMeaning.CHANGE)
    at = found.at if found and found.at else now()
    return format_datetime(at.astimezone(AMSTERDAM))


__all__ = ["Asked", "SearchFailedError", "Site", "site"]
