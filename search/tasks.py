"""What goes on in the background of this room: faults that programs reported are kept a year, and no longer."""

from __future__ import annotations

from celery import shared_task

from connectors.moments import now
from search.faults import KEPT_FOR
from search.models import FaultReport


@shared_task(ignore_result=True)
def forget_old_faults() -> None:
    """Remove what is older than we keep it."""
    FaultReport.objects.filter(at__lt=now() - KEPT_FOR).delete()
