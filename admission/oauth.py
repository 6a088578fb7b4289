"""What OAuth says at the token endpoint: the words of its failures (RFC 6749, 8707, 9396, 9449), and a failure with one."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from http import HTTPStatus
from types import MappingProxyType
from typing import Final

from admission.models import Agreement
from admission.rules import Fault
from throttling.problems import Kind
from throttling.words import Words


class Word(StrEnum):
    """The value of ``error``."""

    REQUEST = "invalid_request"
    CLIENT = "invalid_client"
    GRANT = "invalid_grant"
    GRANT_TYPE = "unsupported_grant_type"
    SCOPE = "invalid_scope"
    TARGET = "invalid_target"
    DETAILS = "invalid_authorization_details"
    PROOF = "invalid_dpop_proof"
    DENIED = "access_denied"
    SLOW_DOWN = "slow_down"
    UNAVAILABLE = "temporarily_unavailable"


STATUS: Final[Mapping[Word, HTTPStatus]] = MappingProxyType(
    {
        Word.CLIENT: HTTPStatus.UNAUTHORIZED,
        Word.SLOW_DOWN: HTTPStatus.TOO_MANY_REQUESTS,
        Word.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    }
)
"""All others are 400."""


class NoTokenError(Exception):
    """There is no token. ``word`` is what OAuth calls it, ``kind`` what it is here; ``row``: the contract that it is about.

    ``faults``: all that is wrong in what was asked.
    """

    def __init__(  # noqa: PLR0913 - what is told of it
        self,
        word: Word,
        kind: Kind,
        detail: Words | None = None,
        *,
        row: Agreement | None = None,
        approval: str = "",
        faults: tuple[Fault, ...] = (),
    ) -> None:
        super().__init__(word.value)
        self.word = word
        self.kind = kind
        self.detail = detail
        self.row = row
        self.approval = approval
        self.faults = faults
