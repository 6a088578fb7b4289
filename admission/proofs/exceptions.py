"""One tree of refusals. Each names its problem from a closed list, and carries, for the event alone, which check failed.

Nothing of what was sent is in a refusal: not in its text, its data, or a chained failure. To whom it is answered only its
problem is told; which check failed would help somebody who forges (attack 19 of the study of admission).
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar


class Reason(StrEnum):
    """The problem types that reading a proof can end in."""

    TOKEN_REQUIRED = "token-required"  # noqa: S105  a name, no secret; so are those below
    TOKEN_INVALID = "token-invalid"  # noqa: S105  as above
    PROOF_INVALID = "proof-invalid"
    IDENTITY_INVALID = "identity-invalid"
    CLASS_MISMATCH = "class-mismatch"
    OUT_OF_SCOPE = "out-of-scope"


class Check(StrEnum):
    """Which check failed: a closed list, for the event."""

    MISSING = "missing"
    MULTIPLE = "multiple"
    SIZE = "size"
    SCHEME = "scheme"
    FORM = "form"
    JSON = "json"
    HEADER = "header"
    TYPE = "typ"
    ALGORITHM = "alg"
    KEY = "jwk"
    KEY_PRIVATE = "jwk-private"
    KEY_UNKNOWN = "kid"
    KEY_OTHER = "key-mismatch"
    SIGNATURE = "signature"
    ISSUER = "iss"
    AUDIENCE = "aud"
    SUBJECT = "sub"
    ISSUED = "iat"
    EXPIRED = "exp"
    EARLY = "nbf"
    LIFETIME = "lifetime"
    IDENTIFIER = "jti"
    METHOD = "htm"
    OVERRIDE = "method-override"
    ADDRESS = "htu"
    PATH = "path"
    TOKEN_HASH = "ath"  # noqa: S105  as above
    UNBOUND = "unbound"
    CLAIM = "claim"
    CLASS = "class"


class RefusedError(Exception):
    """A request that does not prove what it must. Raise one of the kinds below."""

    reason: ClassVar[Reason]

    def __init__(self, check: Check) -> None:
        super().__init__(self.reason.value)
        self.check = check


class TokenRequiredError(RefusedError):
    """There is no token where one is needed."""

    reason = Reason.TOKEN_REQUIRED


class TokenInvalidError(RefusedError):
    """The token is not one of ours, not well formed, not for here, or over."""

    reason = Reason.TOKEN_INVALID


class ProofInvalidError(RefusedError):
    """The proof of the key is missing, malformed, of another key, or about another request."""

    reason = Reason.PROOF_INVALID


class IdentityInvalidError(RefusedError):
    """Who asks for a contract did not prove who it is."""

    reason = Reason.IDENTITY_INVALID


class ClassMismatchError(RefusedError):
    """The method, or what is asked, is outside the class of the token."""

    reason = Reason.CLASS_MISMATCH


class OutOfScopeError(RefusedError):
    """The address could be read in more than one way, so it is inside no scope."""

    reason = Reason.OUT_OF_SCOPE
