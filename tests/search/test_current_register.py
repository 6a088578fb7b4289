"""The register looks by itself whether the kept lists changed, and stays as it is when they cannot be read."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from connectors.records import BodyKind, Organisation
from search.organisations import CurrentRegister, Kept
from tests.support.virtual_time import run_virtually

EDE = Organisation("gemeente-ede", "Gemeente Ede", BodyKind.GEMEENTE, keys=(("a", "oud"),))
NEW = Organisation("gemeente-nieuwstad", "Gemeente Nieuwstad", BodyKind.GEMEENTE)


def test_a_new_list_is_taken_over_within_a_minute_and_the_same_one_is_not_read_again() -> None:
    kept: list[tuple[object, Kept]] = [("leeg", {})]
    read: list[object] = []

    async def look(seen: object) -> tuple[object, Kept] | None:
        stamp, lists = kept[-1]
        if stamp == seen:
            return None
        read.append(stamp)
        return stamp, lists

    async def scenario() -> tuple[bool, bool]:
        register = CurrentRegister({"a": (EDE,), "b": ()}, look)
        looking = asyncio.create_task(register.keep_looking(60))
        await asyncio.sleep(300)
        before = bool(register.find("nieuwstad"))
        kept.append(("nieuw", {"b": (NEW,)}))
        await asyncio.sleep(61)
        after = bool(register.find("nieuwstad")) and register.find("ede") == (EDE,)
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking
        return before, after

    assert run_virtually(scenario()) == (False, True)
    assert read == ["leeg", "nieuw"]


def test_lists_that_cannot_be_read_leave_the_register_as_it_is() -> None:
    async def unreadable(seen: object) -> None:
        return None

    async def scenario() -> tuple[Organisation, ...]:
        register = CurrentRegister({"a": (EDE,)}, unreadable)
        await register.look()
        return register.find("ede")

    assert run_virtually(scenario()) == (EDE,)
