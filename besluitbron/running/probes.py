"""Looking from outside whether something can start, and whether it answers."""

from __future__ import annotations

import errno
import http.client
import socket
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

from besluitbron.running.options import Options


class PortTakenError(Exception):
    """A port this run needs cannot be had. The text is Dutch, for the person who starts the product."""


def check_ports(options: Options) -> None:
    """Raises ``PortTakenError`` when a port this run needs cannot be had."""
    needed = (options.port, options.stand_ins_port) if options.with_stand_ins else (options.port,)
    for port in needed:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server itself will
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as error:
                why = "is al in gebruik" if error.errno == errno.EADDRINUSE else "mag dit programma niet gebruiken"
                whose = "" if port == options.port else " (PORT + 1, voor de meegeleverde verzameling)"
                message = f"Poort {port}{whose} {why}. Kies een andere, bijvoorbeeld: PORT=9000 ./start"
                raise PortTakenError(message) from None


def free_port() -> int:
    """A port of loopback that is free at this moment, and the one above it, which the stand-ins use."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port: int = first.getsockname()[1]
            with suppress(OSError, OverflowError):
                second.bind(("127.0.0.1", port + 1))
                return port


def answers_ping(path: Path) -> bool:
    """Whether a store at the socket ``path`` is there and has read its file."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False


RUN_HEADER = "Besluitbron-Run"
"""Names the run that a web server belongs to, so that a start does not take another's answer for its own."""


def answers_http(port: int, path: str, *, run: str = "") -> bool:
    """Whether ``path`` at ``port`` of this machine answers 200, and the server belongs to ``run`` (empty: any)."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status == HTTPStatus.OK and (not run or answer.headers.get(RUN_HEADER) == run)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
