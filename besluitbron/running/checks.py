"""Run every check in order and stop at the first that fails: what ``./check`` runs once the packages are there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shutil import which
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from besluitbron.running.layout import PROJECT

_BIN: Final = Path(sys.executable).parent
_PYTHON: Final = sys.executable
_CLIENTS: Final = PROJECT / "tests" / "clients"
_LINTER: Final = PROJECT / "tests" / "beschrijving"
_VALIDATOR: Final = PROJECT / "tests" / "opmaak"
_AUDIT_SECONDS: Final = 60
SKIPPED: Final = "overgeslagen"
DEBIANS: Final = Path("/usr/lib/postgresql")
"""Where Debian puts a server that is not on the path."""


class CheckFailedError(Exception):
    """A check found something; what it is has been printed, or stands in the text."""


@dataclass(frozen=True, slots=True)
class Step:
    """One check: ``run`` returns a remark for the summary (often empty), or raises ``CheckFailedError``."""

    title: str
    run: Callable[[Mapping[str, str]], str]


def steps(*, everything: bool) -> tuple[Step, ...]:
    """The checks in order, cheap ones first. ``everything`` adds the long runs to the tests."""
    code = [*sorted(file.parent.name for file in PROJECT.glob("*/__init__.py")), "tests", "manage.py"]
    return (
        Step("opmaak (ruff format)", _command(_PYTHON, "-m", "ruff", "format", "--check", "--quiet", ".")),
        Step("regels (ruff check)", _command(_PYTHON, "-m", "ruff", "check", "--quiet", ".")),
        Step("typen (mypy)", _command(_PYTHON, "-m", "mypy", "--no-error-summary", *code)),
        Step("lagen (import-linter)", _command(str(_BIN / "lint-imports"), "--no-logo")),
        Step("migraties", _command(_PYTHON, "manage.py", "makemigrations", "--check", "--dry-run")),
        Step("vastgezette versies", requirements_agree),
        Step("bekende lekken (pip-audit)", audit),
        Step("programma's die MCP spreken (npm ci)", packages_of(_CLIENTS)),
        Step("linter van de beschrijving van de API (npm ci)", packages_of(_LINTER)),
        Step("nakijker van de HTML (npm ci)", packages_of(_VALIDATOR)),
        Step("browser (Chromium)", browser),
        Step("database (PostgreSQL)", postgres),
        Step(
            "tests (pytest)",
            _command(
                _PYTHON,
                "-m",
                "pytest",
                "-q",
                "-n",
                "3",
                "--dist",
                "worksteal",
                *([] if everything else ["-m", "not lang"]),
            ),
        ),
    )


def _command(*command: str) -> Callable[[Mapping[str, str]], str]:
    def run(environment: Mapping[str, str]) -> str:
        done = subprocess.run(command, cwd=PROJECT, env=environment, check=False, stdin=subprocess.DEVNULL)  # noqa: S603 - own
        if done.returncode != 0:
            message = f"{Path(command[0]).name} eindigde met {done.returncode}"
            raise CheckFailedError(message)
        return ""

    return run


def requirements_agree(environment: Mapping[str, str]) -> str:
    """Every line of a ``requirements*.in`` is met by its ``.txt``, and both ``.txt`` pin the same versions."""
    del environment
    product, tools = (pins((PROJECT / f"requirements{kind}.txt").read_text("utf-8")) for kind in ("", "-dev"))
    wrong = [
        f"{name}: {product[name]} en {tools[name]}" for name in product.keys() & tools if product[name] != tools[name]
    ]
    for kind, pinned in (("", product), ("-dev", tools)):
        lines = (PROJECT / f"requirements{kind}.in").read_text("utf-8").splitlines()
        wrong.extend(f"requirements{kind}.txt: {one}" for one in unmet(lines, pinned))
    if wrong:
        raise CheckFailedError("; ".join(sorted(wrong)))
    return f"{len(product | tools)} pakketten"


def pins(text: str) -> dict[str, str]:
    """The version of each package that a compiled requirements file pins."""
    found = (line.partition(";")[0].strip(" \\").partition("==") for line in text.splitlines() if line[:1].isalnum())
    return {canonicalize_name(name): version for name, _, version in found if version}


def unmet(lines: list[str], pinned: Mapping[str, str]) -> list[str]:
    """The requirements in ``lines`` that ``pinned`` does not meet."""
    plain = (line.partition("#")[0].strip() for line in lines)
    wanted = [Requirement(line) for line in plain if line and not line.startswith("-")]
    return [str(one) for one in wanted if not _meets(one, pinned)]


def _meets(wanted: Requirement, pinned: Mapping[str, str]) -> bool:
    version = pinned.get(canonicalize_name(wanted.name))
    return version is not None and wanted.specifier.contains(version, prereleases=True)


def audit(environment: Mapping[str, str]) -> str:
    """Ask the public list of known weaknesses about every pinned package; skipped when it cannot be reached."""
    found: list[str] = []
    for name in ("requirements.txt", "requirements-dev.txt"):
        options = [
            "--disable-pip",
            "--require-hashes",
            "--timeout",
            "5",
            "--progress-spinner",
            "off",
            "--format",
            "json",
        ]
        command = [_PYTHON, "-m", "pip_audit", "--requirement", name, *options]
        try:
            done = subprocess.run(  # noqa: S603 - our own command
                command, cwd=PROJECT, env=environment, check=False, capture_output=True, timeout=_AUDIT_SECONDS
            )
            answer = json.loads(done.stdout)["dependencies"]
        except (subprocess.TimeoutExpired, ValueError, KeyError):
            return f"{SKIPPED}: de lijst is niet bereikbaar"
        if all("skip_reason" in one for one in answer):
            return f"{SKIPPED}: de lijst kent deze pakketten niet"
        found.extend(f"{one['name']}: {weakness['id']}" for one in answer for weakness in one.get("vulns", ()))
    if found:
        raise CheckFailedError("; ".join(found))
    return ""


def packages_of(folder: Path) -> Callable[[Mapping[str, str]], str]:
    """A check's work: install the programs for Node that tests run from ``folder``, by their lock, when it changed."""

    def install(environment: Mapping[str, str]) -> str:
        lock, note = folder / "package-lock.json", folder / "node_modules" / ".besluitbron"
        wanted = sha256(lock.read_bytes()).hexdigest()
        if note.is_file() and note.read_text("utf-8") == wanted:
            return ""
        found_by_npm = dict(environment) | {"PATH": f"{_BIN}{os.pathsep}{environment.get('PATH', '')}"}
        command = [str(_BIN / "npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]
        done = subprocess.run(  # noqa: S603 - own
            command, cwd=folder, env=found_by_npm, check=False, stdin=subprocess.DEVNULL
        )
        if done.returncode != 0:
            message = f"npm eindigde met {done.returncode}"
            raise CheckFailedError(message)
        note.write_text(wanted, "utf-8")
        return "geïnstalleerd"

    return install


def browser(environment: Mapping[str, str]) -> str:
    """Whether Chromium is there for the tests that need it. Without it they are skipped, but not where ``CI`` is set."""
    if which("chromium", path=environment.get("PATH")):
        return ""
    if environment.get("CI"):
        message = "geen Chromium; op Debian: apt install chromium"
        raise CheckFailedError(message)
    return f"{SKIPPED}: geen Chromium (op Debian: apt install chromium)"


def postgres(environment: Mapping[str, str]) -> str:
    """Whether PostgreSQL is there for the tests that need it. Without it they are skipped, but not where ``CI`` is set."""
    if which("postgres", path=environment.get("PATH")) or any(DEBIANS.glob("*/bin/postgres")):
        return ""
    if environment.get("CI"):
        message = "geen PostgreSQL; op Debian: apt install postgresql"
        raise CheckFailedError(message)
    return f"{SKIPPED}: geen PostgreSQL (op Debian: apt install postgresql)"


def check_environment(data: str, *, everything: bool) -> dict[str, str]:
    """What the checks find in their environment: nothing of whoever runs them changes what the product does."""
    own = {name: value for name, value in os.environ.items() if name != "PORT" and not name.startswith("BESLUITBRON_")}
    own |= {"BESLUITBRON_DATA": data, "DJANGO_SETTINGS_MODULE": "besluitbron.settings"}
    return own | ({"HYPOTHESIS_PROFILE": "all"} if everything else {})


def main(arguments: list[str]) -> int:
    """Run the checks. Returns the exit code: 0 all is well, 1 a check failed, 2 unknown arguments."""
    if arguments not in ([], ["--all"]):
        say("Gebruik: ./check [--all]")
        return 2
    everything = bool(arguments)
    summary: list[str] = []
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="besluitbron-check-") as data:
            environment = check_environment(data, everything=everything)
            failed = next((one for one in steps(everything=everything) if not _passed(one, environment, summary)), None)
    except KeyboardInterrupt:
        return 130
    say("\n" + "\n".join(summary))
    outcome = f"niet in orde: {failed.title}" if failed else "alles in orde"
    say(f"check: {outcome} ({time.monotonic() - started:.0f} s)")
    return 1 if failed else 0


def _passed(step: Step, environment: Mapping[str, str], summary: list[str]) -> bool:
    """Run ``step`` and add its line to ``summary``; whether it passed."""
    say(f"── {step.title}")
    started = time.monotonic()
    try:
        remark = step.run(environment)
    except CheckFailedError as error:
        say(f"  {error}")
        summary.append(f"  FOUT  {step.title} ({time.monotonic() - started:.1f} s)")
        return False
    word = "niet gedaan" if remark.startswith(SKIPPED) else "goed"
    summary.append(f"  {word}  {step.title} ({time.monotonic() - started:.1f} s){remark and f' - {remark}'}")
    return True


def say(message: str) -> None:
    """Tell the person at the terminal, before whatever a check prints next."""
    sys.stdout.write(f"{message}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
