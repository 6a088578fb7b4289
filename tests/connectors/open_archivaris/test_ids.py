from __future__ import annotations

import pytest

from connectors.open_archivaris.field_map import proposed, read_field_map
from connectors.open_archivaris.ids import canonical
from connectors.open_archivaris.parse import search_page
from tests.connectors.open_archivaris.support import PROPOSED, field_map, page, reader, row


@pytest.mark.parametrize(
    "text", ["oa-0001", "OA-0001", " oa-0001 ", "oa-0001/", "%6Fa-0001", "oa%2D0001", "Oa-0001\n", "oa-0001%2F"]
)
def test_every_spelling_of_an_id_is_one_id(text: str) -> None:
    assert canonical(text, proposed()) == "oa-0001"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "oa-",
        "oa-1",
        "oa-0001-2",
        "oa-" + "1" * 13,
        "oa-\u0661\u0662\u0663\u0664",
        "x" * 5000,
        "%" * 700,
        "oa-0001%00",
        "../oa-0001",
        "oa-0001?x",
        "ECLI:NL:HR:2024:1",
        "document:notubiz:gemeente:ede:1",
        "ori_ede:1",
        "kst-36410-7",
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert canonical(text, proposed()) is None


def test_a_map_brings_its_own_ids() -> None:
    assert canonical("NL.GM0000.2I.2024.1", field_map("woogle")) == "nl.gm0000.2i.2024.1"
    assert canonical("oa-0001", field_map("woogle")) is None
    assert canonical("nl.a..b", field_map("woogle")) is None


@pytest.mark.parametrize("given", ["..", ".", "../beheer", "a/b", "a\\b", "a b", "a?b", "a#b", "x" * 201, "a\u202eb"])
def test_whatever_a_map_allows_an_id_never_leads_elsewhere(given: str) -> None:
    """An id of a hit is a part of our own address and of the platform's."""
    loose = read_field_map(PROPOSED.replace('"oa-[0-9]{4,12}"', '".+"'))
    assert canonical(given, loose) is None
    assert [hit.upstream_id for hit in search_page(page(row(id=given), row(id="a.b")), reader(loose)).hits] == ["a.b"]
