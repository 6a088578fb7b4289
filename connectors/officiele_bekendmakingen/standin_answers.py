"""The answers of the search as the stand-in writes them: XML with the namespaces of the service, JSON in the form once seen."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import Any, Final

from connectors.officiele_bekendmakingen.standin_items import INDEXES, PRODUCT_AREA, Item

_SITE: Final = "https://zoek.officielebekendmakingen.nl"
_REPOSITORY: Final = "https://repository.overheid.nl"
_NAMESPACES: Final = (
    'xmlns:sru="http://docs.oasis-open.org/ns/search-ws/sruResponse" '
    'xmlns:diag="http://docs.oasis-open.org/ns/search-ws/diagnostic" xmlns:gzd="http://standaarden.overheid.nl/sru" '
    'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:overheid="http://standaarden.overheid.nl/owms/terms/" '
    'xmlns:overheidwetgeving="http://standaarden.overheid.nl/wetgeving/" '
    'xmlns:c="http://standaarden.overheid.nl/collectie/" xmlns:cd="http://standaarden.overheid.nl/cup/data"'
)
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SCHEMA: Final = "http://standaarden.overheid.nl/sru/"
_PRECISION: Final = "info:srw/vocabulary/resultCountPrecision/1/estimate"
_PREFIX: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                *("identifier", "title", "language", "type", "creator", "modified"),
                *("available", "date", "subject", "abstract", "publisher", "source"),
            ),
            "dcterms",
        ),
        "authority": "overheid",
        "product-area": "c",
        "content-area": "c",
    }
)
_MANTLE: Final = ("available", "date", "subject", "abstract", "source")
_OWN: Final = (
    "jaargang",
    "vergaderjaar",
    "dossiernummer",
    "ondernummer",
    "dossiertitel",
    "documenttitel",
    "subrubriek",
    "indiener",
    "hoofddocument",
    "aanhangselnummer",
    "handelingenitemnummer",
    "datumVergadering",
    "publicatienummer",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What one answer holds. ``base`` is the stand-in's own address, ``pages`` that of our site."""

    found: tuple[Item, ...]
    total: int
    start: int
    ignored: tuple[str, ...]
    query: str
    base: str
    pages: str

    @property
    def next_start(self) -> int | None:
        """The place of the first record of the next page, when there is one."""
        following = self.start + len(self.found)
        return following if self.found and following <= self.total else None


@dataclass(frozen=True, slots=True)
class _Element:
    name: str
    text: str
    scheme: str = ""


def refusal(uri: str, message: str) -> bytes:
    """What is answered to a query with a fault: 200, a diagnostic, and no count. The prefixes are those recorded."""
    return (
        f'{_HEAD.strip()}<searchRetrieveResponse xmlns="http://docs.oasis-open.org/ns/search-ws/sruResponse" '
        'xmlns:ns3="http://docs.oasis-open.org/ns/search-ws/diagnostic"><version>2.0</version><diagnostics>'
        f"<ns3:diagnostic><ns3:uri>{escape(uri)}</ns3:uri><ns3:message>{_safe(message)}</ns3:message></ns3:diagnostic>"
        "</diagnostics></searchRetrieveResponse>"
    ).encode()


def explanation(held: int) -> bytes:
    """The description of the service: how many records it holds, and the indexes that this stand-in knows."""
    pairs = (index.partition(".") for index in sorted(INDEXES))
    names = "".join(
        f'<zr:index><zr:map><zr:name set="{context}">{escape(name)}</zr:name></zr:map></zr:index>'
        for context, _, name in pairs
    )
    return (
        f'{_HEAD}<sru:explainResponse xmlns:sru="http://docs.oasis-open.org/ns/search-ws/sruResponse"><sru:version>2.0'
        "</sru:version><sru:record><sru:recordSchema>http://explain.z3950.org/dtd/2.0/</sru:recordSchema><sru:recordData>"
        f'<zr:explain xmlns:zr="http://explain.z3950.org/dtd/2.0/"><zr:serverInfo><zr:database numRecs="{held}"/>'
        f"</zr:serverInfo><zr:indexInfo>{names}</zr:indexInfo></zr:explain></sru:recordData></sru:record>"
        "</sru:explainResponse>"
    ).encode()


def as_xml(page: Page) -> bytes:
    """One page of records as XML."""
    records = "".join(_xml_record(item, page, at) for at, item in enumerate(page.found, page.start))
    following = (
        f"<sru:nextRecordPosition>{page.next_start}</sru:nextRecordPosition>" if page.next_start is not None else ""
    )
    told = "".join(
        "<diag:diagnostic><diag:uri>info:srw/diagnostic/1/10</diag:uri>"
        f"<diag:message>SEARCH-IGNOREDQTEXT: {_safe(clause)}</diag:message></diag:diagnostic>"
        for clause in page.ignored
    )
    return (
        f"{_HEAD}<sru:searchRetrieveResponse {_NAMESPACES}><sru:version>2.0</sru:version>"
        f"<sru:numberOfRecords>{page.total}</sru:numberOfRecords><sru:records>{records}</sru:records>{following}"
        f"<sru:resultCountPrecision>{_PRECISION}</sru:resultCountPrecision>"
        f"{f'<sru:diagnostics>{told}</sru:diagnostics>' if told else ''}</sru:searchRetrieveResponse>"
    ).encode()


