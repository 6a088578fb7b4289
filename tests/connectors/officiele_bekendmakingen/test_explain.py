"""The description that the search service gives of itself."""

from __future__ import annotations

import json

import pytest

from connectors.exceptions import ConnectorError, Defect, NotAnAnswerError
from connectors.officiele_bekendmakingen.explain import parse_explain
from connectors.officiele_bekendmakingen.requests import explain_call
from tests.connectors.officiele_bekendmakingen.helpers import Script, StandInAsk, answer, connector, sample


def test_the_description_names_what_the_project_that_recorded_it_found_in_it() -> None:
    found = parse_explain(answer(sample("sru-explain.constructed.xml")))
    recorded = json.loads(sample("sru-explain.parsed.json"))
    assert found.records == int(recorded["database/numRecs"]) == 6_293_516
    assert found.indexes == {f"{context}.{name}" for context, name in recorded["indices"]}
    assert found.missing == ()


@pytest.mark.anyio
async def test_the_check_names_an_index_that_is_gone() -> None:
    """Field report 35: the service changes without a word."""
    body = sample("sru-explain.constructed.xml").replace(b">organisatietype<", b">soortOrganisatie<")
    results = await connector().check(Script(answer(body), *(answer(b"") for _ in range(3))))
    assert (results[0].name, results[0].ok) == ("Zoekvelden", False)
    assert results[0].seen == "192 zoekvelden, 6293516 publicaties, ontbrekend: w.organisatietype"


@pytest.mark.parametrize("body", [b"", b"<html></html>", b"<searchRetrieveResponse/>", b"<explainResponse"])
def test_what_describes_nothing_is_no_answer(body: bytes) -> None:
    with pytest.raises(ConnectorError):
        parse_explain(answer(body))


def test_an_answer_to_another_question_is_named_as_such() -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        parse_explain(answer(sample("sru-search-empty.constructed.xml")))
    assert caught.value.defect is Defect.WRONG_SHAPE


@pytest.mark.anyio
async def test_the_stand_in_describes_what_it_can_be_asked() -> None:
    found = (await StandInAsk()(explain_call(), parse_explain)).value
    assert found.missing == ()
    assert (found.records or 0) > 100
