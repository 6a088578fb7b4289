"""The reference under which a document is cited: body, kind, date, number, address, and the day it was consulted.

Case law follows the order of the Dutch legal guide for authors: court, date, ECLI.
"""

from __future__ import annotations

from datetime import date

from connectors.records import Document, Hit, Kind
from search import texts

_CASE_LAW = frozenset({Kind.UITSPRAAK, Kind.CONCLUSIE})


def reference(item: Hit | Document) -> str:
    """The reference of a hit or document, without the day of consulting."""
    when = item.date if isinstance(item, Hit) else next(iter(item.dates), None)
    written = texts.day(when.day) if when else texts.UNKNOWN_DATE
    if item.kind in _CASE_LAW:
        return f"{item.organisation} {written}, {item.upstream_id}"
    return f"{item.organisation}, ‘{item.title}’, {item.kind.value}, {written}, {item.address}"


def citation(document: Document, consulted: date) -> str:
    """The full citation of a document, with its address and the day it was consulted."""
    text = reference(document)
    if document.kind in _CASE_LAW:
        text += f", {document.address}"
    return f"{text} (geraadpleegd op {texts.day(consulted)})"
