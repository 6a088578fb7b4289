"""What a request costs, and that each way of counting is told to who asks for a contract (choice A3)."""

from __future__ import annotations

from typing import Any

import pytest

from admission.asked import Asked
from admission.discovery import _COSTS
from admission.operations import Operations
from besluitbron.admission import route_at
from besluitbron.edge import units
from besluitbron.work import WORK
from throttling.work import Cost


@pytest.mark.parametrize(
    ("tool", "arguments", "cost"),
    [
        ("organisaties", {"naam": "ede"}, 1),
        ("organisaties", {"naam": "gemeente-ede", "jaren": True}, 14),
        ("organisaties", {"naam": "gemeente-ede", "jaren": False}, 1),
        ("waardelijsten", {}, 1),
        ("zoek", {"vraag": "x", "platforms": ["opentk"]}, 1),
        ("zoek", {"vraag": "x"}, 7),
        ("rapport_stand", {"nummer": "x"}, 1),
        ("meld_fout", {}, 1),
        ("rapport_aanvragen", {"vraag": "x"}, 60),
    ],
)
def test_a_call_costs_the_questions_that_it_leads_to(tool: str, arguments: dict[str, Any], cost: int) -> None:
    operation = Operations(WORK, route_at).of_tool(tool)
    assert units(Asked(operation=operation, path="/mcp/unified/v1", tool=tool, arguments=arguments)) == cost


def test_every_way_of_counting_has_its_words() -> None:
    assert set(_COSTS) == set(Cost)
