from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from besluitbron.running.options import read_options
from besluitbron.running.probes import PortTakenError, answers_http, answers_ping, check_ports


@pytest.fixture
def taken(free_port: int) -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", free_port + 1))
        other.listen()
        yield free_port + 1


def test_free_ports_are_no_objection(free_port: int) -> None:
    check_ports(read_options({"PORT": str(free_port)}))


def test_a_taken_port_is_named(taken: int) -> None:
    with pytest.raises(PortTakenError, match=f"Poort {taken} is al in gebruik"):
        check_ports(read_options({"PORT": str(taken)}))


def test_a_taken_port_of_the_stand_ins_is_named_as_theirs(taken: int) -> None:
    with pytest.raises(PortTakenError, match=rf"Poort {taken} \(PORT \+ 1, .*\) is al in gebruik"):
        check_ports(read_options({"PORT": str(taken - 1)}))


def test_the_port_of_the_stand_ins_does_not_matter_without_them(taken: int) -> None:
    check_ports(
        read_options({"PORT": str(taken - 1), "BESLUITBRON_PLATFORMS": "live", "BESLUITBRON_CONTACT": "x@y.nl"})
    )


def test_nobody_answers_where_nobody_listens(tmp_path: Path, free_port: int) -> None:
    assert not answers_ping(tmp_path / "none.sock")
    assert not answers_http(free_port, "/")


def test_a_store_that_still_reads_its_file_does_not_answer_yet(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        assert not answers_ping(path)  # connected, and silent
