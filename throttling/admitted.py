"""Who was admitted under a contract: said by the edge, read by rooms that know nothing of contracts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from throttling.work import Access

STATE: Final = "admitted"
"""Where the edge leaves it in the state of an ASGI scope, which each request has for itself."""
DISCOVERY: Final = "/.well-known/admission-contract"
"""Where a program reads how it can agree on a contract."""
TOKEN_REQUIRED: Final = "token-required"  # noqa: S105 - a reason, no secret
"""Why what changes something is refused to whoever has no contract for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """A request that a contract covers. ``operation``: its id in the registry; ``workload``: who does the job."""

    contract: str
    workload: str
    operation: str
    access: Access


def admitted(scope: Mapping[str, Any]) -> Admitted | None:
    """Under which contract this request came; None for everybody without one."""
    found = scope.get("state", {}).get(STATE)
    return found if isinstance(found, Admitted) else None


def may_change(scope: Mapping[str, Any], operation: str) -> Admitted | None:
    """The contract under which this very request may change what ``operation`` changes; None for all others.

    The edge has decided already. Whoever changes something asks again, so that what reaches it by a way round changes nothing.
    """
    found = admitted(scope)
    return found if found and found.access is Access.WRITE and found.operation == operation else None


def needs(site: str, operation: str) -> dict[str, Any]:
    """What a refusal says beside its kind: the reason, what is asked, and where it says how to get a contract."""
    return {"reason": TOKEN_REQUIRED, "operation": operation, "discovery": f"{site}{DISCOVERY}"}
