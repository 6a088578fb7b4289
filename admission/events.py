"""What happened, kept in the database for operators, and what it says of the use of contracts.

The store writes an event with each decision and keeps the last ones alone. Whoever reads them on writes down in one
transaction what happened, and what was left of each contract by then: the same events are never counted twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import F

from admission.edge import Event
from admission.models import EVENTS_FOR, MOST_EVENTS, AdmissionEvent, Agreement

_COLUMNS: Final = {
    "contract": "contract",
    "workload": "workload",
    "op": "operation",
    "class": "access",
    "reason": "reason",
}
_USED: Final = frozenset({"allow", "refund"})
_REFUSED: Final = frozenset({"deny", "throttle"})
_AT_ONCE: Final = 500


def last() -> str:
    """The id of the newest event that is kept; empty when there is none."""
    return AdmissionEvent.objects.order_by("-pk").values_list("entry", flat=True).first() or ""


def keep(events: Sequence[Event], at: datetime) -> None:
    """Write down events that are newer than ``last``. Raises ``IntegrityError`` where another process was first."""
    AdmissionEvent.objects.bulk_create([_row(event) for event in events], batch_size=_AT_ONCE)
    left: dict[str, tuple[int, int]] = {}
    refused: Counter[str] = Counter()
    for event in events:
        contract = event.fields.get("contract", "")
        if event.kind in _USED and contract:
            left[contract] = int(event.fields["left"]), int(event.fields["wleft"])
        elif event.kind in _REFUSED and contract:
            refused[contract] += 1
    for contract, (units, writes) in left.items():
        Agreement.objects.filter(contract=contract).update(left=units, writes_left=writes, checked_at=at)
    for contract, count in refused.items():
        Agreement.objects.filter(contract=contract).update(refused=F("refused") + count)


def forget(at: datetime) -> None:
    """Remove what is older than we keep it, and what is more than we keep."""
    AdmissionEvent.objects.filter(at__lt=at - EVENTS_FOR).delete()
    newest = AdmissionEvent.objects.order_by("-pk").values_list("pk", flat=True).first()
    if newest is not None:
        AdmissionEvent.objects.filter(pk__lte=newest - MOST_EVENTS).delete()


def _row(event: Event) -> AdmissionEvent:
    fields = dict(event.fields)
    at = datetime.fromtimestamp(float(fields.pop("at")), UTC)
    told: dict[str, Any] = {column: fields.pop(name, "") for name, column in _COLUMNS.items()}
    sizes = {field.name: field.max_length for field in AdmissionEvent._meta.concrete_fields}  # noqa: SLF001 - Django's public way
    return AdmissionEvent(
        entry=event.id,
        at=at,
        kind=event.kind[:20],
        **{column: value[: sizes[column]] for column, value in told.items()},
        more={name: value for name, value in fields.items() if value},
    )
