"""An ``ask`` for tests of connectors: a test says which answer a call gets, and the reading is done as in the product."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Concatenate, ParamSpec, TypeVar

from connectors.calls import Answer, Ask, Call, Reply
from connectors.reading import read

_T = TypeVar("_T")
_P = ParamSpec("_P")


class Asking(ABC):
    """An ``Ask`` (see ``connectors.calls``) whose answers come from ``answer``."""

    @abstractmethod
    async def answer(self, call: Call) -> Answer:
        """The answer to a call, or a failure."""

    async def __call__(
        self, call: Call, parse: Callable[Concatenate[Answer, _P], _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Reply[_T]:
        given = await self.answer(call)
        return Reply(await read(parse, given, *args, **kwargs), given.fetched_at, given.buffered)


class _Answering(Asking):
    def __init__(self, respond: Callable[[Call], Awaitable[Answer]]) -> None:
        self._respond = respond

    async def answer(self, call: Call) -> Answer:
        return await self._respond(call)


def asking(respond: Callable[[Call], Awaitable[Answer]]) -> Ask:
    """An ``ask`` that gives what ``respond`` gives."""
    return _Answering(respond)


def as_is(answer: Answer) -> Answer:
    """Reads nothing: for a test that wants the answer itself."""
    return answer
