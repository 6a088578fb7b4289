"""What can be wrong with a request, as values of RFC 9457, and the closed list of kinds. Dutch, because people read it.

Each kind has a page under its own address (``/problemen/<slug>``) and a chapter in ``docs/naslag/problemen.md``. A problem
never quotes what somebody sent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from typing import Any, Final

from throttling.incoming_rules import CONNECTOR, OPENING, PROCESS, SESSION

PATH: Final = "/problemen/"
"""Where the page of a kind is, on our own site."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem. ``means`` and ``advice`` are sentences; ``code`` is what a JSON-RPC error carries.

    ``retryable``: whether the same request may succeed later without a change.
    """

    slug: str
    status: HTTPStatus
    code: int
    title: str
    means: str
    advice: str
    retryable: bool


class Kinds(Enum):
    """All of them."""

    TOO_MANY = Kind(
        "te-veel-verzoeken",
        HTTPStatus.TOO_MANY_REQUESTS,
        4292,
        "Te veel verzoeken",
        "Er kwamen meer verzoeken binnen dan een grens toelaat. Dit verzoek is niet uitgevoerd en telt niet mee.",
        "Wacht zo veel seconden als in retryAfter en in Retry-After staat, en stuur het verzoek dan opnieuw.",
        retryable=True,
    )
    TOO_LARGE = Kind(
        "verzoek-te-groot",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        4130,
        "Verzoek te groot",
        "Het verzoek is groter dan we lezen. Er is niets mee gedaan.",
        "Stuur een kleiner verzoek, of verdeel het over een aantal verzoeken.",
        retryable=False,
    )
    TOO_SLOW = Kind(
        "verzoek-te-traag",
        HTTPStatus.REQUEST_TIMEOUT,
        4080,
        "Verzoek te traag",
        "Het verzoek kwam niet op tijd helemaal binnen. Er is niets mee gedaan.",
        "Stuur het verzoek opnieuw, over een verbinding die sneller is.",
        retryable=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem. ``detail`` is about this case; ``retry_after`` in whole seconds, 0 when waiting does not help.

    ``violated``: the limits that were in the way, by the names that ``RateLimit-Policy`` gives them.
    """

    kind: Kind
    detail: str
    retry_after: int = 0
    violated: tuple[str, ...] = ()

    def as_dict(self, site: str) -> dict[str, Any]:
        """The members of RFC 9457, with ours; ``site`` is the address of our own pages, without a slash at the end."""
        members: dict[str, Any] = {
            "type": f"{site}{PATH}{self.kind.slug}",
            "title": self.kind.title,
            "status": int(self.kind.status),
            "detail": self.detail,
            "retryable": self.kind.retryable,
        }
        if self.retry_after:
            members["retryAfter"] = self.retry_after
        if self.violated:
            members["violated-policies"] = list(self.violated)
        return members

    def as_json(self, site: str) -> bytes:
        """The body of an ``application/problem+json`` answer."""
        return json.dumps(self.as_dict(site), ensure_ascii=False).encode()


_WHOSE: Final = {
    PROCESS: "dit proces van BesluitBron",
    CONNECTOR: "deze ingang",
    SESSION: "één sessie of adres",
    OPENING: "nieuwe sessies van één adres",
}


def too_many(retry_after: int, violated: tuple[str, ...]) -> Problem:
    """A limit is reached; one request passes after ``retry_after`` seconds."""
    whose = " en ".join(_WHOSE[name] for name in violated)
    seconds = "1 seconde" if retry_after == 1 else f"{retry_after} seconden"
    return Problem(
        kind=Kinds.TOO_MANY.value,
        detail=f"De grens voor {whose} is bereikt. Probeer het over {seconds} opnieuw.",
        retry_after=retry_after,
        violated=violated,
    )


def too_large(most: int) -> Problem:
    """A request of more than ``most`` bytes."""
    return Problem(kind=Kinds.TOO_LARGE.value, detail=f"We lezen hooguit {most} bytes.")


def too_slow(seconds: float) -> Problem:
    """A request that did not arrive within ``seconds``."""
    return Problem(kind=Kinds.TOO_SLOW.value, detail=f"Na {seconds:g} seconden was het verzoek er nog niet helemaal.")
