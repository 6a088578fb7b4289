"""The texts: marked, of a readable length, about their topic, without gaps, and naming nobody."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from random import Random

import pytest

from connectors.council_papers import council_papers
from connectors.council_papers.bodies import BODIES
from connectors.council_papers.markdown import plain
from connectors.council_papers.oddities import OFFICE_FILE, SPACED_APART, UNDATED
from connectors.council_papers.papers import MARK, TITLE_MARK, Form, Paper
from connectors.council_papers.schedule import plan
from connectors.council_papers.topics import topics
from connectors.council_papers.wording import Wording, sentence_kinds, sentences
from connectors.moments import MONTHS

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


def test_a_plain_text_has_the_words_of_its_page_and_none_of_its_signs() -> None:
    assert plain("## Kop\n\n|Stap|Wanneer|\n|---|---|\n|**Besluit**|9 mei|") == "Kop\n\nStap Wanneer\n\nBesluit 9 mei"
    pages = [page for paper in WITH_TEXT for page in paper.pages]
    assert [page for page in map(plain, pages) if re.search(r"[|#]|\*\*", page)] == []
    assert all(re.findall(r"\w+", plain(page)) == re.findall(r"\w+", page) for page in pages)


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


SAME_FACTS = {
    "zwembad": (r"zwemles staan (\d+) kinderen", r"Er staan (\d+) kinderen op"),
    "begroting": (r"Voor (€ [\d.]+) staat nog een stelpost", r"Er staat (€ [\d.]+) als stelpost"),
    "belastingen": (r"kregen (\d+) huishoudens kwijtschelding", r"waren dat (\d+) huishoudens"),
    "privacy": (r"zijn (\d+) datalekken gemeld", r"Er zijn (\d+) datalekken geregistreerd"),
    "evenementen": (r"vorige zomer (\d+) klachten", r"Er kwamen (\d+) klachten binnen"),
    "stikstof": (r"Daardoor liggen (\d+) bouwplannen", r"Op dit moment (\d+), waarvan"),
    "jeugdzorg": (r"De proef op scholen kost (€ [\d.]+)", r"(€ [\d.]+) beschikbaar te stellen voor jeugdconsulenten"),
    "cultuur": (r"theater wordt met (€ [\d.]+) verhoogd", r"theater met (€ [\d.]+) te verhogen"),
    "bibliotheek": (r"bibliotheek stijgt met (€ [\d.]+)\.", r"bibliotheek met (€ [\d.]+) te verhogen"),
    "verkeersveiligheid": (r"rijdt (\d+) procent van de auto", r"reed (\d+) procent te hard"),
}


@pytest.mark.parametrize("topic", SAME_FACTS)
def test_the_papers_of_a_dossier_tell_the_same_fact_the_same_way(topic: str) -> None:
    """The waiting list of a swimming pool was 176 children in one sentence and 692 in the next."""
    told = 0
    for meeting in MADE.meetings:
        papers = [p for p in WITH_TEXT if p.topic == topic and p.meetings and p.meetings[0] == meeting.native]
        found = [number for p in papers for pattern in SAME_FACTS[topic] for number in re.findall(pattern, p.text)]
        assert len(set(found)) <= 1, found
        told += len(found)
    assert told


def test_a_number_of_a_fact_is_the_same_in_every_sentence_and_that_of_a_sentence_is_its_own() -> None:
    words = next(iter(plan(Random("a")))).topics[0]
    wording = Wording(Random("b"), BODIES[0], words, datetime(2024, 2, 1, tzinfo=UTC))

    assert wording.fill("{aantal:lijst}") == wording.fill("Er zijn {aantal:lijst}").removeprefix("Er zijn ")
    assert wording.fill("{aantal}") != wording.fill("Er zijn {aantal}").removeprefix("Er zijn ")


def test_steps_of_a_plan_are_in_the_order_of_time() -> None:
    for paper in ORDINARY:
        steps = dict(
            re.findall(
                r"^\|(Start van de uitvoering|Tussenbericht|Afronding en evaluatie)\|(.+)\|$", paper.text, re.MULTILINE
            )
        )
        if not steps:
            continue
        start, report, end = steps.values()
        assert start.split()[1] == report.split()[1] < end.split()[1]
        assert MONTHS.index(start.split()[0]) < MONTHS.index(report.split()[0])


def test_a_motion_goes_on_after_its_last_point() -> None:
    motions = [paper.text for paper in ORDINARY if paper.form is Form.MOTION]
    assert motions
    assert all(re.search(r";\n\nen gaa[nt]n? over tot de orde van de dag\.", text) for text in motions)


def test_an_agenda_says_nothing_twice_and_nothing_that_is_yet_to_happen() -> None:
    for paper in ORDINARY:
        if paper.form is Form.AGENDA:
            said = [sentence for sentence in re.split(r"(?<=[.!?])\s+", paper.text) if len(sentence.split()) > 4]
            assert len(said) == len(set(said)), paper.title
            assert "feliciteert" not in paper.text


def test_one_lives_on_an_island() -> None:
    texts = [paper.text for paper in WITH_TEXT if paper.body.key == "texel"]
    assert not any(re.search(r"\bin Texel\b", text, re.IGNORECASE) for text in texts)
