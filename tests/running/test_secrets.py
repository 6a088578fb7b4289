from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from besluitbron.running.layout import PROJECT, Layout
from besluitbron.running.secrets import replace, secret_key

_ASK = """
import sys
from pathlib import Path
from besluitbron.running.layout import Layout
from besluitbron.running.secrets import secret_key
print("ready", flush=True)
sys.stdin.readline()
print(secret_key(Layout(Path(sys.argv[1]))))
"""


def test_the_key_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "var")
    first = secret_key(layout)
    assert len(first) >= 50
    assert secret_key(layout) == first
    assert stat.S_IMODE(layout.secret_key.stat().st_mode) == 0o600
    assert [file.name for file in layout.data.iterdir()] == [layout.secret_key.name]


def test_an_empty_key_is_made_anew(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.secret_key.write_text("\n", "utf-8")
    made = secret_key(layout)
    assert len(made) >= 50
    assert secret_key(layout) == made


def test_every_data_folder_has_a_key_of_its_own(tmp_path: Path) -> None:
    assert secret_key(Layout(tmp_path / "a")) != secret_key(Layout(tmp_path / "b"))


def test_processes_that_ask_at_once_get_the_same_key(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _ASK, str(tmp_path / "var")]
    asking = [
        subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    for one in asking:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in asking:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    keys = {one.communicate(timeout=60)[0].strip() for one in asking}
    assert keys == {secret_key(Layout(tmp_path / "var"))}


def test_the_loser_of_the_race_takes_the_key_of_the_winner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Layout(tmp_path)

    def link_too_late(self: Path, target: Path) -> None:
        del target
        self.write_text("de eerste\n", "utf-8")
        raise FileExistsError

    monkeypatch.setattr(Path, "hardlink_to", link_too_late)
    assert secret_key(layout) == "de eerste"


def test_a_replaced_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "login"
    file.write_text("oud", "utf-8")
    file.chmod(0o644)
    replace(file, "nieuw")
    assert file.read_text("utf-8") == "nieuw\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
