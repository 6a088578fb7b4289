"""What a tool is: the contract between the tools, which know the sources, and the servers, which know the protocol.

A server checks the arguments against ``input_schema`` before it calls ``run``, and prints what comes back.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assistants.changing import Reports
from search.faults import Faults
from search.federation import Federation
from search.kept import Kept, NothingKept
from throttling.admitted import Admitted
from throttling.callers import Caller

Arguments = Mapping[str, Any]
"""What an assistant gave, as its schema allows; a property that was left out is not there."""
Tell = Callable[[str], Awaitable[None]]
"""Told, in Dutch, how a call that waits fares; reaches the client when it asked for progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One call of a tool. ``platforms`` are the keys that the endpoint speaks for: all seven at ``unified``, else one.

    ``kept`` reads the kept lists and Laadstatus; ``pages`` is the root address of our own site, without a slash at the end.
    ``admitted``: the contract of this call; ``reports`` and ``faults``: what tools that change something work with.
    """

    federation: Federation
    platforms: tuple[str, ...]
    caller: Caller
    tell: Tell
    kept: Kept = field(default_factory=NothingKept)
    pages: str = ""
    admitted: Admitted | None = None
    reports: Reports | None = None
    faults: Faults | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a tool found: ``data`` follows its ``output_schema``; ``text`` says the same in Dutch, for who reads no schemas."""

    data: dict[str, Any]
    text: str


class ToolFailedError(Exception):
    """A call that brought nothing, in Dutch: what happened, what it means, what can be done. Never words of an upstream.

    ``retry_after`` is in seconds where a later try makes sense.
    """

    def __init__(self, happened: str, means: str, advice: str, retry_after: float | None = None) -> None:
        super().__init__(happened, means, advice, retry_after)
        self.happened = happened
        self.means = means
        self.advice = advice
        self.retry_after = retry_after

    @property
    def again_in(self) -> int | None:
        """``retry_after`` in whole seconds, rounded up and at least 1: who comes back after it is never too early."""
        return None if self.retry_after is None else max(1, math.ceil(self.retry_after))

    @property
    def text(self) -> str:
        """The three sentences, one after another."""
        return " ".join(part for part in (self.happened, self.means, self.advice) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What a client may expect of a tool; it protects nobody. ``open_world``: whether others are asked."""

    read_only: bool = True
    idempotent: bool = True
    destructive: bool = False
    open_world: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool. ``title`` and ``description`` are Dutch; both schemas are JSON Schema 2020-12.

    ``input_schema`` refuses what it does not name. Name, description and input schema are at most 1,400 characters of JSON.
    ``operation``: what a contract must grant, of a tool that changes something; empty for one that reads.
    """

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]
    run: Callable[[Arguments, Visit], Awaitable[Outcome]]
    operation: str = ""
    hints: Hints = Hints()


def without(tool: Tool, name: str) -> Tool:
    """``tool`` without the argument ``name``, for an endpoint that need not ask it."""
    properties = {one: schema for one, schema in tool.input_schema["properties"].items() if one != name}
    return replace(tool, input_schema={**tool.input_schema, "properties": properties})
