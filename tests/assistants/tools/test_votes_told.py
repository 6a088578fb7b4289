"""A vote as an assistant reads it: what the source counted stands in the text, not in the data alone."""

from __future__ import annotations

from assistants.tools.reading import _particular_lines

VOTE = {
    "uitslag": "aangenomen",
    "letterlijk": "Aangenomen",
    "voor": 15,
    "tegen": 8,
    "fracties": [{"naam": "Lokaal Samen", "voor": 15, "tegen": 0}, {"naam": "Dorpsbelang", "voor": 0, "tegen": 8}],
    "samenvatting": "Stemmen voor: 15",
}
NOTHING = {"samenvatting": "", "kenmerken": [], "verwant": []}


def test_counts_and_parties_of_a_vote_are_told() -> None:
    first, second = _particular_lines(NOTHING | {"stemming": VOTE})
    assert first.startswith("stemming: aangenomen")
    assert "15 voor en 8 tegen. Per fractie:" in first
    assert "Lokaal Samen" in first
    assert "0 voor, 8 tegen" in first
    assert "Stemmen voor: 15" in second


def test_what_the_source_does_not_count_is_not_told() -> None:
    (line,) = _particular_lines(
        NOTHING | {"stemming": VOTE | {"voor": None, "tegen": None, "fracties": [], "samenvatting": ""}}
    )
    assert "voor en" not in line
    assert "Per fractie" not in line
