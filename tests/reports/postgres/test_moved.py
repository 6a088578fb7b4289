"""What SQLite holds goes to PostgreSQL by the commands that the guide gives, and a report is read there as before."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import psycopg

from besluitbron.running.layout import PROJECT, Layout
from besluitbron.running.secrets import report_key
from reports.sealing import Seal
from tests.support.postgres import a_database, a_server, needs_postgres

pytestmark = needs_postgres
GUIDE: Final = PROJECT / "docs" / "doen" / "postgresql.md"
FILLED: Final = """
from datetime import timedelta
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from connectors.moments import now
from reports.models import LoadChange, ReportAsk, ReportRun
from reports.rules import change
from reports.sealing import Seal
from throttling.load_rules import LoadRules

seal = Seal(settings.REPORT_KEY)
els = get_user_model().objects.create_user("els", password="geheim-genoeg-hoor", is_staff=True)
els.user_permissions.add(Permission.objects.get(codename="change_loadchange"))
made = change(LoadRules(slots=3), "els", now())
LogEntry.objects.log_actions(els.pk, [made], CHANGE, change_message="Regels", single_object=True)
sealed = {"wish": seal.close(b"vraag=zon"), "body": seal.close(b"rapport")}
run = ReportRun.objects.create(run="r1", version="0", asked_at=now(), **sealed)
ReportAsk.objects.create(digest="d1", token=seal.close(b"t"), run="r1", asked_at=now(), kept_until=now() + timedelta(days=14))
"""


def commands() -> list[list[str]]:
    """What the guide has one type, without the address, which is the reader's own."""
    block = re.search(r"## Wat er al in SQLite staat.*?```sh\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    return [shlex.split(line) for line in block[1].splitlines()]


def test_what_the_guide_says_takes_rules_accounts_and_reports_along(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.make_folders()
    key = report_key(layout)
    with a_server() as server:
        address = a_database(server)
        here = os.environ | {"BESLUITBRON_DATA": str(tmp_path)}
        for program in (("migrate", "--verbosity", "0"), ("shell", "--no-imports", "-c", FILLED)):
            subprocess.run([sys.executable, str(PROJECT / "manage.py"), *program], check=True, cwd=PROJECT, env=here)
        for line in commands():
            moves = line[0].startswith("BESLUITBRON_DATABASE=")
            there = here | {"BESLUITBRON_DATABASE": address if moves else ""}
            own = [
                str(tmp_path / word) if word == "alles.json" else word for word in line[line.index("manage.py") + 1 :]
            ]
            subprocess.run([sys.executable, str(PROJECT / "manage.py"), *own], check=True, cwd=PROJECT, env=there)
        with psycopg.connect(address) as connection:
            assert connection.execute("SELECT by, rules->>'slots' FROM reports_loadchange").fetchall() == [("els", "3")]
            [(sealed, digest)] = connection.execute(
                "SELECT body, digest FROM reports_reportrun r JOIN reports_reportask a ON a.run = r.run"
            ).fetchall()
            named = "SELECT username, codename FROM auth_user u JOIN auth_user_user_permissions p ON p.user_id = u.id"
            rights = connection.execute(f"{named} JOIN auth_permission a ON a.id = p.permission_id").fetchall()
            log = "SELECT u.username FROM django_admin_log l JOIN auth_user u ON u.id = l.user_id"
            assert connection.execute(log).fetchall() == [("els",)]
            connection.execute("INSERT INTO reports_loadchange (at, by, rules) VALUES (now(), 'x', '{}')")
    assert (Seal(key).open(bytes(sealed)), digest) == (b"rapport", "d1")
    assert rights == [("els", "change_loadchange")]
