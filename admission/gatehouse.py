"""What everything about contracts works with in one process, as the composition root opens it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from admission.books import Books
from admission.identification import Identification
from admission.ledger import Ledger
from admission.operations import Operations
from admission.proofs.addresses import PublicAddress
from admission.proofs.tokens import Issuer
from admission.rules import Reader
from admission.signing import Signing
from admission.tally import Tally
from admission.trust import Trust
from throttling.callers import Callers
from throttling.once import Once

STATE: Final = "admission"
"""Where the shell leaves it in the state of each request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gatehouse:
    """``admissions`` decides and counts, ``operations`` says what a request is, ``books`` is the database.

    ``trust``: whom the operator trusts to say who somebody is, ``identification`` reads what they said. ``tools_below``: where
    the address of every MCP tool begins; ``serving``: the endpoints that have a tool. ``site``: where this site is for those
    who call it; ``tally``: refusals that are counted alone; ``say``: a Dutch text in the language of whoever made a request;
    ``clock``: seconds since 1970.
    """

    admissions: Ledger
    operations: Operations
    books: Books
    signing: Signing
    trust: Trust
    identification: Identification
    once: Once
    callers: Callers
    tools_below: str
    serving: Callable[[str], Sequence[str]]
    site: PublicAddress
    tally: Tally
    say: Callable[[Any, str], str]
    clock: Callable[[], float]

    @property
    def issuer(self) -> Issuer:
        """Who mints and reads our tokens at this moment."""
        return self.signing.issuer

    @property
    def reader(self) -> Reader:
        """Who reads what contracts are asked for."""
        return Reader(self.operations, self.site.origin, self.tools_below)

    def now(self) -> datetime:
        """This moment, for the database."""
        return datetime.fromtimestamp(self.clock(), UTC)


def gatehouse(scope: Mapping[str, Any]) -> Gatehouse:
    """The gatehouse of the process that serves this ASGI scope."""
    found: Gatehouse = scope["state"][STATE]
    return found
