"""Operations: what a contract can grant, and what each route and tool is (choices A2, A3 and A7 of the design page).

One registry, made from the declarations of work that every room hands down; this room asks no other. Whatever the registry does
not know changes state until somebody says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from throttling.work import Access, Cost, Door, Work

Resolve = Callable[[str], str | None]
"""The name of the route at a path (decoded, without the query), None where there is none. Who knows routes gives it."""
SAFE: Final = frozenset({"GET", "HEAD"})
"""Methods that change nothing (RFC 9110, section 9.2.1), as far as the work behind a route says it reads."""
_ODD: Final = re.compile(r"%2f|%5c|%00|[\\?#\x00-\x20\x7f-\x9f]|//|/\.{1,2}(?:/|$)|\.(?:/|$)", re.IGNORECASE)
_BROKEN: Final = re.compile(r"%(?![0-9a-f]{2})", re.IGNORECASE)
_LONGEST: Final = 4096


class BadDeclarationError(ValueError):
    """Declarations of work that cannot be one registry."""


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that can be granted. ``prefixes``: where the addresses of its ``routes`` begin; ``tools``: of MCP."""

    id: str
    access: Access
    cost: Cost = Cost.ONE
    routes: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()

    def units(self, *, platforms: int = 1, parts: int = 1, years: bool = False) -> int:
        """What it costs where it asks so many platforms, or makes a report of so many parts; never less than one.

        ``years``: whether the call asks which years sources hold.
        """
        held = 2 * platforms if years else 1
        counted = {Cost.PLATFORMS: platforms, Cost.PARTS: parts, Cost.YEARS: held}.get(self.cost, 1)
        return max(counted, 1)


UNKNOWN: Final = Operation("", Access.WRITE)
"""What nobody declared: it changes state, and no contract grants it."""
PROTOCOL: Final = Operation("mcp", Access.READ)
"""What MCP needs around its tools (a handshake, lists): every contract has it, at one unit, and none can be granted it."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A declared route: its operation, where its addresses begin, and by which methods; none means by each."""

    operation: Operation
    prefixes: tuple[str, ...]
    methods: tuple[str, ...]

    def meets(self, other: _Known) -> bool:
        """Whether a request could be both."""
        return not self.methods or not other.methods or not set(self.methods).isdisjoint(other.methods)


class Operations:
    """All operations, made from ``works``. ``resolve`` says which route a path is.

    Raises ``BadDeclarationError`` where works of one operation have another class or cost, or a route of an operation says not
    where its addresses begin, or something is declared twice. A route may be declared once for some methods
    and once for others.
    """

    def __init__(self, works: Iterable[Work], resolve: Resolve) -> None:
        self._resolve = resolve
        asked_for = [work for work in works if work.door is not Door.TASK]
        found: dict[str, Operation] = {}
        for work in asked_for:
            if work.operation == PROTOCOL.id:
                raise BadDeclarationError(work.name)
            if work.operation:
                found[work.operation] = _with(work, found.get(work.operation))
        self.granted = tuple(sorted(found.values(), key=lambda operation: operation.id))
        """What a contract can grant, by id."""
        self._routes: dict[str, tuple[_Known, ...]] = {}
        self._tools: dict[str, Operation] = {}
        for work in asked_for:
            self._know(work, found.get(work.operation) or Operation("", work.access, work.cost))

    def named(self, operation: str) -> Operation | None:
        """The operation that can be granted by this id."""
        return next((one for one in self.granted if one.id == operation), None)

    def of_request(self, method: str, path: str) -> Operation:
        """What a request does. ``path`` as it came, without the query.

        Unknown, and so a state change: another method than GET and HEAD on what reads, a path that no route has or that can be
        read in two ways (encoded slashes, dot segments, trailing dots, double slashes, control characters), an address outside
        the prefixes that its work declares.
        """
        plain = decoded(path)
        name = None if plain is None else self._resolve(plain)
        known = self._known(name, method) if name else None
        if known is None or plain is None or not plain.startswith(known.prefixes or "/"):
            return UNKNOWN
        operation = known.operation
        return operation if operation.access is Access.WRITE or method in SAFE else UNKNOWN

    def declared(self, method: str, path: str) -> Operation | None:
        """What the route at a path declares that the origin was given (decoded, in whatever spelling); None without one.

        For who shows no contract: whatever is no route or no method of it, the origin refuses by itself.
        """
        name = self._resolve(path)
        known = self._known(name, method) if name else None
        return known.operation if known else None

    def _known(self, name: str, method: str) -> _Known | None:
        return next((one for one in self._routes.get(name, ()) if not one.methods or method in one.methods), None)

    def of_tool(self, tool: str) -> Operation:
        """What a call of an MCP tool does."""
        return self._tools.get(tool, UNKNOWN)

    def declared_tool(self, tool: str) -> Operation | None:
        """What a tool declares; None where there is none, which the origin refuses by itself."""
        return self._tools.get(tool)

    def _know(self, work: Work, operation: Operation) -> None:
        if work.door is Door.TOOL:
            if work.name in self._tools:
                raise BadDeclarationError(work.name)
            self._tools[work.name] = operation
            return
        known, others = _Known(operation, work.prefixes, work.methods), self._routes.get(work.name, ())
        if any(map(known.meets, others)) or (operation.id and not work.prefixes):
            raise BadDeclarationError(work.name)
        self._routes[work.name] = (*others, known)


@lru_cache(1024)
def decoded(path: str) -> str | None:
    """A path as the origin reads it, None where two readers might read it differently."""
    if len(path) > _LONGEST or not path.startswith("/") or _ODD.search(path) or _BROKEN.search(path):
        return None
    try:
        plain = unquote(path, errors="strict")
    except UnicodeDecodeError:
        return None
    # What is odd only once it is decoded, or could be decoded once more, was hidden.
    twice = unquote(plain, errors="replace") != plain
    return None if twice or _ODD.search(plain.replace(" ", "")) else plain


def _with(work: Work, operation: Operation | None) -> Operation:
    """The operation with one more route or tool."""
    made = operation or Operation(work.operation, work.access, work.cost)
    if (made.access, made.cost) != (work.access, work.cost):
        raise BadDeclarationError(work.name)
    if work.door is Door.TOOL:
        return replace(made, tools=made.tools | {work.name})
    return replace(made, routes=made.routes | {work.name}, prefixes=made.prefixes | set(work.prefixes))
