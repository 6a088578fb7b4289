"""What can be wrong with a question, as values: all faults of one question together, each at its field.

The sentences for people stand in ``texts``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Fault(StrEnum):
    """What is wrong with one field of a question."""

    TOO_LONG = "too_long"
    NO_WORDS = "no_words"
    ONLY_OPERATORS = "only_operators"
    """Words that join others, and no others: AND, OR, NOT."""
    REPEATED = "repeated"
    """A field that counts once was given more than one value; the choices are those."""
    PERIOD_TWICE = "period_twice"
    """A period by name and days of one."""
    BAD_DATE = "bad_date"
    PERIOD_REVERSED = "period_reversed"
    UNKNOWN_ORGANISATION = "unknown_organisation"
    AMBIGUOUS_ORGANISATION = "ambiguous_organisation"
    UNKNOWN_KIND = "unknown_kind"
    UNKNOWN_PLATFORM = "unknown_platform"
    UNKNOWN_SORT = "unknown_sort"
    UNKNOWN_PERIOD = "unknown_period"
    BAD_PAGE = "bad_page"
    TOO_MANY_VALUES = "too_many_values"
    UNKNOWN_NAME = "unknown_name"


SHOWN_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class FieldFault:
    """One fault.

    The parameter it is about, what is wrong, the value given (hidden in logs) and the choices there are. Of a name that is no
    parameter the name is the value, and the parameter is empty.
    """

    parameter: str
    fault: Fault
    value: str = field(default="", repr=False)
    choices: tuple[tuple[str, str], ...] = ()

    def is_about(self, given: str) -> bool:
        """Whether this fault is about a value as it was given: a long one is kept in part."""
        return given.strip()[:SHOWN_CHARACTERS] == self.value


class InvalidQuestionError(Exception):
    """A question that cannot be asked. ``faults`` holds every fault, never just the first."""

    def __init__(self, faults: tuple[FieldFault, ...]) -> None:
        super().__init__(tuple((fault.parameter, fault.fault.value) for fault in faults))
        self.faults = faults
