"""What every platform's connector fulfils. A connector builds calls and reads answers; ``ask`` makes the calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from connectors.calls import Ask
from connectors.load_status import LoadStatus
from connectors.platforms import Platform
from connectors.records import (
    BodyKind,
    CheckResult,
    Document,
    Filter,
    Group,
    Kind,
    Lists,
    Operator,
    Organisation,
    Query,
    SearchResult,
    Sort,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a platform can do by itself, and what the connector adds by filtering its answers.

    ``kinds`` are the kinds it can hold; ``filters`` those its search applies; ``own_filters`` those we apply on its answers
    (the total then becomes "at least" and the answer says so). A filter in neither is reported as ignored. ``groups``: whether
    its search can choose by a party or a committee.
    """

    bodies: frozenset[BodyKind]
    kinds: frozenset[Kind]
    filters: frozenset[Filter]
    own_filters: frozenset[Filter] = frozenset()
    operators: frozenset[Operator] = frozenset()
    sorts: frozenset[Sort] = frozenset()
    phrases: bool = True
    full_text: bool = True
    load_status: bool = False
    groups: frozenset[Group] = frozenset()

    def puts_in_order(self, chosen_by: Filter) -> bool:
        """Whether it gives the oldest and the newest first of what is chosen by this filter."""
        return {Sort.OLDEST, Sort.NEWEST} <= self.sorts and chosen_by in self.filters | self.own_filters


class Connector(Protocol):
    """One platform. Methods that take ``ask`` raise nothing but the failures of ``connectors.exceptions``."""

    @property
    def platform(self) -> Platform:
        """The platform this connector speaks to."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What this platform can do."""
        ...

    def organisations(self) -> tuple[Organisation, ...]:
        """The organisations of the list that the project ships for this platform. Makes no call."""
        ...

    def canonical_id(self, text: str) -> str | None:
        """The platform's own id for any accepted spelling of it, or None when ``text`` is no id of this platform."""
        ...

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        """One page of hits. Raises ``NotSupportedError`` before any call when the platform cannot answer the question."""
        ...

    async def document(self, upstream_id: str, ask: Ask) -> Document:
        """One document with its full text by page or part. ``upstream_id`` is a canonical id. Raises ``GoneError``."""
        ...

    async def lists(self, ask: Ask) -> Lists:
        """The platform's lists as it gives them now."""
        ...

    async def load_status(self, ask: Ask) -> LoadStatus:
        """The platform's Laadstatus. Raises ``NotSupportedError`` where ``capabilities.load_status`` is false."""
        ...

    async def check(self, ask: Ask) -> tuple[CheckResult, ...]:
        """Whether the platform still answers as we expect: reachability and one sample of each call against its shape.

        Failures become results that are not ok; nothing is raised.
        """
        ...


@runtime_checkable
class LooksUp(Protocol):
    """A connector that can ask its platform which documents an address leads to, where the address alone does not say."""

    @property
    def platform(self) -> Platform:
        """The platform this connector speaks to."""
        ...

    async def look_up(self, text: str, ask: Ask) -> tuple[str, ...]:
        """The ids of the documents that ``text`` leads to; none, without a call, when it is no address of this platform's."""
        ...
