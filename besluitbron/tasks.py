"""Tasks of the whole: beat says that it is alive."""

from __future__ import annotations

from celery import shared_task

from besluitbron.heartbeat import beat_now


@shared_task(ignore_result=True, expires=25)
def heartbeat() -> None:
    """Note this moment. One note proves the chain: beat sends, the broker carries, the upkeep worker works."""
    beat_now()
