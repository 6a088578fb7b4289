"""What a Laadstatus says stands in Dutch, with the word of the platform beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from search.load_words import BODIES, PARTS, in_dutch

SAMPLES = Path(__file__).parents[1] / "samples" / "openbesluitvorming"


@pytest.mark.parametrize("name", ["status.json", "status_supplier_down_index_unavailable.json"])
def test_every_state_that_openbesluitvorming_gives_is_said_in_dutch_beside_its_own_word(name: str) -> None:
    answer = json.loads((SAMPLES / name).read_text(encoding="utf-8"))
    states = {row["state"] for row in (*answer["suppliers"], *answer["sources"])}
    assert states
    for state in states:
        assert in_dutch(state).endswith(f" ({state})")


@pytest.mark.parametrize("state", ["geladen", "nooit geladen", "12 seconden geleden", "brandnew"])
def test_a_word_that_is_dutch_or_not_known_stays_as_it_is(state: str) -> None:
    assert in_dutch(state) == state


def test_one_row_is_not_all_of_several() -> None:
    assert [BODIES.of(1), BODIES.of(341), PARTS.of(1)] == ["Eén organisatie", "Alle 341 organisaties", "Eén onderdeel"]
