"""The texts: marked, of a readable length, about their topic, without gaps, and naming nobody."""

from __future__ import annotations

import re
from random import Random

import pytest

from connectors.council_papers import council_papers
from connectors.council_papers.oddities import OFFICE_FILE, SPACED_APART, UNDATED
from connectors.council_papers.papers import MARK, TITLE_MARK, Form, Paper
from connectors.council_papers.schedule import plan
from connectors.council_papers.topics import topics
from connectors.council_papers.wording import sentence_kinds, sentences

MADE = council_papers()
WITH_TEXT = [paper for paper in MADE.papers if paper.pages]
ORDINARY = [paper for paper in WITH_TEXT if paper.form is not Form.ATTACHMENT]
NAMES = re.compile(
    r"\b(?:dhr|mw|mevr|mevrouw|meneer|de heer|drs|mr|ir|ing|prof|dr)\b|"
    r"\b(?:burgemeester|wethouder|raadslid) [A-Z]|"
    r"\b[A-Z]\.\s?(?:[A-Z]\.\s?)*(?:van |de |der |den )*[A-Z][a-z]+",
)


def test_every_text_begins_with_the_mark() -> None:
    assert all(paper.text.splitlines()[0] == MARK for paper in WITH_TEXT)


def test_what_has_no_text_is_marked_in_its_title() -> None:
    assert all(TITLE_MARK in paper.title for paper in MADE.papers if not paper.pages)
    assert all(TITLE_MARK in motion.title for motion in MADE.motions if motion.paper is None)


def test_every_meeting_is_marked_in_its_title_or_its_first_agenda_item() -> None:
    for meeting in MADE.meetings:
        assert not meeting.agenda or MARK in meeting.agenda[0].description
        assert TITLE_MARK in meeting.title or meeting.agenda


@pytest.mark.parametrize("form", [form for form in Form if form is not Form.ATTACHMENT])
def test_a_paper_has_three_hundred_to_two_thousand_words(form: Form) -> None:
    lengths = {paper.title: len(paper.text.split()) for paper in ORDINARY if paper.form is form}
    assert lengths
    assert {title: length for title, length in lengths.items() if not 300 <= length <= 2000} == {}


def test_nobody_is_named_anywhere() -> None:
    found = [match.group() for paper in MADE.papers for match in NAMES.finditer(f"{paper.title}\n{paper.text}")]
    assert found == []


def test_the_search_for_names_would_find_one() -> None:
    assert all(NAMES.search(text) for text in ("mevrouw De Wit", "J.P. van der Berg", "wethouder Jansen", "A. Bakker"))


def test_no_slot_is_left_open_and_nothing_is_doubled() -> None:
    for paper in ORDINARY:
        text = paper.text
        assert not re.search(r"[{}]|\[\w+\||  |\.\.|\bNone\b", text), paper.title
        assert not re.search(r"\b([^\W\d_]+) \1\b", text, re.IGNORECASE), paper.title


def test_sentences_begin_with_a_capital() -> None:
    for paper in ORDINARY:
        for line in paper.text.splitlines():
            if line and line[0].islower():
                assert line.startswith(("gehoord", "besprekende", "en gaa")), line


def test_every_paper_of_a_topic_uses_its_vocabulary() -> None:
    terms = {topic.key: topic.terms for topic in topics()}

    def used(paper: Paper) -> int:
        return sum(term in f"{paper.title} {paper.text}".lower() for term in terms[paper.topic])

    spaced = {SPACED_APART}
    assert {p.title: used(p) for p in ORDINARY if p.topic and p.native not in spaced and used(p) < 3} == {}


def test_every_topic_has_a_vocabulary_and_sentences_of_its_own() -> None:
    seen: set[str] = set()
    for topic in topics():
        assert len(topic.terms) >= 15, topic.key
        own = {*topic.background, *topic.considerations, *topic.requests, *topic.debate, *topic.decisions[:1]}
        assert len(topic.background) >= 5
        assert not own & seen, topic.key
        seen |= own


@pytest.mark.parametrize("kind", sentence_kinds())
def test_there_are_at_least_eight_sentences_of_every_general_kind(kind: str) -> None:
    assert len(set(sentences(kind))) >= 8


def test_only_the_odd_papers_are_without_date_or_text() -> None:
    assert [paper.native for paper in MADE.papers if paper.date is None] == [UNDATED]
    assert [paper.native for paper in MADE.papers if not paper.pages] == [OFFICE_FILE]


def test_the_schedule_is_made_from_the_dice_alone() -> None:
    assert plan(Random("a")) == plan(Random("a"))
    assert plan(Random("a")) != plan(Random("b"))
