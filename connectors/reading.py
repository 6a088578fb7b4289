"""Reading an answer without holding up everybody else: what takes long is read beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

from connectors.calls import Answer

_T = TypeVar("_T")
_P = ParamSpec("_P")
LARGE_BYTES: Final = 512 * 1024
_SLOW: Final = "reads_slowly"


def slow(parse: Callable[_P, _T]) -> Callable[_P, _T]:
    """Marks a parser that takes long for a small body too, such as one that reads a PDF."""

    @wraps(parse)
    def marked(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        return parse(*args, **kwargs)

    setattr(marked, _SLOW, True)
    return marked


async def read(parse: Callable[Concatenate[Answer, _P], _T], answer: Answer, *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """What ``parse`` makes of ``answer``: in a thread when it is slow or the body large. Raises what ``parse`` raises."""
    if len(answer.body) <= LARGE_BYTES and not getattr(parse, _SLOW, False):
        return parse(answer, *args, **kwargs)
    return await asyncio.to_thread(parse, answer, *args, **kwargs)
