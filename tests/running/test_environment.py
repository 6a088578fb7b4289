from __future__ import annotations

import sys
from pathlib import Path

import pytest

from besluitbron.running.environment import Environment, EnvironmentFailedError


class Recorded(Environment):
    """An environment that notes what it would run; what ``fails_on`` names fails, what ``broken_off_on`` names ends us."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.ran: list[str] = []
        self.fails_on = ""
        self.broken_off_on = ""

    def _run(self, command: list[str], failure: str) -> None:
        what = "venv" if "venv" in command else Path(command[-1]).name
        self.ran.append(what)
        if what == self.broken_off_on:
            raise KeyboardInterrupt
        if what == self.fails_on:
            raise EnvironmentFailedError(failure)
        if what == "venv":
            for file in self.home.glob("*"):
                if file.is_file():
                    file.unlink()
            self.python.parent.mkdir(parents=True, exist_ok=True)
            self.python.unlink(missing_ok=True)
            self.python.symlink_to(sys.executable)
            (self.home / "pyvenv.cfg").write_text("", "utf-8")

    def again(self) -> Recorded:
        return Recorded(self.home)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = [tmp_path / "requirements.txt", tmp_path / "requirements-dev.txt"]
    for file in made:
        file.write_text(file.name, "utf-8")
    return made


@pytest.fixture
def fresh(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path / ".venv")


def test_a_first_start_makes_the_environment_and_installs(fresh: Recorded, files: list[Path]) -> None:
    assert fresh.ensure(files[:1])
    assert fresh.ran == ["venv", "requirements.txt"]


def test_a_second_start_does_nothing(fresh: Recorded, files: list[Path]) -> None:
    fresh.ensure(files)
    second = fresh.again()
    assert not second.ensure(files)
    assert second.ran == []


def test_only_what_changed_is_installed_again(fresh: Recorded, files: list[Path]) -> None:
    fresh.ensure(files)
    files[1].write_text("changed", "utf-8")
    second = fresh.again()
    assert second.ensure(files)
    assert second.ran == ["requirements-dev.txt"]


@pytest.mark.parametrize("moment", ["venv", "requirements.txt", "requirements-dev.txt"])
def test_what_was_broken_off_is_done_again_from_scratch(fresh: Recorded, files: list[Path], moment: str) -> None:
    fresh.broken_off_on = moment
    with pytest.raises(KeyboardInterrupt):
        fresh.ensure(files)
    second = fresh.again()
    second.ensure(files)
    assert second.ran == ["venv", "requirements.txt", "requirements-dev.txt"]


def test_packages_that_cannot_be_had_now_leave_the_environment_as_it_was(fresh: Recorded, files: list[Path]) -> None:
    fresh.ensure(files)
    files[0].write_text("changed", "utf-8")
    offline = fresh.again()
    offline.fails_on = "requirements.txt"
    with pytest.raises(EnvironmentFailedError, match="verbinding met internet"):
        offline.ensure(files)
    later = fresh.again()
    later.ensure(files)
    assert later.ran == ["requirements.txt"]


def test_an_environment_that_was_moved_is_made_again(fresh: Recorded, files: list[Path], tmp_path: Path) -> None:
    fresh.ensure(files)
    moved = Recorded(fresh.home.rename(tmp_path / "moved"))
    moved.ensure(files)
    assert moved.ran[0] == "venv"


def test_an_environment_whose_python_is_gone_is_made_again(fresh: Recorded, files: list[Path]) -> None:
    fresh.ensure(files)
    fresh.python.unlink()
    fresh.python.symlink_to("/nowhere/python3.11")
    second = fresh.again()
    second.ensure(files)
    assert second.ran[0] == "venv"


def test_a_missing_venv_module_is_answered_with_what_to_do(fresh: Recorded, files: list[Path]) -> None:
    fresh.fails_on = "venv"
    with pytest.raises(EnvironmentFailedError, match="apt install python3-venv"):
        fresh.ensure(files)


def test_what_is_not_an_environment_is_never_cleared(tmp_path: Path, files: list[Path]) -> None:
    precious = tmp_path / "other" / "precious"
    precious.parent.mkdir()
    precious.write_text("keep", "utf-8")
    (tmp_path / "link").symlink_to(precious.parent)
    for home in (tmp_path / "link", precious.parent, precious):
        with pytest.raises(EnvironmentFailedError, match="niet leeggemaakt"):
            Environment(home).ensure(files)
    assert precious.read_text("utf-8") == "keep"
