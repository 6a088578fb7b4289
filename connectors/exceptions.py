"""Everything that can go wrong between a query and a platform's answer, as one tree. Failures carry data, not prose.

ConnectorError
├── NotSupportedError         the platform cannot answer this question at all
│   ├── OperatorError         …because of an operator it does not know
│   └── SwitchedOffError      …because an operator has not given its address
├── UnreachableError          no connection, or it broke off
├── TooSlowError              no whole answer before the call's deadline
├── RefusedError              the platform answered with a status that says no
│   └── OverLimitError        …because we asked too much, by its own count
├── QueueFullError            our own queue for this platform takes no more calls
├── ClosedError               no call may go to this platform now: its count is unknown, or an operator stopped it
├── NotAnAnswerError          a body that is no answer: HTML with 200, empty, cut off, wrong type, diagnostics, error in a 200
├── NotKeptError              the buffer has no answer to this, and nobody was asked
├── TakenDownError            an operator took this document down here
└── GoneError                 the document is not there
    ├── ReplacedError         …and the platform names what replaced it
    └── WithdrawnError        …because it was withdrawn, as the platform says itself
"""

from __future__ import annotations

from enum import StrEnum

from connectors.records import Filter, Operator


class ConnectorError(Exception):
    """The root of all failures of this room. ``platform`` is the platform's key."""

    def __init__(self, platform: str, *data: object) -> None:
        super().__init__(platform, *data)
        self.platform = platform


class Unsupported(StrEnum):
    """Why a platform cannot answer a question."""

    NO_SUCH_BODY = "no_such_body"
    NO_SUCH_KIND = "no_such_kind"
    NO_SUCH_GROUP = "no_such_group"
    OPERATOR = "operator"
    NEEDS_WORDS_OR_FILTER = "needs_words_or_filter"
    NO_SUCH_FUNCTION = "no_such_function"
    SWITCHED_OFF = "switched_off"


class NotSupportedError(ConnectorError):
    """What was asked is nothing this platform could ever hold, such as council papers at the courts."""

    def __init__(self, platform: str, reason: Unsupported, filters: tuple[Filter, ...] = ()) -> None:
        super().__init__(platform, reason, filters)
        self.reason = reason
        self.filters = filters


class OperatorError(NotSupportedError):
    """The question uses operators that the platform does not know, and that cannot be translated."""

    def __init__(self, platform: str, operators: frozenset[Operator]) -> None:
        super().__init__(platform, Unsupported.OPERATOR)
        self.operators = operators


class SwitchedOffError(NotSupportedError):
    """The platform is not asked at all: it has no public address, and the operator gave none. Raised before any call."""

    def __init__(self, platform: str) -> None:
        super().__init__(platform, Unsupported.SWITCHED_OFF)


class UnreachableError(ConnectorError):
    """No connection could be made, or it broke off before the answer was whole. ``kind`` is the kind of failure."""

    def __init__(self, platform: str, kind: str) -> None:
        super().__init__(platform, kind)
        self.kind = kind


class TooSlowError(ConnectorError):
    """No whole answer within ``deadline`` seconds after the call was sent."""

    def __init__(self, platform: str, deadline: float) -> None:
        super().__init__(platform, deadline)
        self.deadline = deadline


class RefusedError(ConnectorError):
    """The platform answered with ``status``; ``code`` is its own machine word, where it gives one."""

    def __init__(self, platform: str, status: int, code: str = "") -> None:
        super().__init__(platform, status, code)
        self.status = status
        self.code = code


class OverLimitError(RefusedError):
    """The platform says that we asked too much. ``retry_after`` is in whole seconds, at least 1."""

    def __init__(self, platform: str, status: int, retry_after: int) -> None:
        super().__init__(platform, status, "over_limit")
        self.retry_after = retry_after


class QueueFullError(ConnectorError):
    """Our own queue takes no more calls for this platform; try again after ``retry_after`` seconds."""

    def __init__(self, platform: str, retry_after: float) -> None:
        super().__init__(platform, retry_after)
        self.retry_after = retry_after


class ClosedError(ConnectorError):
    """No call may go now. ``retry_after`` is in seconds, None when nobody knows; ``text`` is an operator's, for visitors."""

    def __init__(self, platform: str, retry_after: float | None = None, text: str = "") -> None:
        super().__init__(platform, retry_after, text)
        self.retry_after = retry_after
        self.text = text

    @property
    def is_ours(self) -> bool:
        """Whether it says nothing of the platform: our own store of turns cannot be used, and nobody knows until when."""
        return self.retry_after is None and not self.text


class Defect(StrEnum):
    """In what way a body is no answer."""

    EMPTY = "empty"
    HTML = "html"
    CUT_OFF = "cut_off"
    WRONG_TYPE = "wrong_type"
    WRONG_SHAPE = "wrong_shape"
    DIAGNOSTICS = "diagnostics"
    ERROR_IN_200 = "error_in_200"
    TOO_LARGE = "too_large"
    REDIRECTED = "redirected"
    MAINTENANCE = "maintenance"


class NotAnAnswerError(ConnectorError):
    """The body is no answer. ``where`` names the place in its structure, never its content."""

    def __init__(self, platform: str, defect: Defect, where: str = "") -> None:
        super().__init__(platform, defect, where)
        self.defect = defect
        self.where = where


class NotKeptError(ConnectorError):
    """The buffer has no answer to this call, and nobody was to be asked."""


class TakenDownError(ConnectorError):
    """The document is not shown here, whatever the platform holds."""

    def __init__(self, platform: str, upstream_id: str) -> None:
        super().__init__(platform, upstream_id)
        self.upstream_id = upstream_id


class GoneError(ConnectorError):
    """There is no such document at the platform (any more)."""

    def __init__(self, platform: str, upstream_id: str) -> None:
        super().__init__(platform, upstream_id)
        self.upstream_id = upstream_id


class WithdrawnError(GoneError):
    """The platform says itself that it had the document and withdrew it: it is no mistake in a number.

    Two platforms tell: Officiële Bekendmakingen by the sentence on its page (its platform page, section 6), the Tweede Kamer by
    ``Verwijderd`` on the row (section 11). The others answer as to a number that never was.
    """


class ReplacedError(GoneError):
    """The document was replaced by ``successor``."""

    def __init__(self, platform: str, upstream_id: str, successor: str) -> None:
        super().__init__(platform, upstream_id)
        self.successor = successor
