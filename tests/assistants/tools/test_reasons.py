"""An answer without any hit always says why, whatever was asked and however sources answered."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistants.reasons import reasons
from connectors.exceptions import NotSupportedError, TooSlowError, Unsupported
from connectors.load_status import LoadState
from connectors.moments import now
from connectors.platforms import PLATFORMS
from connectors.records import (
    Certainty,
    Group,
    Kind,
    Note,
    NoteCode,
    Query,
    SearchResult,
    Total,
)
from search.answers import PlatformAnswer, State
from search.kept import KeptStatus, NothingKept
from search.parameters import Asked
from search.question import read_question
from tests.assistants.tools.test_locating import visit
from tests.support.scripted import hit

pytestmark = pytest.mark.anyio
BY_KEY = {platform.key: platform for platform in PLATFORMS}
ORI, OBV, TK = (BY_KEY[key] for key in ("open-raadsinformatie", "openbesluitvorming", "tweede-kamer"))
NOTHING = SearchResult(hits=(), total=Total(0, Certainty.EXACT), fetched_at=now())


def asked(typed: str = "", **changes: object) -> Asked:
    question = read_question(typed)
    return Asked(question, replace(Query(text=question.text), **changes), ())  # type: ignore[arg-type]


def empty(key: str, *notes: Note, **changes: object) -> PlatformAnswer:
    found = replace(NOTHING, notes=notes, **changes)  # type: ignore[arg-type]
    return PlatformAnswer(platform=BY_KEY[key], state=State.EMPTY, result=found)


class Loaded(NothingKept):
    """A Laadstatus whose newest paper is of 2025."""

    async def load_status(self, platforms: object) -> tuple[KeptStatus, ...]:
        row = LoadState("ede", "Gemeente Ede", "ok", last_content=datetime(2025, 3, 1, tzinfo=UTC))
        return (KeptStatus(platform=OBV.key, generated_at=None, fetched_at=now(), organisations=(row,)),)


async def test_one_word_that_no_source_has_is_answered_with_who_searched_and_what_to_try() -> None:
    said = await reasons(asked("qwertyuiop"), [empty(ORI.key), empty(TK.key)], visit())
    assert said == [
        "Bij Open Raadsinformatie en Tweede Kamer is geen stuk gevonden dat bij deze vraag past.",
        "Controleer de spelling, of probeer een ander woord voor hetzelfde.",
    ]


async def test_what_an_empty_source_said_of_its_own_answer_is_among_the_reasons() -> None:
    titles, group = Note(NoteCode.TITLES_ONLY), Note(NoteCode.WORDS_APART)
    said = await reasons(asked("brug"), [empty(TK.key, titles), empty(ORI.key, group)], visit())
    assert any(reason.startswith("Tweede Kamer: Deze bron zoekt in titels") for reason in said)
    assert any(reason.startswith("Open Raadsinformatie: Woorden die bij elkaar horen") for reason in said)


async def test_a_source_whose_hits_stand_on_another_page_is_not_said_to_have_none() -> None:
    said = await reasons(asked("brug"), [empty(TK.key, has_more=True)], visit())
    assert not any("geen stuk gevonden" in reason for reason in said)
    assert any("Blader verder" in reason for reason in said)


async def test_a_period_outside_what_is_known_of_a_source_is_said_also_when_no_body_was_asked() -> None:
    here = replace(visit(), kept=Loaded())
    past = {"date_from": date(1950, 1, 1), "date_until": date(1951, 1, 1)}
    said = await reasons(asked("brug", **past), [empty(ORI.key), empty(TK.key)], here)
    assert any(reason.startswith("Open Raadsinformatie: het oudste stuk") for reason in said)
    assert any(reason.endswith("Uw periode ligt daarvoor.") for reason in said)
    assert "Van welke jaren Tweede Kamer stukken heeft, is hier niet bekend." in said
    said = await reasons(asked("brug", date_from=date(2025, 4, 1)), [empty(OBV.key)], here)
    assert any("nieuwste stuk waarvan we weten, is van 1 maart 2025. Uw periode ligt daarna." in one for one in said)
    said = await reasons(asked("brug", date_from=date(2999, 1, 1)), [empty(OBV.key)], here)
    assert any("begint na vandaag" in reason for reason in said)


async def test_a_rich_answer_needs_no_reasons() -> None:
    result = replace(NOTHING, hits=tuple(hit(ORI, number) for number in range(4)))
    assert await reasons(asked("brug"), [PlatformAnswer(platform=ORI, state=State.READY, result=result)], visit()) == []


async def test_an_ecli_that_is_nowhere_is_not_said_to_be_a_group_of_words() -> None:
    said = await reasons(asked("ECLI:NL:HR:2024:99999"), [empty("rechtspraak")], visit())
    assert "Controleer het ECLI-nummer, of zoek op woorden." in said
    assert not any("woordgroep" in reason for reason in said)


QUESTIONS = st.builds(
    asked,
    st.sampled_from(["", "brug", "brug weg", '"de brug"', "ECLI:NL:HR:2024:1"]),
    kinds=st.sampled_from([frozenset(), frozenset({Kind.MOTIE})]),
    date_from=st.sampled_from([None, date(2020, 1, 1), date(2999, 1, 1)]),
    page=st.sampled_from([1, 3]),
    groups=st.sampled_from([(), ((Group.PARTY, "D66"),)]),
)
OF_ONE = st.sampled_from(
    [
        empty(ORI.key),
        empty(OBV.key, total=Total(5, Certainty.AT_LEAST)),
        empty(TK.key, Note(NoteCode.TITLES_ONLY)),
        PlatformAnswer(platform=TK, state=State.TOO_LATE, failure=TooSlowError(TK.key, 8)),
        PlatformAnswer(
            platform=ORI, state=State.NOT_SUPPORTED, failure=NotSupportedError(ORI.key, Unsupported.NO_SUCH_KIND)
        ),
        PlatformAnswer(platform=OBV, state=State.PLANNED),
    ]
)


@given(QUESTIONS, st.lists(OF_ONE, min_size=1, max_size=4))
async def test_no_answer_without_hits_is_without_reasons(question: Asked, answers: list[PlatformAnswer]) -> None:
    said = await reasons(question, answers, visit())
    assert said
    assert len(said) == len(set(said))
