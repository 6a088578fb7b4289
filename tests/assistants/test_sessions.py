"""What a sealed text says by itself, and for how long it is believed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistants.sessions import HANDLE_KEY, Sessions
from assistants.tokens import Sealer, Token
from tests.support.assistants import ENDPOINT, modern, older
from throttling.callers import Callers
from throttling.daily_key import DayKey

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(tmp_path: Path, clock: Clock) -> Sessions:
    return Sessions("geheim", Callers(DayKey(tmp_path / "dagsleutel", NOON.timestamp)), clock)


def _scope(headers: dict[str, str], path: str = ENDPOINT) -> dict[str, Any]:
    return {
        "type": "http",
        "path": path,
        "client": ("192.0.2.1", 1),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }


def _conversation(sessions: Sessions, handle: object) -> str:
    headers, body = modern("tools/list", meta={HANDLE_KEY: handle})
    return sessions.asked(_scope(headers), json.dumps(body).encode()).name


def test_a_handle_holds_for_half_an_hour_and_each_answer_gives_a_fresh_one(sessions: Sessions, clock: Clock) -> None:
    first = sessions.handle()
    name = _conversation(sessions, first)
    assert name
    clock.now += timedelta(minutes=29)
    second = sessions.handle(_conversation(sessions, first))
    clock.now += timedelta(minutes=2)
    assert _conversation(sessions, first) == ""
    assert _conversation(sessions, second) == name
    clock.now -= timedelta(hours=1)  # a clock that was set back shuts nobody out
    assert _conversation(sessions, second) == name


def test_a_session_tells_its_endpoint_and_revision_and_its_key_not_its_id(sessions: Sessions) -> None:
    text, key = sessions.new_session(_scope({}), "2025-03-26")
    asked = sessions.asked(_scope({"mcp-session-id": text}), b"")
    assert (asked.version, asked.session, asked.shown) == ("2025-03-26", key, True)
    assert text.partition(".")[0] not in key
    elsewhere = sessions.asked(_scope({"mcp-session-id": text}, "/mcp/tweede-kamer/v1"), b"")
    assert (elsewhere.session, elsewhere.shown) == ("", True)
    dashed, _ = sessions.new_session(_scope({}, "/mcp/tweede-kamer/v1"), "2025-06-18")
    again = sessions.asked(_scope({"mcp-session-id": dashed}, "/mcp/tweede-kamer/v1/"), b"")
    assert (again.version, bool(again.session)) == ("2025-06-18", True)


def test_the_limits_hear_of_a_session_of_ours_alone(sessions: Sessions) -> None:
    text, key = sessions.new_session(_scope({}), "2025-11-25")
    assert sessions.asker(_scope({"mcp-session-id": text}), b"").must_live == (key, 1800)
    assert sessions.asker(_scope({"mcp-session-id": f"{text}x"}), b"").must_live is None
    assert sessions.asker(_scope({}), b"").must_live is None


def test_a_request_is_looked_at_once(sessions: Sessions) -> None:
    scope = _scope({})
    body = str(older("ping")).encode()
    assert sessions.asked(scope, body) is sessions.asked(scope, b"something else")


def test_another_secret_or_another_kind_makes_other_seals(tmp_path: Path) -> None:
    text = Sealer("geheim", "mcp-sessie").new("noot")
    assert Sealer("geheim", "mcp-sessie").read(text) == Token(text.split(".")[0], "noot")
    assert Sealer("ander", "mcp-sessie").read(text) is None
    assert Sealer("geheim", "mcp-gesprek").read(text) is None


@given(st.text() | st.from_regex(r"[A-Za-z0-9_-]{1,30}\.[a-z0-9-]{1,20}\.[A-Za-z0-9_-]{1,30}", fullmatch=True))
def test_no_text_is_taken_for_ours_that_is_not(text: str) -> None:
    assert Sealer("geheim", "mcp-sessie").read(text) is None
