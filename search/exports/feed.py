"""A search as an Atom feed (RFC 4287). Ids are tag URIs (RFC 4151): the same hit is the same entry for ever.

A feed names when its answers were fetched. Its entity tag is a weak one, over all but that moment (RFC 9110, section 8.8.1): a
reader of feeds hears "not modified" as long as the hits and the states of the platforms stay as they were.

What only looks like what was asked is left out: programs that follow a feed take each entry for news, and show no mark of ours.
"""

from __future__ import annotations

import re
from datetime import datetime
from hashlib import sha256
from typing import Final
from urllib.parse import quote, urlsplit

from lxml import etree

from connectors.moments import AMSTERDAM
from connectors.records import Hit
from search import texts
from search.exports.gathering import START, Gathered, moment_of
from search.present import document_path
from search.same import SameItem
from search.trial import is_ours, told

MOST_ENTRIES: Final = 100
"""Programs fetch a feed again and again: what is new stands on top, and every further page costs each platform a call."""
_ABOUT: Final = "Besluiten uit openbare bronnen, gezocht met BesluitBron."
_ATOM: Final = "http://www.w3.org/2005/Atom"
_SINCE: Final = "2026"  # the year from which the name in the tags is ours
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def feed(gathered: Gathered, site: str) -> bytes:
    """The feed; ``site`` is the address of our own pages."""
    return _written(gathered, site, _fetched(gathered))


def _written(gathered: Gathered, site: str, fetched: str) -> bytes:
    query = gathered.asked.address()
    root = etree.Element(f"{{{_ATOM}}}feed", nsmap={None: _ATOM})
    root.set("{http://www.w3.org/XML/1998/namespace}lang", "nl")
    _text(root, "id", f"{site}/zoeken.atom?{query}")
    _text(root, "title", _title(gathered))
    said = (fetched, *gathered.remarks, gathered.without_alike)
    _text(root, "subtitle", " ".join((_ABOUT, *filter(None, said))))
    _text(root, "updated", _moment(max((moment_of(hit) for hit in gathered.fitting), default=START)))
    _link(root, "self", f"{site}/zoeken.atom?{query}", "application/atom+xml")
    _link(root, "alternate", f"{site}/zoeken?{query}", "text/html")
    _text(etree.SubElement(root, f"{{{_ATOM}}}author"), "name", "BesluitBron")
    for thing in gathered.fitting_things:
        _entry(root, thing, gathered, site)
    return etree.tostring(root, xml_declaration=True, encoding="utf-8", pretty_print=True)


def mark(gathered: Gathered, site: str) -> str:
    """The entity tag of a feed, by all that it says but when that was fetched."""
    return f'W/"{sha256(_written(gathered, site, "")).hexdigest()[:32]}"'


def _fetched(gathered: Gathered) -> str:
    """When the platforms gave what is here: kept answers may be older than the feed."""
    moments = sorted(answer.result.fetched_at for answer in gathered.answers if answer.result)
    said = list(dict.fromkeys(f"{texts.day(at.astimezone(AMSTERDAM).date())}, {texts.clock(at)}" for at in moments))
    if not said:
        return ""
    return f"Opgehaald op {said[0]}." if len(said) == 1 else f"Opgehaald van {said[0]} tot {said[-1]}."


def _entry(root: etree._Element, thing: SameItem[Hit], gathered: Gathered, site: str) -> None:
    hit, source = thing.first, gathered.name(thing.first.platform)
    entry = etree.SubElement(root, f"{{{_ATOM}}}entry")
    host = urlsplit(site).hostname or "besluitbron"
    _text(entry, "id", f"tag:{host},{_SINCE}:{hit.platform}:{quote(hit.upstream_id, safe=':-._')}")
    _text(entry, "title", hit.title)
    _text(entry, "updated", _moment(moment_of(hit)))
    if hit.date:
        _text(entry, "published", _moment(moment_of(hit)))
    _text(etree.SubElement(entry, f"{{{_ATOM}}}author"), "name", hit.organisation or source)
    _link(entry, "alternate", site + document_path(hit.platform, hit.upstream_id), "text/html")
    for one in thing.things:
        if not is_ours(one.address):  # a page of ours is no source
            _link(entry, "via", one.address, "text/html")
    etree.SubElement(
        entry, f"{{{_ATOM}}}category", term=hit.kind.value, label=_xml(hit.kind_at_source or hit.kind.value)
    )
    _text(entry, "summary", hit.snippet or f"{hit.kind.value} van {hit.organisation}")
    also = f"Ook bij {gathered.also_at(thing)}." if thing.is_shared else ""
    differs = (one.warning for one in thing.disagreements)
    _text(entry, "rights", " ".join(filter(None, (f"Bron: {source}.", also, told(source, hit.address), *differs))))


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
