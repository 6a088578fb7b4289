"""The register of organisations: every body once, over all platforms that know it, found by id or by name."""

from __future__ import annotations

import asyncio
import difflib
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NoReturn, Protocol, Self

from connectors.lists import joined
from connectors.records import BodyKind, Organisation

_MAX_SUGGESTIONS = 5


def fold(name: str) -> str:
    """A name without case, accents and punctuation, so that spellings of one name are equal."""
    decomposed = unicodedata.normalize("NFKD", name)
    kept = "".join(c if c.isalnum() else " " for c in decomposed if not unicodedata.combining(c))
    return " ".join(kept.casefold().split())


class Bodies(Protocol):
    """Where bodies are found by what somebody typed."""

    def find(self, text: str) -> tuple[Organisation, ...]:
        """The bodies that ``text`` may mean."""
        ...

    def suggestions(self, text: str) -> tuple[Organisation, ...]:
        """Bodies whose name looks like ``text``, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Register:
    """All organisations. ``by_id`` and ``by_name`` hold the same bodies; a name may belong to several."""

    by_id: Mapping[str, Organisation]
    by_name: Mapping[str, tuple[Organisation, ...]]

    @classmethod
    def of(cls, lists: Iterable[Iterable[Organisation]]) -> Self:
        """Join the lists of several platforms: bodies with the same id become one that keeps every platform's key."""
        joined: dict[str, Organisation] = {}
        for organisation in (item for items in lists for item in items):
            known = joined.get(organisation.id)
            joined[organisation.id] = organisation if known is None else _join(known, organisation)
        names: dict[str, dict[str, Organisation]] = {}
        for organisation in joined.values():
            for name in _names(organisation):
                names.setdefault(name, {})[organisation.id] = organisation
        return cls(
            MappingProxyType(joined),
            MappingProxyType({name: tuple(found.values()) for name, found in names.items()}),
        )

    def find(self, text: str) -> tuple[Organisation, ...]:
        """The bodies that ``text`` may mean.

        One when it is an id or a name of one body, several when it is ambiguous.
        """
        exact = self.by_id.get(text.strip().lower())
        if exact is not None:
            return (exact,)
        return self.by_name.get(fold(text), ())

    def suggestions(self, text: str) -> tuple[Organisation, ...]:
        """Bodies whose name looks like ``text``, best first."""
        close = difflib.get_close_matches(fold(text), self.by_name, n=_MAX_SUGGESTIONS, cutoff=0.75)
        found: dict[str, Organisation] = {}
        for name in close:
            found.update({organisation.id: organisation for organisation in self.by_name[name]})
        return tuple(found.values())[:_MAX_SUGGESTIONS]


Kept = Mapping[str, tuple[Organisation, ...]]
"""For each platform the organisations that it gave itself."""
Read = Callable[[object], Awaitable[tuple[object, Kept] | None]]
"""Reads the kept lists: given the stamp of what was read before, the new stamp and lists, or None when nothing changed."""


class CurrentRegister:
    """The register as the kept lists have it now: shipped lists, and over them what the platforms gave themselves.

    A question finds it in memory; ``look`` reads the kept lists when they changed, and ``keep_looking`` does so for ever.
    """

    def __init__(self, shipped: Kept, read: Read) -> None:
        self._shipped = shipped
        self._read = read
        self._stamp: object = None
        self._register = Register.of(shipped.values())

    def find(self, text: str) -> tuple[Organisation, ...]:
        """See ``Register.find``."""
        return self._register.find(text)

    def suggestions(self, text: str) -> tuple[Organisation, ...]:
        """See ``Register.suggestions``."""
        return self._register.suggestions(text)

    async def look(self) -> None:
        """Take over the kept lists when they changed."""
        found = await self._read(self._stamp)
        if found is not None:
            self._stamp, kept = found
            self._register = Register.of(joined(ours, kept.get(key, ())) for key, ours in self._shipped.items())

    async def keep_looking(self, seconds: float) -> NoReturn:
        """Look again every so many seconds."""
        while True:
            await asyncio.sleep(seconds)
            await self.look()


def _join(known: Organisation, other: Organisation) -> Organisation:
    keys = dict(known.keys) | dict(other.keys)
    names = dict.fromkeys((*known.names, other.name, *other.names))
    return replace(
        known,
        keys=tuple(keys.items()),
        names=tuple(names),
        code=known.code or other.code,
        ended=known.ended or other.ended,
        successor=known.successor or other.successor,
    )


def _names(organisation: Organisation) -> set[str]:
    """The folded names: full, bare (without "gemeente"), further spellings."""
    names = {fold(name) for name in (organisation.name, *organisation.names)}
    if organisation.kind is not BodyKind.GERECHT:
        prefix = f"{organisation.kind.value} "
        names |= {name.removeprefix(prefix) for name in names}
    return names - {""}
