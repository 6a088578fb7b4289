"""The reference under which a document is cited: body, kind, date, number, address, and the day it was consulted.

Case law follows the order of the Dutch legal guide for authors: court, date, ECLI. What stands in an official series is cited
by its place there, where all of that is known (``search.legal_forms``); else a publication is known by its number, as in
``gmb-2024-216934-n1``.
"""

from __future__ import annotations

from datetime import date

from connectors.archived import ArchivedCopy
from connectors.platforms import OFFICIELE_BEKENDMAKINGEN
from connectors.records import Document, Hit, Kind
from search import texts
from search.legal_forms import legal_form

_CASE_LAW = frozenset({Kind.UITSPRAAK, Kind.CONCLUSIE})


def reference(item: Hit | Document) -> str:
    """The reference of a hit or document, without the day of consulting."""
    when = item.date if isinstance(item, Hit) else next(iter(item.dates), None)
    written = texts.day(when.day) if when else texts.UNKNOWN_DATE
    if item.kind in _CASE_LAW:
        return f"{item.organisation} {written}, {item.upstream_id}"
    form = legal_form(item)
    if form is not None:
        return form.text
    number = f", {item.upstream_id}" if item.platform == OFFICIELE_BEKENDMAKINGEN.key else ""
    return f"{item.organisation}, ‘{item.title}’, {item.kind.value}, {written}{number}, {item.address}{_kept(item.archived)}"


def _kept(copy: ArchivedCopy | None) -> str:
    """The original was named; after it comes that it is gone, where it is, and the kept copy with its date."""
    if copy is None:
        return ""
    gone = " (niet meer beschikbaar)" if copy.original_gone else ""
    made = f" van {texts.day(copy.made_on)}" if copy.made_on else ""
    return f"{gone}, bewaarde kopie{made}: {copy.address}" if copy.address else gone


def citation(document: Document, consulted: date) -> str:
    """The full citation of a document, with its address and the day it was consulted."""
    text = reference(document)
    if document.kind in _CASE_LAW or legal_form(document):
        text += f", {document.address}"
    return f"{text} (geraadpleegd op {texts.day(consulted)})"
