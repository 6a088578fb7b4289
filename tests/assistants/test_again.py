"""When a new try makes sense: whole seconds rounded up, the same in data and in words, so that nobody comes back too early."""

from __future__ import annotations

from datetime import timedelta

import pytest

from assistants.matter import NOT_NOW, refused
from assistants.refusing import refuse_failures
from assistants.servers import RETRY_KEY, failed
from assistants.tool import ToolFailedError
from connectors.exceptions import QueueFullError
from connectors.moments import now
from search.answers import PlatformAnswer, State
from tests.support.scripted import scripted_platform


@pytest.mark.parametrize(("seconds", "said"), [(0.2, 1), (1.0, 1), (30.4, 31), (30.5, 31), (31.5, 32)])
def test_seconds_to_wait_are_rounded_up_in_data_of_tools_and_of_resources(seconds: float, said: int) -> None:
    failure = ToolFailedError("Het is druk.", "We weten niets.", "Wacht even.", seconds)
    assert (failed(failure).meta or {})[RETRY_KEY] == said
    error = refused(failure).error
    assert (error.code, error.data) == (NOT_NOW, {"retryAfter": said})


def test_a_failure_that_waiting_does_not_mend_says_no_seconds() -> None:
    failure = ToolFailedError("Dit stuk is er niet.", "Geen storing.", "Zoek een ander.")
    assert failed(failure).meta is None
    assert refused(failure).error.data is None


def test_the_words_of_a_search_say_the_seconds_that_its_data_say() -> None:
    moment, platform = now(), scripted_platform()
    answer = PlatformAnswer(
        platform=platform,
        state=State.REFUSED,
        failure=QueueFullError(platform.key, 12.3),
        retry_at=moment + timedelta(seconds=12.3),
    )
    with pytest.raises(ToolFailedError, match="over 13 seconden") as caught:
        refuse_failures([answer], moment)
    assert caught.value.again_in == 13
