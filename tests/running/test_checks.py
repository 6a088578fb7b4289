from __future__ import annotations

import configparser
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from besluitbron.running import checks
from besluitbron.running.checks import (
    CheckFailedError,
    browser,
    check_environment,
    main,
    pins,
    postgres,
    requirements_agree,
    steps,
    unmet,
)
from besluitbron.running.layout import PROJECT

_PINNED = """\
django==5.2.19 \\
    --hash=sha256:00
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:00
Django-Ninja==1.7.1
"""


def test_pins_are_read_with_markers_and_hashes() -> None:
    assert pins(_PINNED) == {"django": "5.2.19", "colorama": "0.4.6", "django-ninja": "1.7.1"}


@pytest.mark.parametrize(
    ("line", "met"),
    [
        ("django>=5.2,<5.3", True),
        ("django_ninja  # why", True),
        ("-c requirements.txt", True),
        ("# django-nobody", True),
        ("django>=6", False),
        ("celery", False),
    ],
)
def test_a_requirement_is_met_by_a_pin_that_fits(line: str, *, met: bool) -> None:
    assert (unmet([line], pins(_PINNED)) == []) is met


def test_the_pinned_versions_of_this_checkout_agree() -> None:
    assert "pakketten" in requirements_agree(os.environ)


def test_a_check_is_not_changed_by_who_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "1")
    monkeypatch.setenv("BESLUITBRON_PLATFORMS", "live")
    environment = check_environment("/data", everything=False)
    assert not environment.keys() & {"PORT", "BESLUITBRON_PLATFORMS"}
    assert environment["BESLUITBRON_DATA"] == "/data"
    assert check_environment("/data", everything=True)["HYPOTHESIS_PROFILE"] == "all"


def test_only_the_long_runs_are_left_to_who_asks_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, ...]] = []

    def kept(*command: str) -> Callable[[Mapping[str, str]], str]:
        made.append(command)
        return lambda _: ""

    monkeypatch.setattr(checks, "_command", kept)
    titles = [[step.title for step in steps(everything=everything)] for everything in (False, True)]
    short, whole = (command for command in made if "pytest" in command)
    assert titles[0] == titles[1]
    assert short == (*whole, "-m", "not lang")


def test_without_a_browser_its_tests_are_named_as_skipped_and_where_nothing_may_be_skipped_it_is_a_failure(
    tmp_path: Path,
) -> None:
    assert browser({"PATH": str(tmp_path)}) == "overgeslagen: geen Chromium (op Debian: apt install chromium)"
    with pytest.raises(CheckFailedError, match="geen Chromium"):
        browser({"PATH": str(tmp_path), "CI": "true"})
    (tmp_path / "chromium").touch(mode=0o755)
    assert browser({"PATH": str(tmp_path), "CI": "true"}) == ""


def test_an_unknown_argument_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--fast"]) == 2
    assert "./check [--all]" in capsys.readouterr().out


def _layers() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(PROJECT / ".importlinter", "utf-8")
    return parser


def test_every_room_is_held_to_the_layers() -> None:
    rooms = {file.parent.name for file in PROJECT.glob("*/__init__.py")}
    layers = _layers()
    assert set(layers["importlinter"]["root_packages"].split()) == rooms
    for contract in ("http", "store"):
        assert set(layers[f"importlinter:contract:{contract}"]["source_modules"].split()) == rooms


def test_every_platform_is_held_to_know_no_other() -> None:
    platforms = {f"connectors.{file.parent.name}" for file in PROJECT.glob("connectors/*/connector.py")}
    assert set(_layers()["importlinter:contract:platforms"]["modules"].split()) == platforms


def test_without_postgresql_its_tests_are_named_as_skipped_and_where_nothing_may_be_skipped_it_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "DEBIANS", tmp_path / "nergens")
    assert postgres({"PATH": str(tmp_path)}) == "overgeslagen: geen PostgreSQL (op Debian: apt install postgresql)"
    with pytest.raises(CheckFailedError, match="geen PostgreSQL"):
        postgres({"PATH": str(tmp_path), "CI": "true"})
    (tmp_path / "postgres").touch(mode=0o755)
    assert postgres({"PATH": str(tmp_path), "CI": "true"}) == ""
