"""What tools print: text of a source marked as such, parts that make the whole, and sources that do not agree."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from assistants.printing.documents import fingerprint, parts_of
from assistants.printing.hits import Part, hit_data, shared_data, shared_lines, source_data, source_lines
from assistants.printing.quoting import quoted
from connectors.moments import now
from connectors.records import Certainty, DateMeaning, Moment, Note, NoteCode, Passage, SearchResult, TextState, Total
from search.answers import PlatformAnswer, State
from search.same import together
from search.wholeness import is_whole, without_text
from tests.assistants.tools.test_citing import document
from tests.support.scripted import hit, scripted_platform

ORI, OBV = scripted_platform("open-raadsinformatie"), scripted_platform("openbesluitvorming")


@given(st.text(alphabet="ab⟦⟧\u202e\n ", max_size=30))
def test_no_text_of_a_source_can_close_the_marks_around_it(text: str) -> None:
    marked = quoted(text)
    assert marked[0] == "⟦"
    assert marked[-1] == "⟧"
    assert not {"⟦", "⟧", "\u202e"} & set(marked[1:-1])


@given(st.lists(st.text(alphabet="ab \n", max_size=90), max_size=6), st.integers(8, 40))
def test_the_parts_of_a_text_hold_all_of_it_in_order_and_none_is_too_long(texts: list[str], most: int) -> None:
    paper = document(*texts)
    parts = parts_of(paper, most)
    assert "".join(piece.text for part in parts for piece in part) == "".join(texts)
    assert all(sum(len(piece.text) for piece in part) <= most for part in parts)
    for passage in paper.passages:
        pieces = [piece for part in parts for piece in part if piece.passage is passage]
        assert [piece.continued for piece in pieces] == [False, *[True] * (len(pieces) - 1)]


def test_another_text_has_another_mark() -> None:
    assert fingerprint(document("a", "b")) == fingerprint(document("a", "b"))
    assert fingerprint(document("a", "b")) != fingerprint(document("ab"))


def test_a_page_without_text_among_others_makes_a_text_not_whole() -> None:
    """A scan within a file that also holds text."""
    assert is_whole(document("een", "twee"))
    assert without_text(document("een", "", "drie")) == (2,)
    assert not is_whole(document("een", "", "drie"))


def test_a_text_that_was_cut_is_not_whole() -> None:
    assert not is_whole(document("een", notes=(Note(NoteCode.PAGES_READ, ("40", "908")),)))
    assert not is_whole(document("een", text_state=TextState.PARTIAL))
    assert is_whole(document(passages=(Passage(1, "een"), Passage(3, "drie"))))


def test_what_was_fetched_before_the_call_comes_from_the_buffer() -> None:
    old = replace(hit(ORI), fetched_at=datetime(2026, 1, 1, tzinfo=UTC))
    began = now()
    assert hit_data(old, began)["uitBuffer"] is True
    assert hit_data(hit(ORI), began)["uitBuffer"] is False


def test_a_hit_without_a_date_says_so_and_invents_none() -> None:
    """Field report 12."""
    data = hit_data(hit(ORI), now())
    assert (data["datum"], data["datumBetekenis"], data["datumInWoorden"]) == (None, None, "datum onbekend")


def test_sources_that_do_not_agree_on_a_meeting_are_both_shown_with_a_warning() -> None:
    """Field report 10."""
    at = datetime(2026, 3, 12, 19, 30, tzinfo=UTC)
    meetings = [
        replace(
            hit(platform),
            title="Raad",
            date=Moment(date(2026, 3, 12), DateMeaning.MEETING, at.replace(hour=hour)),
            same_as=("notubiz:vergadering:1",),
        )
        for platform, hour in ((ORI, 18), (OBV, 19))
    ]
    (shared,) = together(meetings)
    data = shared_data(shared)
    assert data["ids"] == ["open-raadsinformatie:1", "openbesluitvorming:1"]
    (difference,) = data["verschillen"]
    assert difference["over"] == "tijd"
    assert [one["platform"] for one in difference["gezegd"]] == ["open-raadsinformatie", "openbesluitvorming"]
    assert any("Let op: de bronnen noemen een andere tijd" in line for line in shared_lines(data))


def test_the_parts_of_a_page_hold_every_hit_once() -> None:
    hits = [hit(ORI, number) for number in range(12)]
    shown = [one for number in (1, 2, 3, 4) for one in Part(number, 5).of(hits)]
    assert shown == hits


def test_a_part_behind_the_last_hit_says_where_the_hits_are() -> None:
    hits = tuple(hit(ORI, number) for number in range(12))
    found = SearchResult(hits=hits, total=Total(12, Certainty.EXACT), fetched_at=now())
    answer = PlatformAnswer(platform=ORI, state=State.READY, result=found)

    def said(part: int, size: int = 5) -> list[str]:
        return list(source_lines(source_data(answer, now(), now(), Part(part, size))))

    assert "De resultaten van deze pagina staan in deel 1 tot en met 3." in said(4)
    assert "De resultaten van deze pagina staan in deel 1." in said(2, size=12)
    assert not any("staan in deel" in line for line in said(3))
