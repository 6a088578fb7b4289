"""One request to a platform, and its raw answer. Connectors build the first and read the second; they never send."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Concatenate, Generic, ParamSpec, Protocol, TypeVar

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_P = ParamSpec("_P")


class CallKind(StrEnum):
    """What a call fetches; it decides how long its answer may be kept."""

    LIST = "lijst"
    SEARCH = "zoeken"
    DOCUMENT = "document"
    STATUS = "status"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request. ``path`` is below the service's base address, already percent-encoded; ``params`` are not.

    ``cost`` is in the platform's own units. Words of a question stand in ``params`` and ``body`` only, and those are left
    out of the ``repr``, so that no log shows them.
    """

    platform: str
    service: str
    path: str
    kind: CallKind
    method: str = "GET"
    params: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: bytes | None = field(default=None, repr=False)
    headers: tuple[tuple[str, str], ...] = ()
    cost: float = 1.0

    @property
    def queue(self) -> str:
        """The queue in which this call takes its turn: one per service with a limit of its own."""
        return f"{self.platform}/{self.service}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The raw answer to a call: names of ``headers`` in lower case, ``body`` decompressed and at most 20 MB.

    ``buffered`` says that no call was made for it; ``fetched_at`` is when the platform gave it.
    """

    status: int
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    body: bytes = field(default=b"", repr=False)
    fetched_at: datetime
    buffered: bool = False

    @property
    def media_type(self) -> str:
        """The media type without parameters, in lower case; empty when none was given."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class Reply(Generic[_T_co]):
    """What a connector made of an answer: ``fetched_at`` is when the platform gave it, ``buffered`` that this was earlier."""

    value: _T_co
    fetched_at: datetime
    buffered: bool = False


class Ask(Protocol):
    """How a connector has a call made: through the client's buffer, turn and wire.

    The reading travels with the call: ``parse`` gets the answer and the rest of the arguments, and an answer that it cannot
    read is not kept. ``parse`` is pure, raises nothing but ``ConnectorError``, and may run in a thread.
    """

    async def __call__(
        self, call: Call, parse: Callable[Concatenate[Answer, _P], _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Reply[_T]:
        """What ``parse`` makes of the answer to ``call``. Raises what it raises, and the other failures of ``exceptions``."""
        ...
