"""The background: one Celery app, one queue a worker, and what beat sends when.

The broker is database 1 of the store (``staat``). No results are kept: whoever wants an outcome writes it down itself.
"""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any, Final
from urllib.parse import quote

from celery import Celery, platforms
from celery.schedules import crontab
from celery.signals import beat_embedded_init, setup_logging, worker_ready
from django.conf import settings
from kombu.exceptions import OperationalError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

from besluitbron.running.layout import Layout, data_folder
from besluitbron.work import WORK
from connectors.platforms import PLATFORMS
from reports.presence import keep_signing
from throttling.work import Door

UPKEEP: Final = "upkeep"
REPORTS: Final = "reports"
HEARTBEAT: Final = timedelta(seconds=30)
LOAD_STATUS: Final = timedelta(minutes=10)
MOST_STARTS: Final = 10
"""So many starts of reports may lie in the broker. A worker that is there takes them at once; while none is, each is said again
every lease, and the first to come would have to look at all of them."""
DEFERRABLE: Final = frozenset(work.name for work in WORK if work.door is Door.TASK and work.may_wait())
"""Tasks that are declared to wait when it is busy: they have a queue and a worker of their own (rule L2)."""
_APART_MINUTES: Final = 25
_FIRST_CANARY, _CANARIES_APART, _CANARY_MINUTE = 7, 2, 23
"""The hours of the day over which the questions that must always find something are spread: no two sources in one hour."""
_BROKER_DATABASE: Final = 1


def broker_address(layout: Layout) -> str:
    """The address of the broker, as kombu reads it: the path of the socket is quoted, the database is a parameter."""
    return f"redis+socket://{quote(str(layout.state_socket))}?virtual_host={_BROKER_DATABASE}"


def schedule() -> dict[str, dict[str, Any]]:
    """What beat sends when. The lists of each platform come once a week, the platforms spread over the night of Sunday.

    Its canary comes once a day, the platforms spread over the day.
    """
    tasks: dict[str, dict[str, Any]] = {
        "heartbeat": {"task": "besluitbron.tasks.heartbeat", "schedule": HEARTBEAT},
        "load-status": {
            "task": "connectors.tasks.refresh_every_load_status",
            "schedule": LOAD_STATUS,
            "options": {"expires": LOAD_STATUS.total_seconds()},
        },
        "reports": {
            "task": "reports.tasks.look_after",
            "schedule": HEARTBEAT,
            "options": {"expires": HEARTBEAT.total_seconds()},
        },
        "old-faults": {"task": "search.tasks.forget_old_faults", "schedule": crontab(hour=4, minute=20)},
        "outdated": {"task": "connectors.tasks.refresh_outdated", "schedule": crontab(hour=6, minute=10)},
    }
    for place, platform in enumerate(PLATFORMS):
        hours, minute = divmod(place * _APART_MINUTES, 60)
        tasks[f"lists-{platform.key}"] = {
            "task": "connectors.tasks.refresh_lists",
            "args": (platform.key,),
            "schedule": crontab(hour=2 + hours, minute=minute, day_of_week="sun"),
        }
        tasks[f"canary-{platform.key}"] = {
            "task": "connectors.tasks.ask_canary",
            "args": (platform.key,),
            "schedule": crontab(hour=_FIRST_CANARY + place * _CANARIES_APART, minute=_CANARY_MINUTE),
        }
    return tasks


app = Celery("besluitbron", broker=broker_address(Layout(data_folder())))
app.conf.update(
    accept_content=["json"],
    beat_schedule=schedule(),
    broker_connection_retry_on_startup=True,
    enable_utc=True,
    result_backend=None,
    task_default_queue=UPKEEP,
    task_ignore_result=True,
    task_routes={task: {"queue": REPORTS} for task in DEFERRABLE},
    task_serializer="json",
    timezone="Europe/Amsterdam",
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    # Asked to end (SIGQUIT): work gets 2 s to finish, then goes back to its queue.
    worker_soft_shutdown_timeout=2.0,
)
app.autodiscover_tasks()


class QueueFullError(OSError):
    """So much lies in a queue that more would only pile up. What was not sent is said again."""


def waiting(broker: Celery, queue: str) -> int:
    """How many tasks lie in a queue that no worker took. Raises ``OSError`` without a broker."""
    with broker.connection_for_write() as connection:
        try:
            with connection.channel() as channel:
                lies: int = channel.queue_declare(queue, passive=True).message_count  # type: ignore[attr-defined]  # not listed
        except connection.channel_errors:
            return 0  # an empty queue is not there
        except connection.connection_errors as error:
            raise ConnectionError from error
    return lies


def room(broker: Celery, queue: str, most: int) -> None:
    """Raises ``QueueFullError`` where ``most`` lie in ``queue``, and other ``OSError`` without a broker."""
    if waiting(broker, queue) >= most:
        raise QueueFullError


def send(task: str, *arguments: str, **options: bool) -> None:
    """Send a task to the background, from a page. Raises ``OSError`` when the broker is not there: a page does not wait.

    Of those that may wait no more than ``MOST_STARTS`` lie there: a worker that comes late finds one of its run, or hears the
    next.
    """
    if task in DEFERRABLE:
        room(app, REPORTS, MOST_STARTS)
    try:
        app.send_task(task, arguments, options, retry=False)
    except OperationalError as error:
        raise ConnectionError from error


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Keep the logging that Django's settings configured: Celery leaves it alone as soon as somebody listens here."""


@worker_ready.connect
def look_for_outdated_lists(sender: Any, **_: Any) -> None:
    """Ask for what an upgrade made old, or what was never asked for, as soon as the upkeep worker runs."""
    if str(sender.hostname).startswith(f"{UPKEEP}@"):
        send("connectors.tasks.refresh_outdated")
        send("connectors.tasks.ask_missed_canaries")


@worker_ready.connect
def say_that_reports_can_be_made(sender: Any, **_: Any) -> None:
    """A worker for reports gives signs of life, so that a missing one is noticed before anybody asks for a report."""
    if str(sender.hostname).startswith(f"{REPORTS}@"):
        keep_signing(settings.STATE_STORE)


@beat_embedded_init.connect
def end_with_the_worker(**_: Any) -> None:
    """Let beat die with its worker: a worker that is killed and restarted would otherwise leave a second beat."""
    platforms.set_pdeathsig("SIGKILL")  # type: ignore[attr-defined]  # the published types do not list it
