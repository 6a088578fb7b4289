"""Keys that one thing has at every platform that holds it: the number its supplier or maker gave, and where its file stands.

Two hits with a key in common are the same thing. A key is whole: nothing is ever found by a part of it (field report 43), and a
title is never one. A supplier's number is a key together with the body, because councils are numbered apart.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, quote, urlsplit

from connectors.addresses import web_address
from connectors.kamer_ids import COMMITMENT, GUID, NUMBER

_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ESCAPED: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_SLASHES: Final = re.compile(r"/{2,}")
_TRACKING: Final = re.compile(r"(?:utm|pk|mtm|piwik)_[a-z_]+|fbclid|gclid|msclkid|mc_cid|mc_eid")
_PLACE_IN_FILE: Final = re.compile(r"(?:page|pagina|deel|p)[=-]?[0-9]*|search=.*", re.IGNORECASE)
_PORTS: Final = {"http": 80, "https": 443}
_NOTUBIZ: Final = re.compile(r"api\.notubiz\.nl/document/([1-9][0-9]{0,17})(?:/[0-9]+)?")
_RESOLVED: Final = "api.openraadsinformatie.nl/v1/resolve/"
_IBABS: Final = re.compile(rf"api1?\.ibabs\.eu/publicdownload\.aspx\?(?:.*&)?id=({GUID})(?:&.*)?", re.IGNORECASE)
_OFFICIAL: Final = re.compile(
    r"(?:zoek\.officielebekendmakingen\.nl/([A-Za-z][\w-]*-[\w-]+)(?:\.(?:html|pdf|xml|odt))?"
    r"|repository\.overheid\.nl/frbr/officielepublicaties/[^/?]+/[^/?]+/([A-Za-z][\w-]*-[\w-]+)(?:/.*)?)",
    re.ASCII,
)
_KAMER: Final = re.compile(  # parameters are in order by now: a paper (did) comes before its case (id)
    r"tweedekamer\.nl/(?:kamerstukken/[a-z/_]*detail|downloads/document)\?(?:.*?&)??(?:did|id)=([^&]+)(?:&.*)?"
)


def supplier_key(supplier: str, collection: str, body: str, native: str) -> str:
    """Of what a council numbers. ``collection``: document, meeting or motion; ``body``: the register id of the council."""
    return f"raad:{supplier}:{collection}:{body}:{native.lower()}"


def kamer_key(number: str) -> str:
    """Of what the Tweede Kamer numbers ("2026D45064"), or of a row without number: "vergadering:" and its GUID."""
    return f"kamer:{number.lower()}"


def official_key(identifier: str) -> str:
    """Of an official publication ("kst-36045-299"), whose ids differ in case here and there."""
    return f"publicatie:{identifier.lower()}"


def address_keys(address: str | None, body: str | None) -> tuple[str, ...]:
    """The keys of a file by its address: what the address says it is, where we know how it is written, and the address itself.

    ``body`` is the register id of the body whose file it is. None for no address, one that is none, or a whole site.
    """
    plain = normalised(address)
    if plain is None:
        return ()
    return tuple(dict.fromkeys((*_told_by(plain, body), f"adres:{plain}")))


def normalised(address: str | None) -> str | None:
    """An address without what makes no difference: scheme, "www.", case of the host, order and tracking of its parameters.

    "HTTPS://www.Ede.nl:443/a%7Eb//c/?utm_source=x" → "ede.nl/a~b/c". None for what is no address, and for a bare host: that is
    a site, not a file.
    """
    if web_address(address) is None or address is None:
        return None
    return _plain(address)


@lru_cache(maxsize=2048)  # the same results are read again for whoever asks the same
def _plain(address: str) -> str | None:
    """The plain form of what is an address."""
    parts = urlsplit(address)
    host = _host(parts)
    path = _SLASHES.sub("/", _escapes(parts.path)).rstrip("/")
    query = "&".join(sorted(_parameters(parts.query)))
    if host is None or not (path or query):
        return None
    # A part of a page may be the thing itself (an item of an agenda); a page of a file is not.
    fragment = parts.fragment if parts.fragment and not _PLACE_IN_FILE.fullmatch(parts.fragment) else ""
    return f"{host}{path}{f'?{query}' if query else ''}{f'#{fragment}' if fragment else ''}"


def _told_by(plain: str, body: str | None) -> tuple[str, ...]:
    """The keys that an address in its plain form tells, where we know how its supplier or maker writes addresses."""
    plain = plain.removeprefix(_RESOLVED)
    if body and (found := _NOTUBIZ.fullmatch(plain)):
        return (supplier_key("notubiz", "document", body, found[1]),)
    if body and (found := _IBABS.fullmatch(plain)):
        return (supplier_key("ibabs", "document", body, found[1]),)
    if found := _OFFICIAL.fullmatch(plain):
        return (official_key(found[1] or found[2]),)
    if (found := _KAMER.fullmatch(plain)) and _is_number(found[1].upper()):
        return (kamer_key(found[1]),)
    return ()


def _is_number(text: str) -> bool:
    return bool(NUMBER.fullmatch(text) or COMMITMENT.fullmatch(text))


def _host(parts: SplitResult) -> str | None:
    try:
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").removeprefix("www.").rstrip(".")
    return host if port in {None, _PORTS.get(parts.scheme)} else f"{host}:{port}"


def _escapes(text: str) -> str:
    """Escapes of plain characters undone, all others in capitals; what should have been escaped is."""

    def one(found: re.Match[str]) -> str:
        character = chr(int(found[1], 16))
        return character if character in _UNRESERVED else found[0].upper()

    return quote(_ESCAPED.sub(one, text), safe="/%:@!$&'()*+,;=")


def _parameters(query: str) -> list[str]:
    """The parameters that say what is asked for. They are not decoded: what is no UTF-8 would all become the same."""
    found = (part.partition("=") for part in query.replace("+", "%20").split("&"))
    kept = ((_escapes(name).lower(), _escapes(value)) for name, _, value in found if name)
    return [f"{name}={value}" for name, value in kept if not _TRACKING.fullmatch(name)]
