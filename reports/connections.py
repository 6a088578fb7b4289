"""Connections with a database server: how many reports hold, and how many reserved for urgent work are free (rule L2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db import connection

from reports.apart import APPLICATION_NAME
from throttling.load_rules import LoadRules

_COUNTED: Final = """
SELECT count(*) FILTER (WHERE application_name = %s AND pid <> pg_backend_pid()),
       count(*) FILTER (WHERE application_name <> %s OR pid = pg_backend_pid()),
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
FROM pg_stat_activity WHERE datid IS NOT NULL AND usesysid IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class Held:
    """``reports`` of ``most`` are held by reports; ``free`` of the ``reserved`` ones are not in use."""

    reports: int
    most: int
    reserved: int
    free: int


def held(rules: LoadRules) -> Held | None:
    """As it is now; None on SQLite, whose connections do not run out. Asks the database."""
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute(_COUNTED, [APPLICATION_NAME, APPLICATION_NAME])
        own, others, room = cursor.fetchone()
    reserved = max(room - rules.report_connections, 0)
    return Held(int(own), rules.report_connections, reserved, max(reserved - int(others), 0))
