"""Start every part, watch over them, and end them all: what ``./start`` runs."""

from __future__ import annotations

import fcntl
import os
import secrets
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, TextIO

from besluitbron.running.faults import OptionsError
from besluitbron.running.layout import FolderRefusedError, Layout
from besluitbron.running.leftovers import end, end_all, process, read_note, wait_until
from besluitbron.running.options import OPERATOR, Options, read_options
from besluitbron.running.parts import BOOKKEEPER, BUFFER, REPORTS, STAND_INS, STATE, UPKEEP, WEB, Part, parts
from besluitbron.running.probes import PortTakenError, answers_http, answers_ping, check_ports
from besluitbron.running.supervisor import Supervisor, SupervisorUnreachableError, start_log

ALIVE: Final = "/gezondheid/leeft"
"""The page that answers as soon as the web server does."""

_STORES_SECONDS: Final = 60.0  # a store reads its whole file before it answers
_WEB_SECONDS: Final = 90.0
_STAND_IN: Final = "/_stand/rechtspraak"
_LOOK_SECONDS: Final = 0.5
_END_SECONDS: Final = 10.0
_APART_SECONDS: Final = 2.0  # between the starts of parts for which nobody waits
_WATCH_SECONDS: Final = 1.0
_RETRY_ROUNDS: Final = 30
_LOG_LINES: Final = 15


class StartRefusedError(Exception):
    """This run cannot start, or cannot go on. The text is Dutch, for the person who started it."""


def main(stop: threading.Event) -> int:
    """Run until ``stop``. Returns the exit code: 0 ended as asked, 1 a part failed, 2 impossible options."""
    os.umask(0o077)
    try:
        options = replace(read_options(os.environ), run=secrets.token_hex(8))
        layout = options.layout
        layout.make_folders()
        with claimed(layout):
            try:
                run(options, stop)
            finally:
                layout.remove_socket_folder()
    except (OptionsError, FolderRefusedError) as error:
        say(f"BesluitBron start niet. {error}", file=sys.stderr)
        return 2
    except (StartRefusedError, PortTakenError) as error:
        say(f"BesluitBron stopt. {error}", file=sys.stderr)
        return 1
    except OSError as error:
        say(f"BesluitBron stopt. {error.strerror or error}: {error.filename or ''}".rstrip(": "), file=sys.stderr)
        return 1
    return 0


def run(options: Options, stop: threading.Event) -> None:
    """Start everything, say the address, and watch until ``stop``. Raises ``StartRefusedError``."""
    if end_all(options.layout):
        say("Een eerdere start was afgebroken; wat daarvan nog liep is beëindigd.")
    check_ports(options)
    if stop.is_set():
        return
    supervisor = Supervisor.launch(options, parts(options))
    threading.Thread(target=supervisor.wake, name="wekker", daemon=True).start()
    try:
        password = prepared(options)
        Start(options, supervisor, stop).run(password)
        watch(supervisor, options, stop)
    except SupervisorUnreachableError:
        if not stop.is_set():
            raise StartRefusedError(
                _with_log("De procesbewaker antwoordt niet meer.", start_log(options.layout))
            ) from None
    finally:
        finish(supervisor, options.layout)


def prepared(options: Options) -> str | None:
    """The operator's password when it was made now. Raises ``StartRefusedError`` when the database cannot be used."""
    from besluitbron.running import preparation  # noqa: PLC0415 - Django loads while the stores read their files

    try:
        return preparation.prepare(options)
    except preparation.PreparationFailedError as error:
        raise StartRefusedError(str(error)) from error


