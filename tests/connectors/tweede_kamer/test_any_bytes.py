"""Whatever bytes come: a value, or a failure with a name. Nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.exceptions import ConnectorError
from connectors.records import Document, Hit
from connectors.tweede_kamer.answers import one_row, rows_of
from connectors.tweede_kamer.hits import hit_of, hit_page
from connectors.tweede_kamer.ids import Entity, key_of
from connectors.tweede_kamer.official import html_passages, xml_passages
from connectors.tweede_kamer.parties import group_page
from connectors.tweede_kamer.plan import make_plan
from connectors.tweede_kamer.vlos import report_passages
from tests.connectors.tweede_kamer.helpers import FETCHED, answer, open_row, pages, sample, words

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
FIELDS = st.sampled_from(
    ["Id", "Nummer", "DocumentNummer", "Soort", "Onderwerp", "Titel", "Datum", "Verwijderd", "Zaak", "Besluit", "Stemming",
     "Document", "DocumentActor", "HuidigeDocumentVersie", "DocumentPublicatie", "Kamerstukdossier", "Verslag", "Tekst",
     "Agendapunt", "Noot", "ActorNaam", "ActorFractie", "FractieGrootte", "BesluitSoort", "Status", "KamerbriefNakoming"]
)  # fmt: skip
ROWS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=6), max_leaves=20
)


@given(st.dictionaries(FIELDS, ROWS, max_size=8), st.sampled_from(Entity))
def test_any_row_is_a_hit_and_a_document_or_none(row: dict[str, Any], entity: Entity) -> None:
    hit = hit_of(row, entity, pages(), FETCHED)
    assert hit is None or (isinstance(hit, Hit) and key_of(hit.upstream_id) is not None and hit.kind_at_source)
    assert isinstance(open_row(row, entity).document, Document)


@given(st.dictionaries(st.sampled_from(["value", "error", "Id", "@odata.count"]), ROWS, max_size=4))
def test_any_json_is_rows_or_a_failure_with_a_name(body: dict[str, Any]) -> None:
    stream = make_plan(words("klimaat")).streams[0]
    for parse in (rows_of, lambda a: one_row(a, "x"), group_page, lambda a: hit_page(a, stream, pages())):
        try:
            parse(answer(body))
        except ConnectorError:
            continue


@pytest.mark.parametrize(
    "name",
    [
        "document_fulltext_kst-36045-299.recorded.xml",
        "verslag_resource_vlos.constructed.xml",
        "document_search_hits.constructed.json",
        "error_503_varnish.constructed.html",
    ],
)
@given(at=st.integers(0, 3000), noise=st.binary(max_size=12))
def test_a_damaged_sample_is_a_value_or_a_failure_with_a_name(name: str, at: int, noise: bytes) -> None:
    body = sample(name)
    damaged = body[:at] + noise + body[at + len(noise) :]
    for parse in (xml_passages, html_passages, lambda b: report_passages(answer(b), "x"), lambda b: rows_of(answer(b))):
        try:
            parse(damaged)
        except ConnectorError:
            continue


@pytest.mark.parametrize("deep", [b"<div>", b"<al>", b"<p><b>", b"<table><tr><td>"])
def test_deep_nesting_costs_neither_the_stack_nor_the_clock(deep: bytes) -> None:
    for body in (b"<html><body>" + deep * 20_000, b"<officiele-publicatie>" + deep * 20_000):
        for parse in (html_passages, xml_passages):
            try:
                parse(body)
            except ConnectorError:
                continue