def as_json(page: Page) -> bytes:
    """The same as JSON: text under ``$`` beside attributes, one value bare and several in a list, numbers as numbers."""
    records = [_json_record(item, page, at) for at, item in enumerate(page.found, page.start)]
    answer: dict[str, Any] = {"version": 2, "numberOfRecords": page.total, "records": {"record": records}}
    if page.next_start is not None:
        answer["nextRecordPosition"] = page.next_start
    if page.ignored:
        answer["diagnostics"] = {
            "diagnostic": [
                {"uri": "info:srw/diagnostic/1/10", "message": f"SEARCH-IGNOREDQTEXT: {clause}"}
                for clause in page.ignored
            ]
        }
    answer["echoedSearchRetrieveRequest"] = {"query": page.query, "startRecord": page.start, "recordSchema": _SCHEMA}
    answer["resultCountPrecision"] = _PRECISION
    return json.dumps({"searchRetrieveResponse": answer}, ensure_ascii=False).encode()


def _core(item: Item) -> Iterator[_Element]:
    yield from (_Element("identifier", text) for text in item.fields["identifier"])
    yield from (_Element("title", text) for text in item.fields["title"])
    yield _Element("language", "nl")
    yield from (_Element("type", text, item.type_scheme) for text in item.fields.get("type", ()))
    yield from (_Element("creator", text, item.creator_scheme) for text in item.fields.get("creator", ()))
    yield from (_Element("modified", text) for text in item.fields.get("modified", ()))
    yield from (_Element("authority", text, item.creator_scheme) for text in item.fields.get("creator", ()))


def _mantle(item: Item) -> Iterator[_Element]:
    for name in _MANTLE:
        yield from (_Element(name, text) for text in item.fields.get(name, ()))
    yield from (_Element("publisher", text, item.creator_scheme) for text in item.fields.get("creator", ()))


def _own(item: Item) -> Iterator[_Element]:
    yield _Element("product-area", PRODUCT_AREA)
    yield _Element("content-area", item.content_area)
    for name in _OWN:
        yield from (_Element(name, text) for text in item.fields.get(name, ()))
    yield from (
        _Element("organisatietype", text, "OVERHEID.Organisatietype") for text in item.fields.get("organisatietype", ())
    )
    yield from (_Element("publicatienaam", text) for text in item.fields.get("publicatienaam", ()))


def _blocks(item: Item) -> dict[str, list[_Element]]:
    return {"owmskern": list(_core(item)), "owmsmantel": list(_mantle(item)), "tpmeta": list(_own(item))}


def _links(item: Item, page: Page) -> tuple[str, list[tuple[str, str]]]:
    """The page to cite and the files. What is made leads to our own pages and files, never to what does not exist."""
    base = page.base if item.is_generated else _REPOSITORY
    own = f"{page.pages}/document/officiele-bekendmakingen/{item.identifier}"
    address = own if item.is_generated else f"{_SITE}/{item.identifier}.html"
    return address, [(name, f"{base}{item.path(name)}") for name in sorted(item.files)]


def _xml_record(item: Item, page: Page, at: int) -> str:
    blocks = "".join(
        f"<overheidwetgeving:{name}>{''.join(map(_xml_element, held))}</overheidwetgeving:{name}>"
        for name, held in _blocks(item).items()
    )
    address, files = _links(item, page)
    urls = "".join(f'<gzd:itemUrl manifestation="{name}">{escape(url)}</gzd:itemUrl>' for name, url in files)
    return (
        f"<sru:record><sru:recordSchema>{_SCHEMA}</sru:recordSchema><sru:recordData><gzd:gzd><gzd:originalData>"
        f"<overheidwetgeving:meta>{blocks}</overheidwetgeving:meta></gzd:originalData><gzd:enrichedData>"
        f"<gzd:url>{escape(files[-1][1])}</gzd:url><gzd:preferredUrl>{escape(address)}</gzd:preferredUrl>{urls}"
        "</gzd:enrichedData></gzd:gzd></sru:recordData>"
        f"<sru:recordPosition>{at}</sru:recordPosition></sru:record>"
    )


def _xml_element(element: _Element) -> str:
    name = f"{_PREFIX.get(element.name, 'overheidwetgeving')}:{element.name}"
    scheme = f' scheme="{escape(element.scheme)}"' if element.scheme else ""
    return f"<{name}{scheme}>{escape(element.text, quote=False)}</{name}>"


def _json_record(item: Item, page: Page, at: int) -> dict[str, Any]:
    address, files = _links(item, page)
    meta = {name: _json_block(held) for name, held in _blocks(item).items()}
    enriched = {
        "url": files[-1][1],
        "preferredUrl": address,
        "itemUrl": [{"manifestation": name, "$": url} for name, url in files],
    }
    return {
        "recordSchema": _SCHEMA,
        "recordPacking": "xml",
        "recordData": {"gzd": {"originalData": {"meta": meta}, "enrichedData": enriched}},
        "recordPosition": at,
    }


def _json_block(elements: list[_Element]) -> dict[str, Any]:
    held: dict[str, list[Any]] = {}
    for element in elements:
        value: Any = {"scheme": element.scheme, "$": element.text} if element.scheme else element.text
        held.setdefault(element.name, []).append(int(value) if isinstance(value, str) and value.isdigit() else value)
    return {name: values[0] if len(values) == 1 else values for name, values in held.items()}


def _safe(text: str) -> str:
    """Text for XML, without the characters that it cannot hold."""
    return escape("".join(c if c.isprintable() else " " for c in text), quote=False)
