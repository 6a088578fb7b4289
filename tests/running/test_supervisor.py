from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from supervisor.options import ServerOptions

from besluitbron.running.options import Options, read_options
from besluitbron.running.parts import parts
from besluitbron.running.supervisor import configuration


def _options(data: Path, mode: str = "stand-ins") -> Options:
    wanted = {"BESLUITBRON_DATA": str(data), "BESLUITBRON_PLATFORMS": mode, "BESLUITBRON_CONTACT": "x@y.nl"}
    return read_options(wanted)


def _groups(options: Options, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The process groups as the supervisor itself reads them."""
    options.layout.make_folders()
    options.layout.supervisor_conf.write_text(configuration(parts(options)), "utf-8")
    monkeypatch.setenv("BESLUITBRON_PYTHON", "'/a folder/python'")
    monkeypatch.setenv("BESLUITBRON_SUPERVISOR", str(options.layout.supervisor_socket))
    read = ServerOptions()
    read.realize(["-n", "-c", str(options.layout.supervisor_conf)])
    options.layout.remove_socket_folder()
    assert read.server_configs[0]["file"] == str(options.layout.supervisor_socket)
    return {group.name: group for group in read.process_group_configs}


@pytest.mark.parametrize("folder", ["var", "een map", "50% ;van #1", "%(here)s", "é'\"", "a,b=c:d"])
def test_the_supervisor_reads_its_configuration_whatever_the_data_folder_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    options = _options(tmp_path / folder)
    groups = _groups(options, monkeypatch)
    programs = {one.name: one for group in groups.values() for one in group.process_configs}
    assert list(programs) == ["staat", "buffer", "stand-ins", "web", "boekhouder", "upkeep", "reports"]
    for name, program in programs.items():
        assert program.command == f"'/a folder/python' -m besluitbron.running.part {name}"
        assert program.stdout_logfile == str(options.layout.logs / f"{name}.log")
        assert program.autorestart


def test_the_stores_and_what_needs_no_database_to_load_start_by_themselves_and_the_stores_end_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = _groups(_options(tmp_path), monkeypatch)
    assert groups["stores"].priority < groups["application"].priority
    assert {one.name for one in groups["stores"].process_configs} == {"staat", "buffer"}
    assert all(one.autostart for one in groups["stores"].process_configs)
    beside = {one.name for one in groups["application"].process_configs if one.autostart}
    assert beside == {"stand-ins", "web"}, "they load while the database is looked after"


def test_with_the_live_platforms_no_stand_in_runs(tmp_path: Path) -> None:
    names = [part.name for part in parts(_options(tmp_path, "live"))]
    assert names == ["staat", "buffer", "web", "boekhouder", "upkeep", "reports"]


def test_every_part_is_told_to_end_and_killed_only_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for group in _groups(_options(tmp_path), monkeypatch).values():
        for program in group.process_configs:
            assert 0 < program.stopwaitsecs <= 5
            assert program.killasgroup


def test_the_stores_keep_what_they_hold_and_listen_to_nobody_outside(tmp_path: Path) -> None:
    options = _options(tmp_path)
    for part in parts(options)[:2]:
        command = part.command(options)
        said = dict(zip(command[1::2], command[2::2], strict=True))
        assert said["--port"] == "0"
        assert said["--appendonly"] == "yes"
        assert said["--maxmemory-policy"] == {"staat": "noeviction", "buffer": "volatile-lru"}[part.name]


def test_only_the_reports_step_back_for_the_rest(tmp_path: Path) -> None:
    assert {part.name: part.nice for part in parts(_options(tmp_path)) if part.nice} == {"reports": 15}
