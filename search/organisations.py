"""The register of organisations: every body once, over all platforms that know it, found by id, code or name.

Beside what the platforms tell it has what ``search.lives`` knows: bodies that ended, what they came of and went to.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, NoReturn, Protocol, Self

from connectors.lists import joined
from connectors.records import Organisation
from search.lives import Life, as_body, codes_of, with_life
from search.spelling import Lookalikes, fold, names_of, readings, squeezed

_MAX_SUGGESTIONS: Final = 5
_LONGEST_NAME: Final = 200
_DIGITS: Final = re.compile(r"[0-9]{4}", re.ASCII)
NO_LIVES: Final[Mapping[str, Life]] = MappingProxyType({})


class Bodies(Protocol):
    """Where bodies are found by what somebody typed."""

    def find(self, text: str) -> tuple[Organisation, ...]:
        """The bodies that ``text`` may mean."""
        ...

    def suggestions(self, text: str) -> tuple[Organisation, ...]:
        """Bodies whose name looks like ``text``, best first."""
        ...

    def body(self, identifier: str) -> Organisation | None:
        """The body with this id of the register, None when there is none."""
        ...

    def life(self, identifier: str) -> Life:
        """When the body began and ended, what it came of and went to; an empty life when nothing of that is known."""
        ...

    def everybody(self) -> tuple[Organisation, ...]:
        """All bodies, in no order that means anything."""
        ...


@dataclass(frozen=True, slots=True)
class Register:
    """All organisations. ``by_id`` and ``by_name`` hold the same bodies; a name may belong to several."""

    by_id: Mapping[str, Organisation]
    by_name: Mapping[str, tuple[Organisation, ...]]
    lives: Mapping[str, Life]
    _by_code: Mapping[str, tuple[Organisation, ...]]
    _by_letters: Mapping[str, tuple[Organisation, ...]]
    _by_key: Mapping[str, tuple[Organisation, ...]]
    _lookalikes: Lookalikes

    @classmethod
    def of(cls, lists: Iterable[Iterable[Organisation]], lives: Mapping[str, Life] = NO_LIVES) -> Self:
        """Join the lists of several platforms: bodies with the same id become one that keeps every platform's key.

        ``lives`` adds what platforms leave out, and the bodies that none of them lists.
        """
        bodies: dict[str, Organisation] = {}
        for organisation in (item for items in lists for item in items):
            known = bodies.get(organisation.id)
            bodies[organisation.id] = organisation if known is None else _join(known, organisation)
        for life in lives.values():
            known = bodies.get(life.id)
            added = with_life(known, life) if known else as_body(life)
            if added is not None:
                bodies[life.id] = added
        by_name = _grouped((name, body) for body in bodies.values() for name in names_of(body))
        return cls(
            MappingProxyType(bodies),
            by_name,
            lives,
            _grouped((fold(code.value), body) for body in bodies.values() for code in codes_of(body)),
            _grouped((squeezed(name), body) for name, held in by_name.items() for body in held),
            _grouped((key.casefold(), body) for body in bodies.values() for _, key in body.keys),
            Lookalikes.of(by_name),
        )

    def find(self, text: str) -> tuple[Organisation, ...]:
        """The bodies that ``text`` may mean.

        One when it is an id, a code or a name of one body, several when it is ambiguous. What is none of these may be the
        key that a platform has for one body ("ori_ede").
        """
        exact = self.by_id.get(text.strip().lower())
        if exact is not None:
            return (exact,)
        if len(text) > _LONGEST_NAME:
            return ()
        named = tuple(readings(text))
        for reading in named:
            if found := self.by_name.get(reading):
                return found
        for reading in named:
            if found := self._by_letters.get(squeezed(reading)):
                return found
        code = f"gm{named[0]}" if _DIGITS.fullmatch(named[0]) else named[0]
        return self._by_code.get(code) or self._with_key(text)

    def _with_key(self, text: str) -> tuple[Organisation, ...]:
        found = self._by_key.get(text.strip().casefold(), ())
        return found if len(found) == 1 else ()

    def suggestions(self, text: str) -> tuple[Organisation, ...]:
        """Bodies whose name looks like ``text``, best first."""
        found: dict[str, Organisation] = {}
        for reading in readings(text[:_LONGEST_NAME]):
            for name in self._lookalikes.like(reading):
                found |= {body.id: body for body in self.by_name[name] if body.id not in found}
        return tuple(found.values())[:_MAX_SUGGESTIONS]

    def body(self, identifier: str) -> Organisation | None:
        """See ``Bodies.body``."""
        return self.by_id.get(identifier)

    def life(self, identifier: str) -> Life:
        """See ``Bodies.life``."""
        return self.lives.get(identifier) or Life(id=identifier)

    def everybody(self) -> tuple[Organisation, ...]:
        """See ``Bodies.everybody``."""
        return tuple(self.by_id.values())


Kept = Mapping[str, tuple[Organisation, ...]]
"""For each platform the organisations that it gave itself."""
Read = Callable[[object], Awaitable[tuple[object, Kept] | None]]
"""Reads the kept lists: given the stamp of what was read before, the new stamp and lists, or None when nothing changed."""


class CurrentRegister:
    """The register as the kept lists have it now: shipped lists, and over them what the platforms gave themselves.

    A question finds it in memory; ``look`` reads the kept lists when they changed, and ``keep_looking`` does so for ever.
    """

    def __init__(self, shipped: Kept, read: Read, lives: Mapping[str, Life] = NO_LIVES) -> None:
        self._shipped = shipped
        self._read = read
        self._lives = lives
        self._stamp: object = None
        self._register = Register.of(shipped.values(), lives)

    def find(self, text: str) -> tuple[Organisation, ...]:
        """See ``Register.find``."""
        return self._register.find(text)

    def suggestions(self, text: str) -> tuple[Organisation, ...]:
        """See ``Register.suggestions``."""
        return self._register.suggestions(text)

    def body(self, identifier: str) -> Organisation | None:
        """See ``Bodies.body``."""
        return self._register.body(identifier)

    def life(self, identifier: str) -> Life:
        """See ``Bodies.life``."""
        return self._register.life(identifier)

    def everybody(self) -> tuple[Organisation, ...]:
        """See ``Bodies.everybody``."""
        return self._register.everybody()

    async def look(self) -> None:
        """Take over the kept lists when they changed."""
        found = await self._read(self._stamp)
        if found is not None:
            self._stamp, kept = found
            lists = (joined(ours, kept.get(key, ())) for key, ours in self._shipped.items())
            self._register = Register.of(lists, self._lives)

    async def keep_looking(self, seconds: float) -> NoReturn:
        """Look again every so many seconds."""
        while True:
            await asyncio.sleep(seconds)
            await self.look()


def with_predecessors(bodies: Iterable[Organisation], register: Bodies) -> tuple[Organisation, ...]:
    """The bodies, each followed by those that went into it whole, however long ago: Land van Cuijk, then Boxmeer and others.

    Of a body that was divided among several, only a part is here: it is asked for under its own name.
    """
    found: dict[str, Organisation] = {}
    for body in bodies:
        found.setdefault(body.id, body)
        waiting = deque([body.id])
        seen = {body.id}
        while waiting:
            for change in register.life(waiting.popleft()).came_of:
                before = register.body(change.before)
                if change.whole and before is not None and change.before not in seen:
                    seen.add(change.before)
                    found.setdefault(before.id, before)
                    waiting.append(before.id)
    return tuple(found.values())


def with_lives(bodies: Iterable[Organisation], register: Bodies) -> tuple[Organisation, ...]:
    """The bodies with those that went into them whole, and for one that ended the body that it went to: it has what came after.

    Of a body that was divided among several, none is added: each has a part of what came after, and more of its own.
    """
    asked = tuple(bodies)
    heirs = [heirs[0] for body in asked if body.ended and len(heirs := successors_now(body, register)) == 1]
    return tuple({body.id: body for body in (*with_predecessors(asked, register), *heirs)}.values())


def successors_now(body: Organisation, register: Bodies) -> tuple[Organisation, ...]:
    """The bodies of today that a body that ended went to, over as many steps as it takes; none when it still is there."""
    found: dict[str, Organisation] = {}
    waiting, seen = deque(_after(body, register)), {body.id}
    while waiting:
        identifier = waiting.popleft()
        heir = register.body(identifier)
        if heir is None or identifier in seen:
            continue
        seen.add(identifier)
        if further := _after(heir, register):
            waiting.extend(further)
        else:
            found[heir.id] = heir
    return tuple(found.values())


def _after(body: Organisation, register: Bodies) -> tuple[str, ...]:
    known = tuple(change.after for change in register.life(body.id).went_to)
    return known or ((body.successor,) if body.successor else ())


def _grouped(pairs: Iterable[tuple[str, Organisation]]) -> Mapping[str, tuple[Organisation, ...]]:
    found: dict[str, dict[str, Organisation]] = {}
    for key, body in pairs:
        found.setdefault(key, {})[body.id] = body
    return MappingProxyType({key: tuple(bodies.values()) for key, bodies in found.items()})


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
