"""The script on what comes in, broken on purpose: the comparison with the plain model must notice each break."""

from __future__ import annotations

import asyncio
import itertools
from hashlib import sha1

import pytest

from tests.support.valkey import Valkey
from tests.throttling.plain_incoming import PlainIncoming
from throttling.callers import Caller
from throttling.incoming import Asker, Incoming
from throttling.incoming_rules import DoorRules, IncomingRules, Rate
from throttling.store import Store

pytestmark = pytest.mark.anyio
START = 1_790_000_000_000_000
TIGHT_DOOR, TIGHT_SESSIONS = (
    IncomingRules(process=Rate(1000), mcp=DoorRules(*rates))
    for rates in ((Rate(3, 1, 4), Rate(2, 1, 3)), (Rate(6, 1, 8), Rate(2, 1, 3)))
)
_NUMBERS = itertools.count()
ONE_TOO_MANY = ("if c_next <= c_room and", "if c_ahead <= c_room and")
SESSION_NOT_LOOKED_AT = ("and s_next <= s_room then", "then")
CHARGED_WHEN_REFUSED = (
    "answers[i - 1] = string.format('0",
    "held[s], changed[s] = now + s_next, s_next\n      answers[i - 1] = string.format('0",
)
FORGOTTEN_IN_BETWEEN = ("held[c], held[s] = now + c_next, now + s_next", "")
NOT_WRITTEN = ("changed[c], changed[s] = c_next, s_next", "changed[c] = c_next")
REFILLS_AT_ONCE = ("if not (s_ahead > 0) then", "if s_ahead < s_room then")


class BrokenStore(Store):
    """A store whose script has something replaced."""

    change = ("", "")

    def script(self, name: str) -> tuple[str, str]:
        text, _ = super().script(name)
        if name == "incoming":
            assert self.change[0] in text, "the script changed: break it in another way"
            text = text.replace(*self.change)
        return text, sha1(text.encode()).hexdigest()


async def agrees(store: Store) -> bool:
    """Whether script and model say the same, where connectors refuse most and where sessions do."""
    return await _agrees(store, TIGHT_DOOR) and await _agrees(store, TIGHT_SESSIONS)


async def _agrees(store: Store, rules: IncomingRules) -> bool:
    """As ``agrees``: some sessions at two connectors, three requests at a time."""
    mark, model = f"stuk{next(_NUMBERS)}", PlainIncoming(rules)
    async with Incoming(store, rules) as incoming:
        for number in range(60):
            now = START + number * 170_000
            incoming.frozen = now
            wanted = [(f"mcp:{mark}{(number + n) % 2}", f"{mark}s{(number * 7 + n) % 4}") for n in range(3)]
            for connector, _ in wanted:
                assert incoming.enter(connector) is None
            verdicts = await asyncio.gather(
                *(incoming.admit(connector, Asker(Caller(session))) for connector, session in wanted)
            )
            said = [model.admit(connector, session, now) for connector, session in wanted]
            if [verdict.refused_by for verdict in verdicts] != [one.refused_by for one in said]:
                return False
        assert not incoming.strict
    return True


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(ONE_TOO_MANY, id="one too many"),
        pytest.param(SESSION_NOT_LOOKED_AT, id="session not looked at"),
        pytest.param(CHARGED_WHEN_REFUSED, id="charged when refused"),
        pytest.param(FORGOTTEN_IN_BETWEEN, id="forgotten in between"),
        pytest.param(NOT_WRITTEN, id="not written"),
        pytest.param(REFILLS_AT_ONCE, id="refills at once"),
    ],
)
async def test_a_broken_script_is_noticed(valkey: Valkey, change: tuple[str, str]) -> None:
    async with Store(valkey.address) as whole:
        assert await agrees(whole)
    async with BrokenStore(valkey.address) as broken:
        broken.change = change
        assert not await agrees(broken)
