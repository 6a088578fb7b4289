"""Reading an answer without holding up everybody else: a large body is read beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Concatenate, Final, ParamSpec, TypeVar

from connectors.calls import Answer

_T = TypeVar("_T")
_P = ParamSpec("_P")
LARGE_BYTES: Final = 512 * 1024


async def read(parse: Callable[Concatenate[Answer, _P], _T], answer: Answer, *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """What ``parse`` makes of ``answer``. A body over ``LARGE_BYTES`` is read in a thread; raises what ``parse`` raises."""
    if len(answer.body) <= LARGE_BYTES:
        return parse(answer, *args, **kwargs)
    return await asyncio.to_thread(parse, answer, *args, **kwargs)
