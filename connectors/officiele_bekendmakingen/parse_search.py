"""The answer to a search, in XML or in JSON (platform page, section 4): bytes in, records out.

Nothing but our own failures comes out. Any diagnostic is a failure, also beside records: the service then left a clause out
and answered too widely. An answer without a count is how it says that it was asked too much.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from lxml import etree

from connectors.bodies import json_object
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.officiele_bekendmakingen.elements import KEY, descend, line_of, one_line, root_of
from connectors.officiele_bekendmakingen.failures import diagnostics, require_search_answer, throttled
from connectors.officiele_bekendmakingen.ids import is_canonical
from connectors.xml_elements import attribute, children, day_of, first, local

MOST_RECORDS: Final = 1000
_MOST_VALUES: Final = 200
_MOST_DIGITS: Final = 12
_BLOCKS: Final = ("owmskern", "owmsmantel", "tpmeta")
_EXACT: Final = "exact"
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a record, with the scheme it comes from."""

    text: str
    scheme: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One publication as the search gives it. ``values`` are by element name; ``files`` are addresses by manifestation."""

    identifier: str
    values: Mapping[str, tuple[Value, ...]] = field(repr=False)
    files: Mapping[str, str]
    address: str

    def all(self, name: str) -> tuple[str, ...]:
        """The texts of an element, in order."""
        return tuple(value.text for value in self.values.get(name, ()))

    def one(self, name: str) -> str:
        """The first text of an element; empty when there is none."""
        return next(iter(self.all(name)), "")

    def day(self, name: str) -> date | None:
        """The day in an element."""
        return day_of(self.one(name))


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page. ``received`` counts the records as they came, ``left_out`` those without a usable id.

    ``is_exact``: the service says so of its count; it was only ever seen to call it an estimate.
    """

    records: tuple[Record, ...]
    total: int
    is_exact: bool
    received: int
    left_out: int
    has_next: bool


def parse_search(answer: Answer) -> SearchPage:
    """The page of records in an answer. Raises ``OverLimitError``, ``RefusedError``, ``NotAnAnswerError``."""
    require_search_answer(answer)
    if answer.body.removeprefix(_BOM).lstrip()[:1] == b"{":
        return _from_json(answer)
    return _from_xml(answer)


def _from_xml(answer: Answer) -> SearchPage:
    root = root_of(answer.body)
    for element in islice(root.iter(), 4_000_000):
        if local(element) == "diagnostic":
            raise diagnostics(line_of(first(element, "uri")), line_of(first(element, "message")))
    if local(root) != "searchRetrieveResponse":
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "root")
    counted = first(root, "numberOfRecords")
    if counted is None:
        raise throttled(answer)
    holder = first(root, "records")
    found = list(islice(children(holder, "record"), MOST_RECORDS + 1)) if holder is not None else []
    records = [record for element in found if (record := _record_of_xml(element))]
    return _page(
        records,
        len(found),
        _count(line_of(counted)),
        line_of(first(root, "resultCountPrecision")),
        has_next=first(root, "nextRecordPosition") is not None,
    )


def _record_of_xml(record: etree._Element) -> Record | None:
    gzd = descend(record, "recordData", "gzd")
    if gzd is None:
        return None
    meta = descend(gzd, "originalData", "meta")
    values: dict[str, list[Value]] = {}
    for block in _BLOCKS:
        held_in = descend(meta, block) if meta is not None else None
        for element in held_in if held_in is not None else ():
            name = local(element)
            held = values.setdefault(name, [])
            if name and len(held) < _MOST_VALUES and (text := line_of(element)):
                held.append(Value(text, attribute(element, "scheme")))
    enriched = first(gzd, "enrichedData")
    files: dict[str, str] = {}
    address = ""
    if enriched is not None:
        address = line_of(first(enriched, "preferredUrl"))
        for item in islice(children(enriched, "itemUrl"), _MOST_VALUES):
            files.setdefault(attribute(item, "manifestation"), line_of(item))
    return _record(values, files, address)


def _from_json(answer: Answer) -> SearchPage:
    envelope = json_object(KEY, answer)
    root = _dict(envelope.get("searchRetrieveResponse"))
    found_diagnostics = _dict(root.get("diagnostics") or envelope.get("diagnostics"))
    if found_diagnostics:
        told = next((_dict(item) for item in _list(found_diagnostics.get("diagnostic"))), {})
        raise diagnostics(_text(told.get("uri")), _text(told.get("message")))
    if not root:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "searchRetrieveResponse")
    if root.get("numberOfRecords") is None:
        raise throttled(answer)
    found = _list(_dict(root.get("records")).get("record"))
    records = [record for item in found[: MOST_RECORDS + 1] if (record := _record_of_json(item))]
    return _page(
        records,
        len(found),
        _count(_text(root["numberOfRecords"])),
        _text(root.get("resultCountPrecision")),
        has_next=root.get("nextRecordPosition") is not None,
    )


def _record_of_json(item: Any) -> Record | None:
    gzd = _dict(_dict(_dict(item).get("recordData")).get("gzd"))
    meta = _dict(_dict(gzd.get("originalData")).get("meta"))
    values: dict[str, list[Value]] = {}
    for block in _BLOCKS:
        for name, held in _dict(meta.get(block)).items():
            for value in _list(held)[:_MOST_VALUES]:
                if text := one_line(_text(value)):
                    values.setdefault(name, []).append(Value(text, _of_json(value, "scheme")))
    enriched = _dict(gzd.get("enrichedData"))
    files: dict[str, str] = {}
    for value in _list(enriched.get("itemUrl"))[:_MOST_VALUES]:
        files.setdefault(_of_json(value, "manifestation"), _text(value))
    return _record(values, files, _text(enriched.get("preferredUrl")))


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    """A value as text: numbers come as numbers, and text beside attributes stands under ``$``."""
    if isinstance(value, dict):
        value = value.get("$")
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _of_json(value: Any, name: str) -> str:
    """An attribute: the one real answer writes its name bare, a client was seen to read it with an @."""
    held = _dict(value)
    return _text(held.get(name, held.get(f"@{name}")))


def _record(values: dict[str, list[Value]], files: dict[str, str], address: str) -> Record | None:
    identifier = next((value.text for value in values.get("identifier", ())), "")
    if not is_canonical(identifier):
        return None
    return Record(
        identifier=identifier,
        values=MappingProxyType({name: tuple(held) for name, held in values.items()}),
        files=MappingProxyType({name: url for name, url in files.items() if name and url}),
        address=address,
    )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > _MOST_DIGITS:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "numberOfRecords")
    return int(text)


def _page(records: list[Record], received: int, total: int, precision: str, *, has_next: bool) -> SearchPage:
    if received > MOST_RECORDS:
        raise NotAnAnswerError(KEY, Defect.TOO_LARGE, "records")
    return SearchPage(
        records=tuple(records),
        total=total,
        is_exact=precision.rpartition("/")[2].lower() == _EXACT,
        received=received,
        left_out=received - len(records),
        has_next=has_next,
    )
