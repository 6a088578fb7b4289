"""The list of sources and the Laadstatus."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from connectors.exceptions import Defect, NotAnAnswerError
from connectors.load_status import LoadState
from connectors.openbesluitvorming.catalogue import lists, load_status
from connectors.openbesluitvorming.organisations import shipped
from tests.connectors.openbesluitvorming.support import answer, body, good, sample


def test_the_list_of_sources_gives_the_bodies_of_the_shipped_list_and_no_aggregates() -> None:
    found = lists(good("sources"))

    listed = [body for body in shipped() if body.id != "gemeente-land-van-cuijk"]  # in the catalogue since 9 September
    assert sorted(found.organisations, key=lambda each: each.id) == sorted(listed, key=lambda each: each.id)
    assert found.values == ()


def test_a_source_that_came_later_is_there_too() -> None:
    later = {
        "key": "lopik",
        "label": "Lopik",
        "supplier": "notubiz",
        "organizationType": "gemeente",
        "implemented": True,
    }
    found = lists(answer({"sources": [*sample("sources")["sources"], later]}))

    assert len(found.organisations) == 332
    assert found.organisations[-1].id == "gemeente-lopik"


ALL_OF_EDE = {"key": "all_ede", "label": "Alles", "organizationType": "gemeente", "isAggregate": True}


@pytest.mark.parametrize(
    "odd", [None, 5, {}, ALL_OF_EDE, {"key": "x"}, {"key": 5, "organizationType": "gemeente", "label": "X"}]
)
def test_an_odd_source_is_left_out(odd: Any) -> None:
    ede = {"key": "ede", "label": "Ede", "organizationType": "gemeente"}

    assert lists(answer({"sources": [odd, ede]})).organisations == (body("gemeente-ede"),)


@pytest.mark.parametrize(
    "sources", [[], None, {}, [{"key": "all_ibabs", "label": "Alle", "organizationType": "verzameling"}]]
)
def test_a_list_without_bodies_is_no_answer(sources: Any) -> None:
    """Field report 34: good data is never replaced by nothing."""
    with pytest.raises(NotAnAnswerError) as failure:
        lists(answer({"sources": sources}))

    assert failure.value.defect is Defect.WRONG_SHAPE


def test_the_laadstatus_tells_of_each_source_when_it_was_read() -> None:
    found = load_status(good("status"))
    by_key = {state.key: state for state in found.organisations}

    assert found.generated_at == datetime(2026, 9, 13, 9, 0, tzinfo=UTC)
    assert list(by_key) == [source["sourceKey"] for source in sample("status")["sources"]]
    assert by_key["texel"] == LoadState(
        key="texel",
        label="Gemeente Texel",
        state="failing",
        last_success=datetime(2026, 9, 8, 15, 34, 31, 491_000, tzinfo=UTC),
        last_content=datetime(2026, 9, 24, tzinfo=UTC),
        documents=5890,
    )
    assert by_key["weesp"] == LoadState(
        key="weesp",
        label="Gemeente Weesp",
        state="discontinued",
        last_content=datetime(2022, 7, 12, tzinfo=UTC),
        documents=5210,
    )
    assert by_key["uitgeest"] == LoadState("uitgeest", "Gemeente Uitgeest", "never_imported")
    assert by_key["waterschap_limburg"].label == "Waterschap Limburg"


def test_the_laadstatus_tells_of_each_supplier() -> None:
    """Field report 17."""
    found = load_status(good("status_supplier_down_index_unavailable"))

    assert [(state.key, state.label, state.state) for state in found.suppliers] == [
        ("gemeenteoplossingen", "GemeenteOplossingen", "ok"),
        ("ibabs", "iBabs", "down"),
        ("notubiz", "Notubiz", "ok"),
        ("parlaeus", "Parlaeus", "idle"),
    ]
    assert found.suppliers[1].last_success == datetime(2026, 8, 5, 23, 14, 2, 118_000, tzinfo=UTC)


def test_without_a_look_into_the_index_there_are_no_counts() -> None:
    found = load_status(good("status_supplier_down_index_unavailable"))

    assert {(state.last_content, state.documents) for state in found.organisations} == {(None, None)}
    assert {state.key: state.state for state in found.organisations} == {
        "amsterdam": "ok",
        "boxmeer": "discontinued",
        "dongen": "not_implemented",
        "ermelo": "ok",
        "houten": "failing",
        "waterschap_limburg": "failing",
        "schagen": "stale",
        "texel": "failing",
        "uitgeest": "never_imported",
        "weesp": "discontinued",
    }


@pytest.mark.parametrize(
    "changes",
    [{"generatedAt": None}, {"generatedAt": "gisteren"}, {"sources": []}, {"sources": [{}]}, {"sources": None}],
)
def test_a_status_without_its_moment_or_its_sources_is_no_answer(changes: dict[str, Any]) -> None:
    with pytest.raises(NotAnAnswerError) as failure:
        load_status(answer(sample("status") | changes))

    assert failure.value.defect is Defect.WRONG_SHAPE


@pytest.mark.parametrize("suppliers", [None, 5, [None, {}, {"supplier": "ibabs"}]])
def test_odd_suppliers_are_left_out(suppliers: Any) -> None:
    assert load_status(answer(sample("status") | {"suppliers": suppliers})).suppliers == ()


def test_a_source_of_a_kind_we_do_not_know_keeps_its_label() -> None:
    sources = [{"sourceKey": "ijmond", "label": "IJmond", "state": "ok", "organizationType": "omgevingsdienst"}]
    found = load_status(answer(sample("status") | {"sources": sources}))

    assert found.organisations == (LoadState("ijmond", "IJmond", "ok"),)
