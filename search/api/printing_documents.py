"""A document as data in the names of the API."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from connectors.archived import ArchivedCopy
from connectors.moments import AMSTERDAM
from connectors.platforms import Platform
from connectors.records import Document, Passage
from search import citations, reference_forms, serialise, texts
from search.document_words import apart, cut_with_rest
from search.present import document_path
from search.serialise import utc
from search.wholeness import PAGES


def document(value: Document, platform: Platform, site: str, now: datetime) -> dict[str, Any]:
    """Everything about a document but its text. ``site`` is the address of our own pages."""
    return {
        "id": value.id,
        "platform": value.platform,
        "bronId": value.upstream_id,
        "titel": value.title,
        "organisatie": value.organisation,
        "organisatieId": value.organisation_id,
        "soort": value.kind.value,
        "soortBijBron": value.kind_at_source,
        "data": [serialise.moment(when) for when in value.dates],
        "samenvatting": value.abstract,
        "tekst": value.text_state.value,
        "delen": [heading(passage) for passage in value.passages],
        "kenmerken": serialise.details(value),
        "verwant": serialise.related(value),
        "stemming": serialise.votes(value.votes),
        "kopie": _copy(value.archived) if value.archived else None,
        "opmerkingen": _remarks(value),
        "opgehaald": utc(value.fetched_at),
        "adres": value.address,
        "origineel": value.original,
        "bladzijde": f"{site}{document_path(value.platform, value.upstream_id)}",
        "verwijzing": _reference(value, platform, now),
    }


def parts(value: Document, page: int, count: int) -> dict[str, Any]:
    """One page of ``count`` parts of the text."""
    shown = value.passages[(page - 1) * count : page * count]
    return {
        "id": value.id,
        "tekst": value.text_state.value,
        "aantal": len(value.passages),
        "pagina": page,
        "volgendePagina": page + 1 if page * count < len(value.passages) else None,
        "delen": [part(passage) for passage in shown],
        "opmerkingen": _remarks(value),
    }


def _remarks(value: Document) -> list[str]:
    """What is to be said of the document and its text, with where the rest is of one that was not read whole."""
    notes = (texts.note(note) for note in value.notes if note.code not in PAGES)
    return list(filter(None, (texts.archived(value.archived), cut_with_rest(value), apart(value), *notes)))


def part(passage: Passage) -> dict[str, Any]:
    """One part with its text."""
    return heading(passage) | {"vorm": passage.form.value, "tekst": passage.text}


def heading(passage: Passage) -> dict[str, Any]:
    """One part without its text."""
    return {
        "nummer": passage.number,
        "kop": passage.heading,
        "isBladzijde": passage.is_page,
        "tekens": len(passage.text),
    }


def _copy(kept: ArchivedCopy) -> dict[str, Any]:
    return {
        "adres": kept.address,
        "datum": kept.made_on.isoformat() if kept.made_on else None,
        "origineelIsWeg": kept.original_gone,
    }


def _reference(value: Document, platform: Platform, now: datetime) -> dict[str, Any]:
    today = now.astimezone(AMSTERDAM).date()
    citation = citations.citation(value, today)
    return {
        "tekst": citation,
        "markdown": reference_forms.markdown(value, citation),
        "bibtex": reference_forms.bibtex(value, platform.name, today),
        "ris": reference_forms.ris(value, platform.name, today),
        "cslJson": reference_forms.csl(value, platform.name, today),
    }
