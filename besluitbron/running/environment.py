"""Make ``.venv`` and install pinned packages in it, only when they changed: ``environment.py requirements.txt …``.

Runs under whatever Python the machine has (3.11 or newer), before any package is there: standard library only, and no
import from this project. What it installed is noted in ``.venv``; what was broken off is done again from scratch.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[2]
_COMPLETE: Final = "complete"  # stands in .venv and says where that is; absent while something in it is half done


class EnvironmentFailedError(Exception):
    """The environment cannot be made. The text is Dutch, for the person who starts the product."""


class Environment:
    """The environment in the folder ``home``."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.python = home / "bin" / "python"
        self._complete = home / _COMPLETE

    def ensure(self, requirements: list[Path]) -> bool:
        """Make sure that all of ``requirements`` is installed. Returns whether anything had to be done.

        Raises ``EnvironmentFailedError``.
        """
        if not self._is_sound():
            self._make()
        wanted = [file for file in requirements if _text(self._note(file)) != fingerprint(file)]
        for file in wanted:
            self._install(file)
        return bool(wanted)

    def _is_sound(self) -> bool:
        """Whether its Python exists, nothing in it was broken off, and it was made here: it cannot be moved."""
        return os.access(self.python, os.X_OK) and _text(self._complete) == str(self.home)

    def _make(self) -> None:
        if not self._may_be_cleared():
            message = (
                f"{self.home} is een verwijzing of geen Python-omgeving, en wordt daarom niet leeggemaakt. "
                "Haal haar weg of geef haar een andere naam, en start opnieuw."
            )
            raise EnvironmentFailedError(message)
        say("Eenmalig: de Python-omgeving wordt gemaakt in .venv …")
        self._run(
            [sys.executable, "-m", "venv", "--clear", str(self.home)],
            "De Python-omgeving kon niet worden gemaakt. Ontbreekt venv? Debian en Ubuntu: apt install python3-venv",
        )
        self._completed()

    def _may_be_cleared(self) -> bool:
        """Whether nothing of anybody else stands where the environment comes: no link, and no folder of another kind."""
        if self.home.is_symlink() or (self.home.exists() and not self.home.is_dir()):
            return False
        if not self.home.exists() or (self.home / "pyvenv.cfg").exists():
            return True
        ours = {"bin", "include", "lib", "lib64"}  # what venv makes first, should it be broken off
        return all(each.name in ours or each.name.startswith("installed-") for each in self.home.iterdir())

    def _install(self, file: Path) -> None:
        say(f"De pakketten van {file.name} worden geïnstalleerd; dat duurt een minuut …")
        self._complete.unlink(missing_ok=True)
        quiet = ["-qq", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
        try:
            self._run(
                [str(self.python), "-m", "pip", "install", *quiet, "--require-hashes", "--requirement", str(file)],
                "De pakketten konden niet worden geïnstalleerd. Is er een verbinding met internet? Probeer het daarna opnieuw.",
            )
        except EnvironmentFailedError:
            self._completed()  # pip itself gave up and left all as it was; only one that was killed leaves a ruin
            raise
        self._note(file).write_text(fingerprint(file), "utf-8")
        self._completed()

    def _completed(self) -> None:
        self._complete.write_text(str(self.home), "utf-8")

    def _note(self, file: Path) -> Path:
        return self.home / f"installed-{file.name}"

    def _run(self, command: list[str], failure: str) -> None:
        environment = {**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}
        done = subprocess.run(command, check=False, env=environment, stdin=subprocess.DEVNULL)  # noqa: S603 - fixed
        if done.returncode < 0:
            raise KeyboardInterrupt
        if done.returncode > 0:
            raise EnvironmentFailedError(failure)


def _text(file: Path) -> str:
    """What ``file`` holds; nothing when it does not exist."""
    try:
        return file.read_text("utf-8")
    except OSError:
        return ""


def fingerprint(file: Path) -> str:
    """The SHA-256 of ``file``."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def say(message: str) -> None:
    """Tell the person at the terminal."""
    sys.stderr.write(f"{message}\n")


def _wait_for_others(folder: int) -> None:
    """Hold the lock on ``folder``, so that two starts at once do not install into one environment."""
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Er wordt al geïnstalleerd; even wachten …")
        fcntl.flock(folder, fcntl.LOCK_EX)


def main(names: list[str]) -> int:
    """Install the files called ``names``, one process at a time. Returns the exit code."""
    folder = os.open(PROJECT, os.O_RDONLY)
    try:
        _wait_for_others(folder)
        Environment(PROJECT / ".venv").ensure([PROJECT / name for name in names])
    except EnvironmentFailedError as error:
        say(f"BesluitBron start niet. {error}")
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        os.close(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
