from __future__ import annotations

import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
import time_machine
from celery import Celery
from celery.signals import worker_ready
from django.conf import settings

from besluitbron import celery, heartbeat, tasks
from besluitbron.celery import app, broker_address
from besluitbron.running.layout import Layout
from besluitbron.running.leftovers import wait_until
from besluitbron.running.options import read_options
from besluitbron.running.parts import STATE
from besluitbron.running.probes import answers_ping
from connectors.platforms import PLATFORMS


@pytest.fixture
def own_layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Layout:
    layout = Layout(tmp_path)
    monkeypatch.setattr(settings, "LAYOUT", layout)
    return layout


@pytest.fixture
def odd_store(tmp_path: Path) -> Iterator[Layout]:
    """A store in a data folder whose name an address has to quote."""
    options = read_options({"BESLUITBRON_DATA": str(tmp_path / "50% #1 ?é")})
    options.layout.make_folders()
    with subprocess.Popen(STATE.command(options), stdout=subprocess.DEVNULL) as server:
        assert wait_until(lambda: answers_ping(options.layout.state_socket), 30)
        yield options.layout
        server.terminate()
    options.layout.remove_socket_folder()


def test_the_broker_is_database_one_of_the_store_whatever_its_folder_is_called(odd_store: Layout) -> None:
    with Celery(broker=broker_address(odd_store), set_as_current=False).connection_for_write() as connection:
        connection.ensure_connection(max_retries=1)
        client = connection.default_channel.client  # type: ignore[attr-defined]  # only channels to Redis have one
        client.set("proof", "1")
        assert list(client.info("keyspace")) == ["db1"]
        client.connection_pool.disconnect()


def test_the_heartbeat_tells_its_age(own_layout: Layout) -> None:
    with time_machine.travel("2026-03-01T12:00:00+00:00", tick=False) as traveller:
        tasks.heartbeat.apply().get()
        traveller.shift(45)
        assert heartbeat.beat_age() == timedelta(seconds=45)
    assert own_layout.heartbeat.exists()


@pytest.mark.parametrize("text", ["", "gisteren", "2026-03-01T12:00:00"])
def test_a_heartbeat_that_cannot_be_read_has_no_age(own_layout: Layout, text: str) -> None:
    assert heartbeat.beat_age() is None
    own_layout.heartbeat.write_text(text, "utf-8")
    assert heartbeat.beat_age() is None


def test_beat_sends_only_tasks_that_exist_and_only_data() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= app.tasks.keys()
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_serializer == "json"


@pytest.mark.parametrize(
    ("task", "queue"), [("reports.tasks.build", "reports"), ("besluitbron.tasks.heartbeat", "upkeep")]
)
def test_reports_have_a_queue_of_their_own(task: str, queue: str) -> None:
    assert app.amqp.router.route({}, task)["queue"].name == queue


def test_the_lists_of_each_source_come_once_a_week_in_the_night_and_never_two_at_once() -> None:
    entries = [entry for entry in app.conf.beat_schedule.values() if entry["task"] == "connectors.tasks.refresh_lists"]
    assert [entry["args"] for entry in entries] == [(platform.key,) for platform in PLATFORMS]
    moments = {
        (day, hour, minute)
        for entry in entries
        for day in entry["schedule"].day_of_week
        for hour in entry["schedule"].hour
        for minute in entry["schedule"].minute
    }
    assert len(moments) == len(PLATFORMS)
    assert {(day, 1 < hour < 6) for day, hour, _ in moments} == {(0, True)}


def test_the_question_that_must_find_something_comes_once_a_day_to_each_source_and_never_to_two_in_one_hour() -> None:
    """Field report 31."""
    entries = [entry for entry in app.conf.beat_schedule.values() if entry["task"] == "connectors.tasks.ask_canary"]
    assert [entry["args"] for entry in entries] == [(platform.key,) for platform in PLATFORMS]
    hours = [hour for entry in entries for hour in entry["schedule"].hour]
    assert len(set(hours)) == len(hours) == len(PLATFORMS)
    assert {len(entry["schedule"].minute) for entry in entries} == {1}
    assert {len(entry["schedule"].day_of_week) for entry in entries} == {7}


def test_the_load_status_comes_every_ten_minutes_and_an_old_request_for_it_is_dropped() -> None:
    entry = app.conf.beat_schedule["load-status"]
    assert entry["task"] == "connectors.tasks.refresh_every_load_status"
    assert entry["schedule"] == timedelta(minutes=10)
    assert entry["options"]["expires"] == 600


@pytest.mark.parametrize(
    ("worker", "expected"),
    [
        ("upkeep@machine", ["connectors.tasks.refresh_outdated", "connectors.tasks.ask_missed_canaries"]),
        ("reports@machine", []),
    ],
)
def test_the_start_of_the_upkeep_worker_looks_for_what_an_upgrade_made_old(
    worker: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(celery, "send", sent.append)
    worker_ready.send(sender=Mock(hostname=worker))
    assert sent == expected
