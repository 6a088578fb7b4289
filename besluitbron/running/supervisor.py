"""The supervisor that keeps the parts running: its configuration, its process, and talking to it."""

from __future__ import annotations

import http.client
import os
import shlex
import subprocess
import sys
import xmlrpc.client
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from supervisor.xmlrpc import SupervisorTransport

from besluitbron.running.layout import PROJECT, Layout
from besluitbron.running.leftovers import SUPERVISOR, Process, leave_note, process, wait_until
from besluitbron.running.options import Options
from besluitbron.running.part import PARTS, told
from besluitbron.running.parts import Group, Part
from besluitbron.running.secrets import replace

_WAKE_SECONDS: Final = 5.0
_HEAD: Final = """\
; Written anew by each start. No path stands here in full: whatever the data folder is called, this file can be read.
[supervisord]
nodaemon=true
silent=true
umask=077
logfile=%(here)s/logs/supervisord.log
logfile_maxbytes=1MB
logfile_backups=1
pidfile=%(here)s/supervisord.pid
childlogdir=%(here)s/logs

[unix_http_server]
file=%(ENV_BESLUITBRON_SUPERVISOR)s
chmod=0700

[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
"""

# The name of a log is expanded twice: with one % a folder whose own name holds one would not be found.
_PROGRAM: Final = """
[program:{part.name}]
command=%(ENV_BESLUITBRON_PYTHON)s -m besluitbron.running.part {part.name}
autostart={autostart}
autorestart=true
startsecs=5
startretries=2
stopsignal={part.stop_signal}
stopwaitsecs={part.stop_seconds}
killasgroup=true
redirect_stderr=true
stdout_logfile=%%(here)s/logs/{part.name}.log
stdout_logfile_maxbytes=5MB
stdout_logfile_backups=2
"""

_GROUP: Final = """
[group:{group}]
programs={programs}
priority={priority}
"""


class SupervisorUnreachableError(Exception):
    """The supervisor does not answer (any more)."""


@dataclass(frozen=True, slots=True)
class PartState:
    """How one part is doing: ``state`` in the supervisor's words (RUNNING, BACKOFF, FATAL, …)."""

    name: str
    full_name: str
    state: str
    pid: int

    @property
    def gave_up(self) -> bool:
        """Whether it could not be started, and the supervisor will not try again by itself."""
        return self.state == "FATAL"


def configuration(parts: Iterable[Part]) -> str:
    """The supervisor's configuration for ``parts``. Some start with it, the rest when asked to.

    A group with a lower priority starts first and ends last; the parts of one group end side by side.
    """
    wanted = tuple(parts)
    programs = [_PROGRAM.format(part=part, autostart=str(part.at_once).lower()) for part in wanted]
    groups = [
        _GROUP.format(group=group, programs=",".join(p.name for p in wanted if p.group is group), priority=priority)
        for priority, group in enumerate(Group, start=1)
    ]
    return "".join((_HEAD, *programs, *groups))


class Supervisor:
    """A supervisor that runs as our child, in a session of its own: Ctrl-C reaches it through us alone."""

    def __init__(self, child: subprocess.Popen[bytes], layout: Layout) -> None:
        self._child = child
        self._layout = layout

    @classmethod
    def launch(cls, options: Options, parts: Iterable[Part]) -> Supervisor:
        """Write the configuration and start the supervisor, which starts what is to run at once. Raises ``OSError``."""
        layout, wanted = options.layout, tuple(parts)
        replace(layout.supervisor_conf, configuration(wanted))
        own = {
            "BESLUITBRON_PYTHON": shlex.quote(sys.executable),
            "BESLUITBRON_SUPERVISOR": str(layout.supervisor_socket),
            PARTS: told(options, wanted),
        }
        with start_log(layout).open("wb") as log:
            child = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-m", "supervisor.supervisord", "-n", "-c", str(layout.supervisor_conf)],
                cwd=PROJECT,
                env={**os.environ, **options.environment(), **own},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        leave_note(layout.part_pids / f"{SUPERVISOR}.pid", child.pid)
        return cls(child, layout)

    def wake(self) -> bool:
        """Ask it something as soon as it listens, and so have it start its parts: by itself it does so a second later.

        Whether it answered within a few seconds.
        """
        return wait_until(self._answers, _WAKE_SECONDS)

    def _answers(self) -> bool:
        try:
            self.states()
        except SupervisorUnreachableError:
            return False
        return True

    @property
    def is_running(self) -> bool:
        """Whether its process runs."""
        return self._child.poll() is None

    @property
    def process(self) -> Process | None:
        """Its process, while it runs."""
        return process(self._child.pid) if self.is_running else None

    def states(self) -> dict[str, PartState]:
        """How every part is doing, by its name. Raises ``SupervisorUnreachableError``."""
        found = self._ask("getAllProcessInfo")
        return {
            one["name"]: PartState(one["name"], f"{one['group']}:{one['name']}", one["statename"], one["pid"])
            for one in found
        }

    def start(self, part: Part) -> None:
        """Start ``part`` and do not wait for it. Raises ``SupervisorUnreachableError``."""
        with suppress(xmlrpc.client.Fault):  # what goes wrong here shows in its state
            self._ask("startProcess", part.full_name, False)  # noqa: FBT003 - the protocol has no names

    def ask_to_end(self) -> None:
        """Ask it to end all parts and then itself."""
        self._child.terminate()

    def _ask(self, method: str, *arguments: object) -> list[dict[str, Any]]:
        # A transport anew for each question: one that failed once never works again.
        transport = SupervisorTransport(serverurl=f"unix://{self._layout.supervisor_socket}")
        try:
            with xmlrpc.client.ServerProxy("http://127.0.0.1", transport=transport) as proxy:
                answer = getattr(proxy.supervisor, method)(*arguments)
        except (OSError, http.client.HTTPException, xmlrpc.client.ProtocolError) as error:
            raise SupervisorUnreachableError from error
        return answer if isinstance(answer, list) else []


def start_log(layout: Layout) -> Path:
    """What the supervisor said before its own log was open."""
    return layout.logs / "supervisord-start.log"
