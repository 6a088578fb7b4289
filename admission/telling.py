"""What the edge tells of each request: a line in the log under a contract, and counts for ``/metrics``.

Never a path, a query, a token or what somebody looked for; a contract is in the lines and in no label (choice A6).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog

from admission.asked import Asked
from admission.edge import RETRYABLE, Decision, Reason
from admission.ledger import UNDECIDED
from admission.lines import Lines
from admission.operations import Operation
from admission.proofs.calls import Proven
from admission.proofs.exceptions import Check
from admission.tally import DENY, THROTTLE, WAITS, Place, Tally
from throttling.work import Access

log = structlog.get_logger(__name__)
CLASSES: Final = {Access.READ: "read", Access.WRITE: "write"}
ALLOW: Final = "allow"
_JKT: Final = 8


@dataclass(frozen=True, slots=True)
class Label:
    """What is counted together. ``lane``: under a contract, anonymous, or refused before anything was proven."""

    lane: str
    access: str
    outcome: str
    reason: str = ""


_PACED: Final = Label("unproven", "", THROTTLE, Reason.PUBLIC_LIMIT.value)


class Telling:
    """Counts and lines of one process. ``ended``: streams that were ended by a reason; ``tally``: what has no other event.

    ``lines`` are written in the order in which things happened.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self.counts: Counter[Label] = Counter()
        self.ended: Counter[str] = Counter()
        self.lines = Lines()

    def anonymous(self, operation: Operation, *, refused: bool = False) -> None:
        """A request without a contract: counted, and nothing else (choice A5)."""
        reason = Reason.TOKEN_REQUIRED.value if refused else ""
        if refused:
            self._tally.add(Place.PUBLIC, reason)
        self.counts[Label("anonymous", CLASSES[operation.access], DENY if refused else ALLOW, reason)] += 1

    def unproven(self, reason: Reason, check: Check | None) -> None:
        """What was shown proves nothing. It leaves no event of its own in the store: anybody could fill it."""
        self._tally.add(Place.EDGE, reason.value)
        self.counts[Label("unproven", "", outcome(reason), reason.value)] += 1
        self._say("admission", decision=outcome(reason), reason=reason.value, check=check.value if check else "")

    def unread(self, proven: Proven) -> None:
        """The body of a request under a contract could not be read: it names no operation, so no decision was made."""
        reason = Reason.CLASS_MISMATCH
        self._tally.add(Place.EDGE, reason.value)
        self.counts[Label("contract", CLASSES[Access.WRITE], DENY, reason.value)] += 1
        contract = proven.token.grant.contract
        self._say("admission", decision=DENY, reason=reason.value, contract=contract, check="body")

    def paced(self) -> None:
        """Nothing was looked at: this process had no moment for it. Only counted, because it must cost little."""
        self._tally.add(Place.EDGE, Reason.PUBLIC_LIMIT.value)
        self.counts[_PACED] += 1

    def decided(self, proven: Proven, asked: Asked, decision: Decision, seconds: float) -> None:
        """One decision about a request under a contract. Its line is written before long (``Lines``)."""
        access = asked.operation.access
        reason = decision.reason.value if decision.reason else ""
        if decision is UNDECIDED:
            self._tally.add(Place.EDGE, reason)
        self.counts[Label("contract", CLASSES[access], outcome(decision.reason), reason)] += 1
        self.lines.add(partial(_write, proven, asked, decision, seconds))

    def stopped(self, proven: Proven, asked: Asked, reason: Reason) -> None:
        """A request that was under way was ended."""
        self.ended[reason.value] += 1
        contract = proven.token.grant.contract
        self._say("admission_ended", reason=reason.value, contract=contract, op=asked.operation.id)

    def _say(self, event: str, **fields: str) -> None:
        """A line of which nothing costs anything yet."""
        self.lines.add(partial(log.info, event, **fields))


def outcome(reason: Reason | None) -> str:
    """Allowed, refused for good, or refused for now."""
    if reason is None:
        return ALLOW
    return THROTTLE if reason in WAITS else DENY


def _write(proven: Proven, asked: Asked, decision: Decision, seconds: float) -> None:
    grant, operation = proven.token.grant, asked.operation
    log.info(
        "admission",
        decision=outcome(decision.reason),
        reason=decision.reason.value if decision.reason else "",
        dry_run=decision.dry_run,
        retryable=decision.reason in RETRYABLE,
        contract=grant.contract,
        workload=grant.subject,
        token=proven.token.jti,
        jkt=grant.jkt[:_JKT],
        op=operation.id,
        op_class=CLASSES[operation.access],
        token_class=CLASSES[grant.token_class],
        left=decision.left,
        writes_left=decision.writes_left,
        in_flight=decision.in_flight,
        lease=decision.lease,
        decision_us=round(seconds * 1_000_000),
    )
