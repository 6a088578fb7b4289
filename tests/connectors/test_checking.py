"""A step of a check: what an operator reads of every failure there is."""

from __future__ import annotations

import pytest

from connectors.checking import tried, why_closed
from connectors.exceptions import (
    ClosedError,
    ConnectorError,
    Defect,
    GoneError,
    NotAnAnswerError,
    NotSupportedError,
    OverLimitError,
    QueueFullError,
    RefusedError,
    TooSlowError,
    UnreachableError,
    Unsupported,
)

pytestmark = pytest.mark.anyio
KEY = "p"
FAILURES = {
    "niet bereikbaar (connect)": UnreachableError("p", "connect"),
    "geen antwoord binnen 20 seconden": TooSlowError("p", 20.0),
    "geweigerd met status 503": RefusedError("p", 503),
    "geweigerd met status 400 bad_query": RefusedError("p", 400, "bad_query"),
    "te veel gevraagd, zegt de bron: over 7 seconden opnieuw": OverLimitError("p", 429, 7),
    "onze wachtrij is vol: over 2.5 seconden opnieuw": QueueFullError("p", 2.5),
    "geen antwoord: afgebroken": NotAnAnswerError("p", Defect.CUT_OFF),
    "geen antwoord: anders gebouwd dan verwacht (hits)": NotAnAnswerError("p", Defect.WRONG_SHAPE, "hits"),
    "niet gevonden: stb-2018-84": GoneError("p", "stb-2018-84"),
    "niet mogelijk bij deze bron (operator)": NotSupportedError("p", Unsupported.OPERATOR),
}


@pytest.mark.parametrize("words", FAILURES)
async def test_a_failure_of_a_step_becomes_a_result_in_words(words: str) -> None:
    async def fails() -> tuple[bool, str]:
        raise FAILURES[words]

    result = await tried("Zoeken", fails)
    assert (result.name, result.ok, result.seen) == ("Zoeken", False, words)


@pytest.mark.parametrize("defect", Defect)
async def test_every_way_to_be_no_answer_has_words_of_its_own(defect: Defect) -> None:
    async def fails() -> tuple[bool, str]:
        raise NotAnAnswerError(KEY, defect)

    assert (await tried("Zoeken", fails)).seen.removeprefix("geen antwoord: ") not in {"", defect.value}


async def test_a_failure_without_words_is_told_by_its_name() -> None:
    async def fails() -> tuple[bool, str]:
        raise ConnectorError(KEY)

    assert (await tried("Zoeken", fails)).seen == "ConnectorError"


@pytest.mark.parametrize(
    ("closed", "words"),
    [
        (ClosedError(KEY), "BesluitBron kan niet bij haar eigen opslag"),
        (ClosedError(KEY, text="Onderhoud."), "een beheerder zette deze bron uit: Onderhoud."),
        (ClosedError(KEY, 12.3), "deze bron krijgt rust: over 13 seconden opnieuw"),
    ],
    ids=["our store", "an operator", "a rest"],
)
async def test_a_platform_that_may_not_be_asked_ends_the_whole_check_with_the_reason(
    closed: ClosedError, words: str
) -> None:
    async def fails() -> tuple[bool, str]:
        raise closed

    with pytest.raises(ClosedError) as caught:
        await tried("Zoeken", fails)
    assert why_closed(caught.value).startswith(words)


async def test_what_is_no_failure_of_a_platform_is_not_hidden() -> None:
    async def fails() -> tuple[bool, str]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await tried("Zoeken", fails)