class Start:
    """One start: the steps between a fresh supervisor and an address that answers."""

    def __init__(self, options: Options, supervisor: Supervisor, stop: threading.Event) -> None:
        self._options = options
        self._supervisor = supervisor
        self._stop = stop

    def run(self, password: str | None) -> None:
        """Wait for what starts at once, then start the rest; return early when asked to end. Raises ``StartRefusedError``."""
        layout = self._options.layout
        if password is not None:
            say(f"Account voor /beheer/ gemaakt: gebruiker {OPERATOR}, wachtwoord {password}")
            say(f"(eenmalig getoond; staat ook in {layout.operator_login})")
        if not self._wait(lambda: answers_ping(layout.state_socket), STATE, _STORES_SECONDS):
            return
        if not self._wait(lambda: answers_ping(layout.buffer_socket), BUFFER, _STORES_SECONDS):
            return
        port = self._options.port
        if not self._wait(lambda: answers_http(port, ALIVE, run=self._options.run), WEB, _WEB_SECONDS):
            return
        if self._options.with_stand_ins and not self._wait(self._stand_ins_answer, STAND_INS, _WEB_SECONDS):
            return
        mode = "proefmodus" if self._options.with_stand_ins else "echte bronnen"
        say(f"BesluitBron staat klaar op {self._options.address} ({mode}). Stoppen: Ctrl-C.")
        # One after another, because the first visitor is there by now: what a worker does may wait, what he asks may not.
        for part in (BOOKKEEPER, UPKEEP, REPORTS):
            if self._stop.wait(_APART_SECONDS):
                return
            self._supervisor.start(part)

    def _stand_ins_answer(self) -> bool:
        """Whether the trial's platforms are there: a first question must not find them still starting."""
        return answers_http(self._options.stand_ins_port, _STAND_IN)

    def _wait(self, ready: Callable[[], bool], part: Part, seconds: float) -> bool:
        """Wait until ``part`` is ``ready``; false when asked to end. Raises ``StartRefusedError`` when that cannot be."""
        for _ in range(round(seconds / _LOOK_SECONDS)):
            if wait_until(ready, _LOOK_SECONDS, self._stop):
                return True
            if self._stop.is_set():
                return False
            failed = self._given_up()
            if failed is not None:
                raise StartRefusedError(part_message(self._options, failed, "kan niet starten"))
        raise StartRefusedError(part_message(self._options, part.name, f"antwoordt na {seconds:.0f} s nog niet"))

    def _given_up(self) -> str | None:
        """The name of a part that could not be started, if there is one."""
        if not self._supervisor.is_running:
            raise SupervisorUnreachableError
        with suppress(SupervisorUnreachableError):  # it may not listen yet
            return next((one.name for one in self._supervisor.states().values() if one.gave_up), None)
        return None


def watch(supervisor: Supervisor, options: Options, stop: threading.Event) -> None:
    """Look after the supervisor until ``stop``. A part that it gave up is named, and tried again every half minute.

    Raises ``SupervisorUnreachableError`` when the supervisor itself has ended.
    """
    by_name = {part.name: part for part in parts(options)}
    told: set[str] = set()
    rounds = 0
    while not stop.wait(_WATCH_SECONDS):
        rounds += 1
        for one in (one for one in supervisor.states().values() if one.gave_up):
            if one.name not in told:
                told.add(one.name)
                say(part_message(options, one.name, "is gestopt; elke halve minuut volgt een nieuwe poging"))
            if rounds % _RETRY_ROUNDS == 0:
                supervisor.start(by_name[one.name])


def finish(supervisor: Supervisor, layout: Layout) -> None:
    """End the supervisor and with it every part; what does not end in time is killed."""
    if supervisor.is_running:
        say("BesluitBron stopt …")
        supervisor.ask_to_end()
        wait_until(lambda: not supervisor.is_running, _END_SECONDS)
    if supervisor.process is not None:
        end([supervisor.process], patience=0)
    end_all(layout)
    say("Gestopt.")


@contextmanager
def claimed(layout: Layout) -> Iterator[None]:
    """Hold the data folder for this process. The system lets go of it however this process ends.

    Raises ``StartRefusedError`` when another process holds it.
    """
    with layout.pid_file.open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = read_note(layout.pid_file)
            who = f" (proces {holder.pid})" if holder else ""
            message = f"Er draait al een BesluitBron{who} met de gegevensmap {layout.data}."
            raise StartRefusedError(message) from None
        ourselves = process(os.getpid())
        lock.truncate(0)
        lock.write(f"{os.getpid()} {ourselves.started if ourselves else ''}\n")
        lock.flush()
        yield


def part_message(options: Options, name: str, what: str) -> str:
    """What a person is told of a part that fails, with the end of its log."""
    title = {part.name: part.title for part in parts(options)}[name]
    return _with_log(f"Onderdeel {name} ({title}) {what}.", options.layout.logs / f"{name}.log")


def _with_log(message: str, log: Path) -> str:
    try:
        lines = log.read_text("utf-8", errors="replace").splitlines()[-_LOG_LINES:]
    except OSError:
        lines = []
    return "\n".join((f"{message} Het eind van {log}:", *(f"  {line}" for line in lines)))


def say(message: str, file: TextIO | None = None) -> None:
    """Tell the person at the terminal, if it is still there."""
    with suppress(OSError):
        print(message, file=file or sys.stdout, flush=True)
