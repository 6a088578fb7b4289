"""How many connections reports hold of a real PostgreSQL, and how many of those reserved for urgent work are free."""

from __future__ import annotations

from contextlib import ExitStack

import psycopg
import pytest
from django.db.utils import ConnectionHandler
from psycopg.conninfo import conninfo_to_dict
from pytest_django import DjangoDbBlocker

from reports import connections
from reports.apart import APPLICATION_NAME
from reports.connections import Held, held
from tests.support.postgres import a_database, a_server, needs_postgres
from throttling.load_rules import LoadRules


@needs_postgres
def test_what_reports_hold_is_told_from_what_urgent_work_has_left(
    monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker
) -> None:
    """Rule L2."""
    with a_server(20) as server, ExitStack() as stack:
        address = a_database(server)
        parts = conninfo_to_dict(address)
        given = {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": parts.get("dbname"),
            "USER": parts.get("user", ""),
            "PASSWORD": parts.get("password", ""),
            "HOST": parts.get("host", ""),
            "PORT": parts.get("port", ""),
        }
        own = ConnectionHandler({"default": given})["default"]
        stack.callback(own.close)
        monkeypatch.setattr(connections, "connection", own)
        for _ in range(2):
            stack.enter_context(psycopg.connect(address, application_name=APPLICATION_NAME))
        stack.enter_context(psycopg.connect(address, application_name="een pagina"))
        stack.enter_context(django_db_blocker.unblock())
        with own.cursor() as cursor:
            cursor.execute("SELECT current_setting('superuser_reserved_connections')::int")
            reserved = 20 - cursor.fetchone()[0] - 5
        found = held(LoadRules(report_connections=5))
    assert found == Held(reports=2, most=5, reserved=reserved, free=reserved - 2)
