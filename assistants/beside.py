"""Work on a long text, beside the event loop and never much at once: whoever asks something small must not wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
AT_ONCE: Final = 2
_THREADS: Final = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="tekst")


async def beside(work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """What ``work`` gives, in one of the few threads that read texts. Raises what it raises."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, partial(work, *args, **kwargs))
