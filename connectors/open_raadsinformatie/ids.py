"""The ids of items, and the addresses that belong to them (platform page, sections 3, 6 and 7).

The platform's own number may change when it reads an organisation again; the address of the original file does not. So a file
of which we know how its supplier writes that address gets an id made from it, and is found by it: ``ori_eindhoven:notubiz:
16600412:1`` or ``ori_ede:ibabs:Ede:<uuid>``. Everything else is alias and number: ``ori_eindhoven:7900100``. An id never holds
the time-stamped name of an index.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from connectors.addresses import Addresses, PlatformMode
from connectors.platforms import OPEN_RAADSINFORMATIE

MAX_ID: Final = 200
_MAX_ADDRESS: Final = 2000
_ALIAS = r"(?P<alias>(?:ori|osi|owi)_[a-z0-9][a-z0-9_-]{0,99})"
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_GRAMMAR = re.compile(
    rf"{_ALIAS}:(?:(?P<number>[1-9][0-9]{{0,17}})"
    rf"|notubiz:(?P<document>[1-9][0-9]{{0,17}}):(?P<version>[1-9][0-9]{{0,5}})"
    rf"|ibabs:(?P<site>[A-Za-z0-9_-]{{1,60}}):(?P<uuid>{_UUID}))",
    re.ASCII,
)
_NOTUBIZ = re.compile(r"https://api\.notubiz\.nl/document/([1-9][0-9]{0,17})/([1-9][0-9]{0,5})", re.ASCII)
_IBABS = re.compile(
    rf"https://api1\.ibabs\.eu/publicdownload\.aspx\?site=([A-Za-z0-9_-]{{1,60}})&id=({_UUID})", re.ASCII
)
_INDEX = re.compile(r"(ori|osi|owi)_(?:fixed_)?([a-z0-9][a-z0-9_-]{0,99}?)(?:_([0-9]{14}))?", re.ASCII)
_NUMBER = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ItemId:
    """An id that was checked. Either ``number`` is set, or ``original`` is: the address by which the file is found."""

    text: str
    alias: str
    number: str | None = None
    original: str | None = None


def item_id(value: object) -> ItemId | None:
    """The checked id, or None when ``value`` is none. Takes the exact spelling only; ``canonical`` takes the others."""
    if not isinstance(value, str) or len(value) > MAX_ID:
        return None
    found = _GRAMMAR.fullmatch(value)
    if found is None or index_alias(found["alias"]) != found["alias"]:
        return None
    if found["document"]:
        original = f"https://api.notubiz.nl/document/{found['document']}/{found['version']}"
    elif found["uuid"]:
        original = f"https://api1.ibabs.eu/publicdownload.aspx?site={found['site']}&id={found['uuid']}"
    else:
        return ItemId(value, found["alias"], number=found["number"])
    return ItemId(value, found["alias"], original=original)


def id_of(alias: str, number: str, original: str | None) -> str:
    """The id of an item: by its original file where that can be found again, else by its number."""
    if original and (found := _NOTUBIZ.fullmatch(original)):
        return f"{alias}:notubiz:{found[1]}:{found[2]}"
    if original and (found := _IBABS.fullmatch(original)):
        return f"{alias}:ibabs:{found[1]}:{found[2]}"
    return f"{alias}:{number}"


def index_alias(index: object) -> str | None:
    """The alias of an index by its name: without the time stamp and without the word ``fixed`` (platform page, section 2)."""
    found = _INDEX.fullmatch(index) if isinstance(index, str) else None
    return f"{found[1]}_{found[2]}" if found else None


def index_stamp(index: object) -> str:
    """The time stamp in the name of an index, as 14 digits; empty when there is none."""
    found = _INDEX.fullmatch(index) if isinstance(index, str) else None
    return (found[3] or "") if found else ""


def record_number(value: object) -> str | None:
    """The platform's number of a record, or None when ``value`` is none."""
    return value if isinstance(value, str) and _NUMBER.fullmatch(value) else None


def canonical(text: str) -> str | None:
    """The id for any accepted spelling: as it is, percent-encoded, with blanks or a slash behind, the alias in capitals."""
    text = text.strip()
    if len(text) > _MAX_ADDRESS:
        return None
    if "%" in text:
        text = unquote(text)
    alias, colon, rest = text.strip().removesuffix("/").partition(":")
    supplier, second, tail = rest.partition(":")
    if supplier.lower() == "ibabs":  # the site is written with its capitals, all else is the same in either
        site, third, uuid = tail.partition(":")
        rest = f"ibabs{second}{site}{third}{uuid.lower()}"
    elif supplier.lower() == "notubiz":
        rest = f"notubiz{second}{tail}"
    found = item_id(f"{alias.lower()}{colon}{rest}")
    return found.text if found else None


def cited(addresses: Addresses, upstream_id: str, number: str, for_people: str | None) -> str:
    """The address to cite.

    ``for_people`` is the file or the page at the council; without one it is the platform's address of the record, which holds
    its data. When the stand-ins answer it is our own page.
    """
    if addresses.mode is not PlatformMode.LIVE:
        return addresses.own_page(OPEN_RAADSINFORMATIE, upstream_id)
    return for_people or f"https://id.openraadsinformatie.nl/{number}"
