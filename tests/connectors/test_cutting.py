"""Cutting a long text at its paragraphs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from connectors.cutting import PART_SIZE, cut

PARAGRAPHS = st.lists(st.integers(min_value=1, max_value=PART_SIZE * 2), max_size=12)


@given(PARAGRAPHS)
def test_nothing_is_lost_and_no_part_is_much_longer_than_a_part_should_be(sizes: list[int]) -> None:
    paragraphs = ["x" * size for size in sizes]
    parts = [text for _, text in cut("Kop", paragraphs)]
    assert [paragraph for text in parts for paragraph in text.split("\n\n")] == paragraphs
    assert all(len(text) <= PART_SIZE + 2 * len(paragraphs) or "\n\n" not in text for text in parts)


def test_the_parts_after_the_first_say_that_they_go_on() -> None:
    headings = [heading for heading, _ in cut("Beoordeling", ["x" * PART_SIZE] * 3)]
    assert headings == ["Beoordeling", "Beoordeling (vervolg)", "Beoordeling (vervolg)"]
    assert [heading for heading, _ in cut("", ["x" * PART_SIZE] * 2)] == ["", ""]
