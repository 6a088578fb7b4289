"""Django's backend for PostgreSQL. A connection opened for reports first takes one of their seats, and gives it back last.

A seat is given back when the server has let go of the connection, not when we have: PostgreSQL holds its end of the line open
until its process is gone, "so that a client can wait for it" (its source, ``src/backend/libpq/pqcomm.c``, ``socket_close``).
"""

from __future__ import annotations

import os
import select
import socket
import weakref
from contextlib import suppress
from typing import Any, Final

import psycopg
from django.db.backends.postgresql import base

from besluitbron.postgres.places import PLACES, NoSeatError, is_counted
from reports.apart import APPLICATION_NAME
from reports.database_use import USE

_GONE_SECONDS: Final = 2.0
_READ_BYTES: Final = 4096
_NO_SEAT: Final = "all connections of reports are taken"
_SEATS: weakref.WeakKeyDictionary[Any, weakref.finalize[Any, Any]] = weakref.WeakKeyDictionary()


class DatabaseWrapper(base.DatabaseWrapper):
    """Connections of reports are counted over all processes; all others are as usual."""

    is_of_reports = False
    """Whether the connection that is open holds a seat."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open one. Raises ``OperationalError`` when it is for reports and no seat came free in time."""
        self.is_of_reports = is_counted()
        if not self.is_of_reports:
            return super().get_new_connection(conn_params)
        try:
            holder = PLACES.take()
        except NoSeatError as failure:
            raise psycopg.OperationalError(_NO_SEAT) from failure
        try:
            made = super().get_new_connection({**conn_params, "application_name": APPLICATION_NAME})
        except BaseException:
            PLACES.leave(holder)
            raise
        seat = _SEATS[made] = weakref.finalize(made, PLACES.leave, holder)
        seat.atexit = False  # what a process leaves behind, ends by its lease
        return made

    def _commit(self) -> None:
        """Commit: time of the database as well, of which no statement tells."""
        with USE.call(of_reports=self.is_of_reports):
            super()._commit()  # type: ignore[misc]  # the published types do not list it

    def _close(self) -> None:
        """Close it, and give the seat back that it had."""
        seat = _SEATS.pop(self.connection, None) if self.connection is not None else None
        if seat is None:
            super()._close()  # type: ignore[misc]  # the published types do not list it
            return
        try:
            _close_and_wait(self.connection, super()._close)  # type: ignore[misc]  # as above
        finally:
            seat()


def _close_and_wait(connection: Any, close: Any) -> None:
    """Close a connection, and wait until the server's process for it is gone: a while at most."""
    try:
        line = socket.socket(fileno=os.dup(connection.fileno()))
    except (psycopg.Error, OSError):  # it is lost already
        close()
        return
    with line:
        close()
        with suppress(OSError):
            while select.select([line], [], [], _GONE_SECONDS)[0] and line.recv(_READ_BYTES):
                continue
