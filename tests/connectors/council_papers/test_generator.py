"""The generator: the same every time, enough of it, and meetings, papers and motions that fit together."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from connectors.council_papers import council_papers
from connectors.council_papers.bodies import BODIES, Supplier
from connectors.council_papers.generate import generate
from connectors.council_papers.papers import AgendaItem, Form, Meeting, Result
from connectors.council_papers.topics import topics
from connectors.moments import AMSTERDAM

ROOT = Path(__file__).parents[3]
MADE = council_papers()
PAPERS = {paper.native: paper for paper in MADE.papers}
MEETINGS = {meeting.native: meeting for meeting in MADE.meetings}
MOTIONS = {motion.native: motion for motion in MADE.motions}
DIGEST = """
import hashlib
from connectors.council_papers import council_papers
print(hashlib.sha256(repr(council_papers()).encode()).hexdigest())
"""


def items_of(meeting: Meeting) -> list[AgendaItem]:
    def below(item: AgendaItem) -> list[AgendaItem]:
        return [item, *(deeper for child in item.items for deeper in below(child))]

    return [found for item in meeting.agenda for found in below(item)]


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_the_same_seed_gives_the_same_bytes_in_another_process(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    told = subprocess.run(
        [sys.executable, "-c", DIGEST], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == hashlib.sha256(repr(MADE).encode()).hexdigest()


def test_another_seed_gives_other_papers() -> None:
    assert generate(7).papers[0].text != MADE.papers[0].text


def test_there_are_more_than_four_hundred_items_over_thirty_bodies() -> None:
    assert len(MADE) >= 420
    assert {meeting.body.key for meeting in MADE.meetings} == {body.key for body in BODIES}
    assert len(BODIES) >= 24
    assert {body.supplier for body in BODIES} == set(Supplier)


def test_every_topic_is_written_about_at_least_twice_and_no_form_is_missing() -> None:
    written = Counter(paper.topic for paper in MADE.papers)
    assert len(topics()) >= 40
    assert {topic.key: written[topic.key] for topic in topics() if written[topic.key] < 2} == {}
    assert {paper.form for paper in MADE.papers} == set(Form)


def test_the_meetings_lie_in_every_year_from_2012_to_2026() -> None:
    assert {meeting.start.astimezone(AMSTERDAM).year for meeting in MADE.meetings} == set(range(2012, 2027))


def test_a_body_meets_only_while_it_exists() -> None:
    """Field report 13: Weesp ended on 24 March 2022, Land van Cuijk began in 2022."""
    for meeting in MADE.meetings:
        day = meeting.start.astimezone(AMSTERDAM).date()
        assert meeting.body.ended is None or day < meeting.body.ended
        assert meeting.body.began is None or day >= meeting.body.began


def test_ids_are_unique_and_have_the_form_of_their_supplier() -> None:
    natives = [*PAPERS, *MEETINGS, *MOTIONS]
    assert len(natives) == len(set(natives)) == len(MADE)
    owners = [(item.native, item.body) for item in MADE.papers]
    owners += [(item.native, item.body) for item in MADE.meetings]
    owners += [(item.native, item.body) for item in MADE.motions]
    for native, body in owners:
        assert (len(native) == 36) if body.supplier is Supplier.IBABS else native.isdigit()


def test_everything_on_an_agenda_exists_and_belongs_to_the_same_body() -> None:
    for meeting in MADE.meetings:
        for item in items_of(meeting):
            for native in item.papers:
                assert PAPERS[native].body == meeting.body
                assert meeting.native in PAPERS[native].meetings


def test_a_motion_hangs_on_an_item_of_its_meeting_and_its_text_hangs_on_it() -> None:
    for motion in MADE.motions:
        meeting = MEETINGS[motion.meeting]
        assert motion.native in meeting.motions
        assert motion.agenda_item in {item.native for item in items_of(meeting)}
        if motion.paper:
            assert PAPERS[motion.paper].motion == motion.native


def test_votes_decide_the_result_and_count_every_seat() -> None:
    assert {motion.result for motion in MADE.motions} == set(Result)
    for motion in MADE.motions:
        if motion.result in {Result.HELD_OVER, Result.WITHDRAWN}:
            assert motion.votes == ()
        else:
            assert len(motion.votes) == motion.body.seats
            assert (motion.in_favour > motion.against) is (motion.result is Result.ADOPTED)


def test_decisions_and_report_tell_the_votes_of_the_motions() -> None:
    told = 0
    for paper in MADE.papers:
        if paper.form not in {Form.DECISIONS, Form.REPORT}:
            continue
        for native in MEETINGS[paper.meetings[0]].motions:
            motion = MOTIONS[native]
            said = f"“{motion.name}” is {motion.result} met {motion.in_favour} stemmen voor en {motion.against} tegen"
            undecided = f"“{motion.name}” is"
            assert (said if motion.votes else undecided) in paper.text
            told += 1
    assert told == len(MADE.motions)


def test_a_decision_that_was_amended_says_so_and_no_other_does() -> None:
    amended = {m.meeting for m in MADE.motions if m.is_amendment and m.result is Result.ADOPTED}
    signs = {
        Form.DECISIONS: "Het aangenomen amendement maakt deel uit",
        Form.REPORT: "overeenkomstig het gewijzigde voorstel",
    }
    seen = set()
    for paper in MADE.papers:
        if paper.form in signs:
            assert (signs[paper.form] in paper.text) is (paper.meetings[0] in amended), paper.title
            seen.add((paper.form, paper.meetings[0] in amended))
    assert len(seen) == 4
