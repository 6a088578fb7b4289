"""The background: one Celery app, one queue a worker, and what beat sends when.

The broker is database 1 of the store (``staat``). No results are kept: whoever wants an outcome writes it down itself.
"""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any, Final
from urllib.parse import quote

from celery import Celery, platforms
from celery.signals import beat_embedded_init, setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

from besluitbron.running.layout import Layout, data_folder

UPKEEP: Final = "upkeep"
REPORTS: Final = "reports"
HEARTBEAT: Final = timedelta(seconds=30)
_BROKER_DATABASE: Final = 1


def broker_address(layout: Layout) -> str:
    """The address of the broker, as kombu reads it: the path of the socket is quoted, the database is a parameter."""
    return f"redis+socket://{quote(str(layout.state_socket))}?virtual_host={_BROKER_DATABASE}"


app = Celery("besluitbron", broker=broker_address(Layout(data_folder())))
app.conf.update(
    accept_content=["json"],
    beat_schedule={"heartbeat": {"task": "besluitbron.tasks.heartbeat", "schedule": HEARTBEAT}},
    broker_connection_retry_on_startup=True,
    enable_utc=True,
    result_backend=None,
    task_default_queue=UPKEEP,
    task_ignore_result=True,
    task_routes={"reports.*": {"queue": REPORTS}},
    task_serializer="json",
    timezone="Europe/Amsterdam",
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    # Asked to end (SIGQUIT): work gets 2 s to finish, then goes back to its queue.
    worker_soft_shutdown_timeout=2.0,
)
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Keep the logging that Django's settings configured: Celery leaves it alone as soon as somebody listens here."""


@beat_embedded_init.connect
def end_with_the_worker(**_: Any) -> None:
    """Let beat die with its worker: a worker that is killed and restarted would otherwise leave a second beat."""
    platforms.set_pdeathsig("SIGKILL")  # type: ignore[attr-defined]  # the published types do not list it
