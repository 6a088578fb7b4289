"""What is odd on purpose is there."""

from __future__ import annotations

from datetime import UTC, datetime

from connectors.council_papers import council_papers, oddities
from connectors.council_papers.bodies import BODY_BY_KEY, Supplier
from connectors.council_papers.papers import MARK, Availability
from connectors.moments import AMSTERDAM

MADE = council_papers()
PAPERS = {paper.native: paper for paper in MADE.papers}


def test_a_file_name_stands_as_title_of_a_paper_without_a_date() -> None:
    paper = PAPERS[oddities.UNDATED]
    assert (paper.title, paper.date, paper.body.key) == ("13165092.pdf", None, "baarn")


def test_of_a_report_of_908_pages_forty_were_read() -> None:
    """Field report 22."""
    report = PAPERS[oddities.LARGE_REPORT]
    assert (len(report.pages), report.source_pages) == (40, 908)


def test_letters_stand_apart_in_a_scanned_paper_but_not_in_its_mark() -> None:
    """Field report 23."""
    text = PAPERS[oddities.SPACED_APART].text
    assert text.startswith(MARK)
    assert "c ollege" in text
    assert " college " not in text


def test_a_withdrawn_paper_is_on_no_agenda_and_a_classified_one_still_is() -> None:
    """Field report 19."""
    listed = {native for meeting in MADE.meetings for item in meeting.agenda for native in item.papers}
    assert PAPERS[oddities.WITHDRAWN].availability is Availability.WITHDRAWN
    assert PAPERS[oddities.CLASSIFIED].availability is Availability.CLASSIFIED
    assert oddities.WITHDRAWN not in listed
    assert oddities.CLASSIFIED in listed


def test_one_paper_was_discussed_twice_and_has_the_date_of_the_last_meeting() -> None:
    starts = {meeting.native: meeting.start for meeting in MADE.meetings}
    twice = [paper for paper in MADE.papers if len(paper.meetings) == 2]
    assert [paper.body.key for paper in twice] == ["utrecht"]
    assert twice[0].date == starts[twice[0].meetings[1]] > starts[twice[0].meetings[0]]


def test_meetings_lie_just_after_midnight_and_around_both_changes_of_the_clock() -> None:
    """Field report 10."""
    starts = {meeting.start for meeting in MADE.meetings}
    assert datetime(2024, 11, 7, 23, 30, tzinfo=UTC) in starts
    assert datetime(2025, 10, 25, 17, 30, tzinfo=UTC) in starts
    assert datetime(2025, 10, 26, 1, 30, tzinfo=UTC) in starts
    assert datetime(2026, 3, 28, 18, 30, tzinfo=UTC) in starts
    assert datetime(2026, 3, 29, 17, 30, tzinfo=UTC) in starts


def test_all_other_meetings_are_in_the_evening_of_their_own_place() -> None:
    odd = {datetime(2024, 11, 7, 23, 30, tzinfo=UTC), datetime(2025, 10, 26, 1, 30, tzinfo=UTC)}
    assert {m.start.astimezone(AMSTERDAM).hour for m in MADE.meetings if m.start not in odd} == {19, 20}


def test_a_meeting_without_a_name_has_the_time_as_title_and_another_has_no_agenda() -> None:
    assert "Vergadering 2026-08-19 19:30:00" in {meeting.title for meeting in MADE.meetings}
    assert [meeting.body.key for meeting in MADE.meetings if not meeting.agenda] == ["schagen"]


def test_descriptions_of_notubiz_hold_html_and_hints_of_ibabs_a_literal_backslash_n() -> None:
    for meeting in MADE.meetings:
        if meeting.agenda:
            is_html = meeting.agenda[0].description.startswith("<p>")
            assert is_html is (meeting.body.supplier is Supplier.NOTUBIZ)
    assert all("\\n" in motion.agenda_hint and "\n" not in motion.agenda_hint for motion in MADE.motions)


def test_one_body_is_no_longer_imported() -> None:
    """Field report 20."""
    assert not BODY_BY_KEY["dongen"].imported
    assert any(meeting.body.key == "dongen" for meeting in MADE.meetings)
