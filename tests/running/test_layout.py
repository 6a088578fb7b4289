from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest

from besluitbron.running.layout import PROJECT, FolderRefusedError, Layout, data_folder, make_private


@pytest.fixture
def deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Layout:
    """A layout whose own path is too long for a socket, with a temporary folder of the test's own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return Layout(tmp_path / ("d" * 150))


def test_data_lies_in_var_beside_manage_py_unless_told_otherwise() -> None:
    assert data_folder({}) == data_folder({"BESLUITBRON_DATA": ""}) == PROJECT / "var"
    assert (PROJECT / "manage.py").is_file()


def test_a_relative_data_folder_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert data_folder({"BESLUITBRON_DATA": "hier"}) == tmp_path / "hier"


def test_sockets_lie_below_a_data_folder_with_a_short_path() -> None:
    assert Layout(Path("/srv/besluitbron")).state_socket == Path("/srv/besluitbron/run/staat.sock")


@pytest.mark.parametrize("length", range(60, 200, 7))
def test_every_socket_path_fits_however_long_the_data_folder_is(length: int) -> None:
    layout = Layout(Path("/" + "d" * (length - 1)))
    for path in (layout.state_socket, layout.buffer_socket, Path(f"{layout.supervisor_socket}.4194304")):
        assert len(os.fsencode(path)) <= 103


def test_letters_of_more_than_one_byte_count_for_what_they_take() -> None:
    assert Layout(Path("/" + "é" * 50)).socket_folder.parent == Path(tempfile.gettempdir())


def test_two_long_data_folders_have_sockets_of_their_own() -> None:
    one, other = (Layout(Path(f"/{'d' * 120}/{name}")) for name in ("a", "b"))
    assert one.socket_folder != other.socket_folder


def test_every_folder_of_a_run_is_private_to_its_owner(deep: Layout) -> None:
    deep.make_folders()
    deep.make_folders()
    for folder in (deep.data, deep.logs, deep.part_pids, deep.state_data, deep.buffer_data, deep.socket_folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_socket_folder_open_to_others_is_closed(deep: Layout) -> None:
    deep.socket_folder.mkdir(mode=0o777)
    deep.make_folders()
    assert stat.S_IMODE(deep.socket_folder.stat().st_mode) == 0o700


def test_a_socket_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    with pytest.raises(FolderRefusedError, match="andere gebruiker"):
        make_private(folder)


def test_a_link_in_the_place_of_the_socket_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elders").mkdir(mode=0o755)
    (tmp_path / "run").symlink_to(tmp_path / "elders")
    with pytest.raises(FolderRefusedError, match="geen gewone map"):
        make_private(tmp_path / "run")
    assert stat.S_IMODE((tmp_path / "elders").stat().st_mode) == 0o755


def test_a_file_in_the_place_of_the_socket_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").touch()
    with pytest.raises(FolderRefusedError, match="geen gewone map"):
        make_private(tmp_path / "run")
