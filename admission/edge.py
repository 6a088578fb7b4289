"""The edge's decision about one request: what is asked, what is answered, and who answers.

Every request under a contract is decided here, before the origin sees it. The order of checks and the closed list of
reasons are those of the design page on admission (choices A4-A9); HTTP and MCP print a decision, they decide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from admission.contracts import MOST_UNITS, Contract, Loaded, Put, Standing, Stop
from admission.operations import Operation
from admission.proofs.dpop import KEPT
from throttling.work import Access

LEASE_SECONDS: Final = 30.0
"""A call holds its slot so long without a sign of life; it is renewed every ten seconds."""
PROOF_SECONDS: Final = float(KEPT)
"""A proof is remembered so long: as long as it can be within its window."""
_TOKEN: Final = re.compile(r"[^\x00-\x1f\x7f]{1,512}")
_RESOURCE: Final = re.compile(r"[^\x00-\x1f\x7f]{0,4096}")


class Reason(StrEnum):
    """Why a request is refused: the closed list, which events, problems and figures share."""

    TOKEN_REQUIRED = "token-required"  # noqa: S105 - a reason, no secret
    TOKEN_INVALID = "token-invalid"  # noqa: S105 - a reason, no secret
    PROOF_INVALID = "proof-invalid"
    CONTRACT_REVOKED = "contract-revoked"
    CONTRACT_EXPIRED = "contract-expired"
    QUOTA_EXHAUSTED = "quota-exhausted"
    CLASS_MISMATCH = "class-mismatch"
    OUT_OF_SCOPE = "out-of-scope"
    APPROVAL_REQUIRED = "approval-required"
    APPROVAL_DENIED = "approval-denied"
    IN_FLIGHT_EXCEEDED = "in-flight-exceeded"
    PUBLIC_LIMIT = "public-limit"
    ADMISSION_UNAVAILABLE = "admission-unavailable"


RETRYABLE: Final = frozenset(
    {
        *(Reason.TOKEN_REQUIRED, Reason.TOKEN_INVALID, Reason.PROOF_INVALID),
        *(Reason.IN_FLIGHT_EXCEEDED, Reason.PUBLIC_LIMIT, Reason.ADMISSION_UNAVAILABLE),
    }
)
"""What may go well another time: with a new token or proof, or later. All else needs another contract, or a person."""
STOPPED: Final = frozenset(
    {Reason.CONTRACT_REVOKED, Reason.TOKEN_INVALID, Reason.PROOF_INVALID, Reason.ADMISSION_UNAVAILABLE}
)
"""What no dry run lets through: somebody stopped it, or it proves nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request, of which token and proof were found to be genuine.

    ``token`` is its ``jti``; ``proof`` says key, token id and normalised method and address of the proof together, so that
    nobody can use up another's. ``token_class``: what the token is for; the operation has its own class, and they must be the
    same. ``resource``: the normalised path, for the granted prefixes; it is in no event. ``cost`` in units, at least one.
    ``request``: made by the edge, never by a client; asked again with it, a request is charged once for 60 s. ``barred``: what
    the edge found against it by itself (an approval); it is told only where nothing worse is the case.

    Raises ``ValueError`` for control characters, for fields longer than 512 (a resource: 4096), and for a cost out of bounds.
    """

    contract: str
    token: str
    proof: str
    operation: Operation
    token_class: Access
    resource: str
    request: str
    cost: int = 1
    barred: Reason | None = None

    def __post_init__(self) -> None:
        named = (self.contract, self.token, self.proof, self.request)
        if not all(map(_TOKEN.fullmatch, named)) or not _RESOURCE.fullmatch(self.resource):
            raise ValueError(self.request)
        if not 1 <= self.cost <= MOST_UNITS:
            raise ValueError(self.cost)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided. ``reason`` is None when it is allowed; then ``lease`` must be renewed, and released at the end.

    ``left`` of ``units``, ``writes_left`` of ``writes``, ``in_flight`` of ``cap`` calls; all 0 where the contract is not known.
    ``retry_after`` in whole seconds, 0 where waiting does not help. ``dry_run``: it is let through, unless it is stopped.
    """

    reason: Reason | None
    left: int = 0
    writes_left: int = 0
    in_flight: int = 0
    cap: int = 0
    retry_after: int = 0
    lease: str = ""
    dry_run: bool = False
    units: int = 0
    writes: int = 0

    @property
    def allowed(self) -> bool:
        """Whether the contract allows it."""
        return self.reason is None

    @property
    def passes(self) -> bool:
        """Whether the origin is to see it."""
        return self.allowed or (self.dry_run and self.reason not in STOPPED)

    @property
    def retryable(self) -> bool:
        """Whether a client may ask the same again."""
        return self.reason in RETRYABLE


@dataclass(frozen=True, slots=True)
class Event:
    """One event as the script wrote it: its ``id`` in the stream, and its fields (see ``docs/besluiten/``)."""

    id: str
    kind: str
    fields: Mapping[str, str]


class Admissions(Protocol):
    """Who keeps contracts and decides. ``decide`` and ``renew`` never fail: without the store they refuse.

    All other methods raise ``StoreLostError``: whoever revokes must hear that it did not happen.
    """

    async def decide(self, ask: Ask) -> Decision:
        """Decide about a request. After ``revoke`` returned, no request that begins is allowed by what it stopped."""

    async def renew(self, leases: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """Keep the slots of calls (contract, lease) that go on. Of each: empty, or why it must stop (``lost``: no slot)."""

    async def watch(self, calls: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """Of each call that goes on (contract, ``jti`` of its token): empty, or why it must stop."""

    async def release(self, contract: str, lease: str, *, not_reached: bool = False) -> bool:
        """A call is over. ``not_reached``: the origin never saw it; then its units come back, once, within 60 s (True)."""

    async def put(self, contract: Contract) -> Put:
        """Agree on a contract, narrowed to what its workload may have."""

    async def revoke(self, what: Stop, name: str = "", *, why: str = "", seconds: float = 0.0) -> None:
        """Stop a token (remembered for ``seconds``: its life), contract, workload, issuer, or all state changes."""

    async def lift(self, what: Stop, name: str = "", *, why: str = "") -> None:
        """Let a workload, an issuer or state changes come again. What was revoked stays so. Else ``ValueError``."""

    async def expire(self, most: int = 100) -> int:
        """Write the events of contracts that ended by themselves. How many there were; call again until there are none."""

    async def load(self, contracts: Iterable[Loaded]) -> None:
        """Bring contracts back after a start of the store; revoke first what stays stopped. Then ``open``."""

    async def open(self, quiet: float = PROOF_SECONDS) -> bool:
        """All is loaded: decisions begin; state changes after ``quiet`` seconds. False: they had begun."""

    async def look(self, contract: str) -> Standing | None:
        """How it stands with a contract; None when it is not known (any more)."""

    async def events(self, after: str = "", most: int = 1000) -> tuple[Event, ...]:
        """Events after the one with this id, oldest first; the store keeps about the last 50,000."""
