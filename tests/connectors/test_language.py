"""What is said, in which language, and that two who ask at once never hear each other's."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime

import pytest

from connectors.language import Language, catalogue, here, later, say, say_number, speaking, spoken
from connectors.records import Certainty, Total
from search import texts


def test_a_text_is_dutch_until_somebody_speaks_english_and_dutch_again_after_it() -> None:
    assert say("Probeer het later opnieuw.") == "Probeer het later opnieuw."
    with speaking(Language.ENGLISH):
        assert say("Probeer het later opnieuw.") == "Try again later."
        with speaking(Language.DUTCH):
            assert say("Probeer het later opnieuw.") == "Probeer het later opnieuw."
        assert spoken() is Language.ENGLISH
    assert spoken() is Language.DUTCH


def test_the_language_is_as_before_when_what_was_said_fails() -> None:
    with pytest.raises(KeyError), speaking(Language.ENGLISH):
        raise KeyError
    assert spoken() is Language.DUTCH


def test_values_stand_in_their_places_and_a_brace_in_a_value_is_only_a_brace() -> None:
    with speaking(Language.ENGLISH):
        assert say("{name} is bezig met zoeken.", name="Ede {name}") == "Ede {name} is searching."


def test_a_word_without_translation_stays_as_it_is() -> None:
    with speaking(Language.ENGLISH):
        assert (
            say("Vanwege onderhoud even dicht {niet mee bemoeien}")
            == "Vanwege onderhoud even dicht {niet mee bemoeien}"
        )
        assert say("") == ""


def test_a_marked_text_is_itself() -> None:
    with speaking(Language.ENGLISH):
        assert later("bezig") == "bezig"


@pytest.mark.parametrize(
    ("count", "dutch", "english"), [(1, "1 keer", "1 time"), (2, "2 keer", "2 times"), (0, "0 keer", "0 times")]
)
def test_a_number_has_the_form_that_fits(count: int, dutch: str, english: str) -> None:
    assert say_number("{count} keer", "{count} keer", count, count=count) == dutch
    with speaking(Language.ENGLISH):
        assert say_number("{count} keer", "{count} keer", count, count=count) == english


def test_days_times_and_numbers_are_written_as_the_language_does() -> None:
    at, total = datetime(2026, 3, 2, 9, 5, tzinfo=UTC), Total(2500, Certainty.ESTIMATE)
    assert (texts.day(date(2026, 3, 2)), texts.clock(at), texts.total(total)) == (
        "2 maart 2026",
        "10:05 uur",
        "ongeveer 2.500 resultaten",
    )
    with speaking(Language.ENGLISH):
        assert (texts.day(date(2026, 3, 2)), texts.clock(at), texts.total(total)) == (
            "2 March 2026",
            "10:05",
            "about 2,500 results",
        )


def test_addresses_of_pages_stay_in_the_language() -> None:
    assert here("/zoeken?vraag=x") == "/zoeken?vraag=x"
    with speaking(Language.ENGLISH):
        assert here("/zoeken?vraag=x") == "/en/zoeken?vraag=x"


@pytest.mark.anyio
async def test_tasks_and_threads_of_one_request_speak_its_language_and_of_two_at_once_each_its_own() -> None:
    both = asyncio.Barrier(2)

    async def ask(language: Language) -> set[str]:
        with speaking(language):
            await both.wait()
            task = asyncio.create_task(asyncio.to_thread(say, "klaar"))
            await both.wait()
            return {say("klaar"), await task, await asyncio.to_thread(say, "klaar")}

    async with asyncio.timeout(30):
        dutch, english = await asyncio.gather(ask(Language.DUTCH), ask(Language.ENGLISH))
    assert (dutch, english) == ({"klaar"}, {"ready"})


def test_the_words_of_a_language_are_read_once() -> None:
    assert catalogue(Language.ENGLISH) is catalogue(Language.ENGLISH)
