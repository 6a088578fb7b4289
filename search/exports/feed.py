"""A search as an Atom feed (RFC 4287). Ids are tag URIs (RFC 4151): the same hit is the same entry for ever.

Nothing in a feed changes while the hits and the states of the platforms stay as they were, so that a reader of feeds hears "not
modified".
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, time
from hashlib import sha256
from typing import Final
from urllib.parse import quote, urlsplit

from lxml import etree

from connectors.moments import AMSTERDAM
from connectors.records import Hit, Moment
from search.exports.gathering import Gathered
from search.present import document_path

MOST_ENTRIES: Final = 100
_ATOM: Final = "http://www.w3.org/2005/Atom"
_SINCE: Final = "2026"  # the year from which the name in the tags is ours
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def feed(gathered: Gathered, site: str) -> bytes:
    """The feed; ``site`` is the address of our own pages."""
    query = gathered.asked.address()
    root = etree.Element(f"{{{_ATOM}}}feed", nsmap={None: _ATOM})
    root.set("{http://www.w3.org/XML/1998/namespace}lang", "nl")
    _text(root, "id", f"{site}/zoeken.atom?{query}")
    _text(root, "title", _title(gathered))
    _text(root, "subtitle", " ".join(("Besluiten uit openbare bronnen, gezocht met BesluitBron.", *gathered.remarks)))
    _text(root, "updated", _moment(max((_when(hit) for hit in gathered.hits), default=_START)))
    _link(root, "self", f"{site}/zoeken.atom?{query}", "application/atom+xml")
    _link(root, "alternate", f"{site}/zoeken?{query}", "text/html")
    _text(etree.SubElement(root, f"{{{_ATOM}}}author"), "name", "BesluitBron")
    for hit in gathered.hits:
        _entry(root, hit, gathered.name(hit.platform), site)
    return etree.tostring(root, xml_declaration=True, encoding="utf-8", pretty_print=True)


def mark(body: bytes) -> str:
    """The entity tag of a feed, by its content."""
    return f'"{sha256(body).hexdigest()[:32]}"'


def _entry(root: etree._Element, hit: Hit, source: str, site: str) -> None:
    entry = etree.SubElement(root, f"{{{_ATOM}}}entry")
    host = urlsplit(site).hostname or "besluitbron"
    _text(entry, "id", f"tag:{host},{_SINCE}:{hit.platform}:{quote(hit.upstream_id, safe=':-._')}")
    _text(entry, "title", hit.title)
    _text(entry, "updated", _moment(_when(hit)))
    if hit.date:
        _text(entry, "published", _moment(_when(hit)))
    _text(etree.SubElement(entry, f"{{{_ATOM}}}author"), "name", hit.organisation or source)
    _link(entry, "alternate", site + document_path(hit.platform, hit.upstream_id), "text/html")
    _link(entry, "via", hit.address, "text/html")
    etree.SubElement(
        entry, f"{{{_ATOM}}}category", term=hit.kind.value, label=_xml(hit.kind_at_source or hit.kind.value)
    )
    _text(entry, "summary", hit.snippet or f"{hit.kind.value} van {hit.organisation}")
    _text(entry, "rights", f"Bron: {source}")


_START: Final = datetime(1970, 1, 1, tzinfo=UTC)


def _when(hit: Hit) -> datetime:
    """The moment of a hit; where its date is unknown one that never changes, so that it does not seem new each time."""
    date: Moment | None = hit.date
    if date is None:
        return _START
    return date.at or datetime.combine(date.day, time(), AMSTERDAM)


def _moment(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _title(gathered: Gathered) -> str:
    typed = gathered.asked.question.typed
    named = ", ".join(organisation.name for organisation in gathered.asked.query.organisations)
    return "BesluitBron: " + (" – ".join(filter(None, (typed, named))) or "alle stukken")


def _xml(text: str) -> str:
    return _NOT_XML.sub("", text)


def _text(parent: etree._Element, name: str, text: str) -> None:
    etree.SubElement(parent, f"{{{_ATOM}}}{name}").text = _xml(text)


def _link(parent: etree._Element, relation: str, address: str, media: str) -> None:
    etree.SubElement(parent, f"{{{_ATOM}}}link", rel=relation, href=_xml(address), type=media)
