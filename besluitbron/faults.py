"""Faults that programs reported, in the database (``search.faults.Faults``)."""

from __future__ import annotations

import secrets
from typing import Final

import structlog
from asgiref.sync import sync_to_async
from django.db import connections

from connectors.moments import now
from search.faults import KEPT_FOR, KeptFault, ReportedFault
from search.kept import KeptUnreadableError
from search.models import FaultReport

log = structlog.get_logger(__name__)
_BYTES: Final = 8


class DatabaseFaults:
    """Writes in a thread, so that nobody waits for a database in the event loop."""

    async def keep(self, fault: ReportedFault) -> KeptFault:
        """See ``Faults.keep``."""
        return await sync_to_async(_keep, thread_sensitive=False)(fault)


def _keep(fault: ReportedFault) -> KeptFault:
    at = now()
    try:
        made = FaultReport.objects.create(
            number=f"fout_{secrets.token_hex(_BYTES)}",
            at=at,
            kind=fault.kind,
            platform=fault.platform,
            document=fault.document,
            text=fault.text,
            contract=fault.contract,
            workload=fault.workload,
        )
        FaultReport.objects.filter(at__lt=at - KEPT_FOR).delete()
    except Exception as failure:
        log.warning("fault_not_kept", failure=type(failure).__name__)
        raise KeptUnreadableError from failure
    finally:
        connections.close_all()
    return KeptFault(made.number, at, at + KEPT_FOR)
